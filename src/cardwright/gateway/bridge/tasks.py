"""The tasks of an agent, in memory: those that ended are forgotten, by age and by number."""

from __future__ import annotations

from collections import OrderedDict
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


class Tasks(InMemoryTaskStore):
    """The store of the SDK that forgets.

    A task that ended, or waits for its caller, is kept for `kept_seconds` after its last change, and the
    oldest are forgotten first where there are more than `most`; a running one never is. Each belongs to the
    user of its request: those of callers without a name are found by their ids alone, and never listed.

    Args:
        most: How many that do not run are kept.
        kept_seconds: For how long.
        clock: Seconds that only grow.
    """

    def __init__(self, most: int, kept_seconds: float, clock: Callable[[], float]) -> None:
        super().__init__()
        self._most = most
        self._kept_seconds = kept_seconds
        self._clock = clock
        # By task, since when it does not run and whose it is; the oldest first.
        self._resting: OrderedDict[tuple[str, str], tuple[float, ServerCallContext]] = OrderedDict()

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Keep a task as it is now."""
        await super().save(task, context)
        key = (context.user.user_name, task.id)
        self._resting.pop(key, None)
        if task.status.state not in _RUNNING:
            # Of the context only whose it is: its header is not kept.
            self._resting[key] = (self._clock(), ServerCallContext(user=context.user))
        await self._forget()

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
        self._resting.pop((context.user.user_name, task_id), None)
        await super().delete(task_id, context)

    async def _forget(self) -> None:
        limit = self._clock() - self._kept_seconds
        while self._resting:
            (_, task_id), (since, context) = next(iter(self._resting.items()))
            if since > limit and len(self._resting) <= self._most:
                return
            await self.delete(task_id, context)
