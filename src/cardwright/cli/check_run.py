"""The run of `cardwright check`: one row of the report for each input, even if it cannot be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from cardwright.canonical import decode
from cardwright.card import Document, ProtocolMessage
from cardwright.cli.fetch_options import name_of, refusal
from cardwright.cli.inputs import Source, read, yaml_as_json
from cardwright.cli.locate_yaml import locate_in_yaml
from cardwright.dialect import detect
from cardwright.errors import ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright.event_stream import stream_as_json
from cardwright.explanations import spec_of
from cardwright.locate import Place, locate, place_at
from cardwright_runtime.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.checks import Checks
    from cardwright.cli.project import Effective
    from cardwright.dialect import Detection

GIVEN: Final = "given by --dialect"


@dataclass(frozen=True, slots=True)
class Row:
    """The result for one input.

    Attributes:
        source: The path as given.
        dialect: The dialect it was validated against, or None.
        sure: Whether the dialect is certain: declared by the document or given by --dialect.
        evidence: How the dialect is known, in words.
        errors_as: The number of errors as each dialect that the evidence leaves open, the closest one first; empty if
            the dialect is certain.
        readable: Whether it is a JSON document within the limits.
        valid: Whether it passed.
        violations: All violations, sorted by pointer; of an unreadable input, the one reason.
        places: Line and column of each violation's pointer, if known.
        text: The text that the places are in.
    """

    source: str
    dialect: str | None
    sure: bool
    evidence: tuple[str, ...]
    readable: bool
    valid: bool
    violations: tuple[Violation, ...]
    places: Mapping[str, Place] = field(default_factory=dict[str, Place])
    errors_as: Mapping[str, int] = field(default_factory=dict[str, int])
    text: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Summary:
    """The number of rows of each kind."""

    documents: int
    valid: int
    invalid: int
    unreadable: int

    @property
    def status(self) -> int:
        """The exit status: 2 if an input is unreadable, else 1 if a card is invalid, else 0."""
        return 2 if self.unreadable else 1 if self.invalid else 0


def summarize(rows: Sequence[Row]) -> Summary:
    """Count the rows of each kind."""
    valid = sum(row.valid for row in rows)
    unreadable = sum(not row.readable for row in rows)
    return Summary(len(rows), valid, len(rows) - valid - unreadable, unreadable)


def check_input(given: tuple[Source, Effective]) -> Row | None:
    """Read and validate one input with its settings, like `check_source`."""
    return check_source(*given)


def check_source(source: Source, settings: Effective) -> Row | None:
    """Read and validate one input; an input that cannot be read is a row, not an exception.

    Returns:
        The row; None for a file that was found in a folder and is not an agent card.
    """
    limits, is_other = settings.checks.limits, source.found and not source.has_card_name
    try:
        body = read(source, limits)
    except ConnectionDenied as error:
        fault = Violation(
            error.rule, "error", "", refusal(error, source.name).rpartition(" [")[0], spec_of(error.rule)
        )
        return _without_dialect(source, fault, {}, readable=False)
    except MalformedDocument as error:
        return _unreadable(source, error, {})
    try:
        decoded = yaml_as_json(body, limits) if source.is_yaml else body
        if is_other and settings.dialect:
            # With a given dialect, any document counts as a card.
            detect(decode(decoded, limits), found_at=source.name)
        card = Document.from_bytes(
            decoded, dialect=settings.dialect, checks=settings.checks, found_at=source.name
        )
    except MalformedDocument as error:
        return None if is_other else _unreadable(source, error, _place_of(body, error), body)
    except UnknownDialect as error:
        if is_other:
            return None
        fault = Violation("dialect/unknown", "error", "", str(error), spec_of("dialect/unknown"))
        return _without_dialect(source, fault, {"": place_at(body, 0)}, body, readable=True)
    # A recorded message in a folder is seldom meant; one that is named is.
    if is_other and settings.dialect is None and isinstance(card, ProtocolMessage):
        return None
    return _of_card(source, card, body, settings)


def _of_card(source: Source, card: Document, body: bytes, settings: Effective) -> Row:
    detection = None if settings.dialect else card.detection
    violations = tuple(one for one in card.violations if settings.selection.keeps(one.rule))
    pointers = {violation.pointer for violation in violations}
    places = (
        (locate_in_yaml(body, pointers) if source.is_yaml else locate(stream_as_json(body), pointers))
        if pointers
        else {}
    )
    return Row(
        source=name_of(source.name),
        dialect=str(card.dialect),
        sure=detection.sure if detection else True,
        evidence=detection.evidence if detection else (GIVEN,),
        readable=True,
        valid=not any(settings.strict or one.severity == "error" for one in violations),
        violations=tuple(sorted(violations, key=lambda one: places[one.pointer])),
        places=places,
        errors_as=_errors_as(card, detection, settings.checks) if detection and not detection.sure else {},
        text=body.decode("utf-8") if pointers else "",
    )


def _errors_as(card: Document, detection: Detection, checks: Checks) -> dict[str, int]:
    others = (Document.of_parts(card.document, other, checks=checks) for other in detection.others)
    return {str(one.dialect): len(one.errors) for one in (card, *others)}


def _unreadable(
    source: Source, error: MalformedDocument, places: Mapping[str, Place], body: bytes = b""
) -> Row:
    spec = spec_of(error.rule)
    # A reason that already gives line and column needs no byte offset.
    at = "" if error.offset is None or " line " in error.reason else f" (byte {error.offset})"
    fault = Violation(error.rule, "error", error.pointer, error.reason + at, spec)
    return _without_dialect(source, fault, places, body, readable=False)


def _without_dialect(
    source: Source, fault: Violation, places: Mapping[str, Place], body: bytes = b"", *, readable: bool
) -> Row:
    return Row(
        source=name_of(source.name),
        dialect=None,
        sure=False,
        evidence=(),
        readable=readable,
        valid=False,
        violations=(fault,),
        places=places,
        text=body.decode("utf-8", "replace"),
    )


def _place_of(body: bytes, error: MalformedDocument) -> Mapping[str, Place]:
    """Return the place of an error: its byte offset, or its pointer if the document is JSON."""
    if error.offset is not None:
        return {error.pointer: place_at(body, error.offset)}
    return locate(body, [error.pointer]) if error.pointer else {}
