"""Schemas of settings files and of API components, reduced to what their typed models need.

The JSON Schema validates; the model is a view. Keywords that only validate are dropped, with the
definitions that only they refer to.
"""

from __future__ import annotations

from typing import Any, Final

# The keywords that give a model its shape, its text and its defaults.
_SHAPE: Final = (
    "$ref",
    "type",
    "const",
    "enum",
    "items",
    "additionalProperties",
    "required",
    "oneOf",
    "anyOf",
)
# Titles are for editors: those of fields are their names in words.
_TEXT: Final = ("description", "default")
_REFERENCES: Final = ("#/$defs/", "#/components/schemas/")


def settings_schema(bundled: Any) -> Any:
    """Return a bundled schema of a settings file, for its models."""
    return _reduced(bundled, bundled["$defs"])


def components_schema(document: Any) -> Any:
    """Return the component schemas of an OpenAPI document, for their models.

    The root is an unused object, because OpenAPI has no root schema.
    """
    components = document["components"]["schemas"]
    root = {
        "title": "GatewayApi",
        "description": document["info"]["title"],
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{name}"} for name in components},
    }
    return _reduced(root, components)


def _reduced(root: Any, definitions: dict[str, Any]) -> Any:
    """Return a root with the definitions that its model needs: objects; all others are inlined."""
    reached: dict[str, Any] = {}

    def node(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        reduced = {key: schema[key] for key in (*_SHAPE, *_TEXT) if key in schema}
        name = _name(schema.get("$ref"))
        if name and not _is_object(definitions[name]):
            del reduced["$ref"]
            return {**node(definitions[name]), **reduced}
        if name:
            reduced["$ref"] = f"#/$defs/{name}"
            define(name)
        for key in ("items", "additionalProperties"):
            if key in reduced:
                reduced[key] = node(reduced[key])
        for key in ("oneOf", "anyOf"):
            if key in reduced:
                reduced[key] = [node(arm) for arm in reduced[key]]
        # An arm of allOf is a base class, or fields of this class; a condition is neither.
        arms = [node(arm) for arm in schema.get("allOf", ()) if "if" not in arm]
        if arms:
            reduced["allOf"] = arms
        if "properties" in schema:
            # A name such as $schema is for editors.
            reduced["properties"] = {
                name: node(field) for name, field in schema["properties"].items() if name[0] not in "$@"
            }
        return reduced

    def define(name: str) -> None:
        if name not in reached:
            reached[name] = {}
            reached[name] = node(definitions[name])

    return {"title": root["title"], **node(root), "$defs": reached}


def _name(reference: str | None) -> str:
    for prefix in _REFERENCES:
        if reference is not None and reference.startswith(prefix):
            return reference.removeprefix(prefix)
    return ""


def _is_object(definition: Any) -> bool:
    return "properties" in definition or "allOf" in definition
