"""An in-memory task store with limits on the age, number and size of ended tasks."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from a2a.server.agent_execution.active_task import TERMINAL_TASK_STATES
from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.types.a2a_pb2 import TaskState

from cardwright_gateway.a2a.task_size import (
    ENDING_BYTES,
    MAX_MEMORY_TEXT,
    Content,
    message_content,
    off_loop,
    task_content,
)
from cardwright_gateway.a2a_server.failing import failed_instead
from cardwright_gateway.a2a_server.paging import empty_page, page_of
from cardwright_gateway.errors import TasksFull

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse, Message, Task

_RUNNING: Final = frozenset({
    TaskState.TASK_STATE_UNSPECIFIED, TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING,
})  # fmt: skip
# The maximum total size of tasks that are not running, and the maximum size of one task that is kept after its
# caller has the response (project decision).
MAX_STORED_BYTES: Final = 64 * 1024 * 1024
MAX_TASK_BYTES: Final = 8 * 1024 * 1024
# The maximum size of any task: each update copies it (project decision).
MAX_RUNNING_BYTES: Final = MAX_STORED_BYTES
# The maximum total size of the running tasks of one agent, and the size up to which a task is never refused for it
# (project decision).
_MAX_ALL_RUNNING_BYTES: Final = 4 * MAX_RUNNING_BYTES
_SMALL_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _IdleTask:
    """A task that is not running: since when, its owner, and its size in bytes."""

    since: float
    context: ServerCallContext
    size: int


class MemoryTaskStore(InMemoryTaskStore):
    """The SDK's in-memory store with limits.

    A task that ended, or waits for its caller, is kept for `retention_seconds` after its last change; if there are
    more than `max_tasks`, the oldest are dropped first. Running tasks are never dropped. A task belongs to the user
    of its request; tasks of anonymous callers can be read by id, and are never listed.

    Args:
        max_tasks: The maximum number of tasks that are not running.
        retention_seconds: How long they are kept.
        clock: A monotonic clock, in seconds.
        max_stored_bytes: Their maximum total size, as serialised; the newest one is always kept.
    """

    def __init__(
        self,
        max_tasks: int,
        retention_seconds: float,
        clock: Callable[[], float],
        max_stored_bytes: int = MAX_STORED_BYTES,
    ) -> None:
        super().__init__()
        self._max_tasks = max_tasks
        self._retention_seconds = retention_seconds
        self._clock = clock
        self._max_stored_bytes = max_stored_bytes
        # By owner and task id; the oldest first.
        self._idle: OrderedDict[tuple[str, str], _IdleTask] = OrderedDict()
        self._bytes = 0
        # The sizes of the running tasks.
        self._running: dict[tuple[str, str], int] = {}

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Store a task.

        Raises:
            ConcurrentTaskModificationError: If the task has ended, or failed now because it is too large.
        """
        stored = self._changeable(task.id, context)
        try:
            await _check(task, stored)
            self._check_running(task, (context.user.user_name, task.id))
        except TasksFull as full:
            await self._save(failed_instead(task.id, stored, full)[0], context)
            # a2a-sdk rereads the task, passes its end on, and stops the turn.
            raise ConcurrentTaskModificationError(task.id) from full
        # It may have ended during the check.
        self._changeable(task.id, context)
        await self._save(task, context)

    def _check_running(self, task: Task, key: tuple[str, str]) -> None:
        """Check that all running tasks together are not too large, before one of them grows.

        Raises:
            TasksFull: If they are.
        """
        size = task.ByteSize()
        others = sum(self._running.values()) - self._running.get(key, 0)
        if task.status.state in _RUNNING and size > _SMALL_BYTES and others + size > _MAX_ALL_RUNNING_BYTES:
            raise TasksFull("running", _MAX_ALL_RUNNING_BYTES)

    def _changeable(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a stored task that has not ended; None if it is not stored."""
        stored = self._impl.tasks.get(context.user.user_name, {}).get(task_id)
        if stored is not None and stored.status.state in TERMINAL_TASK_STATES:
            # Events that were queued before the end, such as those of a task that became too large.
            raise ConcurrentTaskModificationError(task_id)
        return stored

    async def check_size(self, caller: str, message: Message) -> None:
        """Check that a message may be stored, before its turn begins.

        Raises:
            TasksFull: If its task would exceed a maximum.
        """
        stored = self._impl.tasks.get(caller, {}).get(message.task_id)
        content = await off_loop(message.ByteSize(), message_content, message)
        (await _content(stored) + content).check(MAX_MEMORY_TEXT)

    async def _save(self, task: Task, context: ServerCallContext) -> None:
        await super().save(task, context)
        key = (context.user.user_name, task.id)
        self._uncount(key)
        if task.status.state not in _RUNNING:
            # Only the owner: the header fields of the context are not stored.
            owner = ServerCallContext(user=context.user)
            self._idle[key] = _IdleTask(self._clock(), owner, task.ByteSize())
            self._bytes += self._idle[key].size
        else:
            self._running[key] = task.ByteSize()
        await self._drop_excess()

    async def responded(self, task_id: str, context: ServerCallContext) -> None:
        """Drop an ended task that is too large to keep, once its caller has the response."""
        idle = self._idle.get((context.user.user_name, task_id))
        if idle is not None and idle.size > MAX_TASK_BYTES:
            await self.delete(task_id, context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task, or None if the user has no task with this id."""
        await self._drop_excess()
        return await super().get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the requested tasks; none for anonymous callers."""
        await self._drop_excess()
        if not context.user.user_name:
            return empty_page(params)
        # The SDK's list copies whole tasks, and answers with all of them.
        return page_of(self._impl.tasks.get(context.user.user_name, {}).values(), params)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Drop a task."""
        self._uncount((context.user.user_name, task_id))
        await super().delete(task_id, context)

    async def _drop_excess(self) -> None:
        limit = self._clock() - self._retention_seconds
        while self._idle:
            (_, task_id), oldest = next(iter(self._idle.items()))
            # The response with the newest one is not sent yet, so it stays, however large it is.
            fits = self._bytes <= self._max_stored_bytes or len(self._idle) == 1
            if oldest.since > limit and len(self._idle) <= self._max_tasks and fits:
                return
            await self.delete(task_id, oldest.context)

    def _uncount(self, key: tuple[str, str]) -> None:
        """Remove a task from the counts."""
        self._running.pop(key, None)
        idle = self._idle.pop(key, None)
        self._bytes -= 0 if idle is None else idle.size


async def _check(task: Task, stored: Task | None) -> None:
    """Check the size of a task that replaces a stored one.

    Raises:
        TasksFull: If it has grown beyond a maximum.
    """
    size = task.ByteSize()
    if size > MAX_RUNNING_BYTES:
        raise TasksFull("task", MAX_RUNNING_BYTES)
    growth = size - (0 if stored is None else stored.ByteSize())
    if task.status.state not in TERMINAL_TASK_STATES or growth > ENDING_BYTES:
        (await _content(task)).check_growth(await _content(stored), MAX_MEMORY_TEXT)


async def _content(task: Task | None) -> Content:
    return Content() if task is None else await off_loop(task.ByteSize(), task_content, task)
