"""What becomes of tasks by time: those that ended are forgotten, and those whose process died are ended."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from a2a.auth.user import User
from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.server.cluster.task_store import LegacyTaskStoreAdapter, VersionedTaskStore
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import Message, Part, Role, Task, TaskState, TaskStatus, TaskStatusUpdateEvent
from sqlalchemy import and_, delete, exists, not_, or_, select
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError
from cardwright.store.tables import (
    EVENTS,
    PUSH_CONFIGS,
    TASK_EVENTS,
    TASK_VERSIONS,
    TASKS,
    UPSTREAM_TASKS,
    WEBHOOKS,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from sqlalchemy import Table

    from cardwright.gateway.tasks.store import Kept
    from cardwright.store.database import Database

_LOG: Final = logging.getLogger("cardwright.gateway")
_RUNNING: Final = ("TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING")
# One sweep takes so many (ours): none holds the database for long.
_AT_ONCE: Final = 500
_LOST: Final = "the gateway's process that ran this task ended or lost its database: send the message again"


class Owner(User):
    """The owner of a task as the stores know it."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def is_authenticated(self) -> bool:
        """Whether it has a name: whoever it was had been let in."""
        return True

    @property
    def user_name(self) -> str:
        """The name."""
        return self._name


class Sweeper:
    """Forgets tasks that ended long ago, and ends those that nobody runs any more.

    Args:
        database: The database.
        kept: The stores over it.
        retention_seconds: How long a task is kept that has ended or waits for its caller.
        told: Is told of an event as a2a-sdk's push sender is.
    """

    def __init__(
        self,
        database: Database,
        kept: Kept,
        *,
        retention_seconds: float,
        told: Callable[[str, Any], Awaitable[None]] | None = None,
    ) -> None:
        self._database = database
        self._store: VersionedTaskStore = (
            kept.tasks if isinstance(kept.tasks, VersionedTaskStore) else LegacyTaskStoreAdapter(kept.tasks)
        )
        self._retention_seconds = retention_seconds
        self._told = told
        # Tasks of this process that it was not seen to run the last time.
        self._idle: frozenset[str] = frozenset()

    async def forget(self, now: float) -> int:
        """Forget what ended too long ago; return how many tasks that were.

        Raises:
            StoreError: If the database cannot be used.
        """
        return await asyncio.to_thread(
            self._forget, datetime.fromtimestamp(now - self._retention_seconds, UTC)
        )

    async def end(self, alive: Collection[str]) -> int:
        """End the tasks that run in none of these processes; return how many.

        Raises:
            StoreError: If the database cannot be used.
        """
        ended = 0
        for task_id, owner in await asyncio.to_thread(self._lost, alive):
            ended += await self._end(task_id, owner)
        return ended

    async def end_idle(self, replica: str, running: Collection[str]) -> int:
        """End the tasks of a process that lives and does not run them, seen so twice; return how many.

        Their end could not be written down, as when the database was away. One that has just ended is written
        down between two looks.

        Args:
            replica: The process.
            running: The tasks that it runs, as they were before this was called.

        Raises:
            StoreError: If the database cannot be used.
        """
        found = await asyncio.to_thread(self._of, replica)
        idle = {task_id: owner for task_id, owner in found if task_id not in running}
        again = self._idle.intersection(idle)
        self._idle = frozenset(idle)
        ended = 0
        for task_id in again:
            ended += await self._end(task_id, idle[task_id])
        return ended

    async def cancelled(self, running: Collection[str]) -> list[str]:
        """Return which of these tasks were cancelled by another process.

        Raises:
            StoreError: If the database cannot be used.
        """
        return await asyncio.to_thread(self._cancelled, running) if running else []

    def _forget(self, before: datetime) -> int:
        old = (
            select(TASKS.c.id)
            .where(TASKS.c.last_updated < before.replace(tzinfo=None), TASKS.c.state.not_in(_RUNNING))
            .limit(_AT_ONCE)
        )
        with self._database.reading() as connection:
            ids = connection.execute(old).scalars().all()
        with self._database.writing() as connection:
            for table in (TASK_EVENTS, TASK_VERSIONS, UPSTREAM_TASKS):
                connection.execute(delete(table).where(table.c.task_id.in_(ids)))
            connection.execute(delete(TASKS).where(TASKS.c.id.in_(ids)))
            for table in (PUSH_CONFIGS, WEBHOOKS):
                connection.execute(delete(table).where(_unneeded(table, ids)))
        return len(ids)

    def _lost(self, alive: Collection[str]) -> list[tuple[str, str]]:
        asked = (
            select(TASKS.c.id, TASKS.c.owner)
            .where(TASKS.c.state.in_(_RUNNING), TASKS.c.replica.not_in(alive))
            .limit(_AT_ONCE)
        )
        with self._database.reading() as connection:
            return [(row.id, row.owner) for row in connection.execute(asked)]

    def _of(self, replica: str) -> list[tuple[str, str]]:
        asked = select(TASKS.c.id, TASKS.c.owner).where(
            TASKS.c.state.in_(_RUNNING), TASKS.c.replica == replica
        )
        with self._database.reading() as connection:
            return [(row.id, row.owner) for row in connection.execute(asked)]

    def _cancelled(self, running: Collection[str]) -> list[str]:
        asked = select(TASKS.c.id).where(TASKS.c.id.in_(running), TASKS.c.state == "TASK_STATE_CANCELED")
        with self._database.reading() as connection:
            return list(connection.execute(asked).scalars())

    async def _end(self, task_id: str, owner: str) -> bool:
        context = ServerCallContext(user=Owner(owner))
        stored = await self._store.get(task_id, context)
        if stored is None or TaskState.Name(stored.task.status.state) not in _RUNNING:
            return False
        task = Task()
        task.CopyFrom(stored.task)
        status = TaskStatus(state=TaskState.TASK_STATE_FAILED)
        status.timestamp.GetCurrentTime()
        status.message.CopyFrom(
            Message(
                message_id=f"{task_id}-lost",
                role=Role.ROLE_AGENT,
                parts=[Part(text=_LOST)],
                task_id=task_id,
                context_id=task.context_id,
            )
        )
        task.status.CopyFrom(status)
        event = TaskStatusUpdateEvent(task_id=task_id, context_id=task.context_id, status=status)
        try:
            await self._store.save(
                task, event=event, prev=stored.task, prev_version=stored.version, context=context
            )
        except ConcurrentTaskModificationError:
            # Somebody was faster: another replica, or the one that was thought dead.
            return False
        _LOG.warning("task %s is run by no process any more: it has failed", task_id)
        if self._told is not None:
            try:
                await self._told(task_id, event)
            except (CardError, SQLAlchemyError) as error:
                _LOG.warning("task %s: its webhooks are told later: %s", task_id, error)
        return True


def _unneeded(table: Table, ids: Collection[str]) -> Any:
    """Whether a configuration of webhooks has neither a task any more nor anything to deliver.

    One that has yet to get its task, which is kept a moment later, has no event: it is none of these.
    """
    known = or_(table.c.task_id.in_(ids), exists().where(EVENTS.c.task_id == table.c.task_id))
    waiting = exists().where(
        and_(EVENTS.c.task_id == table.c.task_id, or_(EVENTS.c.state == "waiting", EVENTS.c.state == "dead"))
    )
    there = exists().where(TASKS.c.id == table.c.task_id)
    return and_(known, not_(there), not_(waiting))
