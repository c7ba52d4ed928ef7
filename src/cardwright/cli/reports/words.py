"""Words and counts shared by the text reports."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from cardwright.cli.terminal import legible
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.cli.check_run import Row, Summary
    from cardwright_runtime.violation import Violation

VALID, INVALID, UNREADABLE = "✓", "✗", "!"

_SEVERITIES: Final = ("error", "warning")


def mark(row: Row) -> str:
    """Return the mark of a row: valid, invalid or unreadable."""
    return VALID if row.valid else INVALID if row.readable else UNREADABLE


def source_of(row: Row) -> str:
    """Return the path of a row, escaped for output."""
    return escaped(legible(row.source))


def refusal_of(row: Row) -> str:
    """Return the guard's message if it refused the row's URL, else ""."""
    refused = not row.readable and row.violations[0].message.startswith("refused: ")
    return f"{escaped(row.violations[0].message)} [{row.violations[0].rule}]" if refused else ""


def place_of(row: Row, violation: Violation) -> str:
    """Return `path:line:column`, or the path alone if the place is unknown."""
    place = row.places.get(violation.pointer)
    return f"{source_of(row)}:{place.line}:{place.column}" if place else source_of(row)


def dialect_of(row: Row) -> str:
    """Return the dialect, with "not sure" if it is uncertain."""
    if row.dialect is None:
        return "unknown dialect" if row.readable else "unreadable"
    return row.dialect if row.sure else f"{row.dialect}, not sure"


def outcome(row: Row) -> str:
    """Return `valid`, or the number of errors and warnings."""
    return tally(row.violations) or "valid"


def tally(violations: Iterable[Violation]) -> str:
    """Return the number of errors and warnings; "" without violations."""
    counts = Counter(violation.severity for violation in violations)
    return ", ".join(counted(counts[severity], severity) for severity in _SEVERITIES if counts[severity])


def by_severity(row: Row) -> list[Violation]:
    """Return the violations, errors first, then by pointer."""
    return sorted(row.violations, key=lambda violation: _SEVERITIES.index(violation.severity))


def totals(summary: Summary) -> str:
    """Return the summary line."""
    documents = counted(summary.documents, "document")
    return f"{documents}: {summary.valid} valid, {summary.invalid} invalid, {summary.unreadable} unreadable"


def hint(rows: Iterable[Row]) -> str:
    """Return how to read more about the first rule of a report; "" if there are no violations."""
    first = next((violation for row in rows for violation in by_severity(row)), None)
    return f"Explain a rule: cardwright explain {first.rule}" if first else ""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "error"), counted(1200, "error"), counted(2, "loss")
    ('1 error', '1,200 errors', '2 losses')
    """
    plural = "es" if noun.endswith("s") else "s"
    return f"{count:,} {noun}{'' if count == 1 else plural}"
