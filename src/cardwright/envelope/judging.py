"""Whether a part may be what it is: its size, its shape, its type."""

from __future__ import annotations

from binascii import Error, a2b_base64
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import GREATEST_DEPTH, Limits, copied
from cardwright.errors import BadPart, MalformedDocument
from cardwright_models import vocabulary
from cardwright_models.engine import MAX_VIOLATIONS, compile_schema, load
from cardwright_models.explain import explain, once, spec_at
from cardwright_models.violation import Violation, clipped, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from jsonschema_rs import Validator

PACKAGE: Final = "cardwright_models.beach_envelope_v1_0"
# What a handler or a peer may put into one part: far more than a card, and a few levels less than are read,
# for what is around it (ours).
PART_LIMITS: Final = Limits(max_bytes=16 * 1024 * 1024, max_depth=GREATEST_DEPTH - 8, max_members=100_000)
_CANONICAL: Final = frozenset(entry.name for entry in vocabulary.PART_TYPES)


def judged(
    value: Any, types: Container[str] | None = None, limits: Limits = PART_LIMITS, index: int | None = None
) -> dict[str, Any]:
    """Return a copy of a part on the wire that its schema allows.

    Raises:
        BadPart: If it is none; with every violation.
    """
    try:
        check_size(value, limits)
        document = copied(value, limits)
    except MalformedDocument as error:
        found = Violation(error.rule, "error", error.pointer, error.reason, "ours")
        raise BadPart(_type_of(value), [found], index) from None
    found_all = part_violations(document, types)
    if found_all:
        raise BadPart(_type_of(document), found_all, index)
    part: dict[str, Any] = document
    return part


def part_violations(document: Any, types: Container[str] | None = None) -> list[Violation]:
    """Return what is wrong with a part on the wire, sorted by pointer."""
    found = shape_violations("EnvelopePart", document)
    name = _type_of(document)
    if isinstance(name, str) and name not in (_CANONICAL if types is None else types):
        told = f"{quote(name)} is no part type that is known here: register it, or correct its name"
        spec = "Beach protocol 0.6.0, Consumer-defined part types"
        found.append(Violation("envelope/part-type", "error", "/metadata/partType", told, spec))
    raw = document.get("raw") if isinstance(document, dict) else None
    if isinstance(raw, str) and not _is_base64(raw):
        told = "the bytes are not written in base64 (RFC 4648 §4)"
        found.append(Violation("envelope/base64", "error", "/raw", told, "A2A 1.0 §4.1.6"))
    return sorted(found, key=lambda one: (one.pointer, one.rule))


def _is_base64(text: str) -> bool:
    try:
        a2b_base64(text, strict_mode=True)
    except (ValueError, Error):
        return False
    return True


def shape_violations(definition: str, document: Any) -> list[Violation]:
    """Return what a definition of the envelope's schema refuses in a document; the whole schema's by ""."""
    validator = _validator(definition)
    if validator.is_valid(document):
        return []
    return list(_told(validator, _schema(definition), document))


def _told(validator: Validator, schema: Any, document: Any) -> Iterator[Violation]:
    for error in once(list(islice(validator.iter_errors(document), MAX_VIOLATIONS))):
        keyword, path, message, fix = explain(error)
        spec = spec_at(schema, error.schema_path, path)
        yield Violation(f"envelope/{keyword}", "error", pointer_of(path), clipped(message), spec, fix)


@cache
def data_definitions() -> Mapping[str, str]:
    """Return which definition judges the data of which part type, as the part's schema tells them apart."""
    found: dict[str, str] = {}
    node = load(PACKAGE, "schema.json")["$defs"]["EnvelopePart"]
    while "if" in node:
        reference = node["then"].get("properties", {}).get("data", {}).get("$ref", "")
        condition = node["if"]
        for test in (condition, *condition.get("allOf", ())):
            named = test.get("properties", {}).get("metadata", {}).get("properties", {}).get("partType", {})
            if reference and "const" in named:
                found[named["const"]] = reference.removeprefix("#/$defs/")
        node = node["else"]
    return found


@cache
def _schema(definition: str) -> Any:
    whole = load(PACKAGE, "schema.json")
    return {**whole["$defs"][definition], "$defs": whole["$defs"]} if definition else whole


@cache
def _validator(definition: str) -> Validator:
    return compile_schema(_schema(definition))


def _type_of(value: Any) -> Any:
    metadata = value.get("metadata") if isinstance(value, Mapping) else None
    return metadata.get("partType") if isinstance(metadata, Mapping) else None


def check_size(value: Any, limits: Limits) -> None:
    """Refuse what is deeper or, written as JSON, surely longer than the limits, before anything copies it.

    What refers to itself is too deep. What is referred to many times counts as often as it would be written.

    Raises:
        MalformedDocument: With the pointer of where it goes on too long.
    """
    left = limits.max_bytes
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while stack:
        path, node = stack.pop()
        # At least: a digit and a comma, a text and its quotation marks.
        left -= len(node) + 3 if isinstance(node, str) else 2
        if isinstance(node, (Mapping, list, tuple)):
            if len(path) >= limits.max_depth:
                told = f"the part nests more than {limits.max_depth} levels, or refers to itself"
                raise MalformedDocument("decode/too-deep", told, pointer=pointer_of(path[:3]))
            left -= 2 * len(node)
            if left >= 0:
                inner = node.items() if isinstance(node, Mapping) else enumerate(node)
                stack.extend(((*path, step), item) for step, item in inner)
        if left < 0:
            told = f"the part is longer than {limits.max_bytes:,} bytes"
            raise MalformedDocument("decode/too-large", told, pointer=pointer_of(path[:3]))
