"""A list of violations with a maximum: a document of 10,000 values may violate a rule at each of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright_runtime.violation import Severity, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Project decision: more violations than this help no reader.
MAX_VIOLATIONS: Final = 1_000
RULE: Final = "limits/violations"
_TWO_DIGITS: Final = re.compile(r"/\d\d").search
_SPEC: Final = "project decision: a report has at most 1,000 violations"


class LimitedViolations(list[Violation]):
    """Violations, at most `limit` of each severity: further ones are dropped, and `dropped` is set.

    Each severity has its own maximum, so that no number of warnings hides an error.
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._counts = {"error": 0, "warning": 0}
        self.dropped = False

    def append(self, violation: Violation) -> None:
        """Add a violation, or drop it."""
        if self.has_room(violation.severity):
            self._counts[violation.severity] += 1
            super().append(violation)

    def extend(self, violations: Iterable[Violation]) -> None:
        """Add violations, and drop those beyond the maximum."""
        for violation in violations:
            self.append(violation)

    @property
    def full(self) -> bool:
        """Whether no violation of any severity can be added; looking for more of them is in vain."""
        return all(count >= self._limit for count in self._counts.values())

    def has_room(self, severity: str) -> bool:
        """Return whether a violation can be added; if not, note that one was dropped."""
        if self._counts[severity] < self._limit:
            return True
        self.dropped = True
        return False


def sorted_once(violations: Sequence[Violation], limit: int, *, dropped: bool) -> list[Violation]:
    """Return violations by pointer, then rule, one of each rule and pointer; items of an array are in its order.

    Args:
        violations: Violations in any order; of equal rule and pointer the first one counts.
        limit: Of more violations, errors are kept before warnings, and one violation says that there are more.
        dropped: Whether there were more of them before.
    """
    unique = {(one.pointer, one.rule): one for one in reversed(violations) if one.rule != RULE}
    if len(unique) > limit or dropped:
        # "error" sorts before "warning".
        first = sorted(unique, key=lambda place: (unique[place].severity, place))[:limit]
        unique = {place: unique[place] for place in first}
        unique["", RULE] = _more(unique.values(), limit)
    # Single digits are in order as text.
    many = _TWO_DIGITS("".join([pointer for pointer, _ in unique]))
    return [unique[place] for place in sorted(unique, key=in_order if many else None)]


def in_order(place: tuple[str, str]) -> tuple[list[str], str]:
    """Return the key by which item 2 of an array comes before item 10."""
    return [step.zfill(9) if step.isdecimal() else step for step in place[0].split("/")], place[1]


def _more(violations: Iterable[Violation], limit: int) -> Violation:
    # Errors come first: without a listed error, the card has no errors.
    severity: Severity = "error" if any(one.severity == "error" for one in violations) else "warning"
    message = (
        f"more than {limit:,} violations; only {limit:,} are listed, errors first, and no fix is applied. "
        "Correct what repeats, and validate again"
    )
    return Violation(RULE, severity, "", message, _SPEC)
