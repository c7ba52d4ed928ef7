"""A server of MCP: its card is made of what its session tells, for as long as the session lives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cardwright.gateway.mcp import McpSession, mcp_card
from cardwright.gateway.sources.source import Sourced, Standing

if TYPE_CHECKING:
    from cardwright.gateway.entries import AgentConfig
    from cardwright.gateway.mcp import Inventory


class McpSource:
    """The card of a server of MCP.

    Args:
        config: The agent.
        session: Its session, which is started when it is first needed.
    """

    def __init__(self, config: AgentConfig, session: McpSession) -> None:
        self._config = config
        self.session = session
        self._made: tuple[Inventory, Sourced] | None = None
        self._count = 0
        self._making = asyncio.Lock()

    def now(self) -> Sourced | None:
        """Return the card while the session is there."""
        inventory = self.session.inventory
        return self._made[1] if self._made is not None and self._made[0] is inventory else None

    async def card(self) -> Sourced:
        """Return the card; the session is started, and waited for, where there is none.

        Raises:
            SessionNotReady: If it is not there in time.
        """
        return await self._of(await self.session.started())

    async def refresh(self) -> Sourced:
        """Return the card of what the server lists now.

        Raises:
            SessionNotReady: If there is no session.
        """
        await self.session.started()
        await self.session.refresh()
        return await self._of(await self.session.started())

    def standing(self) -> Standing:
        """Return how the session does."""
        sourced = self.now()
        if self.session.state == "ready":
            return Standing("ok", sourced)
        if self.session.state == "crashed":
            return Standing("failing", sourced, self.session.error)
        return Standing("starting" if self.session.state == "starting" else "idle", sourced)

    async def close(self) -> None:
        """End the session and its process."""
        await self.session.close()

    async def _of(self, inventory: Inventory) -> Sourced:
        async with self._making:
            if self._made is None or self._made[0] is not inventory:
                self._count += 1
                # Two megabytes of tools take most of a second to be judged.
                card = await asyncio.to_thread(mcp_card, self._config.id, inventory)
                self._made = inventory, Sourced(card, str(self._count), age_seconds=0.0, inventory=inventory)
            return self._made[1]
