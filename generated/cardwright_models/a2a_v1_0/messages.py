"""A2A 1.0 messages: typed models.

Generated from schemas/a2a/1.0/messages.schema.json (sha256 f012ffbec18324a391dbcdcb268e57fe91955a2eac471204d835b2a023070c03)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from cardwright_models.base import OneOf, WireModel


class AuthenticationInfo(WireModel):
    """
    Authentication of the agent to the receiver of a webhook.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    scheme: str
    """
    Scheme of HTTP authentication, such as `Bearer`; case does not matter.
    """
    credentials: str | None = None
    """
    Credentials in the form of the scheme, such as a token.
    """


class CancelTaskRequest(WireModel):
    """
    Parameters of `CancelTask`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    id: str
    """
    Identifier of the task.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
    """


class DeleteTaskPushNotificationConfigRequest(WireModel):
    """
    Parameters of `DeleteTaskPushNotificationConfig`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    task_id: str
    """
    Identifier of the task.
    """
    id: str
    """
    Identifier of the configuration.
    """


class GetExtendedAgentCardRequest(WireModel):
    """
    Parameters of `GetExtendedAgentCard`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """


class GetTaskPushNotificationConfigRequest(WireModel):
    """
    Parameters of `GetTaskPushNotificationConfig`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    task_id: str
    """
    Identifier of the task.
    """
    id: str
    """
    Identifier of the configuration.
    """


class GetTaskRequest(WireModel):
    """
    Parameters of `GetTask`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    id: str
    """
    Identifier of the task.
    """
    history_length: int | None = None
    """
    Most recent messages of the history to return: 0 for none, absent for no limit.
    """


class ListTaskPushNotificationConfigsRequest(WireModel):
    """
    Parameters of `ListTaskPushNotificationConfigs`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    task_id: str
    """
    Identifier of the task.
    """
    page_size: int | None = None
    """
    Most configurations of a page.
    """
    page_token: str | None = None
    """
    The `nextPageToken` of the page before.
    """


class Part(OneOf):
    """
    One piece of content: text, bytes, an address or a JSON value, with its media type.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
        json_schema_extra={
            "oneOf": [
                {"required": ["text"]},
                {"required": ["raw"]},
                {"required": ["url"]},
                {"required": ["data"]},
            ]
        },
    )
    text: str | None = None
    """
    Text of the part.
    """
    raw: str | None = None
    """
    Bytes of a file, as base64.
    """
    url: str | None = None
    """
    Address of a file's content.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    A JSON value, which may be null.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the part, by names that its users agreed on.
    """
    filename: str | None = None
    """
    Name of the file, such as `report.pdf`.
    """
    media_type: str | None = None
    """
    Media type of the content, such as `text/plain`.
    """


class Role(StrEnum):
    """
    Sender of a message.
    """

    ROLE_UNSPECIFIED = "ROLE_UNSPECIFIED"
    ROLE_USER = "ROLE_USER"
    ROLE_AGENT = "ROLE_AGENT"


class SubscribeToTaskRequest(WireModel):
    """
    Parameters of `SubscribeToTask`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    id: str
    """
    Identifier of the task.
    """


class TaskPushNotificationConfig(WireModel):
    """
    Webhook that gets the events of a task.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    id: str | None = None
    """
    Identifier of the configuration, unique for its task.
    """
    task_id: str | None = None
    """
    Identifier of the task; empty in the configuration of a `SendMessage` request.
    """
    url: str
    """
    Address that events are posted to.
    """
    token: str | None = None
    """
    Text that the agent sends back with each event, so that the receiver recognises it.
    """
    authentication: AuthenticationInfo | None = None
    """
    How the agent authenticates to the receiver.
    """


class TaskState(StrEnum):
    """
    State of a task. Terminal: completed, failed, canceled, rejected; interrupted: input or authentication required.
    """

    TASK_STATE_UNSPECIFIED = "TASK_STATE_UNSPECIFIED"
    TASK_STATE_SUBMITTED = "TASK_STATE_SUBMITTED"
    TASK_STATE_WORKING = "TASK_STATE_WORKING"
    TASK_STATE_COMPLETED = "TASK_STATE_COMPLETED"
    TASK_STATE_FAILED = "TASK_STATE_FAILED"
    TASK_STATE_CANCELED = "TASK_STATE_CANCELED"
    TASK_STATE_INPUT_REQUIRED = "TASK_STATE_INPUT_REQUIRED"
    TASK_STATE_REJECTED = "TASK_STATE_REJECTED"
    TASK_STATE_AUTH_REQUIRED = "TASK_STATE_AUTH_REQUIRED"


class Artifact(WireModel):
    """
    A result of a task: parts of content with an identifier.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    artifact_id: str
    """
    Identifier, unique within the task.
    """
    name: str | None = None
    """
    Name for people.
    """
    description: str | None = None
    """
    What the artifact is, for people.
    """
    parts: Annotated[list[Part], Field(min_length=1)]
    """
    Content of the artifact, at least one part.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the artifact, by names that its users agreed on.
    """
    extensions: list[str] | None = None
    """
    URIs of the extensions that the artifact uses.
    """


class ListTaskPushNotificationConfigsResponse(WireModel):
    """
    Result of `ListTaskPushNotificationConfigs`: a page of configurations.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    configs: list[TaskPushNotificationConfig] | None = None
    """
    Configurations of the page.
    """
    next_page_token: str | None = None
    """
    Token of the next page; empty on the last one.
    """


