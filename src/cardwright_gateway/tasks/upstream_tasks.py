"""Which task of the agent behind answers for a task of the gateway."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from cardwright_gateway.database.tables import UPSTREAM_TASKS

if TYPE_CHECKING:
    from cardwright.store.database import Database

_U = UPSTREAM_TASKS.c


@dataclass(frozen=True, slots=True)
class UpstreamTasks:
    """A table of them, of one agent; every method raises `StoreError` where the database cannot be used."""

    database: Database
    agent_id: str

    async def find(self, task_id: str) -> tuple[str, str] | None:
        """Return the ids of the task behind and of its context; None where none is known."""
        return await asyncio.to_thread(self._find, task_id)

    async def keep(self, task_id: str, upstream_id: str, upstream_context_id: str) -> None:
        """Remember them, instead of what was remembered of the task."""
        await asyncio.to_thread(self._keep, task_id, upstream_id, upstream_context_id)

    def _find(self, task_id: str) -> tuple[str, str] | None:
        asked = select(_U.upstream_id, _U.upstream_context_id).where(
            _U.task_id == task_id, _U.agent_id == self.agent_id
        )
        with self.database.reading() as connection:
            row = connection.execute(asked).first()
        return None if row is None else (row.upstream_id, row.upstream_context_id)

    def _keep(self, task_id: str, upstream_id: str, upstream_context_id: str) -> None:
        told = {"upstream_id": upstream_id, "upstream_context_id": upstream_context_id}
        with self.database.writing() as connection:
            changed = update(UPSTREAM_TASKS).where(_U.task_id == task_id).values(**told)
            if not connection.execute(changed).rowcount:
                named = {"task_id": task_id, "agent_id": self.agent_id}
                connection.execute(insert(UPSTREAM_TASKS).values(**named, **told))
