"""Events of a stored task that another process runs, found by polling the store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from a2a.server.agent_execution.active_task import INTERRUPTED_TASK_STATES, TERMINAL_TASK_STATES
from a2a.types.a2a_pb2 import TaskArtifactUpdateEvent, TaskStatusUpdateEvent

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator

    from a2a.server.events import Event
    from a2a.types.a2a_pb2 import Task

# The interval (project decision; a2a-sdk polls for events of other processes at the same interval).
_POLL_SECONDS: Final = 0.5


async def tail(
    task: Task, current: Callable[[], Awaitable[Task | None]], *, poll_seconds: float = _POLL_SECONDS
) -> AsyncGenerator[Event]:
    """Yield a task and then its changes, until it has ended, waits for its caller or is deleted.

    Args:
        task: The task as first read.
        current: Reads it again.
        poll_seconds: The interval.
    """
    yield task
    while task.status.state not in TERMINAL_TASK_STATES | INTERRUPTED_TASK_STATES:
        await asyncio.sleep(poll_seconds)
        read = await current()
        if read is None:
            return
        for event in _changes(task, read):
            yield event
        task = read


def _changes(before: Task, after: Task) -> Iterator[Event]:
    sent = {artifact.artifact_id: artifact.parts for artifact in before.artifacts}
    for artifact in after.artifacts:
        earlier = list(sent.get(artifact.artifact_id, ()))
        if earlier == list(artifact.parts):
            continue
        appends = bool(earlier) and list(artifact.parts[: len(earlier)]) == earlier
        piece = TaskArtifactUpdateEvent(task_id=after.id, context_id=after.context_id, append=appends)
        piece.artifact.CopyFrom(artifact)
        if appends:
            del piece.artifact.parts[: len(earlier)]
        yield piece
    if after.status != before.status:
        yield TaskStatusUpdateEvent(task_id=after.id, context_id=after.context_id, status=after.status)
