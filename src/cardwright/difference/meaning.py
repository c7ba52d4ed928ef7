"""What a card says, in the one form in which cards are compared: the hub's, that of A2A 1.0.

This is the single seam to the conversion between dialects: nothing else here knows that there is
more than one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from cardwright.card import Card
from cardwright.conversion import Hub, to_hub
from cardwright.dialect import older_half
from cardwright_models import DIALECTS

# What only a 1.0 client reads of a hybrid, wherever it stands.
_NEWER: Final = ("supportedInterfaces", "securityRequirements")
# A capability is a promise; extensions are compared by themselves.
_CAPABILITIES = "AgentCapabilities"


def meaning(card: Card, beside: Card) -> Hub:
    """Return what a card says, and where in the card each of its places comes from.

    A capability that the form of the card beside it has no word for is left out: that the other card
    is silent on it says nothing.
    """
    if type(card.document) is not dict:
        return Hub(card.document, {})
    hub = to_hub(card)
    capabilities = hub.document.get("capabilities")
    if card.dialect == beside.dialect or type(capabilities) is not dict:
        return hub
    unsaid = _unsaid(str(beside.dialect), frozenset(capabilities))
    said = {name: value for name, value in capabilities.items() if name not in unsaid}
    return Hub({**hub.document, "capabilities": said}, hub.moves)


@lru_cache(maxsize=256)
def _unsaid(dialect: str, names: frozenset[str]) -> frozenset[str]:
    """Return which capabilities a dialect has no word for."""
    if not DIALECTS[dialect].mapped:
        return frozenset()
    table = DIALECTS[dialect].mapping().objects.get(_CAPABILITIES)
    return frozenset(table.beyond) if table else names - {"extensions"}


def older_meaning(card: Card) -> Hub | None:
    """Return what a client of A2A 0.x reads in a hybrid; None where a card has no half of its own for it."""
    if str(card.dialect) != "a2a-hybrid" or type(card.document) is not dict:
        return None
    half = _without(card.document, _NEWER)
    if type(half.get("skills")) is list:
        half["skills"] = [_without(skill, _NEWER) for skill in half["skills"]]
    if "capabilities" in half:
        half["capabilities"] = _without(half["capabilities"], ("extendedAgentCard",))
    if type(half.get("securitySchemes")) is dict:
        half["securitySchemes"] = {name: _flat(scheme) for name, scheme in half["securitySchemes"].items()}
    return to_hub(Card.from_document(half, dialect=older_half(card.document)))


def _flat(scheme: Any) -> Any:
    """Return the older encoding of a scheme that carries both."""
    if type(scheme) is not dict or "type" not in scheme:
        return scheme
    return _without(scheme, tuple(name for name in scheme if name.endswith("SecurityScheme")))


def _without(value: Any, names: tuple[str, ...]) -> Any:
    if type(value) is not dict:
        return value
    return {name: inner for name, inner in value.items() if name not in names}
