"""`cardwright check`: judge cards and say what is wrong with them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import reach_of
from cardwright.cli.inputs import Source, sources
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import at_terminal, report, tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.cli.check_run import Row

_FORMATS: Final = {
    "text": "piped:piped",
    "terminal": "terminal:report",
    "json": "contract:contract",
    "sarif": "sarif:sarif",
    "junit": "junit:junit",
}

# Fewer are done before a bar could be read (ours).
_BAR_FROM: Final = 50


def command(
    paths: options.PathsOrUrls,
    *,
    dialect: options.DialectName = None,
    form: options.CheckFormat = "text",
    strict: Annotated[bool, option("--strict", "Count warnings as invalid, too.")] = False,
    checks: options.LimitedAndRules,
    allowed: options.Reachable,
) -> None:
    """Judge cards: every violation with its place, its rule and, where there is one, its fix.

    Exits with 0 if all are valid, 1 if some are invalid, 2 if some could not be read.
    """
    from cardwright.cli.check_run import Settings, judged, summed

    reach = reach_of(allowed, paths)
    settings = Settings(
        dialect=dialect,
        checks=checks,
        strict=strict,
        places=form in ("text", "sarif"),
    )
    rows = [judged(source, settings) for source in _with_progress(sources(paths, reach))]
    if form != "text":
        _tell_refusals(rows)
    report(form, _FORMATS, rows)
    raise typer.Exit(summed(rows).status)


def _with_progress(found: Sequence[Source]) -> Iterable[Source]:
    if len(found) <= _BAR_FROM or not at_terminal(sys.stderr):
        return found
    from rich.console import Console
    from rich.progress import track

    return track(found, description="Checking", console=Console(stderr=True), transient=True)


def _tell_refusals(rows: Sequence[Row]) -> None:
    """Say on standard error what the guard refused: the report is for programs."""
    from cardwright.cli.reports.words import refusal_of

    for row in rows:
        if refusal_of(row):
            tell(f"{refusal_of(row)}\n")
