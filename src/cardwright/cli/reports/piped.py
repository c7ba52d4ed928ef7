"""The report of `check` for a pipe or a log: one line per finding, in the form that editors read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.cli.check_run import summarize
from cardwright.cli.reports import words
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.cli.check_run import Row

_PLAIN: Final = words.Detail()


def piped(rows: Sequence[Row], detail: words.Detail = _PLAIN) -> str:
    """Return the report: a line per document, `path:line:column: severity: …` per finding, the totals, hints."""
    lines = [line for row in rows for line in _lines(row, detail)]
    if not detail.quiet:
        lines += [words.totals(summarize(rows)), *words.hints(rows)]
    return "\n".join([*lines, ""]) if lines else ""


def _lines(row: Row, detail: words.Detail) -> Iterator[str]:
    if words.refusal_of(row):
        yield words.refusal_of(row)
        return
    # Without the lines of the documents, findings begin at the margin.
    margin = "" if detail.quiet else "  "
    if not detail.quiet:
        if row.dialect is None:
            yield f"{words.mark(row)} {words.source_of(row)}: {words.dialect_of(row)}"
        else:
            yield f"{words.mark(row)} {words.source_of(row)}: {words.dialect_of(row)}: {words.outcome(row)}"
            if alternatives := words.alternatives(row):
                yield f"  {'; '.join(row.evidence)}; {alternatives}"
    for finding in words.findings(row):
        yield f"{margin}{words.place_of(row, finding.violation)}: {_sentence(finding)}"
        excerpt = words.excerpt_of(row, finding.violation) if detail.verbose else None
        if excerpt:
            number = str(excerpt.number)
            yield f"{margin}{number} | {excerpt.line}"
            yield f"{margin}{' ' * len(number)} | {excerpt.marks}"


def _sentence(finding: words.Finding) -> str:
    violation = finding.violation
    at = f"{escaped(violation.pointer)}: " if violation.pointer else ""
    text = f"{violation.severity}: {at}{escaped(violation.message)} [{violation.rule}] ({escaped(violation.spec)})"
    if violation.fix:
        text += f" {'fix' if violation.fix.safe else 'unsafe fix'}: {escaped(violation.fix.description)}"
    return f"{text}; {finding.more}" if finding.more else text
