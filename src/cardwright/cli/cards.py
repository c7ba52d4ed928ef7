"""Reading one card from an argument."""

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
    hint: str = "name it with --dialect",
    reach: Reach | None = None,
    unknown: int = 2,
) -> Card:
    """Return the card that an argument names; end the command if it cannot be read.

    Args:
        path: A file, - for standard input, or a URL if `reach` is given.
        dialect: The dialect to validate against; None to detect it.
        checks: The limits and rule sets to validate the card with.
        hint: What to do if the dialect is unknown, appended to the message.
        reach: How to fetch a URL.
        unknown: The exit status if the dialect is unknown; for an unreadable card it is 2.
    """
    from cardwright.card import Card

    name = legible(name_of(path))
    try:
        body = read(Source(path, reach=reach), checks.limits)
        card = Card.from_bytes(body, dialect=dialect, checks=checks, found_at=path)
    except ConnectionDenied as error:
        refuse(error, path)
    except MalformedDocument as error:
        fail(f"{name}: {error}")
    except UnknownDialect as error:
        fail(f"{name}: {error}{'; ' if hint else ''}{hint}", status=unknown)
    # With a given dialect, `Card` accepts any JSON value.
    if not isinstance(card.document, dict):
        fail(f"{name}: expected an agent card, which is a JSON object")
    return card
