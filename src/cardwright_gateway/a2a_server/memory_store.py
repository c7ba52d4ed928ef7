"""The tasks of an agent, in memory: those that ended are forgotten, by age, by number and by size."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.types.a2a_pb2 import ListTasksResponse, TaskState
from a2a.utils.constants import DEFAULT_LIST_TASKS_PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.types.a2a_pb2 import ListTasksRequest, Task

_RUNNING: Final = frozenset({
    TaskState.TASK_STATE_UNSPECIFIED, TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING,
})  # fmt: skip
# What a bridge keeps of tasks that do not run, and what of one that has ended and was answered (ours).
KEPT_BYTES: Final = 64 * 1024 * 1024
LARGEST: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Resting:
    """A task that does not run: since when, whose it is, and how many bytes it has."""

    since: float
    context: ServerCallContext
    size: int


class Tasks(InMemoryTaskStore):
    """The store of the SDK that forgets.

    A task that ended, or waits for its caller, is kept for `kept_seconds` after its last change, and the
    oldest are forgotten first where there are more than `most`; a running one never is. Each belongs to the
    user of its request: those of callers without a name are found by their ids alone, and never listed.

    Args:
        most: How many that do not run are kept.
        kept_seconds: For how long.
        clock: Seconds that only grow.
        kept_bytes: How many bytes those may have together, as they are serialised; the last one always stays.
    """

    def __init__(
        self, most: int, kept_seconds: float, clock: Callable[[], float], kept_bytes: int = KEPT_BYTES
    ) -> None:
        super().__init__()
        self._most = most
        self._kept_seconds = kept_seconds
        self._clock = clock
        self._kept_bytes = kept_bytes
        # By whose and which task it is; the oldest first.
        self._resting: OrderedDict[tuple[str, str], _Resting] = OrderedDict()
        self._bytes = 0

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Keep a task as it is now."""
        await super().save(task, context)
        key = (context.user.user_name, task.id)
        self._leave(key)
        if task.status.state not in _RUNNING:
            # Of the context only whose it is: its header is not kept.
            owner = ServerCallContext(user=context.user)
            self._resting[key] = _Resting(self._clock(), owner, task.ByteSize())
            self._bytes += self._resting[key].size
        await self._forget()

    async def answered(self, task_id: str, context: ServerCallContext) -> None:
        """Forget a task that has ended and that its caller was told of, where it is too large to be kept."""
        resting = self._resting.get((context.user.user_name, task_id))
        if resting is not None and resting.size > LARGEST:
            await self.delete(task_id, context)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """Return a task, or None where there is none of that id, any more, for that user."""
        await self._forget()
        return await super().get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """Return the tasks that are asked for; callers without a name share none."""
        await self._forget()
        if not context.user.user_name:
            return ListTasksResponse(page_size=params.page_size or DEFAULT_LIST_TASKS_PAGE_SIZE)
        return await super().list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Forget a task."""
        self._leave((context.user.user_name, task_id))
        await super().delete(task_id, context)

    async def _forget(self) -> None:
        limit = self._clock() - self._kept_seconds
        while self._resting:
            (_, task_id), oldest = next(iter(self._resting.items()))
            # What ended last has yet to be answered, however large it is.
            fits = self._bytes <= self._kept_bytes or len(self._resting) == 1
            if oldest.since > limit and len(self._resting) <= self._most and fits:
                return
            await self.delete(task_id, oldest.context)

    def _leave(self, key: tuple[str, str]) -> None:
        """Count a task no more."""
        resting = self._resting.pop(key, None)
        self._bytes -= 0 if resting is None else resting.size
