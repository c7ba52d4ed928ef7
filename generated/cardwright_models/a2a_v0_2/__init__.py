"""A2A 0.2 agent card and A2A 0.2 messages: typed models.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.a2a_v0_2.messages import (
        Artifact,
        DataPart,
        DeleteTaskPushNotificationConfigParams,
        FilePart,
        FileWithBytes,
        FileWithUri,
        GetTaskPushNotificationConfigParams,
        ListTaskPushNotificationConfigParams,
        Message,
        MessageSendConfiguration,
        MessageSendParams,
        Part,
        PushNotificationAuthenticationInfo,
        PushNotificationConfig,
        Role,
        Task,
        TaskArtifactUpdateEvent,
        TaskIdParams,
        TaskPushNotificationConfig,
        TaskQueryParams,
        TaskState,
        TaskStatus,
        TaskStatusUpdateEvent,
        TextPart,
    )
    from cardwright_models.a2a_v0_2.models import (
        AgentCapabilities,
        AgentCard,
        AgentExtension,
        AgentInterface,
        AgentProvider,
        AgentSkill,
        APIKeySecurityScheme,
        AuthorizationCodeOAuthFlow,
        ClientCredentialsOAuthFlow,
        HTTPAuthSecurityScheme,
        ImplicitOAuthFlow,
        OAuth2SecurityScheme,
        OAuthFlows,
        OpenIdConnectSecurityScheme,
        PasswordOAuthFlow,
        SecurityScheme,
    )

__all__ = [
    "Artifact",
    "DataPart",
    "DeleteTaskPushNotificationConfigParams",
    "FilePart",
    "FileWithBytes",
    "FileWithUri",
    "GetTaskPushNotificationConfigParams",
    "ListTaskPushNotificationConfigParams",
    "Message",
    "MessageSendConfiguration",
    "MessageSendParams",
    "Part",
    "PushNotificationAuthenticationInfo",
    "PushNotificationConfig",
    "Role",
    "Task",
    "TaskArtifactUpdateEvent",
    "TaskIdParams",
    "TaskPushNotificationConfig",
    "TaskQueryParams",
    "TaskState",
    "TaskStatus",
    "TaskStatusUpdateEvent",
    "TextPart",
    "APIKeySecurityScheme",
    "AgentCapabilities",
    "AgentCard",
    "AgentExtension",
    "AgentInterface",
    "AgentProvider",
    "AgentSkill",
    "AuthorizationCodeOAuthFlow",
    "ClientCredentialsOAuthFlow",
    "HTTPAuthSecurityScheme",
    "ImplicitOAuthFlow",
    "OAuth2SecurityScheme",
    "OAuthFlows",
    "OpenIdConnectSecurityScheme",
    "PasswordOAuthFlow",
    "SecurityScheme",
]
# The class that each module has.
_MODULES = {
    "Artifact": "messages",
    "DataPart": "messages",
    "DeleteTaskPushNotificationConfigParams": "messages",
    "FilePart": "messages",
    "FileWithBytes": "messages",
    "FileWithUri": "messages",
    "GetTaskPushNotificationConfigParams": "messages",
    "ListTaskPushNotificationConfigParams": "messages",
    "Message": "messages",
    "MessageSendConfiguration": "messages",
    "MessageSendParams": "messages",
    "Part": "messages",
    "PushNotificationAuthenticationInfo": "messages",
    "PushNotificationConfig": "messages",
    "Role": "messages",
    "Task": "messages",
    "TaskArtifactUpdateEvent": "messages",
    "TaskIdParams": "messages",
    "TaskPushNotificationConfig": "messages",
    "TaskQueryParams": "messages",
    "TaskState": "messages",
    "TaskStatus": "messages",
    "TaskStatusUpdateEvent": "messages",
    "TextPart": "messages",
    "APIKeySecurityScheme": "models",
    "AgentCapabilities": "models",
    "AgentCard": "models",
    "AgentExtension": "models",
    "AgentInterface": "models",
    "AgentProvider": "models",
    "AgentSkill": "models",
    "AuthorizationCodeOAuthFlow": "models",
    "ClientCredentialsOAuthFlow": "models",
    "HTTPAuthSecurityScheme": "models",
    "ImplicitOAuthFlow": "models",
    "OAuth2SecurityScheme": "models",
    "OAuthFlows": "models",
    "OpenIdConnectSecurityScheme": "models",
    "PasswordOAuthFlow": "models",
    "SecurityScheme": "models",
}


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
