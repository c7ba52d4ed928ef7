"""What a card says, in the one form in which cards are compared: that of A2A 1.0.

This is the single seam to the conversion between dialects: nothing else here knows that there is
more than one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import UnknownDialect

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card

# Dialects whose cards cannot be read here yet.
UNREAD: Final = frozenset({"a2a-0.1", "a2a-0.2", "a2a-0.3", "a2a-hybrid", "beach-1.0", "mcp-2024-11-05"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """A document in the form of A2A 1.0, and where in the card each of its places comes from."""

    document: Any
    source_pointer: Callable[[str], str]


def meaning(card: Card) -> Meaning:
    """Return what a card says.

    Raises:
        UnknownDialect: If cards of its dialect cannot be read yet.
    """
    if str(card.dialect) in UNREAD:
        raise UnknownDialect(f"cards of {card.dialect} cannot be compared yet: convert them to a2a-1.0")
    return Meaning(card.document, lambda pointer: pointer)
