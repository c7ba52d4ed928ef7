"""Assertions about agent cards."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cardwright.card import Card
from cardwright.errors import MalformedDocument, UnknownDialect
from cardwright.regular_file import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_runtime.violation import Violation


def assert_valid_card(
    card: Mapping[str, Any] | bytes | str | os.PathLike[str] | Card,
    *,
    dialect: str | None = None,
    strict: bool = False,
) -> Card:
    """Assert that an agent card is valid, and return it.

    Args:
        card: A JSON object, JSON bytes, the path of a file, or a `Card`.
        dialect: The dialect to validate against; None to detect it.
        strict: Whether warnings are errors.

    Raises:
        AssertionError: With each violation: its pointer, message, rule and fix.

    >>> assert_valid_card({"name": "Tides"}, dialect="a2a-1.0")
    Traceback (most recent call last):
    AssertionError: the agent card is not valid (a2a-1.0, 7 violations):
    ...
    """
    __tracebackhide__ = True
    found, fault = validity_of(card, dialect=dialect, strict=strict)
    if found is None or fault:
        raise AssertionError(fault)
    return found


def validity_of(
    card: Mapping[str, Any] | bytes | str | os.PathLike[str] | Card,
    *,
    dialect: str | None = None,
    strict: bool = False,
) -> tuple[Card | None, str]:
    """Return a card and why it is not valid, "" if it is; None if it cannot be read. The arguments are those above."""
    name = str(card) if isinstance(card, (str, os.PathLike)) else ""
    try:
        read = _read(card, dialect)
    except MalformedDocument as error:
        return None, f"{name or 'the agent card'} cannot be read: {error}"
    except UnknownDialect as error:
        return None, f"{name or 'the document'}: {error}"
    except OSError as error:
        return None, f"{name} cannot be read: {error.strerror}"
    violations = [one for one in read.violations if strict or one.severity == "error"]
    if not violations:
        return read, ""
    head = f"{name or 'the agent card'} is not valid ({read.dialect}, {len(violations)} violations):"
    return read, "\n".join([head, *map(_line, violations)])


def _read(card: Mapping[str, Any] | bytes | str | os.PathLike[str] | Card, dialect: str | None) -> Card:
    match card:
        case Card():
            return card
        case bytes():
            return Card.from_bytes(card, dialect=dialect)
        case str() | os.PathLike():
            return Card.from_bytes(read_regular_file(card), dialect=dialect, found_at=str(card))
        case _:
            return Card.from_document(dict(card), dialect=dialect)


def _line(violation: Violation) -> str:
    fix = f" Fix: {violation.fix.description}." if violation.fix else ""
    return f"  {violation.severity}: {violation.pointer or '(root)'}: {violation.message} [{violation.rule}]{fix}"
