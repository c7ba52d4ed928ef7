"""`cardwright diff`: the changes between two cards or catalogues, and whether their versions were raised enough."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import read_document
from cardwright.cli.fetch_options import name_of, reach_of
from cardwright.cli.inputs import STDIN
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import fail, legible, report

_FORMATS: Final = {
    "text": "difference:piped",
    "terminal": "difference_terminal:report",
    "json": "difference:contract",
    "markdown": "difference_markdown:markdown",
}


EXAMPLES: Final = (
    "cardwright diff old-card.json new-card.json",
    "cardwright diff --gate --format markdown https://agent.example.com new.json",
)


def command(
    old: Annotated[str, described("diff OLD")],
    new: Annotated[str, described("diff NEW")],
    *,
    form: Annotated[Literal["text", "json", "markdown"], described("diff --format")] = "text",
    gate: Annotated[bool, described("diff --gate")] = False,
    dialect: options.AnyDialectName = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Compare two cards, descriptions of MCP servers or catalogues by meaning and print each change, its severity and the required version bump.

    Severities: major is breaking or possibly breaking, minor is compatible, patch is cosmetic.

    Exit status: 0 success, 1 a version is too low (only with --gate), 2 a card could not be read.
    """
    from cardwright.card import Document
    from cardwright.cli.reports.difference import Compared
    from cardwright.difference import compare

    if old == new == STDIN:
        fail("standard input contains only one card: give a file for the other one")
    reach = reach_of(allowed, [old, new])
    before, after = (read_document(Document, name, dialect, checks, reach=reach) for name in (old, new))
    if type(before) is not type(after):
        fail("documents of two kinds cannot be compared")
    compared = Compared(legible(name_of(old)), legible(name_of(new)), before, after, compare(before, after))
    report(form, _FORMATS, compared)
    raise typer.Exit(1 if gate and not all(compared.comparison.sufficient.values()) else 0)
