"""A2A 1.0 agent card: typed models.

Generated from schemas/a2a/1.0/agent-card.schema.json (sha256 ee6fb8665cbee086732abc14b58bc7d9e39eac7da95aee09dd70213a97631383)
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
        ApiKeySecuritySchemeEntry,
        AuthorizationCodeFlowEntry,
        AuthorizationCodeOAuthFlow,
        ClientCredentialsFlowEntry,
        ClientCredentialsOAuthFlow,
        DeviceCodeFlowEntry,
        DeviceCodeOAuthFlow,
        HTTPAuthSecurityScheme,
        HttpAuthSecuritySchemeEntry,
        ImplicitFlowEntry,
        ImplicitOAuthFlow,
        MtlsSecuritySchemeEntry,
        MutualTlsSecurityScheme,
        OAuth2SecurityScheme,
        OAuth2SecuritySchemeEntry,
        OAuthFlows,
        OpenIdConnectSecurityScheme,
        OpenIdConnectSecuritySchemeEntry,
        PasswordFlowEntry,
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
    "ApiKeySecuritySchemeEntry",
    "AuthorizationCodeFlowEntry",
    "AuthorizationCodeOAuthFlow",
    "ClientCredentialsFlowEntry",
    "ClientCredentialsOAuthFlow",
    "DeviceCodeFlowEntry",
    "DeviceCodeOAuthFlow",
    "HTTPAuthSecurityScheme",
    "HttpAuthSecuritySchemeEntry",
    "ImplicitFlowEntry",
    "ImplicitOAuthFlow",
    "MtlsSecuritySchemeEntry",
    "MutualTlsSecurityScheme",
    "OAuth2SecurityScheme",
    "OAuth2SecuritySchemeEntry",
    "OAuthFlows",
    "OpenIdConnectSecurityScheme",
    "OpenIdConnectSecuritySchemeEntry",
    "PasswordFlowEntry",
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
