"""Choose between two forms of one card, which an agent serves by version: the form with the most of the card wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.checks import Checks
from cardwright.errors import CardError
from cardwright.view.interfaces import interfaces

if TYPE_CHECKING:
    from cardwright.canonical import Limits


def is_fuller(first: bytes, second: bytes, limits: Limits) -> bool:
    """Return whether the first of two forms has more of the card than the second; False if both have as much.

    More interfaces are more, and a card says nothing that is not valid JSON of a known dialect. Of a form of A2A and
    one of another dialect with as many interfaces, the other one is the original; of two forms of A2A, the one with
    the newer version, and then the one that is written in this version.
    """
    card, other = _read(first, limits), _read(second, limits)
    if card is None or other is None:
        return card is not None
    if card.dialect.family != other.dialect.family:
        count, other_count = len(_places(card)), len(_places(other))
        return count > other_count or (count == other_count and other.dialect.family == "a2a")
    return _versions(card) > _versions(other)


def _read(body: bytes, limits: Limits) -> Card | None:
    try:
        return Card.from_bytes(body, checks=Checks(limits=limits))
    except CardError:
        return None


def _places(card: Card) -> set[tuple[str, str]]:
    # Dialects write the names of bindings differently.
    return {(one.protocol, one.url) for one in interfaces(card)}


def _versions(card: Card) -> tuple[int, str, bool]:
    """Return the number of interfaces in versions, the newest version, and whether the card is written in it."""
    found = {(one.binding, one.url, one.version) for one in interfaces(card)}
    newest = max((version for _, _, version in found), default="")
    return len(found), newest, str(card.dialect) == f"a2a-{newest}"
