"""What a card says, in the one form in which cards are compared: the hub's, that of A2A 1.0.

This is the single seam to the conversion between dialects: nothing else here knows that there is
more than one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.conversion import Hub, to_hub
from cardwright_models import DIALECTS

if TYPE_CHECKING:
    from cardwright.card import Card

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
