"""From any card, valid or not, to an outline: a reader for each family, one table that chooses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.dialect import detect
from cardwright.errors import UnknownDialect
from cardwright.outline.a2a import read_a2a
from cardwright.outline.beach import read_beach
from cardwright.outline.mcp import read_mcp
from cardwright.outline.members import entries, words
from cardwright.outline.parts import Extension, Interface, Outline, Scheme, Skill
from cardwright_models import DIALECTS

if TYPE_CHECKING:
    from cardwright.card import Card

__all__ = ["Extension", "Interface", "Outline", "Scheme", "Skill", "outline"]

_READERS: Final = {"a2a": read_a2a, "beach": read_beach, "mcp": read_mcp}


def outline(card: Card) -> Outline:
    """Return what a person looks for in a card; of any shape, it is read as far as it goes."""
    known = _known_members(str(card.dialect))
    unknown = tuple(words(name) for name in entries({"card": card.document}, "card") if name not in known)
    told = _READERS[card.dialect.family](card.document)
    return replace(told, recognised=_recognised(card), unknown=unknown)


def _recognised(card: Card) -> str:
    try:
        seen = detect(card.document)
    except UnknownDialect:
        return "as asked for"
    if seen.dialect != card.dialect:
        return "as asked for"
    return f"{'' if seen.sure else 'not sure: '}{'; '.join(seen.evidence)}"


def _known_members(dialect: str) -> set[str]:
    """Return the top-level members of a dialect's schema; of a hybrid's halves together."""
    rows = [DIALECTS[name] for name in DIALECTS[dialect].halves or (dialect,)]
    return {name for row in rows for name in row.schema().get("properties", {})}
