"""Operations and errors of A2A: the types of the parameters and results of the JSON-RPC methods in each version.

Generated from schemas/a2a/operations.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import Any, Final, NamedTuple

from cardwright_models import a2a_v0_1, a2a_v0_2, a2a_v0_3, a2a_v1_0


class Method(NamedTuple):
    """A method of JSON-RPC.

    Attributes:
        params: The type of its parameters; None if it has none.
        result: The type of its result, or of each event if it streams; None if it has none.
        streams: Whether the response is a stream of events.
    """

    params: Any
    result: Any
    streams: bool = False


# By method and version; a `TypeAdapter` of pydantic reads each type.
METHODS: Final = {
    ("SendMessage", "1.0"): Method(a2a_v1_0.SendMessageRequest, a2a_v1_0.SendMessageResponse),
    ("message/send", "0.3"): Method(a2a_v0_3.MessageSendParams, a2a_v0_3.Task | a2a_v0_3.Message),
    ("message/send", "0.2"): Method(a2a_v0_2.MessageSendParams, a2a_v0_2.Task | a2a_v0_2.Message),
    ("tasks/send", "0.1"): Method(a2a_v0_1.TaskSendParams, a2a_v0_1.Task),
    ("SendStreamingMessage", "1.0"): Method(
        a2a_v1_0.SendMessageRequest, a2a_v1_0.StreamResponse, streams=True
    ),
    ("message/stream", "0.3"): Method(
        a2a_v0_3.MessageSendParams,
        a2a_v0_3.Task | a2a_v0_3.Message | a2a_v0_3.TaskStatusUpdateEvent | a2a_v0_3.TaskArtifactUpdateEvent,
        streams=True,
    ),
    ("message/stream", "0.2"): Method(
        a2a_v0_2.MessageSendParams,
        a2a_v0_2.Task | a2a_v0_2.Message | a2a_v0_2.TaskStatusUpdateEvent | a2a_v0_2.TaskArtifactUpdateEvent,
        streams=True,
    ),
    ("tasks/sendSubscribe", "0.1"): Method(
        a2a_v0_1.TaskSendParams,
        a2a_v0_1.TaskStatusUpdateEvent | a2a_v0_1.TaskArtifactUpdateEvent,
        streams=True,
    ),
    ("GetTask", "1.0"): Method(a2a_v1_0.GetTaskRequest, a2a_v1_0.Task),
    ("tasks/get", "0.3"): Method(a2a_v0_3.TaskQueryParams, a2a_v0_3.Task),
    ("tasks/get", "0.2"): Method(a2a_v0_2.TaskQueryParams, a2a_v0_2.Task),
    ("tasks/get", "0.1"): Method(a2a_v0_1.TaskQueryParams, a2a_v0_1.Task),
    ("ListTasks", "1.0"): Method(a2a_v1_0.ListTasksRequest, a2a_v1_0.ListTasksResponse),
    ("CancelTask", "1.0"): Method(a2a_v1_0.CancelTaskRequest, a2a_v1_0.Task),
    ("tasks/cancel", "0.3"): Method(a2a_v0_3.TaskIdParams, a2a_v0_3.Task),
    ("tasks/cancel", "0.2"): Method(a2a_v0_2.TaskIdParams, a2a_v0_2.Task),
    ("tasks/cancel", "0.1"): Method(a2a_v0_1.TaskIdParams, a2a_v0_1.Task),
    ("SubscribeToTask", "1.0"): Method(
        a2a_v1_0.SubscribeToTaskRequest, a2a_v1_0.StreamResponse, streams=True
    ),
    ("tasks/resubscribe", "0.3"): Method(
        a2a_v0_3.TaskIdParams,
        a2a_v0_3.Task | a2a_v0_3.Message | a2a_v0_3.TaskStatusUpdateEvent | a2a_v0_3.TaskArtifactUpdateEvent,
        streams=True,
    ),
    ("tasks/resubscribe", "0.2"): Method(
        a2a_v0_2.TaskIdParams,
        a2a_v0_2.Task | a2a_v0_2.Message | a2a_v0_2.TaskStatusUpdateEvent | a2a_v0_2.TaskArtifactUpdateEvent,
        streams=True,
    ),
    ("tasks/resubscribe", "0.1"): Method(
        a2a_v0_1.TaskQueryParams,
        a2a_v0_1.TaskStatusUpdateEvent | a2a_v0_1.TaskArtifactUpdateEvent,
        streams=True,
    ),
    ("CreateTaskPushNotificationConfig", "1.0"): Method(
        a2a_v1_0.TaskPushNotificationConfig, a2a_v1_0.TaskPushNotificationConfig
    ),
    ("tasks/pushNotificationConfig/set", "0.3"): Method(
        a2a_v0_3.TaskPushNotificationConfig, a2a_v0_3.TaskPushNotificationConfig
    ),
    ("tasks/pushNotificationConfig/set", "0.2"): Method(
        a2a_v0_2.TaskPushNotificationConfig, a2a_v0_2.TaskPushNotificationConfig
    ),
    ("tasks/pushNotification/set", "0.1"): Method(
        a2a_v0_1.TaskPushNotificationConfig, a2a_v0_1.TaskPushNotificationConfig
    ),
    ("GetTaskPushNotificationConfig", "1.0"): Method(
        a2a_v1_0.GetTaskPushNotificationConfigRequest, a2a_v1_0.TaskPushNotificationConfig
    ),
    ("tasks/pushNotificationConfig/get", "0.3"): Method(
        a2a_v0_3.TaskIdParams | a2a_v0_3.GetTaskPushNotificationConfigParams,
        a2a_v0_3.TaskPushNotificationConfig,
    ),
    ("tasks/pushNotificationConfig/get", "0.2"): Method(
        a2a_v0_2.TaskIdParams | a2a_v0_2.GetTaskPushNotificationConfigParams,
        a2a_v0_2.TaskPushNotificationConfig,
    ),
    ("tasks/pushNotification/get", "0.1"): Method(a2a_v0_1.TaskIdParams, a2a_v0_1.TaskPushNotificationConfig),
    ("ListTaskPushNotificationConfigs", "1.0"): Method(
        a2a_v1_0.ListTaskPushNotificationConfigsRequest, a2a_v1_0.ListTaskPushNotificationConfigsResponse
    ),
    ("tasks/pushNotificationConfig/list", "0.3"): Method(
        a2a_v0_3.ListTaskPushNotificationConfigParams, list[a2a_v0_3.TaskPushNotificationConfig]
    ),
    ("DeleteTaskPushNotificationConfig", "1.0"): Method(
        a2a_v1_0.DeleteTaskPushNotificationConfigRequest, None
    ),
    ("tasks/pushNotificationConfig/delete", "0.3"): Method(
        a2a_v0_3.DeleteTaskPushNotificationConfigParams, None
    ),
    ("GetExtendedAgentCard", "1.0"): Method(a2a_v1_0.GetExtendedAgentCardRequest, a2a_v1_0.AgentCard),
    ("agent/getAuthenticatedExtendedCard", "0.3"): Method(None, a2a_v0_3.AgentCard),
}
