"""Security schemes and requirements of a card or a skill, in the encodings of A2A 0.x, 1.0 and Beach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardwright.view.fields import entries, field_at, items, string, strings
from cardwright.view.older_security import details_of, scheme_for
from cardwright_models.a2a_facts import SCHEME_TYPES


@dataclass(frozen=True, slots=True)
class RequiredScheme:
    """A security scheme that a caller must satisfy.

    Attributes:
        name: The name in `securitySchemes`, or in `authentication` of A2A 0.1; of Beach, the kind of authentication.
        kind: `apiKey`, `http`, `oauth2`, `openIdConnect` or `mutualTLS`; another word if the card has one, "" if the
            card does not declare the scheme.
        scopes: The required scopes.
    """

    name: str
    kind: str = ""
    scopes: tuple[str, ...] = ()


# Alternatives: one of them is enough, and it needs all of its schemes. One without schemes admits every caller.
Security = tuple[tuple[RequiredScheme, ...], ...]


def declared_schemes(document: Any) -> dict[str, Any]:
    """Return the security schemes of an A2A card by name: `securitySchemes`, or those that `authentication` of 0.1 names."""
    schemes = entries(document, "securitySchemes")
    named = () if schemes else strings(document, "authentication", "schemes")
    details = details_of(field_at(document, "authentication", "credentials")) if named else {}
    return schemes or {name: scheme_for(name, details) for name in named if not _is_open(name)}


def scheme_of(scheme: Any) -> tuple[str, Any]:
    """Return the kind of a declared scheme and the object with its fields."""
    wrapper = next((wrapper for wrapper in SCHEME_TYPES if field_at(scheme, wrapper) is not None), None)
    return (SCHEME_TYPES[wrapper], scheme[wrapper]) if wrapper else (string(scheme, "type"), scheme)


def security_of(document: Any, holder: Any) -> Security:
    """Return the alternatives that an A2A card or one of its skills states itself.

    Args:
        document: The card, which declares the schemes.
        holder: The card or the skill. A requirement that is not an object is skipped.
    """
    stated = [
        requirement
        for item in items(holder, "securityRequirements") or items(holder, "security")
        # Some cards have the form of 0.x in the field of 1.0.
        if isinstance(item, dict) and isinstance(requirement := item.get("schemes", item), dict)
    ]
    if stated:
        declared = declared_schemes(document)
        return tuple(_alternative(declared, item) for item in stated)
    scopes = details_of(field_at(holder, "authentication", "credentials")).get("scopes")
    declared = declared_schemes(holder)
    return tuple(
        () if _is_open(name) else (_older(name, declared.get(name), scopes),)
        for name in strings(holder, "authentication", "schemes")
    )


def _is_open(name: str) -> bool:
    # Some cards of 0.1 write this for no authentication.
    return name.lower() == "none"


def _older(name: str, scheme: Any, scopes: Any) -> RequiredScheme:
    """Return the scheme that a card of 0.1 names; `credentials` has scopes as an object, an array or a text."""
    kind = scheme_of(scheme)[0]
    listed = scopes.split() if isinstance(scopes, str) else scopes if isinstance(scopes, (dict, list)) else ()
    named = tuple(one for one in listed if isinstance(one, str))
    return RequiredScheme(name, kind, named if kind == "oauth2" else ())


def _alternative(declared: dict[str, Any], requirement: dict[str, Any]) -> tuple[RequiredScheme, ...]:
    # The scopes of 1.0 are a `StringList` message (A2A 1.0 §4.5.9), those of 0.x an array.
    return tuple(
        RequiredScheme(name, scheme_of(declared.get(name))[0], strings(scopes, "list") or strings(scopes))
        for name, scopes in requirement.items()
    )


def transport_security(document: Any, scopes: tuple[str, ...] = ()) -> Security:
    """Return one alternative for each kind of authentication of a Beach card's transports.

    Args:
        document: The Beach card.
        scopes: Further required scopes, those of a capability.
    """
    alternatives: dict[tuple[RequiredScheme, ...], None] = {}
    for transport in items(document, "transports"):
        kind = string(transport, "auth", "type")
        stated = strings(transport, "auth", "scope") or tuple(string(transport, "auth", "scope").split())
        required = dict.fromkeys((*stated, *strings(transport, "requiredScopes"), *scopes))
        scheme = RequiredScheme(kind, kind, tuple(required))
        alternatives[() if kind in ("", "none") and not required else (scheme,)] = None
    return tuple(alternatives)
