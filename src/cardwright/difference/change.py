"""One semantic change between two cards, and the version bump that it requires."""

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
    """One difference between an older and a newer card (Beach card seed, Versioning).

    Attributes:
        kind: The kind of change, a fixed name such as `skill-removed`.
        severity: `major` is breaking or possibly so, `minor` compatible, `patch` cosmetic.
        pointer: The place in the newer document, or in the older one for a removed value. If the
            dialect has another form, the nearest place above.
        before: The older value in the form of A2A 1.0, or None.
        after: The newer value in the form of A2A 1.0, or None.
        why: The effect on callers. It contains no text of either card.
    """

    kind: str
    severity: Severity
    pointer: str
    before: Any
    after: Any
    why: str

    def to_json(self) -> dict[str, Any]:
        """Return the attributes by name as a JSON value."""
        return {name: getattr(self, name) for name in self.__slots__}


def greatest(severities: Iterable[Severity]) -> Severity:
    """Return the most severe of some severities, `none` by default.

    >>> greatest(["patch", "major", "minor"])
    'major'
    """
    result: Severity = "none"
    for severity in severities:
        if SEVERITIES.index(severity) > SEVERITIES.index(result):
            result = severity
    return result


def required_bump(changes: Iterable[Change]) -> Severity:
    """Return the part of a version that must increase: that of the most severe change.

    >>> required_bump([])
    'none'
    """
    return greatest(change.severity for change in changes)
