"""a2a-sdk's push sender: the event is in the outbox already, since its task was saved; it is delivered at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from a2a.server.tasks.push_notification_sender import PushNotificationSender
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatusUpdateEvent

from cardwright_gateway.webhooks.events import TOLD

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.tasks.push_notification_sender import PushNotificationEvent


class Sender(PushNotificationSender):
    """Wakes the dispatcher.

    Args:
        wake: Has it look for what is due.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    async def send_notification(self, task_id: str, event: PushNotificationEvent) -> None:  # noqa: ARG002 - a2a-sdk gives it
        """Have the events of a task delivered at once, if it has ended or waits for its caller."""
        if isinstance(event, Task | TaskStatusUpdateEvent) and TaskState.Name(event.status.state) in TOLD:
            self._wake()
