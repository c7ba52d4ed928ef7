"""The stores of a2a-sdk over the gateway's database: one process on SQLite, any number on PostgreSQL."""

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


class Secrets(Protocol):
    """Keeps what receivers verify deliveries with."""

    def check(self, secrets: Sequence[str]) -> None:
        """Return if these may be a receiver's secrets.

        Raises:
            BadArgument: If one is no secret; the message says which ones are.
        """

    async def keep(
        self, task_id: str, config_id: str, *, agent_id: str, owner: str, secrets: Sequence[str]
    ) -> None:
        """Keep the secrets of a configuration, instead of those that it had.

        Raises:
            BadArgument: If one is no secret; the message says which ones are.
        """


class SecretConfigs(PushNotificationConfigStore):
    """Configurations of webhooks of one agent, with the secrets that callers send beside them (BeeOS seed §4).

    A2A's own form has no place for them: they are read from the call itself.
    """

    def __init__(self, agent_id: str, configs: PushNotificationConfigStore, secrets: Secrets) -> None:
        self._agent_id = agent_id
        self._configs = configs
        self._secrets = secrets
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def set_info(
        self, task_id: str, notification_config: TaskPushNotificationConfig, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Keep a configuration, and the secrets that came with it.

        Raises:
            InvalidParamsError: If they are none.
        """
        call = context.state.get("call")
        secrets = secrets_of(getattr(call, "value", None))
        try:
            # Before anything is written: what was there before works on.
            self._secrets.check(secrets)
        except BadArgument as error:
            raise InvalidParamsError(str(error)) from None
        # One after another, so that nobody's secrets stand beside another's configuration.
        with noting_faults(context):
            async with self._turns.setdefault(task_id, asyncio.Lock()):
                stored = await self._configs.set_info(task_id, notification_config, context)
                config_id = stored.id if stored is not None else notification_config.id
                await self._secrets.keep(
                    task_id, config_id, agent_id=self._agent_id, owner=context.user.user_name, secrets=secrets
                )
        return stored if stored is not None else notification_config

    async def get_info(self, task_id: str, context: ServerCallContext) -> list[TaskPushNotificationConfig]:
        """Return the configurations of a task."""
        with noting_faults(context):
            return await self._configs.get_info(task_id, context)

    async def get_info_for_dispatch(self, task_id: str) -> list[TaskPushNotificationConfig]:
        """Return the configurations of a task, whoever made them."""
        return await self._configs.get_info_for_dispatch(task_id)

    async def delete_info(
        self, task_id: str, context: ServerCallContext, config_id: str | None = None
    ) -> None:
        """Forget a configuration, or all of a task."""
        with noting_faults(context):
            await self._configs.delete_info(task_id, context, config_id)


@contextmanager
def noting_faults(context: ServerCallContext) -> Generator[None]:
    """Raise a `StoreError` if the database fails, and note it in the call: the SDK passes on no cause."""
    try:
        yield
    except (SQLAlchemyError, StoreError) as cause:
        error = cause if isinstance(cause, StoreError) else store_error("the gateway's database", cause)
        call = context.state.get("call")
        if call is not None:
            call.refused = turn_problem(error)
        raise error from cause


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
