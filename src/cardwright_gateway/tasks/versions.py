"""The versions of tasks that several processes write: by them, one of two concurrent writes fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from a2a.server.cluster import ConcurrentTaskModificationError, TaskVersion
from a2a.types.a2a_pb2 import TaskState
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from cardwright_gateway.database.tables import TASK_VERSIONS, TASKS

if TYPE_CHECKING:
    from a2a.types.a2a_pb2 import Task
    from sqlalchemy import Connection

_V: Final = TASK_VERSIONS.c
_OF_TASK: Final = (_V.task_id == bindparam("of_task"), _V.owner == bindparam("of_caller"))
_CURRENT: Final = select(_V.version).where(*_OF_TASK).with_for_update()
_STORED: Final = select(TASKS.c.id).where(
    TASKS.c.id == bindparam("of_task"), TASKS.c.owner == bindparam("of_caller")
)
_NEXT: Final = (
    update(TASK_VERSIONS).where(*_OF_TASK, _V.version == bindparam("before")).values(version=_V.version + 1)
)
_FIRST: Final = insert(TASK_VERSIONS)


def next_version(connection: Connection, task: Task, caller: str, before: TaskVersion) -> TaskVersion:
    """Store the next version of a task, and hold its row until the end of the transaction.

    The rules are those of a2a-sdk's `VersionedTaskStore.save`: a cancellation replaces any version. Whether the task
    has ended is not checked here.

    Args:
        connection: A connection in a transaction that writes.
        task: The task as it will be written.
        caller: The caller that it belongs to.
        before: The version that was changed; a missing one for a new task.

    Raises:
        ConcurrentTaskModificationError: If the stored version is another one, or a cancelled task is not stored.
    """
    key = {"of_task": task.id, "of_caller": caller}
    if task.status.state == TaskState.TASK_STATE_CANCELED:
        number = connection.execute(_CURRENT, key).scalar() or 0
        if connection.execute(_STORED, key).first() is None:
            raise ConcurrentTaskModificationError(task.id)
    else:
        number = before._value  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - as a2a-sdk's own store
    if number:
        if connection.execute(_NEXT, {**key, "before": number}).rowcount == 0:
            raise ConcurrentTaskModificationError(task.id)
    else:
        try:
            connection.execute(_FIRST, {"task_id": task.id, "owner": caller, "version": 1})
        except IntegrityError as error:
            raise ConcurrentTaskModificationError(task.id) from error
    return TaskVersion(int(number) + 1)
