"""Every validation keyword of JSON Schema 2020-12: a schema, and data that violates it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

_KEYWORDS: Final = json.loads(Path(__file__).with_name("keywords.json").read_bytes())
# By keyword (Core §8, §10, §11, Validation §6): a schema, and data that violates the keyword and no other one.
REFUSING: Final[dict[str, tuple[Any, Any]]] = {
    name: tuple(pair) for name, pair in _KEYWORDS["refusing"].items()
}
# Keywords that name, describe or annotate. `format` and `content*` are annotations (Validation §7.2.1, §8.2).
ANNOTATING: Final = frozenset[str](_KEYWORDS["annotating"])


def _named(schema: Any) -> dict[str, Any]:
    """Return a schema with its references made relative to its own id, so that it can be placed anywhere."""
    return {"$id": "https://schemas.example/part", **schema} if "$defs" in schema else schema


# Where a schema can stand: the schema around it, and the data around the data, for a property named x.
PLACES: Final = ("top", "items", "allOf", "properties", "$ref")


def placed(place: str, schema: Any, data: Any) -> tuple[dict[str, Any], Any]:
    """Return an object schema with a schema at a place inside the property `x`, and the data for it."""
    inner = _named(schema)
    around: dict[str, tuple[dict[str, Any], Any]] = {
        "top": ({"properties": {"x": inner}}, data),
        "items": ({"properties": {"x": {"items": inner}}}, [data]),
        "allOf": ({"properties": {"x": {"allOf": [True, inner]}}}, data),
        "properties": ({"properties": {"x": {"properties": {"y": inner}}}}, {"y": data}),
        "$ref": ({"properties": {"x": {"$ref": "#/$defs/one"}}, "$defs": {"one": inner}}, data),
    }
    whole, value = around[place]
    return {"type": "object", **whole}, {"x": value}
