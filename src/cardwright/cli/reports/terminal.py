"""Text for a person at a terminal: calm, coloured, wrapped under its own heading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cardwright.cli.reports import words
from cardwright.cli.verdicts import summed
from cardwright_models.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from cardwright.cli.verdicts import Row
    from cardwright_models.violation import Violation

_COLOURS: Final = {
    words.VALID: "green",
    words.INVALID: "red",
    words.UNREADABLE: "magenta",
    "error": "red",
    "warning": "yellow",
}


def report(rows: Sequence[Row]) -> list[RenderableType]:
    """Return the report as what rich prints one below the other."""
    shown: list[RenderableType] = []
    for row in rows:
        # Room around what has something to say; those that have not stand close together.
        if shown and row.violations and not isinstance(shown[-1], Padding):
            shown.append(Text())
        shown.append(_heading(row))
        if row.dialect and not row.sure:
            shown.append(Text(f"  judged by the closest: {'; '.join(row.evidence)}", "dim"))
        if row.violations:
            shown.append(Padding(_table(row), (1, 0, 1, 2)))
    summary = summed(rows)
    if len(rows) > 1 and not isinstance(shown[-1], Padding):
        shown.append(Text())
    colour = "green" if not summary.status else "bold"
    return [*shown, Text(words.totals(summary), colour)]


def _heading(row: Row) -> Text:
    mark = words.mark(row)
    outcome = "" if row.dialect is None or not row.violations else f" · {words.outcome(row)}"
    return Text.assemble(
        (mark, _COLOURS[mark]),
        " ",
        (words.source_of(row), "bold"),
        "  ",
        (f"{words.dialect_of(row)}{outcome}", "dim"),
    )


def _table(row: Row) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for violation in words.by_severity(row):
        severity = Text(violation.severity, _COLOURS[violation.severity])
        for line in _lines(row, violation):
            table.add_row(severity, line)
            severity = Text()
    return table


def _lines(row: Row, violation: Violation) -> Iterator[Text]:
    if row.dialect:
        pointer = escaped(violation.pointer) or "(root)"
        yield Text.assemble((pointer, "cyan"), "  ", (words.place_of(row, violation), "dim"))
    elif violation.pointer in row.places:
        yield Text(words.place_of(row, violation), "dim")
    yield Text(escaped(violation.message))
    if violation.fix:
        assumed = "" if violation.fix.safe else " (states an assumption)"
        yield Text.assemble(("fix  ", "green"), escaped(violation.fix.description), (assumed, "dim"))
    yield Text(f"{violation.rule} · {escaped(violation.spec)}", "dim")
