"""`violations` and `check`: validate a card or catalogue, the bytes of one, or a JSON object, in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.card import Document
from cardwright.checks import DEFAULT_CHECKS, Checks

if TYPE_CHECKING:
    from cardwright.dialect import Dialect
    from cardwright_runtime.violation import JsonObject, Violation

__all__ = ["check", "violations"]


def violations(
    card: Document | bytes | JsonObject,
    *,
    dialect: Dialect | str | None = None,
    checks: Checks = DEFAULT_CHECKS,
) -> tuple[Violation, ...]:
    """Return all violations of a card or catalogue, errors and warnings, sorted by pointer.

    Args:
        card: A `Card` or `Catalog`, UTF-8 JSON as bytes, or a JSON object; it is not changed.
        dialect: The dialect to validate as. Default: that of the `Card`, otherwise the detected one.
        checks: The registries, limits and rule sets to validate with.

    >>> [v.pointer for v in violations({"name": "A", "supportedInterfaces": []})][:2]
    ['/capabilities', '/defaultInputModes']

    Raises:
        MalformedDocument: If the card is not JSON, or exceeds a limit.
        UnknownDialect: If no dialect is given and none is detected.
    """
    return _validated(card, dialect, checks).violations


def check(
    card: Document | bytes | JsonObject,
    *,
    dialect: Dialect | str | None = None,
    checks: Checks = DEFAULT_CHECKS,
) -> None:
    """Raise if one of the violations of a card is an error. Arguments are those of `violations`.

    >>> check({"name": "A", "supportedInterfaces": []})
    Traceback (most recent call last):
        ...
    cardwright.errors.InvalidCard: ...

    Raises:
        InvalidCard: With all violations, including warnings, if one of them is an error.
        MalformedDocument: If the card is not JSON, or exceeds a limit.
        UnknownDialect: If no dialect is given and none is detected.
    """
    _validated(card, dialect, checks).check()


def _validated(
    card: Document | bytes | JsonObject, dialect: Dialect | str | None, checks: Checks
) -> Document:
    if isinstance(card, Document):
        return Document.of_parts(
            card.document, dialect or card.dialect, checks=checks, found_at=card.found_at
        )
    if isinstance(card, (bytes, bytearray)):
        return Document.from_bytes(card, dialect=dialect, checks=checks)
    return Document.from_document(card, dialect=dialect, checks=checks)
