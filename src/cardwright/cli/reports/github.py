"""The report of `check` as annotations of GitHub Actions (workflow commands): shown at their lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.cli.check_run import summarize
from cardwright.cli.reports import words
from cardwright.cli.terminal import legible
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.cli.check_run import Row


def github(rows: Sequence[Row]) -> str:
    """Return a line `::error file=…,line=…,col=…,title=…::…` for each violation, and the totals."""
    lines: list[str] = []
    for row in rows:
        for violation in words.by_severity(row):
            properties = {"file": legible(row.source)}
            if place := row.places.get(violation.pointer):
                properties |= {"line": str(place.line), "col": str(place.column)}
            properties["title"] = violation.rule
            named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
            at = f"{violation.pointer}: " if violation.pointer else ""
            fix = f". Fix: {violation.fix.description}" if violation.fix else ""
            lines.append(f"::{violation.severity} {named}::{_message(f'{at}{violation.message}{fix}')}")
    return "\n".join([*lines, words.totals(summarize(rows)), ""])


def _message(text: str) -> str:
    return escaped(text).replace("%", "%25")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
