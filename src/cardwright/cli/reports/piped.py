"""The report of `check` for a pipe or a log: one line per violation, in the form that editors read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.cli.check_run import summarize
from cardwright.cli.reports import words
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.cli.check_run import Row
    from cardwright_runtime.violation import Violation


def piped(rows: Sequence[Row]) -> str:
    """Return the report: a line per document, `path:line:column: severity: …` per violation, the totals, a hint."""
    lines = [line for row in rows for line in _lines(row)] + [words.totals(summarize(rows))]
    if hint := words.hint(rows):
        lines.append(hint)
    return "\n".join([*lines, ""])


def _lines(row: Row) -> Iterator[str]:
    if words.refusal_of(row):
        yield words.refusal_of(row)
        return
    if row.dialect is None:
        yield f"{words.mark(row)} {words.source_of(row)}: {words.dialect_of(row)}"
    else:
        yield f"{words.mark(row)} {words.source_of(row)}: {words.dialect_of(row)}: {words.outcome(row)}"
    for violation in words.by_severity(row):
        yield f"  {words.place_of(row, violation)}: {_sentence(violation)}"


def _sentence(violation: Violation) -> str:
    at = f"{escaped(violation.pointer)}: " if violation.pointer else ""
    text = f"{violation.severity}: {at}{escaped(violation.message)} [{violation.rule}] ({escaped(violation.spec)})"
    if violation.fix is None:
        return text
    return f"{text} {'fix' if violation.fix.safe else 'unsafe fix'}: {escaped(violation.fix.description)}"
