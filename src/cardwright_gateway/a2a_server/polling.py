"""What becomes of a task as the store has it, told as events: where nothing in this process tells of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from a2a.server.agent_execution.active_task import INTERRUPTED_TASK_STATES, TERMINAL_TASK_STATES
from a2a.types.a2a_pb2 import TaskArtifactUpdateEvent, TaskStatusUpdateEvent

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator

    from a2a.server.events import Event
    from a2a.types.a2a_pb2 import Task

# How often it is looked (ours; a2a-sdk looks for events of other processes so often).
_LOOK_SECONDS: Final = 0.5


async def tail(task: Task, now: Callable[[], Awaitable[Task | None]]) -> AsyncGenerator[Event]:
    """Tell a task that runs, and what is new of it, until it has ended, waits for its caller or is forgotten.

    Args:
        task: The task as it was read.
        now: Reads it again.
    """
    yield task
    while task.status.state not in TERMINAL_TASK_STATES | INTERRUPTED_TASK_STATES:
        await asyncio.sleep(_LOOK_SECONDS)
        read = await now()
        if read is None:
            return
        for event in _news(task, read):
            yield event
        task = read


def _news(before: Task, after: Task) -> Iterator[Event]:
    told = {artifact.artifact_id: len(artifact.parts) for artifact in before.artifacts}
    for artifact in after.artifacts:
        known = told.get(artifact.artifact_id, 0)
        if len(artifact.parts) > known:
            piece = TaskArtifactUpdateEvent(task_id=after.id, context_id=after.context_id, append=known > 0)
            piece.artifact.CopyFrom(artifact)
            del piece.artifact.parts[:known]
            yield piece
    if after.status != before.status:
        yield TaskStatusUpdateEvent(task_id=after.id, context_id=after.context_id, status=after.status)
