"""What A2A can be asked: the methods of JSON-RPC, and what each route of REST takes."""

from __future__ import annotations

import re
from typing import Final

# A2A 0.3.0 §7, A2A 1.0 §9.4.
OLD: Final = frozenset({
    "message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe",
    "tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/get",
    "tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete",
    "agent/getAuthenticatedExtendedCard",
})  # fmt: skip
NEW: Final = frozenset({
    "SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask",
    "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig", "GetExtendedAgentCard",
})  # fmt: skip
# What mcp-context-forge calls it: a name with a slash is of 0.3.
ALIASES: Final = {"agent/getExtendedCard": "agent/getAuthenticatedExtendedCard"}
# Those of A2A 0.1 and 0.2 §7, and one that 0.3 has over its other bindings, are not answered but passed on.
KNOWN: Final = OLD | NEW | {*ALIASES} | {
    "tasks/send", "tasks/sendSubscribe", "tasks/pushNotification/set", "tasks/pushNotification/get",
    "tasks/list",
}  # fmt: skip
# What the id of a call may be: text and whole numbers, as JSON-RPC's own server in a2a-sdk has it; longer texts
# name nothing (ours).
LONGEST_ID: Final = 256
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
