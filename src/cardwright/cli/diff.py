"""`cardwright diff`: what changed between two cards, and whether their versions say so."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import name_of, reach_of
from cardwright.cli.inputs import STDIN
from cardwright.cli.terminal import at_terminal, emit, emit_json, fail, legible, render

if TYPE_CHECKING:
    from cardwright.cli.reports.difference import Compared

Format = Literal["text", "json", "markdown"]


def command(  # noqa: PLR0913 - an argument an option
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The older card: a file, a URL, or - for standard input.")
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="The newer card: a file, a URL, or - for standard input.")
    ],
    *,
    report: Annotated[Format, typer.Option("--format", help="How to report.")] = "text",
    gate: Annotated[bool, typer.Option("--gate", help="Exit with 1 if a version rises too little.")] = False,
    dialect: options.DialectName = None,
    max_bytes: options.MaxBytes = DEFAULT_LIMITS.max_bytes,
    max_depth: options.MaxDepth = DEFAULT_LIMITS.max_depth,
    max_members: options.MaxMembers = DEFAULT_LIMITS.max_members,
    allow_private: options.AllowPrivate = False,
    allow: options.Allow = None,
    allow_port: options.AllowPort = None,
    header: options.HeaderField = None,
) -> None:
    """Compare two cards by meaning: each change, how severe it is, and the version bump it demands.

    A major change is breaking or possibly so, a minor one compatible, a patch cosmetic.

    Exits with 0, with 1 under --gate if a declared version is less than the changes demand, 2 if a
    card could not be read.
    """
    from cardwright.cli.reports.difference import Compared
    from cardwright.difference import compare

    if old == new == STDIN:
        fail("standard input holds one card: name a file for the other")
    reach = reach_of(private=allow_private, allow=allow, ports=allow_port, headers=header, names=[old, new])
    limits = Limits(max_bytes, max_depth, max_members)
    before, after = (card_of(name, dialect, limits, reach=reach) for name in (old, new))
    compared = Compared(legible(name_of(old)), legible(name_of(new)), before, after, compare(before, after))
    _print(compared, report)
    raise typer.Exit(1 if gate and not all(compared.comparison.sufficient.values()) else 0)


def _print(compared: Compared, report: Format) -> None:
    """Print a comparison; each report is imported only when it is asked for."""
    match report:
        case "json":
            from cardwright.cli.reports.difference import contract

            emit_json(contract(compared.comparison))
        case "markdown":
            from cardwright.cli.reports.difference_markdown import markdown

            emit(markdown(compared))
        case "text" if at_terminal(sys.stdout):
            from cardwright.cli.reports.difference_terminal import report as shown

            render(*shown(compared))
        case "text":
            from cardwright.cli.reports.difference import piped

            emit(piped(compared))
