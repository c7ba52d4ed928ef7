"""a2a-sdk's task table, whose rows are converted in a thread if they are large.

A conversion reads each JSON value in Python: that of a large task would stop all other calls of the process.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeVar

from a2a.server.tasks import DatabaseTaskStore
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus

from cardwright_gateway.a2a.task_size import MAX_TASK_TEXT, off_loop
from cardwright_gateway.database.task_bytes import ROW_BYTES
from cardwright_gateway.tasks.models import TaskRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Generator

    from a2a.server.context import ServerCallContext

# The row that a save writes, and the rows that a get has read: a2a-sdk converts both itself, within its sessions.
_WRITTEN: Final = ContextVar[TaskRow | None]("written", default=None)
_READ: Final = ContextVar[list[TaskRow] | None]("read", default=None)
_T = TypeVar("_T")


class TaskTable(DatabaseTaskStore):
    """The table of tasks."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # The SDK creates a model for each store by its table name, and fails for a second one of the same name.
        self.task_model = TaskRow  # type: ignore[assignment] # replaces the SDK's own model

    async def row_of(self, task: Task, context: ServerCallContext) -> TaskRow:
        """Return the row of a task."""
        owner = self.owner_resolver(context)
        copied = Task()
        # The caller may change its own one meanwhile.
        copied.CopyFrom(task)
        return await off_loop(task.ByteSize(), self._made, copied, owner)

    async def task_of(self, row: Any) -> Task:
        """Return the task of a row."""
        # The size of a task of an older version is unknown.
        size = row.size - row.event_bytes - ROW_BYTES if row.size else MAX_TASK_TEXT
        return await off_loop(size, super()._from_orm, row)

    def _made(self, task: Task, owner: str) -> TaskRow:
        row: Any = super()._to_orm(task, owner)
        made: TaskRow = row
        return made

    def _to_orm(self, task: Task, owner: str) -> Any:
        row = _WRITTEN.get()
        return self._made(task, owner) if row is None else row

    def _from_orm(self, task_model: Any) -> Task:
        read = _READ.get()
        if read is not None:
            read.append(task_model)
            return Task()
        if _WRITTEN.get() is not None:
            # A save only checks whether the stored task has ended.
            state: Any = TaskState.Value(task_model.state)
            return Task(id=task_model.id, context_id=task_model.context_id, status=TaskStatus(state=state))
        return super()._from_orm(task_model)


@contextmanager
def writing(row: TaskRow) -> Generator[None]:
    """Let the saves in this block write a row that is converted already."""
    token = _WRITTEN.set(row)
    try:
        yield
    finally:
        _WRITTEN.reset(token)


async def reading(get: Awaitable[_T]) -> tuple[_T, TaskRow | None]:
    """Return the result of a get, whose task is empty, and the row that it has read; None if it found no task."""
    rows: list[TaskRow] = []
    token = _READ.set(rows)
    try:
        found = await get
    finally:
        _READ.reset(token)
    # The last one: an attempt before may have failed.
    return found, rows[-1] if rows else None
