"""The tasks of a gateway whose processes share PostgreSQL: each change is written with its event, for the others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from a2a.server.cluster import StoredTask, TaskVersion, VersionedTaskStore
from a2a.types.a2a_pb2 import Task

from cardwright.errors import StoreError
from cardwright_gateway.tasks.recording import recording_store_errors
from cardwright_gateway.tasks.rows import completed
from cardwright_gateway.tasks.table_store import TableStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.context import ServerCallContext
    from a2a.server.events.event_queue import Event

_R = TypeVar("_R")
# As in a2a-sdk's store: attempts, and the pause after the first one; the others are that much longer.
_ATTEMPTS: Final = 5
_PAUSE_SECONDS: Final = 0.02


class SharedTaskStore(TableStore, VersionedTaskStore):
    """Tasks of several processes, with optimistic locking by version."""

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
        owner = self._owner(context)
        copied = Task()
        # The caller may change its own one meanwhile.
        copied.CopyFrom(task)

        def save() -> TaskVersion:
            return self._rows.write(copied, owner, event=event, version=prev_version)

        with recording_store_errors(context):
            return await _repeated(save)

    async def get(self, task_id: str, context: ServerCallContext) -> StoredTask | None:
        """Return a task of the caller with its version."""
        owner = self._owner(context)
        with recording_store_errors(context):
            return await _repeated(lambda: self._rows.read(task_id, owner))


async def _repeated(transaction: Callable[[], _R]) -> _R:
    """Run a transaction in a thread; retry it after a lock conflict or a lost connection."""
    attempt = 1
    while True:
        try:
            return await completed(transaction)
        except StoreError as error:
            if error.cause not in ("locked", "unreachable") or attempt == _ATTEMPTS:
                raise
        await asyncio.sleep(_PAUSE_SECONDS * attempt)
        attempt += 1
