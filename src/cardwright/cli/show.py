"""`cardwright show`: a card as a person wants to read it, at a terminal or as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import card_of
from cardwright.cli.fetch_options import reach_of
from cardwright.cli.terminal import emit_bytes, fail, legible, render

if TYPE_CHECKING:
    from cardwright.card import Card


def command(  # noqa: PLR0913 - an argument an option
    path: options.PathOrUrl,
    *,
    html: Annotated[
        bool, typer.Option("--html", help="Write a page that loads nothing and runs nothing.")
    ] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the page there.")
    ] = None,
    keys: Annotated[
        list[str] | None,
        typer.Option(
            "--keys",
            metavar="JWKS",
            help="Trusted keys; the page says which signatures hold. May be repeated.",
        ),
    ] = None,
    dialect: options.DialectName = None,
    max_bytes: options.MaxBytes = DEFAULT_LIMITS.max_bytes,
    max_depth: options.MaxDepth = DEFAULT_LIMITS.max_depth,
    max_members: options.MaxMembers = DEFAULT_LIMITS.max_members,
    allow_private: options.AllowPrivate = False,
    allow: options.Allow = None,
    allow_port: options.AllowPort = None,
    header: options.HeaderField = None,
) -> None:
    """Show a card, valid or not: who, where, what it can do and what it asks for.

    Exits with 0 if it was shown, 1 if its dialect is unknown, 2 if it could not be read or written.
    """
    if not html and (output is not None or keys):
        fail(f"{'--keys' if output is None else '--output'} is of the page: give --html as well")
    reach = reach_of(private=allow_private, allow=allow, ports=allow_port, headers=header, names=[path])
    limits = Limits(max_bytes, max_depth, max_members)
    card = card_of(path, dialect, limits, hint="", reach=reach, unknown=1)
    if html:
        _write(_page(card, keys), output)
        return
    from cardwright.cli.reports.card_view import sheet

    render(*sheet(card))


def _page(card: Card, keys: list[str] | None) -> bytes:
    from cardwright.page import PageFacts, card_page

    if not keys:
        return card_page(card)
    from cardwright.cli.keyfiles import key_set
    from cardwright.signing import KeySet, verify

    trusted = KeySet().merged([key_set(name) for name in keys])
    return card_page(card, facts=PageFacts(signatures=verify(card, keys=trusted)))


def _write(body: bytes, output: str | None) -> None:
    if output is None:
        emit_bytes(body)
        return
    from cardwright.cli.outputs import write_file

    try:
        write_file(output, body)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        fail(f"{legible(output)}: the page cannot be written: {reason[:1].lower()}{reason[1:]}")
