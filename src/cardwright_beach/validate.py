"""Validation of parts: size, JSON Schema and part type."""

from __future__ import annotations

from binascii import Error, a2b_base64
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import MAX_DEPTH, Limits, checked_copy
from cardwright.errors import MalformedDocument
from cardwright.registries import PartTypeRegistry
from cardwright_beach.errors import BadPart
from cardwright_beach.sizes import check_length, check_size
from cardwright_rules import vocabulary
from cardwright_runtime.engine import compile_schema, load
from cardwright_runtime.messages import explain, spec_at
from cardwright_runtime.unions import explainable
from cardwright_runtime.violation import Violation, clipped, pointer_of, quote
from cardwright_runtime.violation_limit import MAX_VIOLATIONS

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from jsonschema_rs import Validator

PACKAGE: Final = "cardwright_models.beach_envelope_v1_0"
# Size limits of one part; the envelope around it needs a few levels of depth (project decision).
# A million values take about a second to validate.
PART_LIMITS: Final = Limits(
    max_bytes=16 * 1024 * 1024, max_depth=MAX_DEPTH - 8, max_members=100_000, max_values=1_000_000
)
CANONICAL: Final = frozenset(entry.name for entry in vocabulary.PART_TYPES)
# Beach protocol seed, Consumer-defined part types: `slug.type-name`.
_NAMESPACED: Final = PartTypeRegistry.shape
# Allowed content fields of an application's part type, by its registered A2A kind.
_CONTENTS: Final = {"text": ("text",), "data": ("data",), "file": ("raw", "url", "data")}


def validated(
    value: Any, types: Container[str] | None = None, limits: Limits = PART_LIMITS, index: int | None = None
) -> dict[str, Any]:
    """Validate a part in wire form and return a copy.

    Raises:
        BadPart: If it is not valid; with every violation.
    """
    try:
        check_size(value, limits)
        document = checked_copy(value, limits)
        check_length(document, limits)
    except MalformedDocument as error:
        violation = Violation(error.rule, "error", error.pointer, error.reason, "project decision")
        raise BadPart(_type_of(value), [violation], index) from None
    violations = part_violations(document, types)
    if violations:
        raise BadPart(_type_of(document), violations, index)
    part: dict[str, Any] = document
    return part


def part_violations(document: Any, types: Container[str] | None = None) -> list[Violation]:
    """Return the violations of a part in wire form, sorted by pointer."""
    violations = shape_violations("EnvelopePart", document)
    name = _type_of(document)
    if isinstance(name, str):
        violations += _type_violations(name, document, types)
    raw = document.get("raw") if isinstance(document, dict) else None
    if isinstance(raw, str) and not _is_base64(raw):
        message = "raw must be base64 (RFC 4648 §4)"
        violations.append(Violation("envelope/base64", "error", "/raw", message, "A2A 1.0 §4.1.6"))
    return sorted(violations, key=lambda violation: (violation.pointer, violation.rule))


def _type_violations(name: str, document: Any, types: Container[str] | None) -> Iterator[Violation]:
    """Yield violations of the part type, and of the content that the type allows."""
    spec = "Beach protocol 0.6.0, Consumer-defined part types"
    if name not in (CANONICAL if types is None else types):
        # Without a registry every namespaced type is accepted.
        if types is None and _NAMESPACED.match(name):
            return
        message = f"unknown part type {quote(name)}; register it or correct the name"
        yield Violation("envelope/part-type", "error", "/metadata/partType", message, spec)
    elif name not in CANONICAL and isinstance(types, PartTypeRegistry):
        kind = types[name].a2a_kind
        allowed = _CONTENTS.get(kind or "", ())
        content = next((field for field in ("text", "data", "raw", "url") if field in document), None)
        if allowed and content is not None and content not in allowed:
            message = f"{quote(name)} is registered as {kind}; its content must be in {' or '.join(allowed)}"
            yield Violation("envelope/kind", "error", f"/{content}", message, spec)
        elif kind == "file" and content == "data":
            for violation in shape_violations("ArtifactReference", document["data"]):
                yield replace(violation, pointer=f"/data{violation.pointer}")


def _is_base64(text: str) -> bool:
    try:
        a2b_base64(text, strict_mode=True)
    except (ValueError, Error):
        return False
    return True


def shape_violations(definition: str, document: Any) -> list[Violation]:
    """Return the violations of a definition of the envelope schema; "" is the whole schema."""
    validator = _validator(definition)
    if validator.is_valid(document):
        return []
    return list(_violations(validator, _schema(definition), document))


def _violations(validator: Validator, schema: Any, document: Any) -> Iterator[Violation]:
    for error in explainable(list(islice(validator.iter_errors(document), MAX_VIOLATIONS))):
        keyword, path, message, fix = explain(error)
        spec = spec_at(schema, error.schema_path, path)
        yield Violation(f"envelope/{keyword}", "error", pointer_of(path), clipped(message), spec, fix)


@cache
def data_definitions() -> Mapping[str, str]:
    """Return the schema definition of `data` by part type, from the conditions of the part schema."""
    definitions: dict[str, str] = {}
    node = load(PACKAGE, "schema.json")["$defs"]["EnvelopePart"]
    while "if" in node:
        reference = node["then"].get("properties", {}).get("data", {}).get("$ref", "")
        condition = node["if"]
        for test in (condition, *condition.get("allOf", ())):
            part_type = (
                test.get("properties", {}).get("metadata", {}).get("properties", {}).get("partType", {})
            )
            if reference and "const" in part_type:
                definitions[part_type["const"]] = reference.removeprefix("#/$defs/")
        node = node["else"]
    return definitions


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
