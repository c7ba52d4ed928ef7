"""Outline of any card, valid or not, with a reader for each family of dialects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.outline.a2a import read_a2a
from cardwright.outline.beach import read_beach
from cardwright.outline.fields import words
from cardwright.outline.mcp import read_mcp
from cardwright.outline.parts import Extension, Interface, Outline, Scheme, Skill
from cardwright.view.fields import entries
from cardwright_rules import DIALECTS

if TYPE_CHECKING:
    from cardwright.card import Card

__all__ = ["Extension", "Interface", "Outline", "Scheme", "Skill", "outline"]

_READERS: Final = {"a2a": read_a2a, "beach": read_beach, "mcp": read_mcp}


def outline(card: Card) -> Outline:
    """Return the outline of a card; values of an unexpected shape are skipped."""
    known = _known_fields(str(card.dialect))
    unknown = tuple(words(name) for name in entries({"card": card.document}, "card") if name not in known)
    result = _READERS[card.dialect.family](card.document)
    return replace(result, recognised=_recognised(card), unknown=unknown)


def _recognised(card: Card) -> str:
    detection = card.detection
    if detection is None:
        return "dialect given by the caller"
    return f"{'' if detection.sure else 'not sure: '}{'; '.join(detection.evidence)}"


def _known_fields(dialect: str) -> set[str]:
    """Return the top-level fields of a dialect's schema, or of the schemas of a hybrid's halves."""
    rows = [DIALECTS[name] for name in DIALECTS[dialect].halves or (dialect,)]
    return {name for row in rows for name in row.schema().get("properties", {})}
