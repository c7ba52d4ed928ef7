"""a2a-sdk's stores over the gateway's database: one process on SQLite, any number on PostgreSQL."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol
from weakref import WeakValueDictionary

from a2a.server.agent_execution.active_task import TERMINAL_TASK_STATES
from a2a.server.cluster import (
    DatabaseTaskEventStream,
    StoredTask,
    TaskVersion,
    VersionedDatabaseTaskStore,
)
from a2a.server.tasks import DatabaseTaskStore, PushNotificationConfigStore
from a2a.types.a2a_pb2 import ListTasksResponse
from a2a.utils.constants import DEFAULT_LIST_TASKS_PAGE_SIZE
from a2a.utils.errors import InvalidParamsError
from sqlalchemy import event, inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from cardwright.errors import BadArgument, StoreError
from cardwright.store.faults import store_error
from cardwright_gateway.a2a.problems import turn_problem
from cardwright_gateway.a2a_server.stores import secrets_of
from cardwright_gateway.tasks.models import EventRow, TaskRow, VersionRow, row_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from a2a.server.cluster import TaskEventStream, VersionedTaskStore
    from a2a.server.context import ServerCallContext
    from a2a.server.events.event_queue import Event
    from a2a.server.tasks import TaskStore
    from a2a.types.a2a_pb2 import ListTasksRequest, Task, TaskPushNotificationConfig
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

    # Called with the row of each saved task, in the transaction that saves it.
    OnSave = Callable[[Connection, Mapping[str, Any]], None]

# Not the version of any task: versions start at 1.
_ENDED: Final = TaskVersion(-1)


@dataclass(frozen=True, slots=True)
class TaskStorage:
    """The task store of a gateway, and the stream that carries task events to other processes.

    Attributes:
        tasks: The store.
        stream: The event stream; None if there is only one process.
    """

    tasks: TaskStore | VersionedTaskStore
    stream: TaskEventStream | None


def task_storage(engine: AsyncEngine, replica: str, on_save: OnSave | None = None) -> TaskStorage:
    """Create the stores over a database.

    Args:
        engine: The engine of a database that has the tables.
        replica: The id of this process.
        on_save: Called in each transaction that saves a task; an exception rolls the transaction back.
    """
    options: dict[str, Any] = {
        "engine": engine,
        "create_table": False,
        "core_to_model_conversion": partial(row_of, replica=replica),
    }
    if engine.dialect.name == "sqlite":
        single = _SingleProcessStore(**options)
        _call_on_save(single, on_save)
        return TaskStorage(single, None)
    shared = _SharedStore(**options)
    _call_on_save(shared.as_task_store, on_save)
    return TaskStorage(shared, _EventStream(engine, create_table=False))


class Secrets(Protocol):
    """Store of the secrets with which webhook receivers verify deliveries."""

    def check(self, secrets: Sequence[str]) -> None:
        """Check that these are valid secrets of a receiver.

        Raises:
            BadArgument: If one is not valid; the message describes valid secrets.
        """

    async def keep(
        self, task_id: str, config_id: str, *, agent_id: str, owner: str, secrets: Sequence[str]
    ) -> None:
        """Store the secrets of a configuration, replacing earlier ones.

        Raises:
            BadArgument: If one is not valid; the message describes valid secrets.
        """


class SecretConfigs(PushNotificationConfigStore):
    """Push configurations of one agent, with the secrets that callers send along (BeeOS seed §4).

    A2A's configuration has no field for secrets: they are read from the call itself.
    """

    def __init__(self, agent_id: str, configs: PushNotificationConfigStore, secrets: Secrets) -> None:
        self._agent_id = agent_id
        self._configs = configs
        self._secrets = secrets
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def set_info(
        self, task_id: str, notification_config: TaskPushNotificationConfig, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Store a configuration and its secrets.

        Raises:
            InvalidParamsError: If a secret is not valid.
        """
        call = context.state.get("call")
        secrets = secrets_of(getattr(call, "value", None))
        try:
            # Before anything is written, so that an error leaves the earlier configuration unchanged.
            self._secrets.check(secrets)
        except BadArgument as error:
            raise InvalidParamsError(str(error)) from None
        # One call at a time, so that secrets are never stored with the configuration of another call.
        with recording_store_errors(context):
            async with self._locks.setdefault(task_id, asyncio.Lock()):
                stored = await self._configs.set_info(task_id, notification_config, context)
                config_id = stored.id if stored is not None else notification_config.id
                await self._secrets.keep(
                    task_id, config_id, agent_id=self._agent_id, owner=context.user.user_name, secrets=secrets
                )
        return stored if stored is not None else notification_config

    async def get_info(self, task_id: str, context: ServerCallContext) -> list[TaskPushNotificationConfig]:
        """Return the configurations of a task."""
        with recording_store_errors(context):
            return await self._configs.get_info(task_id, context)

    async def get_info_for_dispatch(self, task_id: str) -> list[TaskPushNotificationConfig]:
        """Return all configurations of a task, of any owner."""
        return await self._configs.get_info_for_dispatch(task_id)

    async def delete_info(
        self, task_id: str, context: ServerCallContext, config_id: str | None = None
    ) -> None:
        """Delete a configuration, or all configurations of a task."""
        with recording_store_errors(context):
            await self._configs.delete_info(task_id, context, config_id)


