"""`cardwright show`: a card as a person wants to read it, at a terminal or as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import reach_of
from cardwright.cli.option_groups import option
from cardwright.cli.outputs import write_output
from cardwright.cli.terminal import emit_bytes, fail, render

if TYPE_CHECKING:
    from cardwright.card import Card


def command(
    path: options.PathOrUrl,
    *,
    html: Annotated[bool, option("--html", "Write a page that loads nothing and runs nothing.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the page there.")
    ] = None,
    keys: options.Keys = None,
    dialect: options.DialectName = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Show a card, valid or not: who, where, what it can do and what it asks for.

    Exits with 0 if it was shown, 1 if its dialect is unknown, 2 if it could not be read or written.
    """
    if not html and (output is not None or keys):
        fail(f"{'--keys' if output is None else '--output'} is of the page: give --html as well")
    reach = reach_of(allowed, [path])
    card = card_of(path, dialect, checks, hint="", reach=reach, unknown=1)
    if html:
        page = _page(card, keys)
        emit_bytes(page) if output is None else write_output(output, page, "the page")
        return
    from cardwright.cli.reports.card_view import sheet

    render(*sheet(card))


def _page(card: Card, keys: list[str] | None) -> bytes:
    from cardwright.page import PageFacts, card_page

    if not keys:
        return card_page(card)
    from cardwright.cli.keyfiles import trusted
    from cardwright.signing import verify

    return card_page(card, facts=PageFacts(signatures=verify(card, keys=trusted(keys))))
