"""Subscriptions that begin at one point of a task: its snapshot, and then the events after it, none twice or lost.

a2a-sdk 1.3 begins with the task as it is, and goes on with all events that it has not passed on yet. The task has an
event as soon as it is being stored, so a piece that came while a subscriber joined came twice.
"""

# pyright: reportPrivateUsage=false
# a2a-sdk has no hook for what its subscribers get.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from a2a.server.agent_execution.active_task_registry import ActiveTaskRegistry
from a2a.types.a2a_pb2 import Task

if TYPE_CHECKING:
    from a2a.server.agent_execution.active_task import ActiveTask
    from a2a.server.events.event_queue_v2 import EventQueueSink, EventQueueSource


class JoiningRegistry(ActiveTaskRegistry):
    """a2a-sdk's registry of active tasks, whose subscribers get each event once."""

    async def get_or_create(self, *args: Any, **options: Any) -> ActiveTask:
        """Return an existing active task, or create one; it has passed on no event yet then."""
        active: ActiveTask = await super().get_or_create(*args, **options)
        if not isinstance(active._event_queue_subscribers, _Published):  # noqa: SLF001 - the SDK has no hook
            _join(active)
        return active


def _join(active: ActiveTask) -> None:
    """Number the events that an active task passes on, and let its subscribers begin with a numbered state."""
    published = _Published(active._event_queue_subscribers, active._task_manager._current_task)  # noqa: SLF001
    current = active.get_task

    async def joined() -> Task:
        # The SDK asks for it at once after `tap`: nothing is passed on in between.
        return published.snapshot() or await current()

    active._event_queue_subscribers = published  # type: ignore[assignment] # noqa: SLF001 - it has what the SDK calls
    active.get_task = joined  # type: ignore[method-assign]


class _Published:
    """The events that an active task passes on, numbered, and the task after the last of them."""

    def __init__(self, source: EventQueueSource, task: Task | None) -> None:
        self._source = source
        self._number = 0
        self._task: Task | None = None
        if task is not None:
            # The SDK changes its own one.
            self._task = Task()
            self._task.CopyFrom(task)

    def snapshot(self) -> Task | None:
        """Return a copy of the task after the last event; None if there was neither."""
        if self._task is None:
            return None
        task = Task()
        task.CopyFrom(self._task)
        return task

    async def enqueue_event(self, item: Any) -> None:
        """Pass on an event with the task after it, which the SDK has copied."""
        _, task = item
        self._number += 1
        if task is not None:
            self._task = task
        await self._source.enqueue_event((self._number, item))  # type: ignore[arg-type] # as the SDK does

    async def tap(self, **options: Any) -> _Tap:
        """Return a queue of the events after now."""
        sink = await self._source.tap(**options)
        return _Tap(sink, self._number)

    async def close(self, **options: Any) -> None:
        """Close all queues."""
        await self._source.close(**options)


class _Tap:
    """A queue without the events that were passed on before it was created, but had not reached the queues."""

    def __init__(self, sink: EventQueueSink, after: int) -> None:
        self._sink = sink
        self._after = after

    async def dequeue_event(self) -> Any:
        """Return the next event, with the task after it."""
        while True:
            numbered: Any = await self._sink.dequeue_event()
            number, item = numbered
            if number > self._after:
                return item
            self._sink.task_done()

    def task_done(self) -> None:
        """Note that the last event was handled."""
        self._sink.task_done()

    async def close(self, **options: Any) -> None:
        """Close the queue."""
        await self._sink.close(**options)
