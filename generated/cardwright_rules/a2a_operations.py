"""Operations of A2A: their names in each version.

Generated from schemas/a2a/operations.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Operation:
    """The names of an operation in one version of the protocol.

    Attributes:
        name: The operation, the same name for every version.
        version: The version, as Major.Minor.
        method: The JSON-RPC method; None if the version has none.
        also_called: Method names that the version does not define, but that clients send.
        verbs: The HTTP methods that its path accepts, the preferred one first; empty if it has no path.
        path: The path relative to the interface's URL, with `{id}` and `{configId}`; None if it has none.
        streams: Whether the response is a stream of events.
    """

    name: str
    version: str
    method: str | None = None
    also_called: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    path: str | None = None
    streams: bool = False


# By version and name.
OPERATIONS: Final = {
    (operation.version, operation.name): operation
    for operation in (
        # Send a message and wait for the task or the message that answers it.
        # A2A 1.0 §9.4.1, §11.3.1
        Operation(
            "send_message",
            "1.0",
            "SendMessage",
            verbs=("POST",),
            path="/message:send",
        ),
        # A2A 0.3 §7.1
        Operation(
            "send_message",
            "0.3",
            "message/send",
            verbs=("POST",),
            path="/v1/message:send",
        ),
        # A2A 0.2 §7.1
        Operation(
            "send_message",
            "0.2",
            "message/send",
        ),
        # A2A 0.1, Send a Task
        Operation(
            "send_message",
            "0.1",
            "tasks/send",
        ),
        # Send a message and get the events of its task as they come.
        # A2A 1.0 §9.4.2, §11.3.1
        Operation(
            "stream_message",
            "1.0",
            "SendStreamingMessage",
            verbs=("POST",),
            path="/message:stream",
            streams=True,
        ),
        # A2A 0.3 §7.2
        Operation(
            "stream_message",
            "0.3",
            "message/stream",
            verbs=("POST",),
            path="/v1/message:stream",
            streams=True,
        ),
        # A2A 0.2 §7.2
        Operation(
            "stream_message",
            "0.2",
            "message/stream",
            streams=True,
        ),
        # A2A 0.1, Streaming Support
        Operation(
            "stream_message",
            "0.1",
            "tasks/sendSubscribe",
            streams=True,
        ),
        # Get a task.
        # A2A 1.0 §9.4.3, §11.3.2
        Operation(
            "get_task",
            "1.0",
            "GetTask",
            verbs=("GET",),
            path="/tasks/{id}",
        ),
        # A2A 0.3 §7.3
        Operation(
            "get_task",
            "0.3",
            "tasks/get",
            verbs=("GET",),
            path="/v1/tasks/{id}",
        ),
        # A2A 0.2 §7.3
        Operation(
            "get_task",
            "0.2",
            "tasks/get",
        ),
        # A2A 0.1, Get a Task
        Operation(
            "get_task",
            "0.1",
            "tasks/get",
        ),
        # List the caller's tasks.
        # A2A 1.0 §9.4.4, §11.3.2
        Operation(
            "list_tasks",
            "1.0",
            "ListTasks",
            verbs=("GET",),
            path="/tasks",
        ),
        # A2A 0.3 §3.5.6: no JSON-RPC method
        Operation(
            "list_tasks",
            "0.3",
            also_called=("tasks/list",),
            verbs=("GET",),
            path="/v1/tasks",
        ),
        # Cancel a task.
        # A2A 1.0 §9.4.5, §11.3.2
        Operation(
            "cancel_task",
            "1.0",
            "CancelTask",
            verbs=("POST",),
            path="/tasks/{id}:cancel",
        ),
        # A2A 0.3 §7.4
        Operation(
            "cancel_task",
            "0.3",
            "tasks/cancel",
            verbs=("POST",),
            path="/v1/tasks/{id}:cancel",
        ),
        # A2A 0.2 §7.4
        Operation(
            "cancel_task",
            "0.2",
            "tasks/cancel",
        ),
        # A2A 0.1, Cancel a Task
        Operation(
            "cancel_task",
            "0.1",
            "tasks/cancel",
        ),
        # Get the further events of a task.
        # A2A 1.0 §9.4.6; POST in the text of §11.3.2, GET in the proto
        Operation(
            "subscribe_to_task",
            "1.0",
            "SubscribeToTask",
            verbs=("GET", "POST"),
            path="/tasks/{id}:subscribe",
            streams=True,
        ),
        # A2A 0.3 §7.9; POST in the text, GET in the proto
        Operation(
            "subscribe_to_task",
            "0.3",
            "tasks/resubscribe",
            verbs=("GET", "POST"),
            path="/v1/tasks/{id}:subscribe",
            streams=True,
        ),
        # A2A 0.2 §7.7
        Operation(
            "subscribe_to_task",
            "0.2",
            "tasks/resubscribe",
            streams=True,
        ),
        # A2A 0.1, Resubscribe to a Task
        Operation(
            "subscribe_to_task",
            "0.1",
            "tasks/resubscribe",
            streams=True,
        ),
        # Have the events of a task delivered to a webhook.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "create_push_config",
            "1.0",
            "CreateTaskPushNotificationConfig",
            verbs=("POST",),
            path="/tasks/{id}/pushNotificationConfigs",
        ),
        # A2A 0.3 §7.5
        Operation(
            "create_push_config",
            "0.3",
            "tasks/pushNotificationConfig/set",
            verbs=("POST",),
            path="/v1/tasks/{id}/pushNotificationConfigs",
        ),
        # A2A 0.2 §7.5
        Operation(
            "create_push_config",
            "0.2",
            "tasks/pushNotificationConfig/set",
        ),
        # A2A 0.1, Set Task Push Notifications
        Operation(
            "create_push_config",
            "0.1",
            "tasks/pushNotification/set",
        ),
        # Get one webhook of a task.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "get_push_config",
            "1.0",
            "GetTaskPushNotificationConfig",
            verbs=("GET",),
            path="/tasks/{id}/pushNotificationConfigs/{configId}",
        ),
        # A2A 0.3 §7.6
        Operation(
            "get_push_config",
            "0.3",
            "tasks/pushNotificationConfig/get",
            verbs=("GET",),
            path="/v1/tasks/{id}/pushNotificationConfigs/{configId}",
        ),
        # A2A 0.2 §7.6
        Operation(
            "get_push_config",
            "0.2",
            "tasks/pushNotificationConfig/get",
        ),
        # A2A 0.1, Get Task Push Notifications
        Operation(
            "get_push_config",
            "0.1",
            "tasks/pushNotification/get",
        ),
        # List the webhooks of a task.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "list_push_configs",
            "1.0",
            "ListTaskPushNotificationConfigs",
            verbs=("GET",),
            path="/tasks/{id}/pushNotificationConfigs",
        ),
        # A2A 0.3 §7.7
        Operation(
            "list_push_configs",
            "0.3",
            "tasks/pushNotificationConfig/list",
            verbs=("GET",),
            path="/v1/tasks/{id}/pushNotificationConfigs",
        ),
        # Remove a webhook of a task.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "delete_push_config",
            "1.0",
            "DeleteTaskPushNotificationConfig",
            verbs=("DELETE",),
            path="/tasks/{id}/pushNotificationConfigs/{configId}",
        ),
        # A2A 0.3 §7.8
        Operation(
            "delete_push_config",
            "0.3",
            "tasks/pushNotificationConfig/delete",
            verbs=("DELETE",),
            path="/v1/tasks/{id}/pushNotificationConfigs/{configId}",
        ),
        # Get the card that only authenticated callers see.
        # A2A 1.0 §9.4.8, §11.3.4
        Operation(
            "get_extended_card",
            "1.0",
            "GetExtendedAgentCard",
            verbs=("GET",),
            path="/extendedAgentCard",
        ),
        # A2A 0.3 §7.10; the other name is mcp-context-forge's
        Operation(
            "get_extended_card",
            "0.3",
            "agent/getAuthenticatedExtendedCard",
            also_called=("agent/getExtendedCard",),
            verbs=("GET",),
            path="/v1/card",
        ),
    )
}
