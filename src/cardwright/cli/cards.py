"""One card from one argument, or the end of the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.cli.fetch_options import name_of, refuse
from cardwright.cli.inputs import Source, read
from cardwright.cli.terminal import fail, legible
from cardwright.errors import ConnectionDenied, MalformedDocument, UnknownDialect

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.checks import Checks
    from cardwright.cli.fetch_options import Reach


def card_of(
    path: str,
    dialect: str | None,
    checks: Checks,
    *,
    hint: str = "--dialect names one",
    reach: Reach | None = None,
    unknown: int = 2,
) -> Card:
    """Return the card that an argument names; what cannot be read ends the command with 2.

    Args:
        path: A file, a URL where `reach` is given, or - for standard input.
        dialect: The dialect to judge by; detected where not given.
        checks: The limits and rule sets to validate the card with.
        hint: What helps where no dialect is recognised.
        reach: What may be fetched.
        unknown: The exit status where no dialect is recognised.
    """
    from cardwright.card import Card

    name = legible(name_of(path))
    try:
        body = read(Source(path, reach=reach), checks.limits)
        card = Card.from_bytes(body, dialect=dialect, checks=checks)
    except ConnectionDenied as error:
        refuse(error, path)
    except MalformedDocument as error:
        fail(f"{name}: {error}")
    except UnknownDialect as error:
        fail(f"{name}: {error}{'; ' if hint else ''}{hint}", status=unknown)
    # A given dialect judges anything.
    if not isinstance(card.document, dict):
        fail(f"{name}: this is no JSON object, so it is no agent card")
    return card
