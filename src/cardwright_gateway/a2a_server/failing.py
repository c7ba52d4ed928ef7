"""Tasks that the gateway itself ends as failed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from a2a.server.agent_execution.active_task import TERMINAL_TASK_STATES
from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.types.a2a_pb2 import Message, Part, Role, Task, TaskState, TaskStatus, TaskStatusUpdateEvent

from cardwright_gateway.a2a.problems import turn_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.errors import TasksFull

_LOG: Final = logging.getLogger("cardwright_gateway")


def failed_task(
    stored: Task, text: str, *, cause: str, metadata: Mapping[str, str] | None = None
) -> tuple[Task, TaskStatusUpdateEvent]:
    """Return a task as failed, and the event that says so.

    Args:
        stored: The task as it is stored; it does not change.
        text: The status message.
        cause: A word for the message's id, unique among the ways to fail a task.
        metadata: The metadata of the status message.
    """
    task = Task()
    task.CopyFrom(stored)
    if task.status.HasField("message"):
        task.history.append(task.status.message)
    status = TaskStatus(
        state=TaskState.TASK_STATE_FAILED,
        message=Message(
            message_id=f"{task.id}-{cause}",
            role=Role.ROLE_AGENT,
            parts=[Part(text=text)],
            task_id=task.id,
            context_id=task.context_id,
        ),
    )
    status.message.metadata.update(metadata or {})
    status.timestamp.GetCurrentTime()
    task.status.CopyFrom(status)
    return task, TaskStatusUpdateEvent(task_id=task.id, context_id=task.context_id, status=status)


def failed_instead(task_id: str, stored: Task | None, full: TasksFull) -> tuple[Task, TaskStatusUpdateEvent]:
    """Return a stored task as failed, instead of an update of it that is too large.

    Raises:
        TasksFull: If no task is stored.
        ConcurrentTaskModificationError: If the task has ended.
    """
    if stored is None:
        raise full
    if stored.status.state in TERMINAL_TASK_STATES:
        raise ConcurrentTaskModificationError(task_id) from None
    _LOG.info("task %s failed: %s", task_id, full)
    problem = turn_problem(full)
    reason = {"reason": problem.error_code.reason}
    return failed_task(stored, problem.message, cause="full", metadata=reason)
