"""The rows of tasks: each read and each write is one transaction of the calling thread.

a2a-sdk's stores await every statement of an ORM, which takes most of the time of a call.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from a2a.server.cluster import ConcurrentTaskModificationError, StoredTask, TaskVersion
from a2a.utils.proto_utils import to_stream_response
from sqlalchemy import JSON, Text, bindparam, cast, insert, inspect, select
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.a2a.task_size import task_content
from cardwright_gateway.a2a_server.failing import failed_instead
from cardwright_gateway.database.async_engine import encoded
from cardwright_gateway.database.deletion import TASK_COLUMNS, delete_tasks
from cardwright_gateway.database.tables import TASK_EVENTS, TASK_VERSIONS, TASKS
from cardwright_gateway.database.task_bytes import ROW_BYTES
from cardwright_gateway.errors import TasksFull
from cardwright_gateway.tasks.models import TaskRow, values_of
from cardwright_gateway.tasks.reading import parsed
from cardwright_gateway.tasks.saving import Saved, count_saved
from cardwright_gateway.tasks.states import TERMINAL
from cardwright_gateway.tasks.versions import next_version

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from a2a.server.events.event_queue import Event
    from a2a.types.a2a_pb2 import Task
    from sqlalchemy import Connection

    from cardwright.store.database import Database
    from cardwright_gateway.tasks.models import TaskTable
    from cardwright_gateway.tasks.quota import TaskQuota

    # Called with the row of each saved task, in the transaction that saves it.
    OnSave = Callable[[Connection, Mapping[str, Any]], None]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T: Final = TASKS.c
_V: Final = TASK_VERSIONS.c
_JSON: Final = frozenset(column.name for column in _T if isinstance(column.type, JSON))
# The columns by the attributes of `TaskRow`.
_COLUMNS: Final = {attribute.key: attribute.columns[0].name for attribute in inspect(TaskRow).column_attrs}
_SAVED: Final = (
    _T.id, _T.owner, _T.agent_owner, _T.state, _T.size, _T.event_bytes, _T.value_count, _T.text_bytes,
)  # fmt: skip
_BEFORE: Final = select(*_SAVED).where(_T.id == bindparam("task_id"))
_TASK: Final = (
    select(
        _T.id,
        _T.context_id,
        _T.protocol_version,
        *(cast(_T[column], Text).label(key) for key, column in _COLUMNS.items() if column in _JSON),
        _V.version,
    )
    .outerjoin(TASK_VERSIONS, _V.task_id == _T.id)
    .where(_T.id == bindparam("task_id"), _T.owner == bindparam("caller"))
)
_EVENT: Final = insert(TASK_EVENTS)


def _upsert(dialect: Any) -> Any:
    new: dict[str, Any] = {}
    for column in _T:
        is_json = column.name in _JSON
        value: Any = bindparam(f"new_{column.name}", type_=Text() if is_json else column.type)
        # SQLite keeps JSON as text.
        new[column.name] = cast(value, JSON) if is_json and dialect is postgresql else value
    statement = dialect.insert(TASKS).values(new)
    return statement.on_conflict_do_update(
        index_elements=[_T.id], set_={name: statement.excluded[name] for name in new if name != "id"}
    )


# Built once: building one costs as much as executing it.
_SAVE: Final = {"postgresql": _upsert(postgresql), "sqlite": _upsert(sqlite)}


async def completed(function: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Call a function in a thread to its end, even if the caller is cancelled: a later write must not pass this one."""
    calling = asyncio.ensure_future(asyncio.to_thread(function, *args, **kwargs))
    try:
        return await asyncio.shield(calling)
    except asyncio.CancelledError:
        await asyncio.wait([calling])
        if not calling.cancelled():
            # Otherwise asyncio logs that the exception was never retrieved.
            calling.exception()
        raise


