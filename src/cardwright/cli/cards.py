"""Reading one document from an argument."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from cardwright.cli.fetch_options import name_of, refuse
from cardwright.cli.inputs import Source, read
from cardwright.cli.terminal import fail, legible
from cardwright.errors import ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright_rules import MESSAGES

if TYPE_CHECKING:
    from cardwright.card import Document
    from cardwright.checks import Checks
    from cardwright.cli.fetch_options import Reach


D = TypeVar("D", bound="Document")


def read_document(
    kind: type[D],
    path: str,
    dialect: str | None,
    checks: Checks,
    *,
    hint: str = "name it with --dialect",
    reach: Reach | None = None,
    unknown: int = 2,
    messages: bool = False,
) -> D:
    """Return the document that an argument names; end the command if it cannot be read.

    Args:
        kind: The class of the document, such as `Card`; `Document` for any of them.
        path: A file, - for standard input, or a URL if `reach` is given.
        dialect: The dialect to validate against; None to detect it.
        checks: The limits and rule sets to validate the document with.
        hint: What to do if the dialect is unknown, appended to the message.
        reach: How to fetch a URL.
        unknown: The exit status if the dialect is unknown; for an unreadable document it is 2.
        messages: Whether to take messages, too.
    """
    name = legible(name_of(path))
    try:
        body = read(Source(path, reach=reach), checks.limits)
        card = kind.from_bytes(body, dialect=dialect, checks=checks, found_at=path)
    except ConnectionDenied as error:
        refuse(error, path)
    except MalformedDocument as error:
        fail(f"{name}: {error}")
    except UnknownDialect as error:
        fail(f"{name}: {error}{'; ' if hint else ''}{hint}", status=unknown)
    is_message = str(card.dialect) in MESSAGES
    if is_message and not messages:
        fail(
            f"{name}: not an agent card, but {MESSAGES[str(card.dialect)].title}: `cardwright check`, `fix` and `convert` take it"
        )
    # With a given dialect, any JSON value is accepted.
    if not isinstance(card.document, (dict, list) if is_message else dict):
        fail(f"{name}: expected an agent card, which is a JSON object")
    return card
