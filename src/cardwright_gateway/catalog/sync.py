"""Synchronise processes that share a database: added agents and fetched cards."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from cardwright.errors import CardError, StoreError
from cardwright.store.tables import PEERS
from cardwright_gateway.catalog.sources.a2a import A2aSource
from cardwright_gateway.cluster.periodic import PeriodicTask

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from cardwright.store.database import Database
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.database.agents import AddedAgents

_LOG: Final = logging.getLogger("cardwright_gateway")
# A change reaches all processes within five seconds (project decision): this interval plus the time to read it.
_ROUND_SECONDS: Final = 1.5


class AgentSync:
    """Synchronisation with the changes of other processes that share a PostgreSQL database, every 1.5 seconds.

    Args:
        agents: The agents.
        added: The table of added agents.
        database: The database.
    """

    def __init__(self, agents: AgentDirectory, added: AddedAgents, database: Database) -> None:
        self._agents = agents
        self._added = added
        self._database = database
        self._cards: dict[str, str] = {}
        self._periodic = PeriodicTask("applying what others changed", _ROUND_SECONDS, self.apply_changes)
        # The command line may change them on one machine too.
        self._overrides = PeriodicTask("applying overrides", _ROUND_SECONDS, agents.follow_overrides)

    def start(self) -> None:
        """Start, unless it is running; in an SQLite database, only the command line changes something."""
        self._overrides.start()
        shared = self._database.engine.dialect.name != "sqlite"
        if shared:
            self._periodic.start()

    async def close(self) -> None:
        """Stop."""
        await self._overrides.close()
        await self._periodic.close()

    async def apply_changes(self) -> None:
        """Apply changes once; what fails now is tried again in the next round.

        Raises:
            StoreError: If the database cannot be used.
        """
        changed = await asyncio.to_thread(self._added.changed)
        for agent_id in self._agents.revisions.outdated(changed):
            await _try(agent_id, self._agents.follow(agent_id))
        cards = await asyncio.to_thread(self._digests)
        read = dict(cards)
        for agent in list(self._agents.by_id.values()):
            source = agent.source
            if (
                isinstance(source, A2aSource)
                and self._cards.get(source.url) != cards.get(source.url)
                and not await _try(agent.id, source.reread())
            ):
                read.pop(source.url, None)
        self._cards = read

    def _digests(self) -> dict[str, str]:
        query = select(PEERS.c.url, PEERS.c.body_digest, PEERS.c.ok_at).where(PEERS.c.removed.is_(False))
        with self._database.reading() as connection:
            return {row.url: f"{row.body_digest}{row.ok_at}" for row in connection.execute(query)}


async def _try(agent_id: str, following: Awaitable[None]) -> bool:
    """Apply the change of one agent; return whether that succeeded. No agent stops the others.

    Raises:
        StoreError: If the database cannot be used.
    """
    try:
        await following
    except StoreError:
        raise
    except CardError as error:
        _LOG.error("agent %s was changed by another process and cannot be used here: %s", agent_id, error)
    except Exception:  # noqa: BLE001 - outermost frame of one agent
        _LOG.exception("agent %s was changed by another process and cannot be used here", agent_id)
    else:
        return True
    return False