@contextmanager
def recording_store_errors(context: ServerCallContext) -> Generator[None]:
    """Raise a `StoreError` if the database fails, and store it in the call, because the SDK drops the cause."""
    try:
        yield
    except (SQLAlchemyError, StoreError) as cause:
        error = cause if isinstance(cause, StoreError) else store_error("the gateway's database", cause)
        call = context.state.get("call")
        if call is not None:
            call.refused = turn_problem(error)
        raise error from cause


class _SingleProcessStore(DatabaseTaskStore):
    """Tasks of one process."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.task_model = TaskRow  # type: ignore[assignment] # replaces the SDK's own model

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Save a task."""
        with recording_store_errors(context):
            await super().save(task, context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task of the caller."""
        with recording_store_errors(context):
            return await super().get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller; an anonymous caller has none."""
        if _is_anonymous(context):
            return _empty_list(params)
        with recording_store_errors(context):
            return await super().list(params, context)


class _SharedStore(VersionedDatabaseTaskStore):
    """Tasks of several processes, with optimistic locking by version."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # The SDK creates a model for each store by its table name, and fails for a second one of the same name.
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
        """Save a task, and the event that changed it."""
        with recording_store_errors(context):
            return await super().save(
                task, event=event, prev=prev, prev_version=prev_version, context=context
            )

    async def get(self, task_id: str, context: ServerCallContext) -> StoredTask | None:
        """Return a task of the caller with its version; an ended task gets a version that cannot be overwritten.

        If another process was faster, a2a-sdk's consumer rereads the task and processes the next event: a process that
        seemed gone would overwrite the end of the task.
        """
        with recording_store_errors(context):
            stored = await super().get(task_id, context)
        if stored is not None and stored.task.status.state in TERMINAL_TASK_STATES:
            return StoredTask(stored.task, _ENDED)
        return stored

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller; an anonymous caller has none."""
        if _is_anonymous(context):
            return _empty_list(params)
        with recording_store_errors(context):
            return await super().list(params, context)


class _EventStream(DatabaseTaskEventStream):
    """Events of tasks that other processes run."""

    def __init__(self, engine: AsyncEngine, **options: Any) -> None:
        super().__init__(engine, **options)
        self._event_model = EventRow  # type: ignore[assignment] # as above


def _call_on_save(store: TaskStore, on_save: OnSave | None) -> None:
    """Call `on_save` in the transaction of each save; a2a-sdk has no hook for this."""
    if on_save is None:
        return

    class Watched(Session):
        """The sessions of this store alone."""

    @event.listens_for(Watched, "after_flush")
    def flushed(session: Session, _: Any) -> None:
        for row in (*session.new, *session.dirty):
            if isinstance(row, TaskRow):
                columns = inspect(TaskRow).column_attrs
                values = {column.columns[0].name: getattr(row, column.key) for column in columns}
                on_save(session.connection(), values)

    _ = flushed
    assert isinstance(store, DatabaseTaskStore)  # noqa: S101 - both stores over a database have one
    store.async_session_maker.configure(sync_session_class=Watched)


def _is_anonymous(context: ServerCallContext) -> bool:
    return context.user.user_name.endswith(":")


def _empty_list(params: ListTasksRequest) -> ListTasksResponse:
    return ListTasksResponse(page_size=params.page_size or DEFAULT_LIST_TASKS_PAGE_SIZE)
