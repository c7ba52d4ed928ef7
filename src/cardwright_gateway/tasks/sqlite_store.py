"""The tasks of a gateway with one process, in SQLite.

a2a-sdk writes a whole task for each part of an artifact; here a running task is in memory, and parts are written together.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.server.tasks import TaskStore
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError
from cardwright_gateway.tasks.recording import recording_store_errors
from cardwright_gateway.tasks.rows import completed
from cardwright_gateway.tasks.table_store import TableStore

if TYPE_CHECKING:
    from a2a.server.context import ServerCallContext
    from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse

    from cardwright_gateway.tasks.models import TaskTable
    from cardwright_gateway.tasks.rows import TaskRows

# Tasks of which it is known whether the table has them: a2a-sdk looks three times for a new one (project decision).
_MAX_KNOWN: Final = 4_096
# How long a part of an artifact may wait to be written (project decision): longer than between the last one and the end
# of a task, and shorter than a stop of the process takes.
PARTS_SECONDS: Final = 0.2
_RUNNING: Final = frozenset({TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING})


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


class SqliteTaskStore(TableStore, TaskStore):
    """Tasks of one process.

    A change of a task's status is on disk when `save` returns; parts of artifacts are a little later.

    Args:
        rows: The rows of the tasks.
        table: The table of the tasks.
        parts_seconds: The maximum delay of parts.
    """

    def __init__(self, rows: TaskRows, table: TaskTable, *, parts_seconds: float = PARTS_SECONDS) -> None:
        super().__init__(rows, table)
        self._parts_seconds = parts_seconds
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
        owner = self._owner(context)
        copied = Task()
        # The caller may change its own one meanwhile.
        copied.CopyFrom(task)
        running = self._running.get(task.id)
        if running is not None and running.owner == owner and running.status == task.status:
            running.unwritten = copied
            if running.timer is None:
                loop = asyncio.get_running_loop()
                running.timer = loop.call_later(self._parts_seconds, self._start_flush, task.id)
            return
        parts = running.unwritten if running is not None and running.owner == owner else None
        with recording_store_errors(context):
            await self._write_now(copied, owner, parts)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task of the caller."""
        owner = self._owner(context)
        running = self._running.get(task_id)
        if running is not None and running.owner == owner and running.unwritten is not None:
            copied = Task()
            copied.CopyFrom(running.unwritten)
            return copied
        if self._known.get((task_id, owner)) is False:
            return None
        with recording_store_errors(context):
            stored = await asyncio.to_thread(self._rows.read, task_id, owner)
        if stored is None:
            self._know(task_id, owner, saved=False)
            return None
        return stored.task

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller, with all their parts; an anonymous caller has none."""
        await self.flush()
        return await super().list(params, context)

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
                await completed(self._rows.write, task, owner, parts=parts)
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
