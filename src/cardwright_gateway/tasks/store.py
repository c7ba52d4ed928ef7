"""The stores of a2a-sdk over the gateway's database: one process on SQLite, any number on PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from a2a.server.agent_execution.active_task import TERMINAL_TASK_STATES
from a2a.server.cluster import (
    DatabaseTaskEventStream,
    StoredTask,
    TaskVersion,
    VersionedDatabaseTaskStore,
)
from a2a.server.tasks import DatabaseTaskStore
from a2a.types.a2a_pb2 import ListTasksResponse
from a2a.utils.constants import DEFAULT_LIST_TASKS_PAGE_SIZE
from sqlalchemy import event, inspect
from sqlalchemy.orm import Session

from cardwright_gateway.a2a_server.stores import noting_faults
from cardwright_gateway.tasks.models import EventRow, TaskRow, VersionRow, row_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from a2a.server.cluster import TaskEventStream, VersionedTaskStore
    from a2a.server.context import ServerCallContext
    from a2a.server.events.event_queue import Event
    from a2a.server.tasks import TaskStore
    from a2a.types.a2a_pb2 import ListTasksRequest, Task
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

    # Is given the row of each task that is saved, in the transaction that saves it.
    OnSave = Callable[[Connection, Mapping[str, Any]], None]

# No task has it: versions count from 1.
_ENDED: Final = TaskVersion(-1)


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the tasks of a gateway lie, and how events of theirs reach other processes.

    Attributes:
        tasks: The store.
        stream: The events; None where there is one process alone.
    """

    tasks: TaskStore | VersionedTaskStore
    stream: TaskEventStream | None


def kept(engine: AsyncEngine, replica: str, on_save: OnSave | None = None) -> Kept:
    """Return the stores over a database.

    Args:
        engine: Its engine; the tables are there.
        replica: What this process is called.
        on_save: Is called in each transaction that saves a task; what it raises fails the transaction.
    """
    options: dict[str, Any] = {
        "engine": engine,
        "create_table": False,
        "core_to_model_conversion": partial(row_of, replica=replica),
    }
    if engine.dialect.name == "sqlite":
        single = _Single(**options)
        _watch(single, on_save)
        return Kept(single, None)
    shared = _Shared(**options)
    _watch(shared.as_task_store, on_save)
    return Kept(shared, _Events(engine, create_table=False))


class _Single(DatabaseTaskStore):
    """Tasks of one process."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.task_model = TaskRow  # type: ignore[assignment] # a model of its own is what this is for

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Keep a task as it is now."""
        with noting_faults(context):
            await super().save(task, context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task of a caller."""
        with noting_faults(context):
            return await super().get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of a caller; those without a name share none."""
        if _nameless(context):
            return _none(params)
        with noting_faults(context):
            return await super().list(params, context)


class _Shared(VersionedDatabaseTaskStore):
    """Tasks of several processes, each save over the version that was read."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # The SDK makes a model for each store by a table's name, and takes a second one for a fault.
        self._db.task_model = TaskRow  # type: ignore[assignment] # as above
        self._event_model, self._version_model = EventRow, VersionRow  # type: ignore[assignment] # as above

    async def save(
        self,
        task: Task,
        *,
        event: Event | None = None,
        prev: Task | None = None,
        prev_version: TaskVersion,
        context: ServerCallContext,
    ) -> TaskVersion:
        """Keep a task as it is now, and what made it so."""
        with noting_faults(context):
            return await super().save(
                task, event=event, prev=prev, prev_version=prev_version, context=context
            )

    async def get(self, task_id: str, context: ServerCallContext) -> StoredTask | None:
        """Return a task of a caller, with its version; what has ended has none that can be written over.

        a2a-sdk's consumer reads a task anew where another process was faster, and then takes the next event that
        waits for it: a process that was thought dead would write its own end over the one that the task had.
        """
        with noting_faults(context):
            stored = await super().get(task_id, context)
        if stored is not None and stored.task.status.state in TERMINAL_TASK_STATES:
            return StoredTask(stored.task, _ENDED)
        return stored

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of a caller; those without a name share none."""
        if _nameless(context):
            return _none(params)
        with noting_faults(context):
            return await super().list(params, context)


class _Events(DatabaseTaskEventStream):
    """Events of tasks that other processes run."""

    def __init__(self, engine: AsyncEngine, **options: Any) -> None:
        super().__init__(engine, **options)
        self._event_model = EventRow  # type: ignore[assignment] # as above


def _watch(store: TaskStore, on_save: OnSave | None) -> None:
    """Have each save of a store call a function in its own transaction: a2a-sdk has no place for that."""
    if on_save is None:
        return

    class Watched(Session):
        """The sessions of this store alone."""

    @event.listens_for(Watched, "after_flush")
    def flushed(session: Session, _: Any) -> None:
        for row in (*session.new, *session.dirty):
            if isinstance(row, TaskRow):
                columns = inspect(TaskRow).column_attrs
                told = {column.columns[0].name: getattr(row, column.key) for column in columns}
                on_save(session.connection(), told)

    _ = flushed
    assert isinstance(store, DatabaseTaskStore)  # noqa: S101 - both stores over a database have one
    store.async_session_maker.configure(sync_session_class=Watched)


def _nameless(context: ServerCallContext) -> bool:
    return context.user.user_name.endswith(":")


def _none(params: ListTasksRequest) -> ListTasksResponse:
    return ListTasksResponse(page_size=params.page_size or DEFAULT_LIST_TASKS_PAGE_SIZE)
