"""Envelopes in wire form: write and read role, parts and `meta` as one JSON object."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import MAX_DEPTH, Limits, checked_copy, decode
from cardwright.errors import MalformedDocument
from cardwright_beach.errors import BadEnvelope, BadPart
from cardwright_beach.parts import Part
from cardwright_beach.sizes import check_size
from cardwright_beach.validate import PART_LIMITS, shape_violations
from cardwright_runtime.violation import Violation
from cardwright_runtime.violation_limit import MAX_VIOLATIONS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from cardwright_runtime.violation import JsonMapping, JsonObject

# Size limits of an envelope (project decision).
ENVELOPE_LIMITS: Final = Limits(
    max_bytes=4 * PART_LIMITS.max_bytes,
    max_depth=MAX_DEPTH,
    max_members=PART_LIMITS.max_members,
    max_values=4 * PART_LIMITS.max_values,
)


# A larger turn is sent as several envelopes (project decision).
MAX_PARTS: Final = 100_000


@dataclass(frozen=True, slots=True)
class ReceivedEnvelope:
    """Received envelope.

    Attributes:
        role: `agent` or `user`.
        parts: The valid parts, in order.
        meta: The turn's ids and state (`schemas/beach/1.0/envelope-meta.schema.json`).
        refused: The errors of the invalid parts, with their index.
    """

    role: str
    parts: tuple[Part, ...]
    meta: Mapping[str, Any]
    refused: tuple[BadPart, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether the turn has settled."""
        return "finalizedBy" in self.meta


def to_wire(parts: Iterable[Part], meta: JsonMapping, *, role: str = "agent") -> JsonObject:
    """Return parts as an envelope in wire form (`schemas/beach/1.0/envelope.schema.json`).

    Source: Beach protocol seed, A2A Message Part types; `meta` is a project decision.

    Raises:
        BadEnvelope: If the role or `meta` is not valid.
    """
    frame = {"role": role, "parts": [], "meta": dict(meta)}
    violations = shape_violations("", frame)
    if violations:
        raise BadEnvelope(violations)
    return {**frame, "parts": [part.document for part in parts]}


def read_envelope(
    document: bytes | JsonMapping, *, types: Container[str] | None = None, limits: Limits = ENVELOPE_LIMITS
) -> ReceivedEnvelope:
    """Read an envelope in wire form; invalid parts are listed in `refused`, the others are kept.

    Args:
        document: Its bytes, or the JSON value; not changed.
        types: Known part types, a `PartTypeRegistry`; default: the canonical core and every name of the form of
            an application's own type (`slug.type-name`).
        limits: Size limits.

    Raises:
        MalformedDocument: If it is not JSON, or exceeds the limits.
        BadEnvelope: If role, `meta` or the list of parts is not valid, or there are too many parts or too many
            invalid ones.
    """
    if isinstance(document, (bytes, bytearray)):
        value = decode(bytes(document), limits)
    else:
        check_size(document, limits)
        value = checked_copy(document, limits)
    parts: Any = value.get("parts") if isinstance(value, dict) else None
    # Each part is validated separately, so that an invalid part does not affect the others.
    frame = {**value, "parts": []} if type(parts) is list else value
    violations = shape_violations("", frame)
    if violations:
        raise BadEnvelope(violations)
    read: list[Part] = []
    refused: list[BadPart] = []
    if len(parts) > MAX_PARTS:
        message = f"too many parts: {len(parts):,}, limit {MAX_PARTS:,}; send several envelopes"
        raise BadEnvelope(
            [Violation("envelope/too-many-parts", "error", "/parts", message, "project decision")]
        )
    for index, part in enumerate(parts):
        if len(refused) == MAX_VIOLATIONS:
            message = f"more than {MAX_VIOLATIONS:,} parts are not valid"
            raise BadEnvelope(
                [Violation("envelope/parts", "error", f"/parts/{index}", message, "project decision")]
            )
        try:
            read.append(Part.of(part, types=types, index=index))
        except BadPart as error:
            refused.append(error)
    return ReceivedEnvelope(str(value["role"]), tuple(read), value["meta"], tuple(refused))


def envelope_violations(document: JsonObject, *, types: Container[str] | None = None) -> list[Violation]:
    """Return the violations of an envelope in wire form, sorted by pointer; an unreadable document is one violation.

    Args:
        document: A JSON value.
        types: Known part types, see `read_envelope`.
    """
    try:
        envelope = read_envelope(document, types=types)
    except MalformedDocument as error:
        return [Violation(error.rule, "error", error.pointer, error.reason, "project decision")]
    except BadEnvelope as error:
        return list(error.violations)
    return [
        replace(violation, pointer=f"/parts/{error.index}{violation.pointer}")
        for error in envelope.refused
        for violation in error.violations
    ]
