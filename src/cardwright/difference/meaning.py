"""What a card says, in the one form in which cards are compared: the hub's, that of A2A 1.0.

This is the single seam to the conversion between dialects: nothing else here knows that there is
more than one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.conversion import Hub, to_hub

if TYPE_CHECKING:
    from cardwright.card import Card


def meaning(card: Card) -> Hub:
    """Return what a card says, and where in the card each of its places comes from."""
    return to_hub(card) if type(card.document) is dict else Hub(card.document, {})
