"""What A2A can be asked: the methods of JSON-RPC, and what each route of REST takes."""

from __future__ import annotations

import re
from typing import Final

# A2A 0.1 and 0.2 §7, 0.3 §7, 1.0 §9.4; the last is what mcp-context-forge calls the extended card's.
KNOWN: Final = frozenset({
    "tasks/send", "tasks/sendSubscribe", "tasks/pushNotification/set", "tasks/pushNotification/get",
    "message/send", "message/stream", "tasks/get", "tasks/list", "tasks/cancel", "tasks/resubscribe",
    "tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/get",
    "tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete",
    "agent/getAuthenticatedExtendedCard",
    "SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask",
    "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig", "GetExtendedAgentCard",
    "agent/getExtendedCard",
})  # fmt: skip
STREAMING: Final = frozenset({"SendStreamingMessage", "SubscribeToTask", "message/stream", "tasks/resubscribe",
                              "tasks/sendSubscribe"})  # fmt: skip
# A2A 1.0 §11.3 and 0.3 §3.5.3; the first that fits. 0.3 posts to `:subscribe`, 1.0 gets it.
_ROUTES: Final = tuple(
    (re.compile(rf"(?:.*/)?{route}"), methods)
    for route, methods in (
        ("message:(?:send|stream)", ("POST",)),
        ("tasks/[^/]+/pushNotificationConfigs", ("GET", "POST")),
        ("tasks/[^/]+/pushNotificationConfigs/[^/]+", ("GET", "DELETE")),
        ("tasks/[^/]+:cancel", ("POST",)),
        ("tasks/[^/]+:subscribe", ("GET", "POST")),
    )
)


def taken(path: str) -> tuple[str, ...]:
    """Return the HTTP methods that a route of REST takes.

    >>> taken("v1/tasks/t-1:cancel"), taken("acme/tasks")
    (('POST',), ('GET',))
    """
    return next((methods for route, methods in _ROUTES if route.fullmatch(path)), ("GET",))