class TaskRows:
    """Reads and writes tasks.

    Args:
        table: a2a-sdk's table of tasks, which converts rows.
        database: The database.
        replica: The id of this process.
        on_save: Called in each transaction that saves a task; an exception rolls the transaction back.
        agent_owner: Returns the owner of an agent; None for an unknown agent.
        quota: The maximum sizes; None for none.
    """

    def __init__(
        self,
        table: TaskTable,
        database: Database,
        replica: str,
        on_save: OnSave | None,
        agent_owner: Callable[[str], str | None],
        quota: TaskQuota | None,
    ) -> None:
        self._table = table
        self._database = database
        self._replica = replica
        self._on_save = on_save
        self._agent_owner = agent_owner
        self._quota = quota

    def read(self, task_id: str, caller: str) -> StoredTask | None:
        """Return a task of a caller with its version.

        Raises:
            StoreError: If the database is unavailable.
        """
        with self._database.reading() as connection:
            row = connection.execute(_TASK, {"task_id": task_id, "caller": caller}).mappings().first()
        if row is None:
            return None
        values = dict(row)
        version = TaskVersion(values.pop("version") or 0)
        return StoredTask(parsed(self._table, [values])[0], version)

    def write(
        self,
        task: Task,
        caller: str,
        *,
        parts: Task | None = None,
        event: Event | None = None,
        version: TaskVersion | None = None,
    ) -> TaskVersion:
        """Write a task; one that has become too large fails instead.

        Args:
            task: The task.
            caller: The caller that it belongs to, as a2a-sdk's stores name it.
            parts: The task before its last change, if that was not written.
            event: The change, for processes that do not run the task.
            version: The version that was changed; None if no other process writes the task.

        Returns:
            The new version; a missing one if there was none.

        Raises:
            ConcurrentTaskModificationError: If the task has ended, has another version, or failed now: a2a-sdk rereads
                it, passes its end on, and stops the turn.
            TasksFull: If a new task is too large.
            StoreError: If the database is unavailable.
        """
        try:
            return self._write(task, caller, parts, event, version)
        except TasksFull as full:
            stored = self.read(task.id, caller)
            failed, failure = failed_instead(task.id, stored.task if stored else None, full)
            self._write(failed, caller, None, None if version is None else failure, version)
            raise ConcurrentTaskModificationError(task.id) from full

    def delete(self, task_id: str, caller: str) -> None:
        """Delete a task of a caller, with its events and versions.

        Raises:
            StoreError: If the database is unavailable.
        """
        of_caller = select(*TASK_COLUMNS).where(_T.id == task_id, _T.owner == caller)
        with self._database.writing() as connection:
            delete_tasks(connection, connection.execute(of_caller).all())

    def _write(
        self, task: Task, caller: str, parts: Task | None, event: Event | None, version: TaskVersion | None
    ) -> TaskVersion:
        made = values_of(task, caller, self._replica, self._agent_owner)
        values = {_COLUMNS[key]: value for key, value in made.items()}
        data = b"" if event is None else to_stream_response(event).SerializeToString()
        with self._database.writing() as connection:
            # First, because it holds the row of the version: no two transactions wait for each other.
            written = (
                TaskVersion.MISSING if version is None else next_version(connection, task, caller, version)
            )
            before = _saved(connection, task.id)
            if before is not None and before.state in TERMINAL:
                # Events that were queued before the end, such as those of a task that became too large.
                raise ConcurrentTaskModificationError(task.id)
            values["event_bytes"] = (before.event_bytes if before else 0) + (
                len(data) + ROW_BYTES if data else 0
            )
            values["size"] += values["event_bytes"]
            values.setdefault("agent_owner", before.agent_owner if before else "")
            connection.execute(_SAVE[connection.dialect.name], _parameters(values))
            if data:
                connection.execute(_EVENT, _event_row(task, caller, written, data))
            if self._on_save is not None:
                self._on_save(connection, values)
            after = Saved(*(values[column.name] for column in _SAVED))
            # Last, because other transactions wait for this row.
            count_saved(connection, before, after, self._quota, parts and _with_content(after, parts))
        return written


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


def _event_row(task: Task, caller: str, version: TaskVersion, data: bytes) -> dict[str, Any]:
    number = version._value  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - as a2a-sdk's own store
    return {"task_id": task.id, "owner": caller, "task_version": number, "event_data": data}
