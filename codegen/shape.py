"""Validation of the data files that are not JSON Schemas: manifests, rules, pins and vocabularies."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jsonschema.validators import Draft202012Validator

from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema import ValidationError

__all__ = ["pointer_of", "shape_faults", "steps_of"]

SHAPES: Final = Path(__file__).parent / "shapes"


def steps_of(pointer: str) -> tuple[str, ...]:
    """Return the field names and indices of a JSON Pointer."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def shape_faults(shape: str, document: Any) -> Iterator[tuple[str, str]]:
    """Yield (pointer, message) of each violation of a document's shape.

    Args:
        shape: A file of `codegen/shapes` without its suffix.
        document: The decoded file.
    """
    # One error may name several missing or unknown fields: report each of them once.
    faults = {fault: None for error in _validator(shape).iter_errors(document) for fault in _faults(error)}
    yield from sorted(faults)


@cache
def _validator(shape: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((SHAPES / f"{shape}.json").read_text(encoding="utf-8")))


def _faults(error: ValidationError) -> Iterator[tuple[str, str]]:
    path = list(error.absolute_path)
    schema: Any = error.schema
    instance: Any = error.instance
    match error.validator:
        case "required":
            for name in schema["required"]:
                if name not in instance:
                    yield pointer_of([*path, name]), f"{name} is missing"
        case "additionalProperties":
            for name in instance:
                if name not in schema["properties"]:
                    yield pointer_of([*path, name]), f"unknown field {name}"
        case _:
            yield pointer_of(path), str(schema.get("description", error.message))
