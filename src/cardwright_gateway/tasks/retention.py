"""Retention of tasks: old ones are deleted, and those whose process has stopped are found and failed."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from a2a.auth.user import User
from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.server.cluster.task_store import LegacyTaskStoreAdapter, VersionedTaskStore
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import TaskState
from sqlalchemy import and_, or_, select
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError
from cardwright_gateway.a2a_server.failing import failed_task
from cardwright_gateway.database.deletion import TASK_COLUMNS, delete_tasks
from cardwright_gateway.database.tables import TASKS
from cardwright_gateway.tasks.states import RUNNING, TERMINAL, WAITING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from cardwright.store.database import Database
    from cardwright_gateway.tasks.store import TaskStorage

_LOG: Final = logging.getLogger("cardwright_gateway")
# Minimum retention of a task that waits for its caller (project decision).
_WAITING_SECONDS: Final = 30 * 86_400.0
# Tasks deleted in one transaction: none holds the database for long (project decision).
_AT_ONCE: Final = 500
_LOST: Final = "the gateway process that ran this task ended or lost its database; send the message again"


@dataclass(frozen=True, slots=True)
class LostTask:
    """A task that no process runs, with its owner, its agent, and the process that wrote it last, and when."""

    task_id: str
    owner: str
    agent_id: str
    replica: str
    last_updated: datetime | None


class TaskOwner(User):
    """The owner of a task, as a2a-sdk's stores need it."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def is_authenticated(self) -> bool:
        """Always true: the caller was admitted when the task was created."""
        return True

    @property
    def user_name(self) -> str:
        """The owner's name."""
        return self._name


class TaskCleaner:
    """Cleaner of tasks: deletes old ones, and ends those that no process runs any more.

    Args:
        database: The database.
        storage: The task stores.
        retention_seconds: How long an ended task is kept; a task that waits for its caller, at least 30 days.
        notify: Called with events, like a2a-sdk's push sender.
    """

    def __init__(
        self,
        database: Database,
        storage: TaskStorage,
        *,
        retention_seconds: float,
        notify: Callable[[str, Any], Awaitable[None]] | None = None,
    ) -> None:
        self._database = database
        self._store: VersionedTaskStore = (
            storage.tasks
            if isinstance(storage.tasks, VersionedTaskStore)
            else LegacyTaskStoreAdapter(storage.tasks)
        )
        self._retention_seconds = retention_seconds
        self._notify = notify
        # Tasks of this process that it did not run at the last check, and when each was last stored.
        self._idle: frozenset[tuple[str, datetime | None]] = frozenset()

    async def delete_expired(self, now: float) -> int:
        """Delete tasks that are older than their retention; return how many.

        Raises:
            StoreError: If the database is unavailable.
        """
        ended = datetime.fromtimestamp(now - self._retention_seconds, UTC).replace(tzinfo=None)
        waiting = datetime.fromtimestamp(now - max(self._retention_seconds, _WAITING_SECONDS), UTC)
        count = 0
        while True:
            deleted = await asyncio.to_thread(self._delete_expired, ended, waiting.replace(tzinfo=None))
            count += deleted
            if deleted < _AT_ONCE:
                return count

    async def lost(self, alive: Collection[str], own: str, running: Collection[str]) -> list[LostTask]:
        """Return the tasks whose state is running, but that no live process runs.

        A task of this process counts only at the second check in a row that finds it unchanged: one that has just
        ended may not be stored yet, and one that was stored meanwhile has run between the two.

        Args:
            alive: The ids of the live processes.
            own: The id of this process.
            running: The tasks that run in this process.

        Raises:
            StoreError: If the database is unavailable.
        """
        lost = await asyncio.to_thread(self._lost, [replica for replica in alive if replica != own])
        own_idle = {
            (task.task_id, task.last_updated)
            for task in lost
            if task.replica == own and task.task_id not in running
        }
        before, self._idle = self._idle, frozenset(own_idle)
        twice = before & own_idle
        return [task for task in lost if task.replica != own or (task.task_id, task.last_updated) in twice]

    async def end(self, lost: LostTask) -> bool:
        """Fail a lost task; return False if another process was faster.

        Raises:
            StoreError: If the database is unavailable.
        """
        return await self._end(lost.task_id, lost.owner)

    async def cancelled(self, running: Collection[str]) -> list[str]:
        """Return which of these tasks were cancelled by another process.

        Raises:
            StoreError: If the database is unavailable.
        """
        return await asyncio.to_thread(self._cancelled, running) if running else []

    def _delete_expired(self, ended: datetime, waiting: datetime) -> int:
        # By state and time, to use the index on both.
        old = select(*TASK_COLUMNS).where(
            or_(
                and_(TASKS.c.state.in_(TERMINAL), TASKS.c.last_updated < ended),
                and_(TASKS.c.state.in_(WAITING), TASKS.c.last_updated < waiting),
            )
        )
        with self._database.reading() as connection:
            if connection.execute(old.limit(1)).first() is None:
                return 0
        # Concurrent cleaners skip locked rows. A caller that continues one of these waiting tasks just now locks its
        # version first, as a2a-sdk does: PostgreSQL then aborts one of the two, which retries.
        locked = old.limit(_AT_ONCE).with_for_update(skip_locked=True)
        with self._database.writing() as connection:
            rows = connection.execute(locked).all()
            delete_tasks(connection, rows)
        return len(rows)

    def _lost(self, others: Collection[str]) -> list[LostTask]:
        # No limit: the number of running tasks is bounded by the limits of the agents.
        query = (
            select(TASKS.c.id, TASKS.c.owner, TASKS.c.agent_id, TASKS.c.replica, TASKS.c.last_updated)
            .where(TASKS.c.state.in_(RUNNING), TASKS.c.replica.not_in(others))
            .order_by(TASKS.c.last_updated)
        )
        with self._database.reading() as connection:
            return [
                LostTask(row.id, row.owner, row.agent_id, row.replica, row.last_updated)
                for row in connection.execute(query)
            ]

    def _cancelled(self, running: Collection[str]) -> list[str]:
        query = select(TASKS.c.id).where(TASKS.c.id.in_(running), TASKS.c.state == "TASK_STATE_CANCELED")
        with self._database.reading() as connection:
            return list(connection.execute(query).scalars())

    async def _end(self, task_id: str, owner: str) -> bool:
        context = ServerCallContext(user=TaskOwner(owner))
        stored = await self._store.get(task_id, context)
        if stored is None or TaskState.Name(stored.task.status.state) not in RUNNING:
            return False
        task, event = failed_task(stored.task, _LOST, cause="lost")
        try:
            await self._store.save(
                task, event=event, prev=stored.task, prev_version=stored.version, context=context
            )
        except ConcurrentTaskModificationError:
            # Another process was faster, or the one that seemed gone.
            return False
        _LOG.warning("task %s failed: the process that ran it has stopped", task_id)
        if self._notify is not None:
            try:
                await self._notify(task_id, event)
            except (CardError, SQLAlchemyError) as error:
                _LOG.warning("task %s: its webhooks are delivered later: %s", task_id, error)
        return True
