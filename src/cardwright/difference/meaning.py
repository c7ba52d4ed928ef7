"""The form in which cards are compared: the hub's, A2A 1.0.

Only this module uses the conversion between dialects; the others compare documents of A2A 1.0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from cardwright.card import Card
from cardwright.conversion import Hub, to_hub
from cardwright.dialect import older_half
from cardwright_models import DIALECTS

# Fields of a hybrid that only A2A 1.0 clients read, at any place.
_NEWER: Final = ("supportedInterfaces", "securityRequirements")
# The capabilities; extensions are compared separately.
_CAPABILITIES = "AgentCapabilities"


def meaning(card: Card, beside: Card) -> Hub:
    """Return the hub's form of a card, with the source of each place.

    A capability that the dialect of the card `beside` cannot express is left out, because its absence there
    is not a change.
    """
    if type(card.document) is not dict:
        return Hub(card.document, {})
    hub = to_hub(card)
    capabilities = hub.document.get("capabilities")
    if card.dialect == beside.dialect or type(capabilities) is not dict:
        return hub
    unsupported = _unsupported(str(beside.dialect), frozenset(capabilities))
    supported = {name: value for name, value in capabilities.items() if name not in unsupported}
    return Hub({**hub.document, "capabilities": supported}, hub.moves)


@lru_cache(maxsize=256)
def _unsupported(dialect: str, names: frozenset[str]) -> frozenset[str]:
    """Return the capabilities that a dialect cannot express."""
    if not DIALECTS[dialect].mapped:
        return frozenset()
    table = DIALECTS[dialect].mapping().objects.get(_CAPABILITIES)
    return frozenset(table.beyond) if table else names - {"extensions"}


def older_meaning(card: Card) -> Hub | None:
    """Return the older half of a hybrid in the hub's form; None for a card of another dialect."""
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
    """Return the older encoding of a scheme that has both."""
    if type(scheme) is not dict or "type" not in scheme:
        return scheme
    return _without(scheme, tuple(name for name in scheme if name.endswith("SecurityScheme")))


def _without(value: Any, names: tuple[str, ...]) -> Any:
    if type(value) is not dict:
        return value
    return {name: inner for name, inner in value.items() if name not in names}
