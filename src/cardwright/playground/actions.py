"""What the playground does with a card, by the functions that the command line uses; each returns a JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.card import Card
from cardwright.checks import ADVISORY_CHECKS
from cardwright.conversion import convert
from cardwright.difference import compare
from cardwright.errors import CardError, MalformedDocument
from cardwright.locate import locate, place_at
from cardwright.page import card_page
from cardwright.repair import fix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.locate import Place
    from cardwright_runtime.violation import Violation

# The maximum size of a pasted card; `cardwright check` takes larger ones (project decision).
MAX_CARD_BYTES: Final = 256 * 1024
# Listed violations, losses and changes (project decision).
_MAX_ROWS: Final = 200


class NotACard(Exception):
    """The text is not a card.

    Attributes:
        line: The line of the fault, from 1; None if it is not known.
        column: Its column, from 1; None if it is not known.
    """

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.line = None if place is None else place.line
        self.column = None if place is None else place.column


def read(text: str, dialect: str = "", name: str = "") -> Card:
    """Return the card in a text.

    Args:
        text: The text.
        dialect: Its dialect; "" to detect it.
        name: What the card is called in a message, such as "the newer card".

    Raises:
        NotACard: If it cannot be read.
    """
    subject = f"{name}: " if name else ""
    body = text.encode("utf-8", "surrogatepass")
    if not body.strip():
        raise NotACard(f"{subject}paste a card, or choose a file")
    if len(body) > MAX_CARD_BYTES:
        raise NotACard(f"{subject}the card is larger than {MAX_CARD_BYTES:,} bytes; use `cardwright check`")
    try:
        return Card.from_bytes(body, dialect=dialect or None, checks=ADVISORY_CHECKS)
    except MalformedDocument as error:
        raise NotACard(f"{subject}{error.reason}", _place_of(error, body)) from None
    except CardError as error:
        raise NotACard(f"{subject}{error}") from None


def checked(text: str, dialect: str = "") -> dict[str, Any]:
    """Return the dialect of a card and its violations, each with its line and column.

    Raises:
        NotACard: If the text cannot be read.
    """
    card = read(text, dialect)
    return {**_summary(card), "violations": _violations(card.violations, text)}


def fixed(text: str, dialect: str = "", *, guesses: bool) -> dict[str, Any]:
    """Return the fixed card, the fixes, and the violations that remain.

    Args:
        text: The card.
        dialect: Its dialect; "" to detect it.
        guesses: Whether to apply fixes that may be wrong.

    Raises:
        NotACard: If the text cannot be read.
    """
    card = read(text, dialect)
    better, fixes = fix(card, checks=ADVISORY_CHECKS, safe_only=not guesses, ask=lambda _: guesses)
    result = written(better) if fixes else text
    return {
        **_summary(better),
        "card": result,
        "fixes": [
            {"pointer": one.violation.pointer, "rule": one.violation.rule, "description": one.fix.description}
            for one in fixes[:_MAX_ROWS]
        ],
        "violations": _violations(better.violations, result),
    }


def converted(text: str, to: str, dialect: str = "") -> dict[str, Any]:
    """Return the card in another dialect, with what was lost and what had to be assumed.

    Raises:
        NotACard: If the text cannot be read.
        CardError: If it cannot be converted.
    """
    result, report = convert(read(text, dialect), to=to, checks=ADVISORY_CHECKS)
    wire = report.to_json()
    new_text = written(result)
    return {
        **_summary(result),
        "card": new_text,
        "losses": wire["losses"][:_MAX_ROWS],
        "assumptions": wire["assumptions"][:_MAX_ROWS],
        "violations": _violations(result.violations, new_text),
    }


def compared(text: str, other: str) -> dict[str, Any]:
    """Return the changes from a card to a newer one, and the part of the version that must increase.

    Raises:
        NotACard: If a text cannot be read.
    """
    old, new = read(text), read(other, name="the newer card")
    comparison = compare(old, new)
    return {
        **_summary(new),
        "bump": comparison.bump,
        "changes": [
            {"severity": one.severity, "kind": one.kind, "pointer": one.pointer, "why": one.why}
            for one in comparison.changes[:_MAX_ROWS]
        ],
        "violations": [],
    }


def shown(text: str, dialect: str = "") -> bytes:
    """Return the page of a card for people.

    Raises:
        NotACard: If the text cannot be read.
    """
    return card_page(read(text, dialect))


def written(card: Card) -> str:
    """Return a card as indented JSON."""
    return orjson.dumps(card.document, option=orjson.OPT_INDENT_2).decode()


def _place_of(error: MalformedDocument, body: bytes) -> Place | None:
    if error.offset is not None:
        return place_at(body, error.offset)
    return locate(body, [error.pointer])[error.pointer] if error.pointer else None


def _summary(card: Card) -> dict[str, Any]:
    detection = card.detection
    return {
        "dialect": str(card.dialect),
        "evidence": list(detection.evidence) if detection else [],
        "valid": card.valid,
    }


def _violations(violations: Sequence[Violation], text: str) -> list[dict[str, Any]]:
    ordered = sorted(violations, key=lambda one: one.severity != "error")[:_MAX_ROWS]
    places = locate(text.encode(), {one.pointer for one in ordered}) if ordered else {}
    return [
        {
            **one.to_json(),
            "line": places[one.pointer].line,
            "column": places[one.pointer].column,
            "fix": "" if one.fix is None else one.fix.description,
        }
        for one in ordered
    ]
