"""`cardwright check`: judge cards and say what is wrong with them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.checks import Checks
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import reach_of
from cardwright.cli.inputs import Source, sources
from cardwright.cli.terminal import at_terminal, emit, emit_bytes, emit_json, render, tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.cli.check_run import Row

Format = Literal["text", "json", "sarif", "junit"]

# Fewer are done before a bar could be read (ours).
_BAR_FROM: Final = 50


def command(  # noqa: PLR0913 - an argument an option
    paths: options.PathsOrUrls,
    *,
    dialect: options.DialectName = None,
    report: Annotated[Format, typer.Option("--format", help="How to report.")] = "text",
    strict: Annotated[bool, typer.Option("--strict", help="Count warnings as invalid, too.")] = False,
    max_bytes: options.MaxBytes = DEFAULT_LIMITS.max_bytes,
    max_depth: options.MaxDepth = DEFAULT_LIMITS.max_depth,
    max_members: options.MaxMembers = DEFAULT_LIMITS.max_members,
    rules: options.RuleSets = None,
    allow_private: options.AllowPrivate = False,
    allow: options.Allow = None,
    allow_port: options.AllowPort = None,
    header: options.HeaderField = None,
) -> None:
    """Judge cards: every violation with its place, its rule and, where there is one, its fix.

    Exits with 0 if all are valid, 1 if some are invalid, 2 if some could not be read.
    """
    from cardwright.cli.check_run import Settings, judged, summed

    reach = reach_of(private=allow_private, allow=allow, ports=allow_port, headers=header, names=paths)
    settings = Settings(
        dialect=dialect,
        checks=Checks(limits=Limits(max_bytes, max_depth, max_members), rules=(rules,) if rules else ()),
        strict=strict,
        places=report in ("text", "sarif"),
    )
    rows = [judged(source, settings) for source in _with_progress(sources(paths, reach))]
    _print(rows, report)
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


def _print(rows: Sequence[Row], report: Format) -> None:
    """Print rows; each report is imported only when it is asked for."""
    if report != "text":
        _tell_refusals(rows)
    match report:
        case "json":
            from cardwright.cli.reports.contract import contract

            emit_json(contract(rows))
        case "sarif":
            from cardwright.cli.reports.sarif import sarif

            emit_json(sarif(rows))
        case "junit":
            from cardwright.cli.reports.junit import junit

            emit_bytes(junit(rows))
        case "text" if at_terminal(sys.stdout):
            from cardwright.cli.reports.terminal import report as shown

            render(*shown(rows))
        case "text":
            from cardwright.cli.reports.piped import piped

            emit(piped(rows))
