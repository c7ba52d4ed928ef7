"""A2A 0.1 agent card and A2A 0.1 messages: typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.a2a_v0_1.messages import (
        Artifact,
        AuthenticationInfo,
        DataPart,
        FileContent,
        FilePart,
        Message,
        Part,
        PushNotificationConfig,
        Role,
        Task,
        TaskArtifactUpdateEvent,
        TaskIdParams,
        TaskPushNotificationConfig,
        TaskQueryParams,
        TaskSendParams,
        TaskState,
        TaskStatus,
        TaskStatusUpdateEvent,
        TextPart,
    )
    from cardwright_models.a2a_v0_1.models import (
        AgentAuthentication,
        AgentCapabilities,
        AgentCard,
        AgentProvider,
        AgentSkill,
    )

__all__ = [
    "Artifact",
    "AuthenticationInfo",
    "DataPart",
    "FileContent",
    "FilePart",
    "Message",
    "Part",
    "PushNotificationConfig",
    "Role",
    "Task",
    "TaskArtifactUpdateEvent",
    "TaskIdParams",
    "TaskPushNotificationConfig",
    "TaskQueryParams",
    "TaskSendParams",
    "TaskState",
    "TaskStatus",
    "TaskStatusUpdateEvent",
    "TextPart",
    "AgentAuthentication",
    "AgentCapabilities",
    "AgentCard",
    "AgentProvider",
    "AgentSkill",
]
# The class that each module has.
_MODULES = {
    "Artifact": "messages",
    "AuthenticationInfo": "messages",
    "DataPart": "messages",
    "FileContent": "messages",
    "FilePart": "messages",
    "Message": "messages",
    "Part": "messages",
    "PushNotificationConfig": "messages",
    "Role": "messages",
    "Task": "messages",
    "TaskArtifactUpdateEvent": "messages",
    "TaskIdParams": "messages",
    "TaskPushNotificationConfig": "messages",
    "TaskQueryParams": "messages",
    "TaskSendParams": "messages",
    "TaskState": "messages",
    "TaskStatus": "messages",
    "TaskStatusUpdateEvent": "messages",
    "TextPart": "messages",
    "AgentAuthentication": "models",
    "AgentCapabilities": "models",
    "AgentCard": "models",
    "AgentProvider": "models",
    "AgentSkill": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
