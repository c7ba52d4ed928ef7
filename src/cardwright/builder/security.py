"""Conversion of an A2A card's security schemes and requirements from Python values to the wire format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.builder.arguments import items, mapping, named, texts
from cardwright_rules import DIALECTS

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


@cache
def _wrappers() -> dict[str, str]:
    """Return the field of `SecurityScheme` for the model of each kind of scheme (A2A 1.0 §4.5.1)."""
    union = DIALECTS["a2a-1.0"].schema()["$defs"]["SecurityScheme"]
    return {kind["$ref"].rpartition("/")[2]: field for field, kind in union["properties"].items()}


def schemes(argument: str, value: object) -> dict[str, Any]:
    """Return security schemes by their names; a model of one kind gets its wrapper."""
    return named(argument, value, _scheme)


def requirements(argument: str, value: object) -> list[dict[str, Any]]:
    """Return security requirements: alternatives, each of which requires all its schemes.

    `{"oauth": ["read"]}`, schemes with their scopes, is short for
    `{"schemes": {"oauth": {"list": ["read"]}}}` (A2A 1.0 §4.5.3).
    """
    return [_requirement(f"{argument}[{index}]", item) for index, item in enumerate(items(argument, value))]


def _scheme(argument: str, value: object) -> dict[str, Any]:
    wrappers = _wrappers()
    wire = mapping(argument, value, *(f"a2a_v1_0.{name}" for name in ("SecurityScheme", *wrappers)))
    wrapper = None if isinstance(value, Mapping) else wrappers.get(type(value).__name__)
    return {wrapper: wire} if wrapper else wire


def _requirement(argument: str, value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping) or isinstance(value.get("schemes"), Mapping):
        return mapping(argument, value, "a2a_v1_0.SecurityRequirement")
    scopes = named(argument, value, texts)
    return {
        "schemes": {name: {"list": scope_list} if scope_list else {} for name, scope_list in scopes.items()}
    }
