"""Which revision of each added agent this process has applied."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.database.agents import AddedAgent, AddedAgents
    from cardwright_gateway.settings.agents import AgentConfig


class Revisions:
    """The table of added agents, and the revision of each that this process has applied: the time of its change.

    Args:
        added: The table.
    """

    def __init__(self, added: AddedAgents) -> None:
        self._added = added
        self._applied: dict[str, float] = {}

    def all(self) -> Mapping[str, AddedAgent]:
        """Return the added agents by id."""
        return self._added.all()

    def outdated(self, changed: Mapping[str, float]) -> list[str]:
        """Return the agents whose revision here is not the current one, in the order to apply the changes.

        Removed agents come first, then the oldest change: an agent may need something that another agent gave up
        before.

        Args:
            changed: The time of the last change of each added agent.
        """
        removed = [agent_id for agent_id in self._applied if agent_id not in changed]
        others = [(at, agent_id) for agent_id, at in changed.items() if self._applied.get(agent_id) != at]
        return removed + [agent_id for _, agent_id in sorted(others)]

    def is_applied(self, agent_id: str, stored: AddedAgent | None) -> bool:
        """Return whether this process has applied what the table has of an agent."""
        return self._applied.get(agent_id) == (None if stored is None else stored.changed_at)

    def note(self, agent_id: str, stored: AddedAgent | None) -> None:
        """Note that this process has applied what the table has of an agent."""
        if stored is None:
            self._applied.pop(agent_id, None)
        else:
            self._applied[agent_id] = stored.changed_at

    async def stored(self, agent_id: str) -> AddedAgent | None:
        """Return what the table has of an agent.

        Raises:
            StoreError: If the database cannot be used.
        """
        return await asyncio.to_thread(self._added.one, agent_id)

    async def put(self, config: AgentConfig, actor: str) -> None:
        """Store the settings of an agent, and note them as applied.

        Raises:
            ChangedMeanwhile: If the table has another revision than this process.
            StoreError: If the database cannot be used; nothing changed.
        """
        before = self._applied.get(config.id)
        put = partial(
            self._added.put, config.id, config.definition, before=before, at=time.time(), actor=actor
        )
        self._applied[config.id] = await asyncio.to_thread(put)

    async def drop(self, config: AgentConfig, actor: str) -> None:
        """Delete an agent.

        Raises:
            ChangedMeanwhile: If the table has another revision than this process.
            StoreError: If the database cannot be used; nothing changed.
        """
        drop = partial(
            self._added.drop,
            config.id,
            before=self._applied.get(config.id),
            at=time.time(),
            actor=actor,
            owner_id=config.owner,
        )
        await asyncio.to_thread(drop)
        self._applied.pop(config.id, None)
