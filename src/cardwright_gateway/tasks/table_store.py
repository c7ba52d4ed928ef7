"""What the task stores on SQLite and PostgreSQL have in common: they read pages of tasks and delete tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright_gateway.a2a_server.paging import empty_page
from cardwright_gateway.database.task_bytes import is_anonymous
from cardwright_gateway.tasks.reading import list_tasks
from cardwright_gateway.tasks.recording import recording_store_errors
from cardwright_gateway.tasks.rows import completed

if TYPE_CHECKING:
    from a2a.server.context import ServerCallContext
    from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse

    from cardwright_gateway.tasks.models import TaskTable
    from cardwright_gateway.tasks.rows import TaskRows


class TableStore:
    """A store of tasks in a database.

    Args:
        rows: The rows of the tasks.
        table: The same table, for lists of tasks.
    """

    def __init__(self, rows: TaskRows, table: TaskTable) -> None:
        self._rows = rows
        self._table = table

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller; an anonymous caller has none."""
        if is_anonymous(context.user.user_name):
            return empty_page(params)
        with recording_store_errors(context):
            return await list_tasks(self._table, params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Delete a task of the caller."""
        with recording_store_errors(context):
            await completed(self._rows.delete, task_id, self._owner(context))

    def _owner(self, context: ServerCallContext) -> str:
        return self._table.owner_resolver(context)
