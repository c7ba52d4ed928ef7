"""Security of an A2A card: schemes and requirements as Python writes them, and as the wire has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cardwright.builder.arguments import items, mapping, named, texts

if TYPE_CHECKING:
    from cardwright_models.a2a_v1_0.models import (
        APIKeySecurityScheme,
        HTTPAuthSecurityScheme,
        MutualTlsSecurityScheme,
        OAuth2SecurityScheme,
        OpenIdConnectSecurityScheme,
        SecurityRequirement,
        SecurityScheme,
    )

Scheme: TypeAlias = """(
    SecurityScheme | APIKeySecurityScheme | HTTPAuthSecurityScheme | OAuth2SecurityScheme
    | OpenIdConnectSecurityScheme | MutualTlsSecurityScheme | Mapping[str, object]
)"""
Requirement: TypeAlias = "SecurityRequirement | Mapping[str, object]"

# A2A 1.0 §4.5.1: the member that says of which kind a scheme is.
_MEMBERS: Final = {
    "APIKeySecurityScheme": "apiKeySecurityScheme",
    "HTTPAuthSecurityScheme": "httpAuthSecurityScheme",
    "OAuth2SecurityScheme": "oauth2SecurityScheme",
    "OpenIdConnectSecurityScheme": "openIdConnectSecurityScheme",
    "MutualTlsSecurityScheme": "mtlsSecurityScheme",
}
_WHOLE: Final = (
    "SecurityScheme",
    "ApiKeySecuritySchemeEntry",
    "HttpAuthSecuritySchemeEntry",
    "OAuth2SecuritySchemeEntry",
    "OpenIdConnectSecuritySchemeEntry",
    "MtlsSecuritySchemeEntry",
)
_MODELS: Final = tuple(f"a2a_v1_0.{name}" for name in (*_WHOLE, *_MEMBERS))


def schemes(argument: str, value: object) -> dict[str, Any]:
    """Return security schemes by their names; a model of one kind needs no wrapper around it."""
    return named(argument, value, _scheme)


def requirements(argument: str, value: object) -> list[dict[str, Any]]:
    """Return security requirements: any one is enough, and all schemes in one are needed together.

    `{"oauth": ["read"]}`, schemes with the scopes of each, is short for what A2A 1.0 §4.5.3 writes as
    `{"schemes": {"oauth": {"list": ["read"]}}}`.
    """
    return [_requirement(f"{argument}[{index}]", one) for index, one in enumerate(items(argument, value))]


def _scheme(argument: str, value: object) -> dict[str, Any]:
    wire = mapping(argument, value, *_MODELS)
    member = None if isinstance(value, Mapping) else _MEMBERS.get(type(value).__name__)
    return {member: wire} if member else wire


def _requirement(argument: str, value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping) or isinstance(value.get("schemes"), Mapping):
        return mapping(argument, value, "a2a_v1_0.SecurityRequirement")
    scopes = named(argument, value, texts)
    return {"schemes": {name: {"list": listed} if listed else {} for name, listed in scopes.items()}}
