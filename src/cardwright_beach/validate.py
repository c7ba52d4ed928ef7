"""Whether a part may be what it is: its size, its shape, its type."""

from __future__ import annotations

from binascii import Error, a2b_base64
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import GREATEST_DEPTH, Limits, copied
from cardwright.errors import MalformedDocument
from cardwright.registries import PartTypeRegistry
from cardwright_beach.errors import BadPart
from cardwright_beach.sizes import check_length, check_size
from cardwright_models import vocabulary
from cardwright_runtime.engine import MAX_VIOLATIONS, compile_schema, load
from cardwright_runtime.messages import explain, once, spec_at
from cardwright_runtime.violation import Violation, clipped, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from jsonschema_rs import Validator

PACKAGE: Final = "cardwright_models.beach_envelope_v1_0"
# What a handler or a peer may put into one part: far more than a card, and a few levels less than are read,
# for what is around it (ours).
PART_LIMITS: Final = Limits(max_bytes=16 * 1024 * 1024, max_depth=GREATEST_DEPTH - 8, max_members=100_000)
CANONICAL: Final = frozenset(entry.name for entry in vocabulary.PART_TYPES)
# Beach protocol seed, Consumer-defined part types: `slug.type-name`.
_NAMESPACED: Final = PartTypeRegistry.shape
# What content a part of an application's own type has, by the A2A kind that it was registered with.
_CONTENTS: Final = {"text": ("text",), "data": ("data",), "file": ("raw", "url", "data")}


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
        check_length(document, limits)
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
    if isinstance(name, str):
        found += _type_violations(name, document, types)
    raw = document.get("raw") if isinstance(document, dict) else None
    if isinstance(raw, str) and not _is_base64(raw):
        told = "the bytes are not written in base64 (RFC 4648 §4)"
        found.append(Violation("envelope/base64", "error", "/raw", told, "A2A 1.0 §4.1.6"))
    return sorted(found, key=lambda one: (one.pointer, one.rule))


def _type_violations(name: str, document: Any, types: Container[str] | None) -> Iterator[Violation]:
    """Yield what is wrong with the type of a part, or with its content for that type."""
    spec = "Beach protocol 0.6.0, Consumer-defined part types"
    if name not in (CANONICAL if types is None else types):
        # Nobody said which types there are, and any application may have its own.
        if types is None and _NAMESPACED.match(name):
            return
        told = f"{quote(name)} is no part type that is known here: register it, or correct its name"
        yield Violation("envelope/part-type", "error", "/metadata/partType", told, spec)
    elif name not in CANONICAL and isinstance(types, PartTypeRegistry):
        kind = types[name].a2a_kind
        allowed = _CONTENTS.get(kind or "", ())
        content = next((member for member in ("text", "data", "raw", "url") if member in document), None)
        if allowed and content is not None and content not in allowed:
            told = f"{quote(name)} was registered as {kind}: its content is {' or '.join(allowed)}"
            yield Violation("envelope/kind", "error", f"/{content}", told, spec)
        elif kind == "file" and content == "data":
            for one in shape_violations("ArtifactReference", document["data"]):
                yield replace(one, pointer=f"/data{one.pointer}")


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
    return compile_schema(_schema(definition), formats=True)


def _type_of(value: Any) -> Any:
    metadata = value.get("metadata") if isinstance(value, Mapping) else None
    return metadata.get("partType") if isinstance(metadata, Mapping) else None
