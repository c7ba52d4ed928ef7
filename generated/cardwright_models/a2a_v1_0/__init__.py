"""A2A 1.0 agent card: typed models.

Generated from schemas/a2a/1.0/agent-card.schema.json (sha256 6b4d7bde7675ede329920bf65373b008a1aa45b869bf524f0e8bbe6ed616d8be)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.a2a_v1_0.models import (
        AgentCapabilities,
        AgentCard,
        AgentCardSignature,
        AgentExtension,
        AgentInterface,
        AgentProvider,
        AgentSkill,
        APIKeySecurityScheme,
        AuthorizationCodeOAuthFlow,
        ClientCredentialsOAuthFlow,
        DeviceCodeOAuthFlow,
        HTTPAuthSecurityScheme,
        ImplicitOAuthFlow,
        MutualTlsSecurityScheme,
        OAuth2SecurityScheme,
        OAuthFlows,
        OpenIdConnectSecurityScheme,
        PasswordOAuthFlow,
        SecurityRequirement,
        SecurityScheme,
        StringList,
    )

__all__ = [
    "APIKeySecurityScheme",
    "AgentCapabilities",
    "AgentCard",
    "AgentCardSignature",
    "AgentExtension",
    "AgentInterface",
    "AgentProvider",
    "AgentSkill",
    "AuthorizationCodeOAuthFlow",
    "ClientCredentialsOAuthFlow",
    "DeviceCodeOAuthFlow",
    "HTTPAuthSecurityScheme",
    "ImplicitOAuthFlow",
    "MutualTlsSecurityScheme",
    "OAuth2SecurityScheme",
    "OAuthFlows",
    "OpenIdConnectSecurityScheme",
    "PasswordOAuthFlow",
    "SecurityRequirement",
    "SecurityScheme",
    "StringList",
]


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.a2a_v1_0 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
