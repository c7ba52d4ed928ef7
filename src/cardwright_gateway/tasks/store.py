"""a2a-sdk's stores over the gateway's database: one process on SQLite, any number on PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakValueDictionary

from a2a.server.cluster import DatabaseTaskEventStream
from a2a.server.tasks import PushNotificationConfigStore
from a2a.utils.errors import InvalidParamsError

from cardwright.errors import BadArgument
from cardwright_gateway.a2a_server.stores import secrets_of
from cardwright_gateway.database.task_bytes import ROW_BYTES
from cardwright_gateway.tasks.models import EventRow, TaskTable
from cardwright_gateway.tasks.recording import recording_store_errors
from cardwright_gateway.tasks.rows import TaskRows
from cardwright_gateway.tasks.shared_store import SharedTaskStore
from cardwright_gateway.tasks.sqlite_store import PARTS_SECONDS, SqliteTaskStore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from a2a.server.cluster import TaskEventStream, VersionedTaskStore
    from a2a.server.context import ServerCallContext
    from a2a.server.tasks import TaskStore
    from a2a.types.a2a_pb2 import TaskPushNotificationConfig
    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.store.database import Database
    from cardwright_gateway.tasks.quota import TaskQuota
    from cardwright_gateway.tasks.rows import OnSave


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
    *,
    parts_seconds: float = PARTS_SECONDS,
) -> TaskStorage:
    """Create the stores over a database.

    Args:
        engine: The engine of a database that has the tables.
        database: The same database.
        replica: The id of this process.
        on_save: Called in each transaction that saves a task; an exception rolls the transaction back.
        agent_owner: Returns the owner of an agent, for whom its tasks count; None for an unknown agent.
        quota: The maximum sizes; None for none. A task whose update would exceed one fails instead.
        parts_seconds: The maximum delay before SQLite has the parts of artifacts.
    """
    table = TaskTable(engine)
    rows = TaskRows(table, database, replica, on_save, agent_owner, quota)
    if engine.dialect.name == "sqlite":
        return TaskStorage(SqliteTaskStore(rows, table, parts_seconds=parts_seconds), None)
    return TaskStorage(SharedTaskStore(rows, table), _EventStream(engine, create_table=False))


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


class _EventStream(DatabaseTaskEventStream):
    """Events of tasks that other processes run."""

    def __init__(self, engine: AsyncEngine, **options: Any) -> None:
        super().__init__(engine, **options)
        self._event_model = EventRow  # type: ignore[assignment] # as above
