"""Every validation keyword of JSON Schema 2020-12: a schema, and data that violates it."""

from __future__ import annotations

from typing import Any, Final

# Keyword, schema, and data that violates the keyword and no other one.
REFUSING: Final[dict[str, tuple[Any, Any]]] = {
    # Core §8.2.3
    "$ref": ({"$ref": "#/$defs/never", "$defs": {"never": {"type": "null"}}}, 1),
    "$dynamicRef": ({"$dynamicRef": "#/$defs/never", "$defs": {"never": {"type": "null"}}}, 1),
    # Applicator, Core §10
    "allOf": ({"allOf": [{"type": "null"}]}, 1),
    "anyOf": ({"anyOf": [{"type": "null"}, {"type": "string"}]}, 1),
    "oneOf": ({"oneOf": [{"type": "null"}, {"type": "string"}]}, 1),
    "not": ({"not": {"type": "integer"}}, 1),
    "if": ({"if": {"type": "integer"}, "then": False}, 1),
    "then": ({"if": True, "then": {"type": "null"}}, 1),
    "else": ({"if": False, "else": {"type": "null"}}, 1),
    "dependentSchemas": ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}),
    "prefixItems": ({"prefixItems": [{"type": "null"}]}, [1]),
    "items": ({"items": {"type": "null"}}, [1]),
    "contains": ({"contains": {"type": "null"}}, [1]),
    "properties": ({"properties": {"a": {"type": "null"}}}, {"a": 1}),
    "patternProperties": ({"patternProperties": {"^a": {"type": "null"}}}, {"ab": 1}),
    "additionalProperties": ({"additionalProperties": False}, {"a": 1}),
    "propertyNames": ({"propertyNames": {"pattern": "^b"}}, {"a": 1}),
    # Unevaluated, Core §11
    "unevaluatedItems": ({"unevaluatedItems": False}, [1]),
    "unevaluatedProperties": ({"unevaluatedProperties": False}, {"a": 1}),
    # Validation §6
    "type": ({"type": "null"}, 1),
    "const": ({"const": 2}, 1),
    "enum": ({"enum": [2, 3]}, 1),
    "multipleOf": ({"multipleOf": 2}, 1),
    "maximum": ({"maximum": 1}, 2),
    "exclusiveMaximum": ({"exclusiveMaximum": 1}, 1),
    "minimum": ({"minimum": 1}, 0),
    "exclusiveMinimum": ({"exclusiveMinimum": 1}, 1),
    "maxLength": ({"maxLength": 1}, "ab"),
    "minLength": ({"minLength": 2}, "a"),
    "pattern": ({"pattern": "^a+$"}, "b"),
    "maxItems": ({"maxItems": 1}, [1, 2]),
    "minItems": ({"minItems": 1}, []),
    "uniqueItems": ({"uniqueItems": True}, [1, 1]),
    "maxContains": ({"contains": {"type": "integer"}, "maxContains": 1}, [1, 2]),
    "minContains": ({"contains": {"type": "integer"}, "minContains": 2}, [1]),
    "maxProperties": ({"maxProperties": 1}, {"a": 1, "b": 2}),
    "minProperties": ({"minProperties": 1}, {}),
    "required": ({"required": ["a"]}, {}),
    "dependentRequired": ({"dependentRequired": {"a": ["b"]}}, {"a": 1}),
}

# Keywords that name, describe or annotate. `format` and `content*` are annotations (Validation §7.2.1, §8.2).
ANNOTATING: Final = frozenset(
    {
        "$id",
        "$schema",
        "$anchor",
        "$dynamicAnchor",
        "$vocabulary",
        "$comment",
        "$defs",
        "title",
        "description",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
        "examples",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    }
)


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
