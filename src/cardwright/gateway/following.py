"""Processes that share a database follow each other: agents that one adds, and cards that one fetches, reach all."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from cardwright.errors import CardError
from cardwright.gateway.sources.a2a import A2aSource
from cardwright.store.tables import PEERS

if TYPE_CHECKING:
    from cardwright.gateway.gateway import Gateway
    from cardwright.store.agents import AddedAgents
    from cardwright.store.database import Database

_LOG: Final = logging.getLogger("cardwright.gateway")
# A change reaches all processes within five seconds (reliability 2f): this and the reading of it.
ROUND_SECONDS: Final = 1.5


class Follower:
    """Looks at what other processes changed; on SQLite at agents that were added alone, as a command may do.

    Args:
        gateway: The gateway.
        added: The agents that were added, as the database has them.
        database: The database.
    """

    def __init__(self, gateway: Gateway, added: AddedAgents, database: Database) -> None:
        self._gateway = gateway
        self._added = added
        self._database = database
        self._shared = database.engine.dialect.name != "sqlite"
        self._agents: dict[str, float] | None = None
        self._cards: dict[str, str] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, unless it has begun."""
        if self._shared and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def look(self) -> None:
        """Look once.

        Raises:
            StoreError: If the database cannot be used.
        """
        changed = await asyncio.to_thread(self._added.changed)
        known, self._agents = self._agents, changed
        if known is not None:
            await self._follow(known, changed)
        cards = await asyncio.to_thread(self._digests)
        before, self._cards = self._cards, cards
        for agent in list(self._gateway.agents.values()):
            source = agent.source
            if isinstance(source, A2aSource) and before.get(source.url) != cards.get(source.url):
                await source.reread()

    async def _follow(self, known: dict[str, float], changed: dict[str, float]) -> None:
        for agent_id in {*known, *changed}:
            if known.get(agent_id) == changed.get(agent_id):
                continue
            there = agent_id in changed and self._gateway.changed_here(agent_id) == changed[agent_id]
            if there:
                continue
            said = await asyncio.to_thread(self._added.one, agent_id)
            try:
                await self._gateway.follow(agent_id, said)
            except CardError as error:
                _LOG.error("agent %s, which another process added, cannot be used here: %s", agent_id, error)

    def _digests(self) -> dict[str, str]:
        asked = select(PEERS.c.url, PEERS.c.body_digest, PEERS.c.ok_at).where(PEERS.c.removed.is_(False))
        with self._database.reading() as connection:
            return {row.url: f"{row.body_digest}{row.ok_at}" for row in connection.execute(asked)}

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except CardError as error:
                _LOG.warning("what other processes changed cannot be read now: %s", error)
            await asyncio.sleep(ROUND_SECONDS)
