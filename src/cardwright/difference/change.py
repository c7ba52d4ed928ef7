"""One change of meaning between two cards, and how much of a version it demands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity: TypeAlias = Literal["none", "patch", "minor", "major"]

# From the least to the most; a severity is also the name of the version part that must rise.
SEVERITIES: Final[tuple[Severity, ...]] = ("none", "patch", "minor", "major")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that the newer card says otherwise (Beach card seed, Versioning).

    Attributes:
        kind: What happened, in a fixed word such as `skill-removed`.
        severity: `major` is breaking or possibly so, `minor` compatible, `patch` cosmetic.
        pointer: Where, in the newer document; what is gone is pointed at in the older one. Where a
            dialect says it in a form of its own, the nearest place above.
        before: The older value in the form of A2A 1.0, or None where there was none.
        after: The newer one, or None where there is none.
        why: What it means to callers. It holds no text of either card.
    """

    kind: str
    severity: Severity
    pointer: str
    before: Any
    after: Any
    why: str

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON value: its attributes by their names."""
        return {name: getattr(self, name) for name in self.__slots__}


def greatest(severities: Iterable[Severity]) -> Severity:
    """Return the most severe, `none` where there is nothing.

    >>> greatest(["patch", "major", "minor"])
    'major'
    """
    most: Severity = "none"
    for severity in severities:
        if SEVERITIES.index(severity) > SEVERITIES.index(most):
            most = severity
    return most


def required_bump(changes: Iterable[Change]) -> Severity:
    """Return which part of a version must rise: that of the most severe change.

    >>> required_bump([])
    'none'
    """
    return greatest(change.severity for change in changes)
