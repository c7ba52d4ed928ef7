"""Outline of any card, valid or not, with a reader for each family of dialects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.outline.a2a import read_a2a, read_mcp
from cardwright.outline.beach import read_beach
from cardwright.outline.fields import words
from cardwright.outline.parts import Extension, Interface, Outline, Scheme, Skill
from cardwright.view.fields import entries
from cardwright_rules import DIALECTS

if TYPE_CHECKING:
    from cardwright.card import Card

__all__ = ["Extension", "Interface", "Outline", "Scheme", "Skill", "outline"]

_READERS: Final = {"a2a": read_a2a, "beach": read_beach, "mcp": read_mcp}


def outline(card: Card) -> Outline:
    """Return the outline of a card; values of an unexpected shape are skipped."""
    dialect, document = str(card.dialect), card.document
    known = _known_fields(dialect)
    unknown = [name for name in entries({"card": document}, "card") if name not in known]
    capabilities = entries(document, "capabilities")
    known_ones = _known_fields(dialect, "capabilities")
    if isinstance(document, dict) and not known_ones.issuperset(capabilities):
        # What the dialect does not define is not shown as a capability.
        unknown += [f"capabilities.{name}" for name in capabilities if name not in known_ones]
        kept = {name: value for name, value in capabilities.items() if name in known_ones}
        document = {**document, "capabilities": kept}
    result = _READERS[card.dialect.family](document)
    return replace(result, recognised=_recognised(card), unknown=tuple(map(words, unknown)))


def _recognised(card: Card) -> str:
    detection = card.detection
    if detection is None:
        return "dialect given by the caller"
    return f"{'' if detection.sure else 'not sure: '}{'; '.join(detection.evidence)}"


def _known_fields(dialect: str, *steps: str) -> set[str]:
    """Return the fields of an object in a dialect's schema, or in the schemas of a hybrid's halves."""
    known: set[str] = set()
    for name in DIALECTS[dialect].halves or (dialect,):
        schema = node = DIALECTS[name].schema()
        for step in steps:
            node = node["properties"][step]
            node = schema["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else node
        known |= node.get("properties", {}).keys()
    return known
