"""a2a-sdk's push sender. The event is in the outbox already; the sender only wakes the dispatcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

from a2a.server.tasks.push_notification_sender import PushNotificationSender
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatusUpdateEvent

from cardwright_gateway.webhooks.events import NOTIFIED_STATES

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.tasks.push_notification_sender import PushNotificationEvent


class Sender(PushNotificationSender):
    """Push sender that wakes the dispatcher.

    Args:
        wake: Makes the dispatcher check for due events.

    Attributes:
        accepted: The tasks whose events this process has put into the outbox, and does not deliver yet.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self.accepted: set[str] = set()
        self._wake = wake

    async def send_notification(self, task_id: str, event: PushNotificationEvent) -> None:
        """Deliver the events of a task at once, if it has ended or waits for its caller, and has a webhook."""
        if (
            isinstance(event, Task | TaskStatusUpdateEvent)
            and TaskState.Name(event.status.state) in NOTIFIED_STATES
            and task_id in self.accepted
        ):
            self.accepted.discard(task_id)
            self._wake()
