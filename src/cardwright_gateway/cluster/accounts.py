"""Accounts: owners, their tokens, the keys of their agents and what is paused, in step with other processes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cardwright_gateway.auth.agent_keys import AgentKeys
from cardwright_gateway.auth.last_use import LastUse
from cardwright_gateway.auth.owner_tokens import OwnerTokens
from cardwright_gateway.cluster.periodic import PeriodicTask
from cardwright_gateway.database.agent_states import AgentStates
from cardwright_gateway.database.owners import OwnerDirectory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.store.database import Database
    from cardwright_gateway_models.settings.gateway import Owner

# A change reaches all processes within five seconds (project decision): this interval plus the time to read it.
_ROUND_SECONDS: Final = 1.5
# How old the recorded time of the last use may be (project decision).
_LAST_USE_SECONDS: Final = 30.0


class Accounts:
    """Owners, tokens, keys and pauses; another process, or the command line, may change them in the database.

    Args:
        of_file: The owners of the configuration file.
        database: The database.

    Attributes:
        database: The database.
        owners: All owners.
        tokens: Their tokens.
        keys: The keys of agents.
        states: The agents that are paused.
        last_use: When keys and tokens were last used.
    """

    def __init__(self, of_file: Mapping[str, Owner], database: Database) -> None:
        self.database = database
        self.owners = OwnerDirectory(of_file, database)
        self.tokens = OwnerTokens(database)
        self.keys = AgentKeys(database)
        self.states = AgentStates(database)
        self.last_use = LastUse(database)
        self._tasks = (
            PeriodicTask("reading the owners", _ROUND_SECONDS, self.refresh),
            PeriodicTask("recording the last use of keys", _LAST_USE_SECONDS, self._write, at_start=False),
        )

    def start(self) -> None:
        """Start reading changes and recording uses, unless that runs."""
        for task in self._tasks:
            task.start()

    async def close(self) -> None:
        """Stop, and record the last uses."""
        for task in self._tasks:
            await task.close()
        await self._write()

    async def refresh(self) -> None:
        """Read what other processes changed.

        Raises:
            StoreError: If the database cannot be used.
        """
        await asyncio.to_thread(self.owners.refresh)
        await asyncio.to_thread(self.states.refresh)

    async def remove_owner(self, owner_id: str, *, actor: str) -> None:
        """Remove an added owner without agents; its tokens are invalid at once in this process.

        Raises:
            UnknownOwner: If there is no such owner.
            OwnerConflict: If the owner is in the configuration file, or has agents.
            StoreError: If the database cannot be used.
        """
        await asyncio.to_thread(self.owners.remove, owner_id, actor=actor)
        self.tokens.generation += 1

    async def _write(self) -> None:
        await asyncio.to_thread(self.last_use.write)
