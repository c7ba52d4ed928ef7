"""The tasks of a gateway whose processes share PostgreSQL: each change is written with its event, for the others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from a2a.server.agent_execution.active_task import TERMINAL_TASK_STATES
from a2a.server.cluster import StoredTask, TaskVersion, VersionedTaskStore
from a2a.types.a2a_pb2 import Task

from cardwright.errors import StoreError
from cardwright_gateway.a2a_server.paging import empty_page
from cardwright_gateway.database.task_bytes import is_anonymous
from cardwright_gateway.tasks.reading import list_tasks
from cardwright_gateway.tasks.recording import recording_store_errors
from cardwright_gateway.tasks.rows import completed

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.context import ServerCallContext
    from a2a.server.events.event_queue import Event
    from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse

    from cardwright_gateway.tasks.models import TaskTable
    from cardwright_gateway.tasks.rows import TaskRows

_R = TypeVar("_R")
# Not the version of any task: versions start at 1.
_ENDED: Final = TaskVersion(-1)
# As in a2a-sdk's store: attempts, and the pause after the first one; the others are that much longer.
_ATTEMPTS: Final = 5
_PAUSE_SECONDS: Final = 0.02


class SharedTaskStore(VersionedTaskStore):
    """Tasks of several processes, with optimistic locking by version.

    Args:
        rows: The rows of the tasks.
        table: The same table, for lists of tasks.
    """

    def __init__(self, rows: TaskRows, table: TaskTable) -> None:
        self._rows = rows
        self._table = table

    async def save(
        self,
        task: Task,
        *,
        event: Event | None = None,
        prev: Task | None = None,
        prev_version: TaskVersion,
        context: ServerCallContext,
    ) -> TaskVersion:
        """Save a task, and the event that changed it.

        Raises:
            ConcurrentTaskModificationError: If another process was faster, or the task has failed now because it is
                too large.
            TasksFull: If a new task is too large.
        """
        del prev
        owner = self._table.owner_resolver(context)
        copied = Task()
        # The caller may change its own one meanwhile.
        copied.CopyFrom(task)

        def save() -> TaskVersion:
            return self._rows.write(copied, owner, event=event, version=prev_version)

        with recording_store_errors(context):
            return await _repeated(save)

    async def get(self, task_id: str, context: ServerCallContext) -> StoredTask | None:
        """Return a task of the caller with its version; an ended task gets a version that cannot be overwritten.

        If another process was faster, a2a-sdk's consumer rereads the task and processes the next event: a process that
        seemed gone would overwrite the end of the task.
        """
        owner = self._table.owner_resolver(context)
        with recording_store_errors(context):
            stored = await _repeated(lambda: self._rows.read(task_id, owner))
        if stored is not None and stored.task.status.state in TERMINAL_TASK_STATES:
            return StoredTask(stored.task, _ENDED)
        return stored

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller; an anonymous caller has none."""
        if is_anonymous(context.user.user_name):
            return empty_page(params)
        with recording_store_errors(context):
            return await list_tasks(self._table, params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Delete a task of the caller."""
        owner = self._table.owner_resolver(context)
        with recording_store_errors(context):
            await _repeated(lambda: self._rows.delete(task_id, owner))


async def _repeated(transaction: Callable[[], _R]) -> _R:
    """Run a transaction in a thread, and again if another one was in its way or the connection was lost."""
    attempt = 1
    while True:
        try:
            return await completed(transaction)
        except StoreError as error:
            if error.cause not in ("locked", "unreachable") or attempt == _ATTEMPTS:
                raise
        await asyncio.sleep(_PAUSE_SECONDS * attempt)
        attempt += 1
