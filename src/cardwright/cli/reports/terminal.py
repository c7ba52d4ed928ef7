"""The report of `check` for a terminal: coloured and wrapped, with a heading for each input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cardwright.cli.check_run import summarize
from cardwright.cli.reports import words
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from cardwright.cli.check_run import Row

_COLOURS: Final = {
    words.VALID: "green",
    words.INVALID: "red",
    words.UNREADABLE: "magenta",
    "error": "red",
    "warning": "yellow",
}


def report(rows: Sequence[Row], detail: words.Detail) -> list[RenderableType]:
    """Return the report as rich renderables."""
    lines: list[RenderableType] = []
    has_details = False
    for row in rows:
        if detail.quiet and not row.violations:
            continue
        # An empty line around inputs with violations; those without follow each other directly.
        if lines and (has_details or row.violations):
            lines.append(Text())
        lines += _block(row)
        has_details = bool(row.violations)
    if detail.quiet:
        return lines
    if has_details or len(rows) > 1:
        lines.append(Text())
    summary = summarize(rows)
    lines.append(Text(words.totals(summary), "bold" if summary.status else "green"))
    return [*lines, *(Text(hint, "dim") for hint in words.hints(rows))]


def _block(row: Row) -> Iterator[RenderableType]:
    """Yield a heading and the violations."""
    if words.refusal_of(row):
        yield Text(words.refusal_of(row), "magenta")
        return
    yield _heading(row)
    if row.dialect and not row.sure:
        yield Padding(Text("; ".join((*row.evidence, words.alternatives(row))), "dim"), (0, 0, 0, 2))
    if row.dialect and row.violations:
        yield Padding(_table(row), (1, 0, 0, 2))
    elif row.violations:
        yield Padding(Group(*_lines(row, words.Finding(row.violations[0]))), (0, 0, 0, 2))


def _heading(row: Row) -> Text:
    mark = words.mark(row)
    if row.dialect is None:
        source, details = words.place_of(row, row.violations[0]), words.dialect_of(row)
    else:
        source = words.source_of(row)
        details = " · ".join((words.dialect_of(row), *([words.outcome(row)] if row.violations else [])))
    return Text.assemble((mark, _COLOURS[mark]), " ", (source, "bold"), "  ", (details, "dim"))


def _table(row: Row) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in words.findings(row):
        severity = Text(finding.violation.severity, _COLOURS[finding.violation.severity])
        for line in _lines(row, finding):
            table.add_row(severity, line)
            severity = Text()
    return table


def _lines(row: Row, finding: words.Finding) -> Iterator[Text]:
    """Yield the location (unless it is in the heading), the other places, the message, the fix and the rule."""
    violation = finding.violation
    if row.dialect:
        pointer = escaped(violation.pointer) or "(root)"
        yield Text.assemble((pointer, "cyan"), "  ", (words.place_of(row, violation), "dim"))
    if excerpt := words.excerpt_of(row, violation):
        number = str(excerpt.number)
        yield Text.assemble((f"{number} │ ", "blue"), excerpt.line, no_wrap=True, overflow="ellipsis")
        marked = _COLOURS[violation.severity]
        yield Text.assemble(
            (f"{' ' * len(number)} │ ", "blue"), (excerpt.marks, marked), no_wrap=True, overflow="crop"
        )
    if finding.more:
        yield Text(finding.more, "cyan")
    yield Text(escaped(violation.message))
    if violation.fix:
        label, colour = ("fix", "green") if violation.fix.safe else ("unsafe fix", "yellow")
        yield Text.assemble((label, colour), "  ", escaped(violation.fix.description))
    yield Text(f"{violation.rule} · {escaped(violation.spec)}", "dim")
