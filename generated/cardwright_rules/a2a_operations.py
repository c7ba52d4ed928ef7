"""Operations and errors of A2A: their names in each version.

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
        params: The type of its parameters, or several with ` | ` between them; "" if it has no method.
        result: The type of its result, or of one event, likewise.
    """

    name: str
    version: str
    method: str | None = None
    also_called: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    path: str | None = None
    streams: bool = False
    params: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class ProtocolError:
    """An error of the protocol, in all its bindings.

    Attributes:
        reason: The reason of its `google.rpc.ErrorInfo`.
        code: Its code in JSON-RPC.
        message: Its default message.
        http: Its HTTP status.
        grpc: Its `google.rpc.Code`.
        names: Its name in each version that has it.
    """

    reason: str
    code: int
    message: str
    http: int
    grpc: str
    names: dict[str, str]


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
            params="SendMessageRequest",
            result="SendMessageResponse",
        ),
        # A2A 0.3 §7.1
        Operation(
            "send_message",
            "0.3",
            "message/send",
            verbs=("POST",),
            path="/v1/message:send",
            params="MessageSendParams",
            result="Task | Message",
        ),
        # A2A 0.2 §7.1
        Operation(
            "send_message",
            "0.2",
            "message/send",
            params="MessageSendParams",
            result="Task | Message",
        ),
        # A2A 0.1, Send a Task
        Operation(
            "send_message",
            "0.1",
            "tasks/send",
            params="TaskSendParams",
            result="Task",
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
            params="SendMessageRequest",
            result="StreamResponse",
        ),
        # A2A 0.3 §7.2
        Operation(
            "stream_message",
            "0.3",
            "message/stream",
            verbs=("POST",),
            path="/v1/message:stream",
            streams=True,
            params="MessageSendParams",
            result="Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent",
        ),
        # A2A 0.2 §7.2
        Operation(
            "stream_message",
            "0.2",
            "message/stream",
            streams=True,
            params="MessageSendParams",
            result="Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent",
        ),
        # A2A 0.1, Streaming Support
        Operation(
            "stream_message",
            "0.1",
            "tasks/sendSubscribe",
            streams=True,
            params="TaskSendParams",
            result="TaskStatusUpdateEvent | TaskArtifactUpdateEvent",
        ),
        # Get a task.
        # A2A 1.0 §9.4.3, §11.3.2
        Operation(
            "get_task",
            "1.0",
            "GetTask",
            verbs=("GET",),
            path="/tasks/{id}",
            params="GetTaskRequest",
            result="Task",
        ),
        # A2A 0.3 §7.3
        Operation(
            "get_task",
            "0.3",
            "tasks/get",
            verbs=("GET",),
            path="/v1/tasks/{id}",
            params="TaskQueryParams",
            result="Task",
        ),
        # A2A 0.2 §7.3
        Operation(
            "get_task",
            "0.2",
            "tasks/get",
            params="TaskQueryParams",
            result="Task",
        ),
        # A2A 0.1, Get a Task
        Operation(
            "get_task",
            "0.1",
            "tasks/get",
            params="TaskQueryParams",
            result="Task",
        ),
        # List the caller's tasks.
        # A2A 1.0 §9.4.4, §11.3.2
        Operation(
            "list_tasks",
            "1.0",
            "ListTasks",
            verbs=("GET",),
            path="/tasks",
            params="ListTasksRequest",
            result="ListTasksResponse",
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
            params="CancelTaskRequest",
            result="Task",
        ),
        # A2A 0.3 §7.4
        Operation(
            "cancel_task",
            "0.3",
            "tasks/cancel",
            verbs=("POST",),
            path="/v1/tasks/{id}:cancel",
            params="TaskIdParams",
            result="Task",
        ),
        # A2A 0.2 §7.4
        Operation(
            "cancel_task",
            "0.2",
            "tasks/cancel",
            params="TaskIdParams",
            result="Task",
        ),
        # A2A 0.1, Cancel a Task
        Operation(
            "cancel_task",
            "0.1",
            "tasks/cancel",
            params="TaskIdParams",
            result="Task",
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
            params="SubscribeToTaskRequest",
            result="StreamResponse",
        ),
        # A2A 0.3 §7.9; POST in the text, GET in the proto
        Operation(
            "subscribe_to_task",
            "0.3",
            "tasks/resubscribe",
            verbs=("GET", "POST"),
            path="/v1/tasks/{id}:subscribe",
            streams=True,
            params="TaskIdParams",
            result="Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent",
        ),
        # A2A 0.2 §7.7
        Operation(
            "subscribe_to_task",
            "0.2",
            "tasks/resubscribe",
            streams=True,
            params="TaskIdParams",
            result="Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent",
        ),
        # A2A 0.1, Resubscribe to a Task
        Operation(
            "subscribe_to_task",
            "0.1",
            "tasks/resubscribe",
            streams=True,
            params="TaskQueryParams",
            result="TaskStatusUpdateEvent | TaskArtifactUpdateEvent",
        ),
        # Have the events of a task delivered to a webhook.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "create_push_config",
            "1.0",
            "CreateTaskPushNotificationConfig",
            verbs=("POST",),
            path="/tasks/{id}/pushNotificationConfigs",
            params="TaskPushNotificationConfig",
            result="TaskPushNotificationConfig",
        ),
        # A2A 0.3 §7.5
        Operation(
            "create_push_config",
            "0.3",
            "tasks/pushNotificationConfig/set",
            verbs=("POST",),
            path="/v1/tasks/{id}/pushNotificationConfigs",
            params="TaskPushNotificationConfig",
            result="TaskPushNotificationConfig",
        ),
        # A2A 0.2 §7.5
        Operation(
            "create_push_config",
            "0.2",
            "tasks/pushNotificationConfig/set",
            params="TaskPushNotificationConfig",
            result="TaskPushNotificationConfig",
        ),
        # A2A 0.1, Set Task Push Notifications
        Operation(
            "create_push_config",
            "0.1",
            "tasks/pushNotification/set",
            params="TaskPushNotificationConfig",
            result="TaskPushNotificationConfig",
        ),
        # Get one webhook of a task.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "get_push_config",
            "1.0",
            "GetTaskPushNotificationConfig",
            verbs=("GET",),
            path="/tasks/{id}/pushNotificationConfigs/{configId}",
            params="GetTaskPushNotificationConfigRequest",
            result="TaskPushNotificationConfig",
        ),
        # A2A 0.3 §7.6
        Operation(
            "get_push_config",
            "0.3",
            "tasks/pushNotificationConfig/get",
            verbs=("GET",),
            path="/v1/tasks/{id}/pushNotificationConfigs/{configId}",
            params="TaskIdParams | GetTaskPushNotificationConfigParams",
            result="TaskPushNotificationConfig",
        ),
        # A2A 0.2 §7.6
        Operation(
            "get_push_config",
            "0.2",
            "tasks/pushNotificationConfig/get",
            params="TaskIdParams | GetTaskPushNotificationConfigParams",
            result="TaskPushNotificationConfig",
        ),
        # A2A 0.1, Get Task Push Notifications
        Operation(
            "get_push_config",
            "0.1",
            "tasks/pushNotification/get",
            params="TaskIdParams",
            result="TaskPushNotificationConfig",
        ),
        # List the webhooks of a task.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "list_push_configs",
            "1.0",
            "ListTaskPushNotificationConfigs",
            verbs=("GET",),
            path="/tasks/{id}/pushNotificationConfigs",
            params="ListTaskPushNotificationConfigsRequest",
            result="ListTaskPushNotificationConfigsResponse",
        ),
        # A2A 0.3 §7.7
        Operation(
            "list_push_configs",
            "0.3",
            "tasks/pushNotificationConfig/list",
            verbs=("GET",),
            path="/v1/tasks/{id}/pushNotificationConfigs",
            params="ListTaskPushNotificationConfigParams",
            result="list[TaskPushNotificationConfig]",
        ),
        # Remove a webhook of a task.
        # A2A 1.0 §9.4.7, §11.3.3
        Operation(
            "delete_push_config",
            "1.0",
            "DeleteTaskPushNotificationConfig",
            verbs=("DELETE",),
            path="/tasks/{id}/pushNotificationConfigs/{configId}",
            params="DeleteTaskPushNotificationConfigRequest",
            result="None",
        ),
        # A2A 0.3 §7.8
        Operation(
            "delete_push_config",
            "0.3",
            "tasks/pushNotificationConfig/delete",
            verbs=("DELETE",),
            path="/v1/tasks/{id}/pushNotificationConfigs/{configId}",
            params="DeleteTaskPushNotificationConfigParams",
            result="None",
        ),
        # Get the card that only authenticated callers see.
        # A2A 1.0 §9.4.8, §11.3.4
        Operation(
            "get_extended_card",
            "1.0",
            "GetExtendedAgentCard",
            verbs=("GET",),
            path="/extendedAgentCard",
            params="GetExtendedAgentCardRequest",
            result="AgentCard",
        ),
        # A2A 0.3 §7.10; the other name is mcp-context-forge's
        Operation(
            "get_extended_card",
            "0.3",
            "agent/getAuthenticatedExtendedCard",
            also_called=("agent/getExtendedCard",),
            verbs=("GET",),
            path="/v1/card",
            params="None",
            result="AgentCard",
        ),
    )
}

