"""The report of `probe` for a terminal, by section; errors and warnings with their fixes."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cardwright.cli.reports import probing
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from cardwright.discovery.probe import Check, Outcome, Report

_COLOURS: Final[dict[Outcome, str]] = {
    "pass": "green",
    "error": "red",
    "warning": "yellow",
    "skip": "dim",
    "info": "dim",
}


def report(probed: Report) -> list[RenderableType]:
    """Return the report as rich renderables."""
    dialect = f"  {probed.card.dialect}" if probed.card else ""
    lines: list[RenderableType] = [Text.assemble((escaped(probed.place), "bold"), (dialect, "dim"))]
    for section, checks in probed.sections():
        lines += [Text(), Text(section, "bold")]
        # Group the checks of each interface, in the order in which the interfaces were checked.
        subjects = list(dict.fromkeys(check.subject for check in checks))
        ordered = sorted(checks, key=lambda check: subjects.index(check.subject))
        for subject, group in groupby(ordered, key=lambda check: check.subject):
            if len(subjects) > 1 or section not in ("card", "caching"):
                lines.append(Padding(Text(escaped(subject), "dim"), (0, 0, 0, 2)))
            lines.append(Padding(_table(list(group)), (0, 0, 0, 2)))
    colour = "green" if probed.true and probed.complete else "bold red" if not probed.true else "yellow"
    return [*lines, Text(), Text(probing.summary(probed), colour)]


def _table(checks: Sequence[Check]) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, min_width=22)
    table.add_column(overflow="fold")
    for check in checks:
        colour = _COLOURS[check.outcome]
        mark, name = Text(probing.MARKS[check.outcome], colour), Text(check.id.partition("/")[2], "cyan")
        observation, *more = probing.sentences(check)
        table.add_row(mark, name, Text(observation, "" if check.outcome not in ("skip", "info") else "dim"))
        for line in more:
            table.add_row(Text(), Text(), Text(line, "dim"))
        if more:
            table.add_row(Text(), Text(), Text(check.spec, "dim"))
    return table
