"""The tasks of a gateway with one process, in SQLite: each read and each save is one transaction in a thread.

a2a-sdk's store awaits every statement of its ORM, and each of them is a message to a thread of aiosqlite. It also writes a
whole task for each part of an artifact; here a running task is in memory, and parts are written together.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus
from sqlalchemy import JSON, Text, bindparam, cast, select
from sqlalchemy import inspect as inspected
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError
from cardwright_gateway.a2a.task_size import task_content
from cardwright_gateway.a2a_server.failing import failed_instead
from cardwright_gateway.a2a_server.paging import empty_page
from cardwright_gateway.database.async_engine import encoded
from cardwright_gateway.database.tables import TASKS
from cardwright_gateway.database.task_bytes import ROW_BYTES, is_anonymous
from cardwright_gateway.errors import TasksFull
from cardwright_gateway.tasks.conversion import TaskTable
from cardwright_gateway.tasks.models import TaskRow, values_of
from cardwright_gateway.tasks.reading import list_tasks, parsed
from cardwright_gateway.tasks.recording import recording_store_errors
from cardwright_gateway.tasks.saving import Saved, count_saved
from cardwright_gateway.tasks.states import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.context import ServerCallContext
    from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse
    from sqlalchemy import Connection, Insert
    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.store.database import Database
    from cardwright_gateway.tasks.quota import TaskQuota
    from cardwright_gateway.tasks.saving import OnSave

# Tasks of which it is known whether the table has them: a2a-sdk looks three times for a new one (project decision).
_MAX_KNOWN: Final = 4_096
# How long a part of an artifact may wait to be written (project decision): longer than between the last one and the end
# of a task, and shorter than anybody needs to stop a process.
_PARTS_SECONDS: Final = 0.2
_RUNNING: Final = frozenset({TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING})
_T: Final = TASKS.c
_JSON: Final = frozenset(column.name for column in _T if isinstance(column.type, JSON))
# The columns by the attributes of `TaskRow`.
_COLUMNS: Final = {attribute.key: attribute.columns[0].name for attribute in inspected(TaskRow).column_attrs}
_SAVED: Final = (
    _T.id, _T.owner, _T.agent_owner, _T.state, _T.size, _T.event_bytes, _T.value_count, _T.text_bytes,
)  # fmt: skip
_BEFORE: Final = select(*_SAVED).where(_T.id == bindparam("task_id"))
_TASK: Final = select(
    _T.id,
    _T.context_id,
    _T.protocol_version,
    *(cast(_T[column], Text).label(key) for key, column in _COLUMNS.items() if column in _JSON),
).where(_T.id == bindparam("task_id"), _T.owner == bindparam("caller"))
_NEW: Final = {
    column.name: bindparam(f"new_{column.name}", type_=Text() if column.name in _JSON else column.type)
    for column in _T
}


def _upsert() -> Insert:
    new = insert(TASKS).values(_NEW)
    return new.on_conflict_do_update(
        index_elements=[_T.id], set_={name: new.excluded[name] for name in _NEW if name != "id"}
    )


_SAVE: Final = _upsert()


@dataclass(slots=True)
class _Running:
    """A running task.

    Attributes:
        owner: Its caller.
        status: Its status, as it was written.
        unwritten: The task with parts that are not written yet.
        timer: The time at which they will be.
        is_changing: Whether another status is being written, with these parts.
    """

    owner: str
    status: TaskStatus
    unwritten: Task | None = None
    timer: asyncio.TimerHandle | None = None
    is_changing: bool = False


class SqliteTaskStore(TaskTable):
    """Tasks of one process.

    A change of a task's status is on disk when `save` returns; parts of artifacts are at most 0.2 seconds later.

    Args:
        database: The database.
        replica: The id of this process.
        on_save: Called in each transaction that saves a task; an exception rolls the transaction back.
        agent_owner: Returns the owner of an agent; None for an unknown agent.
        quota: The maximum sizes; None for none.
        engine: The engine for lists of tasks.
    """

    def __init__(
        self,
        database: Database,
        replica: str,
        on_save: OnSave | None,
        agent_owner: Callable[[str], str | None],
        quota: TaskQuota | None,
        engine: AsyncEngine,
    ) -> None:
        super().__init__(engine=engine, create_table=False)
        self._database = database
        self._replica = replica
        self._on_save = on_save
        self._agent_owner = agent_owner
        self._quota = quota
        # SQLite has one writer, and the others would ask it again and again.
        self._writing = asyncio.Lock()
        # By id and caller, in the order in which it was learned: True for a task that was saved, False for one that the
        # table does not have.
        self._known: dict[tuple[str, str], bool] = {}
        self._running: dict[str, _Running] = {}
        self._flushing: set[asyncio.Task[None]] = set()

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Save a task.

        Raises:
            ConcurrentTaskModificationError: If the task has ended, or failed now because it is too large.
            TasksFull: If a new task is too large.
        """
        owner = self.owner_resolver(context)
        copied = Task()
        # The caller may change its own one meanwhile.
        copied.CopyFrom(task)
        running = self._running.get(task.id)
        if running is not None and running.owner == owner and running.status == task.status:
            running.unwritten = copied
            if running.timer is None:
                loop = asyncio.get_running_loop()
                running.timer = loop.call_later(_PARTS_SECONDS, self._start_flush, task.id)
            return
        parts = running.unwritten if running is not None and running.owner == owner else None
        with recording_store_errors(context):
            await self._write_now(copied, owner, parts)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task of the caller."""
        owner = self.owner_resolver(context)
        running = self._running.get(task_id)
        if running is not None and running.owner == owner and running.unwritten is not None:
            copied = Task()
            copied.CopyFrom(running.unwritten)
            return copied
        if self._known.get((task_id, owner)) is False:
            return None
        with recording_store_errors(context):
            task = await asyncio.to_thread(self._read, task_id, owner)
        if task is None:
            self._know(task_id, owner, saved=False)
        return task

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller; an anonymous caller has none."""
        if is_anonymous(context.user.user_name):
            return empty_page(params)
        await self.flush()
        with recording_store_errors(context):
            return await list_tasks(self, params, context)

    async def flush(self) -> None:
        """Write the parts of all running tasks that are not written yet."""
        unwritten = [task_id for task_id, running in self._running.items() if running.unwritten is not None]
        await asyncio.gather(*map(self._flush, unwritten), *self._flushing)

    def _start_flush(self, task_id: str) -> None:
        flushing = asyncio.ensure_future(self._flush(task_id))
        self._flushing.add(flushing)
        flushing.add_done_callback(self._flushing.discard)

    async def _flush(self, task_id: str) -> None:
        running = self._running.get(task_id)
        if running is None or running.unwritten is None or running.is_changing:
            return
        # The next save of a task that could not be written reports why: it writes at once.
        with suppress(CardError, SQLAlchemyError, ConcurrentTaskModificationError):
            await self._write_now(running.unwritten, running.owner)

    async def _write_now(self, task: Task, owner: str, parts: Task | None = None) -> None:
        running = self._running.get(task.id)
        if running is not None:
            if running.timer is not None:
                running.timer.cancel()
            # Until the task is written, reads have the parts from here, but not a status that may still fail.
            running.timer, running.is_changing = None, running.status != task.status
        # Before the write, so that no read that began earlier can say that there is no such task.
        self._know(task.id, owner, saved=True)
        try:
            async with self._writing:
                saving = asyncio.ensure_future(asyncio.to_thread(self._save, task, owner, parts))
                try:
                    await asyncio.shield(saving)
                except asyncio.CancelledError:
                    # The thread goes on: a later save must not pass it.
                    await asyncio.wait([saving])
                    raise
        except BaseException:
            self._running.pop(task.id, None)
            raise
        if task.status.state not in _RUNNING:
            self._running.pop(task.id, None)
        elif running is None or running.status != task.status:
            status = TaskStatus()
            status.CopyFrom(task.status)
            self._running[task.id] = _Running(owner, status)
        elif running.unwritten is task:
            running.unwritten = None

    def _know(self, task_id: str, owner: str, *, saved: bool) -> None:
        key = task_id, owner
        if saved:
            self._known.pop(key, None)
        self._known.setdefault(key, saved)
        while len(self._known) > _MAX_KNOWN:
            del self._known[next(iter(self._known))]

    def _read(self, task_id: str, owner: str) -> Task | None:
        with self._database.reading() as connection:
            row = connection.execute(_TASK, {"task_id": task_id, "caller": owner}).mappings().first()
        return None if row is None else parsed(self, [dict(row)])[0]

    def _save(self, task: Task, owner: str, parts: Task | None) -> None:
        try:
            self._write(task, owner, parts)
        except TasksFull as full:
            stored = self._read(task.id, owner)
            self._write(failed_instead(task.id, stored, full)[0], owner)
            # a2a-sdk rereads the task, passes its end on, and stops the turn.
            raise ConcurrentTaskModificationError(task.id) from full

    def _write(self, task: Task, owner: str, parts: Task | None = None) -> None:
        made = values_of(task, owner, self._replica, self._agent_owner)
        values = {_COLUMNS[key]: value for key, value in made.items()}
        with self._database.writing() as connection:
            before = _saved(connection, task.id)
            if before is not None and before.state in TERMINAL:
                # Events that were queued before the end, such as those of a task that became too large.
                raise ConcurrentTaskModificationError(task.id)
            values["event_bytes"] = before.event_bytes if before else 0
            values["size"] += values["event_bytes"]
            values.setdefault("agent_owner", before.agent_owner if before else "")
            connection.execute(_SAVE, _parameters(values))
            if self._on_save is not None:
                self._on_save(connection, values)
            after = Saved(*(values[column.name] for column in _SAVED))
            # Last, because other transactions wait for this row.
            count_saved(connection, before, after, self._quota, parts and _with_content(after, parts))


def _saved(connection: Connection, task_id: str) -> Saved | None:
    row = connection.execute(_BEFORE, {"task_id": task_id}).first()
    return None if row is None else Saved(*row)


def _with_content(saved: Saved, task: Task) -> Saved:
    content = task_content(task)
    size = content.size + ROW_BYTES + saved.event_bytes
    return replace(saved, size=size, value_count=content.values, text_bytes=content.text)


def _parameters(values: dict[str, Any]) -> dict[str, Any]:
    return {
        f"new_{name}": encoded(value) if name in _JSON and value is not None else value
        for name, value in values.items()
    }
