"""One card from one argument, or the end of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.cli.inputs import Source, read
from cardwright.cli.terminal import fail, legible
from cardwright.errors import MalformedDocument, UnknownDialect

if TYPE_CHECKING:
    from cardwright.canonical import Limits
    from cardwright.card import Card


def card_of(
    path: str, dialect: str | None, limits: Limits, *, prose: bool = False, hint: str = "--dialect names one"
) -> Card:
    """Return the card that an argument names; what cannot be read ends the command with 2.

    Args:
        path: A file, or - for standard input.
        dialect: The dialect to judge by; detected where not given.
        limits: How much is read.
        prose: Whether to look for text that instructs the model which reads it.
        hint: What helps where no dialect is recognised.
    """
    from cardwright.card import Card

    try:
        card = Card.from_bytes(read(Source(path), limits), dialect=dialect, limits=limits, prose=prose)
    except MalformedDocument as error:
        fail(f"{legible(path)}: {error}")
    except UnknownDialect as error:
        fail(f"{legible(path)}: {error}; {hint}")
    # A given dialect judges anything.
    if not isinstance(card.document, dict):
        fail(f"{legible(path)}: this is no JSON object, so it is no agent card")
    return card
