"""A2A 0.2 messages: typed models.

Generated from schemas/a2a/0.3/messages.schema.json (sha256 0d0b766a949c5425b46807e9959ea272872e8e441d859927b7ff38869a436ea0)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

from cardwright_models.base import WireModel


class DataPart(WireModel):
    """
    Part with a JSON object.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    data: dict[str, Any]
    """
    The JSON object.
    """
    kind: Literal["data"] = "data"
    """
    Kind of the object, always `data`.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the part, by names that its users agreed on.
    """


class DeleteTaskPushNotificationConfigParams(WireModel):
    """
    Parameters of `tasks/pushNotificationConfig/delete`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the task.
    """
    push_notification_config_id: str
    """
    Identifier of the configuration.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
    """


class FileWithBytes(WireModel):
    """
    File as bytes in base64.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    bytes: str
    """
    Bytes of the file, as base64.
    """
    name: str | None = None
    """
    Name of the file.
    """
    mime_type: str | None = None
    """
    Media type of the file, such as `image/png`.
    """


class FileWithUri(WireModel):
    """
    File at an address.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    uri: str
    """
    Address of the file's content.
    """
    name: str | None = None
    """
    Name of the file.
    """
    mime_type: str | None = None
    """
    Media type of the file, such as `image/png`.
    """


class GetTaskPushNotificationConfigParams(WireModel):
    """
    Parameters of `tasks/pushNotificationConfig/get`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the task.
    """
    push_notification_config_id: str | None = None
    """
    Identifier of the configuration.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
    """


class ListTaskPushNotificationConfigParams(WireModel):
    """
    Parameters of `tasks/pushNotificationConfig/list`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the task.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
    """


class PushNotificationAuthenticationInfo(WireModel):
    """
    Authentication of the agent to the receiver of a webhook.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    schemes: list[str]
    """
    Schemes of HTTP authentication, such as `Bearer`.
    """
    credentials: str | None = None
    """
    Credentials in the form of the scheme.
    """


class PushNotificationConfig(WireModel):
    """
    Webhook that gets the task when it changes.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str | None = None
    """
    Identifier of the configuration, unique for its task.
    """
    url: str
    """
    Address that tasks are posted to.
    """
    token: str | None = None
    """
    Text that the agent sends back, so that the receiver recognises it.
    """
    authentication: PushNotificationAuthenticationInfo | None = None
    """
    How the agent authenticates to the receiver.
    """


class Role(StrEnum):
    """
    Sender of a message.
    """

    agent = "agent"
    user = "user"


class TaskIdParams(WireModel):
    """
    Parameters of `tasks/cancel` and `tasks/resubscribe`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the task.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
    """


class TaskPushNotificationConfig(WireModel):
    """
    Webhook of a task.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    task_id: str
    """
    Identifier of the task.
    """
    push_notification_config: PushNotificationConfig
    """
    The webhook.
    """


class TaskQueryParams(WireModel):
    """
    Parameters of `tasks/get`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the task.
    """
    history_length: int | None = None
    """
    Most recent messages of the history to return.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
    """


class TaskState(StrEnum):
    """
    State of a task. Terminal: completed, canceled, failed, rejected.
    """

    submitted = "submitted"
    working = "working"
    input_required = "input-required"
    completed = "completed"
    canceled = "canceled"
    failed = "failed"
    rejected = "rejected"
    auth_required = "auth-required"
    unknown = "unknown"


class TextPart(WireModel):
    """
    Part with text.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    text: str
    """
    Text of the part.
    """
    kind: Literal["text"] = "text"
    """
    Kind of the object, always `text`.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the part, by names that its users agreed on.
    """


class FilePart(WireModel):
    """
    Part with a file: its bytes or its address.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    file: FileWithBytes | FileWithUri
    """
    The file.
    """
    kind: Literal["file"] = "file"
    """
    Kind of the object, always `file`.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the part, by names that its users agreed on.
    """


class MessageSendConfiguration(WireModel):
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
    history_length: int | None = None
    """
    Most recent messages of the history to return.
    """
    push_notification_config: PushNotificationConfig | None = None
    """
    Webhook for the task that the message creates.
    """
    blocking: bool | None = None
    """
    True to wait until the task ends or needs something.
    """


class Part(RootModel[TextPart | FilePart | DataPart]):
    root: Annotated[TextPart | FilePart | DataPart, Field(discriminator="kind")]
    """
    One piece of content; `kind` tells which.
    """


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
    parts: list[Part]
    """
    Content of the artifact.
    """
    extensions: list[str] | None = None
    """
    URIs of the extensions that the artifact uses.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the artifact, by names that its users agreed on.
    """


class Message(WireModel):
    """
    One turn of the client or of the agent: parts of content.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    role: Role
    """
    Who sends the message.
    """
    parts: list[Part]
    """
    Content of the message.
    """
    message_id: str
    """
    Identifier that the sender chose for this message.
    """
    task_id: str | None = None
    """
    Identifier of the task that the message continues or belongs to.
    """
    context_id: str | None = None
    """
    Identifier of the conversation.
    """
    reference_task_ids: list[str] | None = None
    """
    Identifiers of other tasks that the message refers to.
    """
    extensions: list[str] | None = None
    """
    URIs of the extensions that the message uses.
    """
    kind: Literal["message"] = "message"
    """
    Kind of the object, always `message`.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the message, by names that its users agreed on.
    """


class MessageSendParams(WireModel):
    """
    Parameters of `message/send` and `message/stream`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    message: Message
    """
    The message to the agent.
    """
    configuration: MessageSendConfiguration | None = None
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
    append: bool | None = None
    """
    True if the parts are appended to those that were sent for this artifact.
    """
    last_chunk: bool | None = None
    """
    True if no further piece of the artifact follows.
    """
    kind: Literal["artifact-update"] = "artifact-update"
    """
    Kind of the object, always `artifact-update`.
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
    When the state was recorded, as ISO 8601.
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
    final: bool
    """
    True for the last event of the stream.
    """
    kind: Literal["status-update"] = "status-update"
    """
    Kind of the object, always `status-update`.
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
    context_id: str
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
    Messages of the task, oldest first.
    """
    kind: Literal["task"] = "task"
    """
    Kind of the object, always `task`.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the task, by names that its users agreed on.
    """
