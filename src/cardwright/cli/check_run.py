"""What is said of each input, whatever it holds: one row, from bytes to violations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.cli.fetch_options import name_of, refusal
from cardwright.cli.inputs import Source, read
from cardwright.cli.locate import Place, locate, place_at
from cardwright.dialect import detect
from cardwright.errors import ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright_runtime.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GIVEN: Final = "given by --dialect"

# What a refusal to read rests on; limits and files are ours.
_SPECS: Final = {
    "decode/byte-order-mark": "RFC 8259 §8.1",
    "decode/duplicate-member": "RFC 7493 §2.3",
    "decode/empty": "RFC 8259 §2",
    "decode/encoding": "RFC 8259 §8.1",
    "decode/integer-range": "RFC 7493 §2.2",
    "decode/lone-surrogate": "RFC 7493 §2.1",
    "decode/not-json": "RFC 8259 §2",
    "decode/number": "RFC 8259 §6",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a run judges: what its options say."""

    dialect: str | None = None
    checks: Checks = DEFAULT_CHECKS
    strict: bool = False
    places: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """The verdict on one input.

    Attributes:
        source: The path as given.
        dialect: What it was judged by, or None where nothing was.
        sure: Whether the document says its dialect itself, or the caller does.
        evidence: How the dialect is known, in words.
        readable: Whether it is a JSON document that may be read.
        valid: Whether nothing counts against it.
        violations: All of them, sorted by pointer; of an unreadable input, the one reason.
        places: Line and column of each violation's pointer, where asked for and known.
    """

    source: str
    dialect: str | None
    sure: bool
    evidence: tuple[str, ...]
    readable: bool
    valid: bool
    violations: tuple[Violation, ...]
    places: Mapping[str, Place] = field(default_factory=dict[str, Place])


@dataclass(frozen=True, slots=True)
class Summary:
    """How many rows there are of each kind."""

    documents: int
    valid: int
    invalid: int
    unreadable: int

    @property
    def status(self) -> int:
        """The exit status: 2 where something is unreadable, else 1 where something is invalid, else 0."""
        return 2 if self.unreadable else 1 if self.invalid else 0


def summed(rows: Sequence[Row]) -> Summary:
    """Count rows."""
    valid = sum(row.valid for row in rows)
    unreadable = sum(not row.readable for row in rows)
    return Summary(len(rows), valid, len(rows) - valid - unreadable, unreadable)


def judged(source: Source, settings: Settings) -> Row:
    """Read and judge one input; every fault of it is a row, never an exception."""
    try:
        body = read(source, settings.checks.limits)
    except ConnectionDenied as error:
        fault = Violation(error.rule, "error", "", refusal(error, source.name).rpartition(" [")[0], "ours")
        return _undialected(source, fault, {}, readable=False)
    except MalformedDocument as error:
        return _unreadable(source, error, {})
    try:
        card = Card.from_bytes(body, dialect=settings.dialect, checks=settings.checks)
    except MalformedDocument as error:
        return _unreadable(source, error, _place_of(body, error) if settings.places else {})
    except UnknownDialect as error:
        fault = Violation("dialect/unknown", "error", "", str(error), "ours")
        places = {"": place_at(body, 0)} if settings.places else {}
        return _undialected(source, fault, places, readable=True)
    return _of_card(source, card, body, settings)


def _of_card(source: Source, card: Card, body: bytes, settings: Settings) -> Row:
    seen = None if settings.dialect else detect(card.document)
    pointers = {violation.pointer for violation in card.violations}
    return Row(
        source=name_of(source.name),
        dialect=str(card.dialect),
        sure=seen.sure if seen else True,
        evidence=seen.evidence if seen else (GIVEN,),
        readable=True,
        valid=not card.violations if settings.strict else card.valid,
        violations=card.violations,
        places=locate(body, pointers) if pointers and settings.places else {},
    )


def _unreadable(source: Source, error: MalformedDocument, places: Mapping[str, Place]) -> Row:
    spec = _SPECS.get(error.rule, "ours")
    # A reason that names line and column needs no byte as well.
    named = error.offset is None or " line " in error.reason
    at = "" if named else f" (byte {error.offset})"
    fault = Violation(error.rule, "error", error.pointer, error.reason + at, spec)
    return _undialected(source, fault, places, readable=False)


def _undialected(source: Source, fault: Violation, places: Mapping[str, Place], *, readable: bool) -> Row:
    return Row(
        source=name_of(source.name),
        dialect=None,
        sure=False,
        evidence=(),
        readable=readable,
        valid=False,
        violations=(fault,),
        places=places,
    )


def _place_of(body: bytes, error: MalformedDocument) -> Mapping[str, Place]:
    """Where a document went wrong: at a byte, or at a pointer into what is JSON after all."""
    if error.offset is not None:
        return {error.pointer: place_at(body, error.offset)}
    return locate(body, [error.pointer]) if error.pointer else {}