class ListTasksRequest(WireModel):
    """
    Parameters of `ListTasks`: which tasks, and which page of them.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    context_id: str | None = None
    """
    Only tasks of this conversation.
    """
    status: TaskState | None = None
    """
    Only tasks in this state.
    """
    page_size: int | None = None
    """
    Most tasks of a page, 1 to 100; 50 by default.
    """
    page_token: str | None = None
    """
    The `nextPageToken` of the page before.
    """
    history_length: int | None = None
    """
    Most recent messages of each task's history to return.
    """
    status_timestamp_after: str | None = None
    """
    Only tasks whose status was recorded at this time or later.
    """
    include_artifacts: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True to return the artifacts of the tasks.
    """


class Message(WireModel):
    """
    One turn of the client or of the agent: parts of content.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    message_id: str
    """
    Identifier that the sender chose for this message.
    """
    context_id: str | None = None
    """
    Identifier of the conversation; an agent always sets it.
    """
    task_id: str | None = None
    """
    Identifier of the task that the message continues or belongs to.
    """
    role: Role
    """
    Who sends the message.
    """
    parts: Annotated[list[Part], Field(min_length=1)]
    """
    Content of the message, at least one part.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the message, by names that its users agreed on.
    """
    extensions: list[str] | None = None
    """
    URIs of the extensions that the message uses.
    """
    reference_task_ids: list[str] | None = None
    """
    Identifiers of other tasks that the message refers to.
    """


class SendMessageConfiguration(WireModel):
    """
    What the client wants of the answer to its message.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    accepted_output_modes: list[str] | None = None
    """
    Media types that the client accepts in answers.
    """
    task_push_notification_config: TaskPushNotificationConfig | None = None
    """
    Webhook for the events of the task that the message creates.
    """
    history_length: int | None = None
    """
    Most recent messages of the history to return: 0 for none, absent for no limit.
    """
    return_immediately: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True to answer as soon as the task exists; else the answer waits until the task ends or needs something.
    """


class SendMessageRequest(WireModel):
    """
    Parameters of `SendMessage` and `SendStreamingMessage`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tenant: str | None = None
    """
    Routing identifier: the `tenant` of the interface that the card declares, copied exactly.
    """
    message: Message
    """
    The message to the agent.
    """
    configuration: SendMessageConfiguration | None = None
    """
    What the client wants of the answer.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
    """


class TaskArtifactUpdateEvent(WireModel):
    """
    Event of a stream: an artifact, or a further piece of one.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    task_id: str
    """
    Identifier of the task.
    """
    context_id: str
    """
    Identifier of the task's conversation.
    """
    artifact: Artifact
    """
    The artifact, or the piece of it.
    """
    append: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if the parts are appended to those that were sent for this artifact.
    """
    last_chunk: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if no further piece of the artifact follows.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the event, by names that its users agreed on.
    """


class TaskStatus(WireModel):
    """
    State of a task, with the message that explains it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    state: TaskState
    """
    State of the task.
    """
    message: Message | None = None
    """
    What the agent says about the state, such as the question it waits for.
    """
    timestamp: str | None = None
    """
    When the state was recorded, in UTC.
    """


class TaskStatusUpdateEvent(WireModel):
    """
    Event of a stream: the status of a task changed.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    task_id: str
    """
    Identifier of the task.
    """
    context_id: str
    """
    Identifier of the task's conversation.
    """
    status: TaskStatus
    """
    The new status.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the event, by names that its users agreed on.
    """


class Task(WireModel):
    """
    Unit of work of an agent, with its status, its results and its history.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier that the agent chose, unique at the agent.
    """
    context_id: str | None = None
    """
    Identifier of the conversation that the task belongs to.
    """
    status: TaskStatus
    """
    Status of the task now.
    """
    artifacts: list[Artifact] | None = None
    """
    Results of the task.
    """
    history: list[Message] | None = None
    """
    Messages of the task, oldest first; how many is up to the request.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the task, by names that its users agreed on.
    """


class StreamResponse(OneOf):
    """
    One element of the result of a streaming operation, and the body of a push notification: exactly one of four fields is set.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
        json_schema_extra={
            "oneOf": [
                {"required": ["task"]},
                {"required": ["message"]},
                {"required": ["statusUpdate"]},
                {"required": ["artifactUpdate"]},
            ]
        },
    )
    task: Task | None = None
    """
    The task as it is now.
    """
    message: Message | None = None
    """
    A message that answers without a task; it ends the stream.
    """
    status_update: TaskStatusUpdateEvent | None = None
    """
    A change of the task's status.
    """
    artifact_update: TaskArtifactUpdateEvent | None = None
    """
    A new artifact, or a further piece of one.
    """


class ListTasksResponse(WireModel):
    """
    Result of `ListTasks`: a page of tasks, last updated first.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tasks: list[Task]
    """
    Tasks of the page.
    """
    next_page_token: str
    """
    Token of the next page; empty on the last one.
    """
    page_size: int
    """
    Most tasks of a page of this answer.
    """
    total_size: int
    """
    Number of tasks on all pages.
    """


class SendMessageResponse(OneOf):
    """
    Result of `SendMessage`: a task, or a message that needs no task.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
        json_schema_extra={"oneOf": [{"required": ["task"]}, {"required": ["message"]}]},
    )
    task: Task | None = None
    """
    The task that the message created or continued.
    """
    message: Message | None = None
    """
    The agent's answer without a task.
    """
