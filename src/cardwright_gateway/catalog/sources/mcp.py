"""The card source of an MCP server: created from its session, and valid as long as the session."""

from __future__ import annotations

import asyncio
import math
import time
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright_gateway.catalog.mcp_card import mcp_card
from cardwright_gateway.catalog.sources.source import SourceStatus, UpstreamCard

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.upstream.mcp import Inventory, McpSession
# A refresh within this time returns the result of the last one (project decision).
_FRESH_SECONDS: Final = 1.0


class McpSource:
    """The card source of an MCP server.

    Args:
        config: The settings of the agent.
        session: Its session, which is started when it is first needed.
        clock: A monotonic clock, in seconds.
    """

    def __init__(
        self, config: AgentConfig, session: McpSession, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._config = config
        self.session = session
        self._made: tuple[Inventory, UpstreamCard] | None = None
        self._count = 0
        self._making = asyncio.Lock()
        self._clock = clock
        self._refreshing = asyncio.Lock()
        self._refreshed = -math.inf
        self._failed: CardError | None = None

    def now(self) -> UpstreamCard | None:
        """Return the card if the session is ready."""
        inventory = self.session.inventory
        return self._made[1] if self._made is not None and self._made[0] is inventory else None

    async def card(self) -> UpstreamCard:
        """Return the card; start the session and wait for it if needed.

        Raises:
            SessionNotReady: If the session is not ready in time.
        """
        return await self._of(await self.session.started())

    async def refresh(self) -> UpstreamCard:
        """Return the card of what the server lists now, or listed within the last second.

        Concurrent callers share the result or error of one reading.

        Raises:
            SessionNotReady: If there is no session.
            CardError: If the lists cannot be read.
        """
        await self.session.started()
        async with self._refreshing:
            if self._clock() - self._refreshed >= _FRESH_SECONDS:
                await self._read()
            if self._failed is not None:
                raise self._failed.with_traceback(None)
        return await self._of(await self.session.started())

    def status(self) -> SourceStatus:
        """Return the status of the source."""
        upstream = self.now()
        if self.session.state == "ready":
            return SourceStatus("ok", upstream)
        if self.session.state == "crashed":
            return SourceStatus("failing", upstream, self.session.error)
        return SourceStatus("starting" if self.session.state == "starting" else "idle", upstream)

    async def close(self) -> None:
        """End the session and its process."""
        await self.session.close()

    async def _read(self) -> None:
        """Read the lists again, and note the time and the error."""
        try:
            await self.session.refresh()
        except CardError as error:
            self._failed = error
        else:
            self._failed = None
        self._refreshed = self._clock()

    async def _of(self, inventory: Inventory) -> UpstreamCard:
        async with self._making:
            if self._made is None or self._made[0] is not inventory:
                self._count += 1
                # Validating two megabytes of tools takes most of a second, so use a thread.
                card = await asyncio.to_thread(mcp_card, self._config.id, inventory)
                self._made = (
                    inventory,
                    UpstreamCard(card, str(self._count), age_seconds=0.0, inventory=inventory),
                )
            return self._made[1]
