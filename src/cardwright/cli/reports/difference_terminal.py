"""The report of `diff` for a terminal: the most severe changes first, the versions last."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cardwright.cli.reports import difference
from cardwright.cli.reports.words import INVALID, VALID, counted
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from cardwright.cli.reports.difference import Compared
    from cardwright.difference import Change, Comparison

_COLOURS: Final = {"major": "red", "minor": "yellow", "patch": "green", "none": "green"}
_WORDS: Final = {"major": "breaking or possibly so", "minor": "compatible", "patch": "cosmetic"}


def report(compared: Compared) -> list[RenderableType]:
    """Return the report as rich renderables."""
    lines: list[RenderableType] = [_heading(compared)]
    lines += [Text(note, "yellow") for note in difference.notes(compared)]
    for severity, changes in groupby(compared.comparison.changes, key=lambda change: change.severity):
        group = list(changes)
        colour = _COLOURS[severity]
        title = Text.assemble(
            (severity, f"bold {colour}"), (f"  {counted(len(group), 'change')}, {_WORDS[severity]}", "dim")
        )
        lines += [Text(), title, Padding(_table(group), (0, 0, 0, 2))]
    bump = compared.comparison.bump
    return [
        *lines,
        Text(),
        _versions(compared.comparison),
        Text(difference.totals(compared.comparison), _COLOURS[bump]),
    ]


def _heading(compared: Compared) -> Text:
    dialects = dict.fromkeys((str(compared.old.dialect), str(compared.new.dialect)))
    sources = f"{escaped(compared.old_source)} → {escaped(compared.new_source)}"
    return Text.assemble((sources, "bold"), (f"  {' → '.join(dialects)}", "dim"))


def _table(changes: Iterable[Change]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    for change in changes:
        table.add_row(Text.assemble((difference.place_of(change), "cyan"), (f"  {change.kind}", "dim")))
        table.add_row(Padding(Text(difference.values_of(change)), (0, 0, 0, 2)))
        table.add_row(Padding(Text(change.why, "dim"), (0, 0, 0, 2)))
    return table


def _versions(comparison: Comparison) -> Table:
    table = Table.grid(padding=(0, 2))
    for part, version in comparison.declared.items():
        if version is not None:
            mark, colour = (VALID, "green") if version.sufficient else (INVALID, "red")
            bumps = Text(difference.bumps_of(version), "" if version.sufficient else "red")
            versions = Text(difference.versions_of(version), "bold")
            table.add_row(Text(mark, colour), Text(f"{part} version"), versions, bumps)
    return table
