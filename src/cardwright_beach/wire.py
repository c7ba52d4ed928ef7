"""An envelope on the wire: role, parts and meta as one JSON object, written and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import GREATEST_DEPTH, Limits, copied, decode
from cardwright.errors import MalformedDocument
from cardwright_beach.errors import BadEnvelope, BadPart
from cardwright_beach.parts import Part
from cardwright_beach.sizes import check_size
from cardwright_beach.validate import PART_LIMITS, shape_violations
from cardwright_runtime.engine import MAX_VIOLATIONS
from cardwright_runtime.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from cardwright_runtime.violation import JsonMapping, JsonObject

# An envelope holds a good many parts (ours).
ENVELOPE_LIMITS: Final = Limits(
    max_bytes=4 * PART_LIMITS.max_bytes, max_depth=GREATEST_DEPTH, max_members=PART_LIMITS.max_members
)


# Who sends more sends a stream of envelopes (ours).
MAX_PARTS: Final = 100_000
MAX_ENVELOPE_VALUES: Final = 4_000_000


@dataclass(frozen=True, slots=True)
class ReceivedEnvelope:
    """An envelope that came in.

    Attributes:
        role: `agent` or `user`.
        parts: The parts that their schema allows, in order.
        meta: Which turn it is (`schemas/beach/1.0/envelope-meta.schema.json`).
        refused: What was wrong with the other parts, each by its index.
    """

    role: str
    parts: tuple[Part, ...]
    meta: Mapping[str, Any]
    refused: tuple[BadPart, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether the turn has settled with it."""
        return "finalizedBy" in self.meta


def to_wire(parts: Iterable[Part], meta: JsonMapping, *, role: str = "agent") -> JsonObject:
    """Return parts as an envelope on the wire (`schemas/beach/1.0/envelope.schema.json`).

    Source: Beach protocol seed, A2A Message Part types; `meta` is ours.

    Raises:
        BadEnvelope: If the role or the meta is none.
    """
    frame = {"role": role, "parts": [], "meta": dict(meta)}
    found = shape_violations("", frame)
    if found:
        raise BadEnvelope(found)
    return {**frame, "parts": [part.document for part in parts]}


def read_envelope(
    document: bytes | JsonMapping,
    *,
    types: Container[str] | None = None,
    limits: Limits = ENVELOPE_LIMITS,
) -> ReceivedEnvelope:
    """Read an envelope on the wire; parts that are wrong are told, and the others stand.

    Args:
        document: Its bytes, or the JSON value; it is not changed.
        types: The part types that are known, a `PartTypeRegistry`; where not given, the canonical core and
            whatever is named as an application's own (`slug.type-name`).
        limits: How much is read.

    Raises:
        MalformedDocument: If it is no JSON that may be read.
        BadEnvelope: If its role or meta is wrong, it has no list of parts, or too many, or most are wrong.
    """
    if isinstance(document, (bytes, bytearray)):
        value = decode(bytes(document), limits)
    else:
        check_size(document, limits, most=MAX_ENVELOPE_VALUES)
        value = copied(document, limits)
    parts: Any = value.get("parts") if isinstance(value, dict) else None
    # The parts are judged one by one, so that a wrong one costs itself alone.
    frame = {**value, "parts": []} if type(parts) is list else value
    found = shape_violations("", frame)
    if found:
        raise BadEnvelope(found)
    read: list[Part] = []
    refused: list[BadPart] = []
    if len(parts) > MAX_PARTS:
        told = (
            f"it holds {len(parts):,} parts; at most {MAX_PARTS:,} are read: send them in several envelopes"
        )
        raise BadEnvelope([Violation("envelope/too-many-parts", "error", "/parts", told, "ours")])
    for index, part in enumerate(parts):
        if len(refused) == MAX_VIOLATIONS:
            told = f"more than {MAX_VIOLATIONS:,} of its parts are wrong"
            raise BadEnvelope([Violation("envelope/parts", "error", f"/parts/{index}", told, "ours")])
        try:
            read.append(Part.of(part, types=types, index=index))
        except BadPart as error:
            refused.append(error)
    return ReceivedEnvelope(str(value["role"]), tuple(read), value["meta"], tuple(refused))


def envelope_violations(document: JsonObject, *, types: Container[str] | None = None) -> list[Violation]:
    """Return everything wrong with an envelope on the wire, sorted by pointer; what cannot be read is one violation.

    Args:
        document: A JSON value.
        types: The part types that are known, as `read_envelope` takes them.
    """
    try:
        envelope = read_envelope(document, types=types)
    except MalformedDocument as error:
        return [Violation(error.rule, "error", error.pointer, error.reason, "ours")]
    except BadEnvelope as error:
        return list(error.violations)
    return [
        Violation(
            one.rule, one.severity, f"/parts/{error.index}{one.pointer}", one.message, one.spec, one.fix
        )
        for error in envelope.refused
        for one in error.violations
    ]
