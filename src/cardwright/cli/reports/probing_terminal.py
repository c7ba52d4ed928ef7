"""A probe for a person at a terminal: by section, what is good in one line, what is not with its mending."""

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
    """Return the report as what rich prints one below the other."""
    dialect = f"  {probed.card.dialect}" if probed.card else ""
    shown: list[RenderableType] = [Text.assemble((escaped(probed.place), "bold"), (dialect, "dim"))]
    for section, checks in probed.sections():
        shown += [Text(), Text(section, "bold")]
        # What is said of one interface stands together, in the order in which it was looked at.
        subjects = list(dict.fromkeys(check.subject for check in checks))
        ordered = sorted(checks, key=lambda check: subjects.index(check.subject))
        for subject, group in groupby(ordered, key=lambda check: check.subject):
            if len(subjects) > 1 or section not in ("card", "caching"):
                shown.append(Padding(Text(escaped(subject), "dim"), (0, 0, 0, 2)))
            shown.append(Padding(_table(list(group)), (0, 0, 0, 2)))
    colour = "green" if probed.true and probed.complete else "bold red" if not probed.true else "yellow"
    return [*shown, Text(), Text(probing.verdict(probed), colour)]


def _table(checks: Sequence[Check]) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, min_width=22)
    table.add_column(overflow="fold")
    for check in checks:
        colour = _COLOURS[check.outcome]
        mark, name = Text(probing.MARKS[check.outcome], colour), Text(check.id.partition("/")[2], "cyan")
        seen, *more = probing.sentences(check)
        table.add_row(mark, name, Text(seen, "" if check.outcome not in ("skip", "info") else "dim"))
        for line in more:
            table.add_row(Text(), Text(), Text(line, "dim"))
        if more:
            table.add_row(Text(), Text(), Text(check.spec, "dim"))
    return table
