"""`cardwright check`: validate cards and report their violations."""

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

# Fewer documents are checked before a progress bar is of use (project decision).
_MIN_FOR_BAR: Final = 50

EXAMPLES: Final = (
    "cardwright check agent-card.json",
    "cardwright check --strict --format sarif cards/ > cards.sarif",
    "cardwright check https://agent.example.com",
)


def command(
    paths: options.PathsOrUrls,
    *,
    dialect: options.DialectName = None,
    form: options.CheckFormat = "text",
    strict: Annotated[bool, option("--strict", "Treat warnings as errors.")] = False,
    checks: options.LimitedAndRules,
    allowed: options.Reachable,
) -> None:
    """Validate cards and print each violation with its location, its rule and its fix.

    Exit status: 0 all cards are valid, 1 a card is invalid, 2 an input could not be read.
    """
    from cardwright.cli.check_run import Settings, check_source, summarize

    reach = reach_of(allowed, paths)
    settings = Settings(
        dialect=dialect,
        checks=checks,
        strict=strict,
        places=form in ("text", "sarif"),
    )
    rows = [check_source(source, settings) for source in _with_progress(sources(paths, reach))]
    if form != "text":
        _print_refusals(rows)
    report(form, _FORMATS, rows)
    raise typer.Exit(summarize(rows).status)


def _with_progress(inputs: Sequence[Source]) -> Iterable[Source]:
    if len(inputs) <= _MIN_FOR_BAR or not at_terminal(sys.stderr):
        return inputs
    from rich.console import Console
    from rich.progress import track

    return track(inputs, description="Checking", console=Console(stderr=True), transient=True)


def _print_refusals(rows: Sequence[Row]) -> None:
    """Print the requests that the guard refused on standard error, since the report is for programs."""
    from cardwright.cli.reports.words import refusal_of

    for row in rows:
        if refusal_of(row):
            tell(f"{refusal_of(row)}\n")
