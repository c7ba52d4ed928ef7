"""A2A 0.3 agent card: typed models.

Generated from schemas/a2a/0.3/agent-card.schema.json (sha256 5b0304c56dc20328b9007d47f36e8d6231abab83190d285ff6535bccc605f7c5)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright_models.a2a_v0_3.models import (
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
        HTTPAuthSecurityScheme,
        ImplicitOAuthFlow,
        MutualTLSSecurityScheme,
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
    "AgentCardSignature",
    "AgentExtension",
    "AgentInterface",
    "AgentProvider",
    "AgentSkill",
    "AuthorizationCodeOAuthFlow",
    "ClientCredentialsOAuthFlow",
    "HTTPAuthSecurityScheme",
    "ImplicitOAuthFlow",
    "MutualTLSSecurityScheme",
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
    from cardwright_models.a2a_v0_3 import models

    return getattr(models, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
