"""What becomes of tasks by time: those that ended are forgotten, and those whose process died are ended."""

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
from a2a.types.a2a_pb2 import Message, Part, Role, Task, TaskState, TaskStatus, TaskStatusUpdateEvent
from sqlalchemy import and_, delete, exists, not_, or_, select
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError
from cardwright_gateway.database.tables import (
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

    from cardwright.store.database import Database
    from cardwright_gateway.tasks.store import Kept

_LOG: Final = logging.getLogger("cardwright_gateway")
# What a process of the gateway, or the agent behind, works on.
RUNNING: Final = ("TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING")
_TERMINAL: Final = (
    "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED",
)  # fmt: skip
_WAITING: Final = ("TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED")
# A task that waits for its caller has not ended, but nobody waits for ever (ours).
_WAITING_SECONDS: Final = 30 * 86_400.0
# One sweep takes so many (ours): none holds the database for long.
_AT_ONCE: Final = 500
_LOST: Final = "the gateway's process that ran this task ended or lost its database: send the message again"


@dataclass(frozen=True, slots=True)
class Lost:
    """A task that nobody runs: which, whose, of which agent, and which process wrote it last."""

    task_id: str
    owner: str
    agent_id: str
    replica: str


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
        retention_seconds: How long a task is kept that has ended; one that waits for its caller a month or more.
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
        ended = datetime.fromtimestamp(now - self._retention_seconds, UTC).replace(tzinfo=None)
        waiting = datetime.fromtimestamp(now - max(self._retention_seconds, _WAITING_SECONDS), UTC)
        count = 0
        while True:
            forgotten = await asyncio.to_thread(self._forget, ended, waiting.replace(tzinfo=None))
            count += forgotten
            if forgotten < _AT_ONCE:
                return count

    async def lost(self, alive: Collection[str], own: str, running: Collection[str]) -> list[Lost]:
        """Return the tasks that should run, and do so in none of these processes.

        A task of this very process counts when it was seen so twice: one that has just ended is written down
        between two looks.

        Args:
            alive: The processes that live.
            own: This one.
            running: The tasks that run in this one.

        Raises:
            StoreError: If the database cannot be used.
        """
        found = await asyncio.to_thread(self._lost, [one for one in alive if one != own])
        mine = {one.task_id for one in found if one.replica == own and one.task_id not in running}
        before, self._idle = self._idle, frozenset(mine)
        return [one for one in found if one.task_id in before & mine or one.replica != own]

    async def end(self, lost: Lost) -> bool:
        """End a task that nobody runs; return whether nobody else did.

        Raises:
            StoreError: If the database cannot be used.
        """
        return await self._end(lost.task_id, lost.owner)

    async def cancelled(self, running: Collection[str]) -> list[str]:
        """Return which of these tasks were cancelled by another process.

        Raises:
            StoreError: If the database cannot be used.
        """
        return await asyncio.to_thread(self._cancelled, running) if running else []

    def _forget(self, ended: datetime, waiting: datetime) -> int:
        # By states and time, as the index of both is read.
        old = select(TASKS.c.id).where(
            or_(
                and_(TASKS.c.state.in_(_TERMINAL), TASKS.c.last_updated < ended),
                and_(TASKS.c.state.in_(_WAITING), TASKS.c.last_updated < waiting),
            )
        )
        with self._database.reading() as connection:
            if connection.execute(old.limit(1)).first() is None:
                return 0
        # Whoever sweeps at the same time takes others. Whoever goes on just now with one that has waited a month locks
        # its version first, as a2a-sdk has it: one of the two is refused by PostgreSQL then, and tries again.
        taken = old.limit(_AT_ONCE).with_for_update(skip_locked=True)
        with self._database.writing() as connection:
            ids = connection.execute(taken).scalars().all()
            for table in (TASK_EVENTS, TASK_VERSIONS, UPSTREAM_TASKS):
                connection.execute(delete(table).where(table.c.task_id.in_(ids)))
            connection.execute(delete(TASKS).where(TASKS.c.id.in_(ids)))
            for table in (PUSH_CONFIGS, WEBHOOKS):
                connection.execute(delete(table).where(_unneeded(table, ids)))
        return len(ids)

    def _lost(self, others: Collection[str]) -> list[Lost]:
        # All of them, this process's own among them: no process runs more than its agents may at once.
        asked = (
            select(TASKS.c.id, TASKS.c.owner, TASKS.c.agent_id, TASKS.c.replica)
            .where(TASKS.c.state.in_(RUNNING), TASKS.c.replica.not_in(others))
            .order_by(TASKS.c.last_updated)
        )
        with self._database.reading() as connection:
            return [Lost(row.id, row.owner, row.agent_id, row.replica) for row in connection.execute(asked)]

    def _cancelled(self, running: Collection[str]) -> list[str]:
        asked = select(TASKS.c.id).where(TASKS.c.id.in_(running), TASKS.c.state == "TASK_STATE_CANCELED")
        with self._database.reading() as connection:
            return list(connection.execute(asked).scalars())

    async def _end(self, task_id: str, owner: str) -> bool:
        context = ServerCallContext(user=Owner(owner))
        stored = await self._store.get(task_id, context)
        if stored is None or TaskState.Name(stored.task.status.state) not in RUNNING:
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
    """Whether a configuration of webhooks is of one of these tasks, which are gone, and has nothing to deliver.

    One that has something is forgotten with that, by the ledger of webhooks.
    """
    waiting = exists().where(EVENTS.c.task_id == table.c.task_id, EVENTS.c.state.in_(("waiting", "dead")))
    return and_(table.c.task_id.in_(ids), not_(waiting))
