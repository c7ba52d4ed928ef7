"""`cardwright diff`: what changed between two cards, and whether their versions say so."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import name_of, reach_of
from cardwright.cli.inputs import STDIN
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import fail, legible, report

_FORMATS: Final = {
    "text": "difference:piped",
    "terminal": "difference_terminal:report",
    "json": "difference:contract",
    "markdown": "difference_markdown:markdown",
}


def command(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The older card: a file, a URL, or - for standard input.")
    ],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="The newer card: a file, a URL, or - for standard input.")
    ],
    *,
    form: Annotated[Literal["text", "json", "markdown"], option("--format", "How to report.")] = "text",
    gate: Annotated[bool, option("--gate", "Exit with 1 if a version rises too little.")] = False,
    dialect: options.DialectName = None,
    checks: options.Limited,
    allowed: options.Reachable,
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
    reach = reach_of(allowed, [old, new])
    before, after = (card_of(name, dialect, checks, reach=reach) for name in (old, new))
    compared = Compared(legible(name_of(old)), legible(name_of(new)), before, after, compare(before, after))
    report(form, _FORMATS, compared)
    raise typer.Exit(1 if gate and not all(compared.comparison.sufficient.values()) else 0)