# By reason.
ERRORS: Final = {
    error.reason: error
    for error in (
        # The body is not JSON. JSON-RPC 2.0 §5.1; A2A 0.3 §8.1; A2A 1.0 §9.5
        ProtocolError(
            "PARSE_ERROR",
            -32700,
            "Invalid JSON payload",
            400,
            "INVALID_ARGUMENT",
            {
                "1.0": "JSONParseError",
                "0.3": "JSONParseError",
                "0.2": "JSONParseError",
                "0.1": "JSONParseError",
            },
        ),
        # The body is not a request of JSON-RPC. JSON-RPC 2.0 §5.1; A2A 0.3 §8.1; A2A 1.0 §9.5
        ProtocolError(
            "INVALID_REQUEST",
            -32600,
            "Request payload validation error",
            400,
            "INVALID_ARGUMENT",
            {
                "1.0": "InvalidRequestError",
                "0.3": "InvalidRequestError",
                "0.2": "InvalidRequestError",
                "0.1": "InvalidRequestError",
            },
        ),
        # No operation has this method. JSON-RPC 2.0 §5.1; A2A 0.3 §8.1; A2A 1.0 §9.5
        ProtocolError(
            "METHOD_NOT_FOUND",
            -32601,
            "Method not found",
            404,
            "NOT_FOUND",
            {
                "1.0": "MethodNotFoundError",
                "0.3": "MethodNotFoundError",
                "0.2": "MethodNotFoundError",
                "0.1": "MethodNotFoundError",
            },
        ),
        # The parameters of the method are invalid. JSON-RPC 2.0 §5.1; A2A 0.3 §8.1; A2A 1.0 §9.5
        ProtocolError(
            "INVALID_PARAMS",
            -32602,
            "Invalid parameters",
            400,
            "INVALID_ARGUMENT",
            {
                "1.0": "InvalidParamsError",
                "0.3": "InvalidParamsError",
                "0.2": "InvalidParamsError",
                "0.1": "InvalidParamsError",
            },
        ),
        # The server failed. JSON-RPC 2.0 §5.1; A2A 0.3 §8.1; A2A 1.0 §9.5
        ProtocolError(
            "INTERNAL_ERROR",
            -32603,
            "Internal error",
            500,
            "INTERNAL",
            {"1.0": "InternalError", "0.3": "InternalError", "0.2": "InternalError", "0.1": "InternalError"},
        ),
        # The caller has no task with this id. A2A 0.3 §8.2; A2A 1.0 §5.4
        ProtocolError(
            "TASK_NOT_FOUND",
            -32001,
            "Task not found",
            404,
            "NOT_FOUND",
            {
                "1.0": "TaskNotFoundError",
                "0.3": "TaskNotFoundError",
                "0.2": "TaskNotFoundError",
                "0.1": "TaskNotFoundError",
            },
        ),
        # The task has ended. A2A 0.3 §8.2; A2A 1.0 §5.4
        ProtocolError(
            "TASK_NOT_CANCELABLE",
            -32002,
            "Task cannot be canceled",
            400,
            "FAILED_PRECONDITION",
            {
                "1.0": "TaskNotCancelableError",
                "0.3": "TaskNotCancelableError",
                "0.2": "TaskNotCancelableError",
                "0.1": "TaskNotCancelableError",
            },
        ),
        # The agent delivers no push notifications. A2A 0.3 §8.2; A2A 1.0 §5.4
        ProtocolError(
            "PUSH_NOTIFICATION_NOT_SUPPORTED",
            -32003,
            "Push Notification is not supported",
            400,
            "FAILED_PRECONDITION",
            {
                "1.0": "PushNotificationNotSupportedError",
                "0.3": "PushNotificationNotSupportedError",
                "0.2": "PushNotificationNotSupportedError",
                "0.1": "PushNotificationNotSupportedError",
            },
        ),
        # The agent lacks the operation, or the task is in a state without it. A2A 0.3 §8.2; A2A 1.0 §5.4
        ProtocolError(
            "UNSUPPORTED_OPERATION",
            -32004,
            "This operation is not supported",
            400,
            "FAILED_PRECONDITION",
            {
                "1.0": "UnsupportedOperationError",
                "0.3": "UnsupportedOperationError",
                "0.2": "UnsupportedOperationError",
                "0.1": "UnsupportedOperationError",
            },
        ),
        # The agent does not read or write a requested media type. 0.1 has the code in its text only. A2A 0.3 §8.2; A2A 1.0 §5.4
        ProtocolError(
            "CONTENT_TYPE_NOT_SUPPORTED",
            -32005,
            "Incompatible content types",
            400,
            "INVALID_ARGUMENT",
            {
                "1.0": "ContentTypeNotSupportedError",
                "0.3": "ContentTypeNotSupportedError",
                "0.2": "ContentTypeNotSupportedError",
                "0.1": "ContentTypeNotSupportedError",
            },
        ),
        # The agent broke the protocol. A2A 0.3 §8.2; A2A 1.0 §5.4; A2A 0.1 §8.2: StreamingNotSupported
        ProtocolError(
            "INVALID_AGENT_RESPONSE",
            -32006,
            "Invalid agent response",
            500,
            "INTERNAL",
            {
                "1.0": "InvalidAgentResponseError",
                "0.3": "InvalidAgentResponseError",
                "0.2": "InvalidAgentResponseError",
            },
        ),
        # The agent has no extended card. A2A 0.3 §8.2; A2A 1.0 §5.4; A2A 0.1 §8.2: AuthenticationRequired
        ProtocolError(
            "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
            -32007,
            "Authenticated Extended Card is not configured",
            400,
            "FAILED_PRECONDITION",
            {
                "1.0": "ExtendedAgentCardNotConfiguredError",
                "0.3": "AuthenticatedExtendedCardNotConfiguredError",
            },
        ),
        # The client did not activate an extension that the agent requires. A2A 1.0 §5.4; A2A 0.1 §8.2: AuthorizationFailed
        ProtocolError(
            "EXTENSION_SUPPORT_REQUIRED",
            -32008,
            "Extension support required",
            400,
            "FAILED_PRECONDITION",
            {"1.0": "ExtensionSupportRequiredError"},
        ),
        # The interface does not support the requested version of A2A. A2A 1.0 §5.4; A2A 0.1 §8.2: InvalidTaskState
        ProtocolError(
            "VERSION_NOT_SUPPORTED",
            -32009,
            "Version not supported",
            400,
            "FAILED_PRECONDITION",
            {"1.0": "VersionNotSupportedError"},
        ),
    )
}
