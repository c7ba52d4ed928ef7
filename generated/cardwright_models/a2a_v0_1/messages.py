"""A2A 0.1 messages: typed models.

Generated from schemas/a2a/0.1/messages.schema.json (sha256 521fbb3a29596f4f0982a1bef4fb14c0327a53630f8fac1fb32a0619b791cf10)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

from cardwright_models.base import WireModel


class AuthenticationInfo(WireModel):
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


class DataPart(WireModel):
    """
    Part with a JSON object.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["data"] = "data"
    """
    Type of the part, always `data`.
    """
    data: dict[str, Any]
    """
    The JSON object.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the part, by names that its users agreed on.
    """


class FileContent(WireModel):
    """
    File: either its bytes or its address.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str | None = None
    """
    Name of the file.
    """
    mime_type: str | None = None
    """
    Media type of the file, such as `image/png`.
    """
    bytes: str | None = None
    """
    Bytes of the file, as base64.
    """
    uri: str | None = None
    """
    Address of the file's content.
    """


class FilePart(WireModel):
    """
    Part with a file: its bytes or its address.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["file"] = "file"
    """
    Type of the part, always `file`.
    """
    file: FileContent
    """
    The file.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the part, by names that its users agreed on.
    """


class PushNotificationConfig(WireModel):
    """
    Webhook that gets the task when it changes.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    url: str
    """
    Address that the agent posts to.
    """
    token: str | None = None
    """
    Text that the agent sends back, so that the receiver recognises it.
    """
    authentication: AuthenticationInfo | None = None
    """
    How the agent authenticates to the receiver.
    """


class Role(StrEnum):
    """
    Sender of a message.
    """

    user = "user"
    agent = "agent"


class TaskIdParams(WireModel):
    """
    Parameters of `tasks/cancel` and `tasks/pushNotification/get`.
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
    id: str
    """
    Identifier of the task.
    """
    push_notification_config: PushNotificationConfig
    """
    The webhook.
    """


class TaskQueryParams(WireModel):
    """
    Parameters of `tasks/get` and `tasks/resubscribe`.
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
    State of a task. Terminal: completed, canceled, failed.
    """

    submitted = "submitted"
    working = "working"
    input_required = "input-required"
    completed = "completed"
    canceled = "canceled"
    failed = "failed"
    unknown = "unknown"


class TextPart(WireModel):
    """
    Part with text.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["text"] = "text"
    """
    Type of the part, always `text`.
    """
    text: str
    """
    Text of the part.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the part, by names that its users agreed on.
    """


class Part(RootModel[TextPart | FilePart | DataPart]):
    root: Annotated[TextPart | FilePart | DataPart, Field(discriminator="type")]
    """
    One piece of content; `type` tells which.
    """


class Artifact(WireModel):
    """
    A result of a task, or a piece of one: parts of content with a number.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
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
    index: Annotated[int | None, Field(json_schema_extra={"x-default": 0})] = None
    """
    Number of the artifact in its task; pieces of one artifact have the same.
    """
    append: bool | None = None
    """
    True if the parts are appended to those that were sent for this index.
    """
    last_chunk: bool | None = None
    """
    True if no further piece of the artifact follows.
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
    metadata: dict[str, Any] | None = None
    """
    Further values for the message, by names that its users agreed on.
    """


class TaskArtifactUpdateEvent(WireModel):
    """
    Event of a stream: an artifact, or a further piece of one.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of the task.
    """
    artifact: Artifact
    """
    The artifact, or the piece of it.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the event, by names that its users agreed on.
    """


class TaskSendParams(WireModel):
    """
    Parameters of `tasks/send` and `tasks/sendSubscribe`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Identifier of a new task, which the client chooses, or of one to continue.
    """
    session_id: str | None = None
    """
    Identifier of the conversation.
    """
    message: Message
    """
    The message to the agent.
    """
    push_notification: PushNotificationConfig | None = None
    """
    Webhook for the task.
    """
    history_length: int | None = None
    """
    Most recent messages of the history to return.
    """
    metadata: dict[str, Any] | None = None
    """
    Further values for the request, by names that its users agreed on.
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
    id: str
    """
    Identifier of the task.
    """
    status: TaskStatus
    """
    The new status.
    """
    final: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True for the last event of the stream.
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
    Identifier that the client chose.
    """
    session_id: str | None = None
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
    metadata: dict[str, Any] | None = None
    """
    Further values for the task, by names that its users agreed on.
    """
