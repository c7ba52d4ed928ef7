"""Store of upstream task ids, by task of the gateway."""

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
    """The upstream task ids of one agent; every method raises `StoreError` if the database is unavailable."""

    database: Database
    agent_id: str

    async def find(self, task_id: str) -> tuple[str, str] | None:
        """Return the ids of the upstream task and of its context; None if none is stored."""
        return await asyncio.to_thread(self._find, task_id)

    async def keep(self, task_id: str, upstream_id: str, upstream_context_id: str) -> None:
        """Store them, replacing earlier ones of the task."""
        await asyncio.to_thread(self._store, task_id, upstream_id, upstream_context_id)

    def _find(self, task_id: str) -> tuple[str, str] | None:
        query = select(_U.upstream_id, _U.upstream_context_id).where(
            _U.task_id == task_id, _U.agent_id == self.agent_id
        )
        with self.database.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row.upstream_id, row.upstream_context_id)

    def _store(self, task_id: str, upstream_id: str, upstream_context_id: str) -> None:
        values = {"upstream_id": upstream_id, "upstream_context_id": upstream_context_id}
        with self.database.writing() as connection:
            changed = update(UPSTREAM_TASKS).where(_U.task_id == task_id).values(**values)
            if not connection.execute(changed).rowcount:
                key = {"task_id": task_id, "agent_id": self.agent_id}
                connection.execute(insert(UPSTREAM_TASKS).values(**key, **values))
