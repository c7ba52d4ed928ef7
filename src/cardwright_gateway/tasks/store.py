"""a2a-sdk's stores over the gateway's database: one process on SQLite, any number on PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol
from weakref import WeakValueDictionary

from a2a.server.agent_execution.active_task import TERMINAL_TASK_STATES
from a2a.server.cluster import (
    ConcurrentTaskModificationError,
    DatabaseTaskEventStream,
    StoredTask,
    TaskVersion,
    VersionedDatabaseTaskStore,
)
from a2a.server.tasks import PushNotificationConfigStore
from a2a.utils.errors import InvalidParamsError

from cardwright.errors import BadArgument
from cardwright_gateway.a2a_server.failing import failed_instead
from cardwright_gateway.a2a_server.paging import empty_page
from cardwright_gateway.a2a_server.stores import secrets_of
from cardwright_gateway.database.task_bytes import ROW_BYTES, is_anonymous
from cardwright_gateway.errors import TasksFull
from cardwright_gateway.tasks.conversion import TaskTable, reading, writing
from cardwright_gateway.tasks.models import EventRow, VersionRow, row_of
from cardwright_gateway.tasks.reading import list_tasks
from cardwright_gateway.tasks.recording import recording_store_errors
from cardwright_gateway.tasks.saving import storing, watch_saves
from cardwright_gateway.tasks.sqlite_store import SqliteTaskStore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from a2a.server.cluster import TaskEventStream, VersionedTaskStore
    from a2a.server.context import ServerCallContext
    from a2a.server.events.event_queue import Event
    from a2a.server.tasks import TaskStore
    from a2a.types.a2a_pb2 import (
        ListTasksRequest,
        ListTasksResponse,
        Task,
        TaskPushNotificationConfig,
    )
    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.store.database import Database
    from cardwright_gateway.tasks.quota import TaskQuota
    from cardwright_gateway.tasks.saving import OnSave

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

    async def flush(self) -> None:
        """Write what is not written yet."""
        if isinstance(self.tasks, SqliteTaskStore):
            await self.tasks.flush()


def task_storage(
    engine: AsyncEngine,
    database: Database,
    replica: str,
    on_save: OnSave | None = None,
    agent_owner: Callable[[str], str | None] = lambda _: "",
    quota: TaskQuota | None = None,
) -> TaskStorage:
    """Create the stores over a database.

    Args:
        engine: The engine of a database that has the tables.
        database: The same database.
        replica: The id of this process.
        on_save: Called in each transaction that saves a task; an exception rolls the transaction back.
        agent_owner: Returns the owner of an agent, for whom its tasks count; None for an unknown agent.
        quota: The maximum sizes; None for none. A task whose update would exceed one fails instead.
    """
    if engine.dialect.name == "sqlite":
        return TaskStorage(SqliteTaskStore(database, replica, on_save, agent_owner, quota, engine), None)
    shared = _SharedStore(
        engine=engine,
        create_table=False,
        core_to_model_conversion=partial(row_of, replica=replica, agent_owner=agent_owner),
    )
    watch_saves(shared.as_task_store, on_save, quota)
    return TaskStorage(shared, _EventStream(engine, create_table=False))


class Secrets(Protocol):
    """Store of the secrets with which webhook receivers verify deliveries."""

    def check(self, secrets: Sequence[str]) -> None:
        """Check that these are valid secrets of a receiver.

        Raises:
            BadArgument: If one is not valid; the message describes valid secrets.
        """

    async def check_space(self, agent_id: str, owner: str, size: int) -> None:
        """Check that a configuration of a size may be stored.

        Raises:
            TasksFull: If not.
            StoreError: If the database is unavailable.
        """

    async def keep(
        self, task_id: str, config_id: str, *, agent_id: str, owner: str, secrets: Sequence[str], size: int
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
        # Base64 of the encrypted configuration has four bytes for three.
        size = ROW_BYTES + notification_config.ByteSize() * 4 // 3 + sum(map(len, secrets))
        # One call at a time, so that secrets are never stored with the configuration of another call.
        with recording_store_errors(context):
            async with self._locks.setdefault(task_id, asyncio.Lock()):
                owner = context.user.user_name
                await self._secrets.check_space(self._agent_id, owner, size)
                stored = await self._configs.set_info(task_id, notification_config, context)
                config_id = stored.id if stored is not None else notification_config.id
                await self._secrets.keep(
                    task_id, config_id, agent_id=self._agent_id, owner=owner, secrets=secrets, size=size
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


class _SharedStore(VersionedDatabaseTaskStore):
    """Tasks of several processes, with optimistic locking by version."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._db: TaskTable = TaskTable(**options)
        self._event_model, self._version_model = EventRow, VersionRow  # type: ignore[assignment] # replaces the SDK's own models

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
        with recording_store_errors(context):
            try:
                return await self._save(task, event, prev_version, context)
            except TasksFull as full:
                stored = await self._get(task.id, context)
                current = None if stored is None else stored.task
                failed, failure = failed_instead(task.id, current, full)
                version = prev_version if stored is None else stored.version
                await self._save(failed, failure, version, context)
                # a2a-sdk rereads the task, passes its end on, and stops the turn.
                raise ConcurrentTaskModificationError(task.id) from full

    async def get(self, task_id: str, context: ServerCallContext) -> StoredTask | None:
        """Return a task of the caller with its version; an ended task gets a version that cannot be overwritten.

        If another process was faster, a2a-sdk's consumer rereads the task and processes the next event: a process that
        seemed gone would overwrite the end of the task.
        """
        with recording_store_errors(context):
            stored = await self._get(task_id, context)
        if stored is not None and stored.task.status.state in TERMINAL_TASK_STATES:
            return StoredTask(stored.task, _ENDED)
        return stored

    async def _save(
        self, task: Task, event: Event | None, version: TaskVersion, context: ServerCallContext
    ) -> TaskVersion:
        with writing(await self._db.row_of(task, context)), storing(event):
            return await super().save(task, event=event, prev_version=version, context=context)

    async def _get(self, task_id: str, context: ServerCallContext) -> StoredTask | None:
        found, row = await reading(super().get(task_id, context))
        return (
            None if found is None or row is None else StoredTask(await self._db.task_of(row), found.version)
        )

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks of the caller; an anonymous caller has none."""
        if is_anonymous(context.user.user_name):
            return empty_page(params)
        with recording_store_errors(context):
            return await list_tasks(self._db, params, context)


class _EventStream(DatabaseTaskEventStream):
    """Events of tasks that other processes run."""

    def __init__(self, engine: AsyncEngine, **options: Any) -> None:
        super().__init__(engine, **options)
        self._event_model = EventRow  # type: ignore[assignment] # as above
