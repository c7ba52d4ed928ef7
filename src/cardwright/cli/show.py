"""`cardwright show`: a card as a person wants to read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardwright.canonical import DEFAULT_LIMITS, Limits
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.inputs import Source, read
from cardwright.cli.terminal import fail, legible, render
from cardwright.errors import MalformedDocument, UnknownDialect

if TYPE_CHECKING:
    from cardwright.card import Card


def command(
    path: Annotated[str, typer.Argument(metavar="PATH", help="A card, or - for standard input.")],
    *,
    dialect: options.DialectName = None,
    max_bytes: options.MaxBytes = DEFAULT_LIMITS.max_bytes,
    max_depth: options.MaxDepth = DEFAULT_LIMITS.max_depth,
    max_members: options.MaxMembers = DEFAULT_LIMITS.max_members,
) -> None:
    """Show a card, valid or not: who, where, what it can do and what it asks for.

    Exits with 0 if it was shown, 1 if its dialect is unknown, 2 if it could not be read.
    """
    from cardwright.cli.sheet import sheet

    render(*sheet(_card(path, dialect, Limits(max_bytes, max_depth, max_members))))


def _card(path: str, dialect: str | None, limits: Limits) -> Card:
    from cardwright.card import Card

    try:
        return Card.from_bytes(read(Source(path), limits), dialect=dialect, limits=limits)
    except MalformedDocument as error:
        fail(f"{legible(path)}: {error}")
    except UnknownDialect as error:
        fail(f"{legible(path)}: {error}", status=1)
