"""The signs that tell dialects apart, in the order in which they are looked for.

Generated from schemas/
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign found in a document: the dialect it speaks for, how sure, and in what words."""

    dialect: str
    sure: bool
    evidence: str


def first_sign(document: dict[str, Any]) -> Sign | None:
    """Return the first sign that a document shows, or None where it shows none."""
    return None


def all_signs(document: dict[str, Any]) -> tuple[Sign, ...]:
    """Return every sign that a document shows, the strongest first."""
    shown = ()
    return tuple(sign for sign, there in shown if there)


def matches(pattern: str, value: Any) -> bool:
    """Whether a value is a string that a pattern matches from its start."""
    return isinstance(value, str) and re.match(pattern, value) is not None


def holds(outer: Any, name: str) -> bool:
    """Whether a value is an object with a member of that name."""
    return isinstance(outer, dict) and name in outer


def member(outer: Any, name: str) -> Any:
    """Return a member of a value, or None where there is none."""
    return outer.get(name) if isinstance(outer, dict) else None


def some(items: Any, name: str) -> bool:
    """Whether a value is an array in which some object has a member of that name."""
    return isinstance(items, list) and any(isinstance(item, dict) and name in item for item in items)
