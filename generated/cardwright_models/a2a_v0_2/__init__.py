"""A2A 0.2 agent card: typed models.

Generated from schemas/a2a/0.2/agent-card.schema.json (sha256 033a6c0787e06195ed3d6b9c17ebcafbd3af33d47bc36085ca62167c0f51b9c9)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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


# The schema beside the models is read by programs that start without pydantic.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from cardwright_models.a2a_v0_2 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
