"""Security schemes and requirements of a card or a skill, in the encodings of A2A 0.x, 1.0 and Beach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardwright.view.fields import entries, field_at, items, string, strings
from cardwright_models.a2a_facts import SCHEME_TYPES


@dataclass(frozen=True, slots=True)
class RequiredScheme:
    """A security scheme that a caller must satisfy.

    Attributes:
        name: The name in `securitySchemes`; of A2A 0.1 and Beach, the kind of authentication, such as `Bearer`.
        kind: `apiKey`, `http`, `oauth2`, `openIdConnect` or `mutualTLS`; another word if the card has one, "" if the
            card does not declare the scheme.
        scopes: The required scopes.
    """

    name: str
    kind: str = ""
    scopes: tuple[str, ...] = ()


# Alternatives: one of them is enough, and it needs all of its schemes. One without schemes admits every caller.
Security = tuple[tuple[RequiredScheme, ...], ...]


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
        return tuple(_alternative(document, item) for item in stated)
    # Some cards of 0.1 write "none" for no authentication.
    return tuple(
        () if name.lower() == "none" else (RequiredScheme(name, name),)
        for name in strings(holder, "authentication", "schemes")
    )


def _alternative(document: Any, requirement: dict[str, Any]) -> tuple[RequiredScheme, ...]:
    declared = entries(document, "securitySchemes")
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
