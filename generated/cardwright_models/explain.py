"""JSON Schema errors in words a person can act on: what was seen, what was expected, how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_models.violation import Fix, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jsonschema_rs

    Path = list[str | int]

_ARTICLE: Final = {
    "string": "a string",
    "array": "an array",
    "object": "an object",
    "boolean": "true or false",
    "number": "a number",
    "integer": "an integer",
    "null": "null",
}


def explain(error: jsonschema_rs.ValidationError, schema: Any) -> tuple[str, Path, str, Fix | None]:
    """Return keyword, path, message and perhaps a fix of one schema error.

    A missing member is named by its own path, so that the pointer says where to add it.
    """
    keyword = str(error.schema_path[-1])
    path: Path = list(error.instance_path)
    value = error.instance
    match keyword:
        case "required":
            name = str(error.kind.property)
            return keyword, [*path, name], f"{quote(name)} is required here and missing: add it", None
        case "type":
            expected = _at(schema, error.schema_path)
            message = f"{quote(value)} stands where {_types(expected)} is expected"
            return keyword, path, message, _without_null(path, value)
        case "const" | "enum":
            expected = _at(schema, error.schema_path)
            options = expected if keyword == "enum" else [expected]
            choice = ", ".join(quote(option) for option in options)
            return keyword, path, f"{quote(value)} is not one of {choice}", None
        case "oneOf" | "anyOf":
            return keyword, path, _explain_union(error, schema), _without_null(path, value)
        case "minItems":
            least = _at(schema, error.schema_path)
            return keyword, path, f"the array holds {len(value)}; at least {least} must stand here", None
        case _:
            return keyword, path, f"{quote(value)} breaks the schema's {keyword}", None


def spec_at(schema: Any, schema_path: Sequence[str | int], keyword: str, path: Sequence[str | int]) -> str:
    """Return the spec section (`x-spec`) nearest to where a schema error arose."""
    node, spec = schema, str(schema.get("x-spec", ""))
    for step in schema_path:
        node = node[step]
        if isinstance(node, dict):
            spec = str(node.get("x-spec", spec))
        elif step == "required" and keyword == "required":
            break
    if keyword == "required":
        owner = _at(schema, schema_path[:-1])
        member = owner.get("properties", {}).get(str(path[-1]), {})
        spec = str(member.get("x-spec", spec))
    return spec


def _explain_union(error: jsonschema_rs.ValidationError, schema: Any) -> str:
    arms = [str(arm["$ref"]).rsplit("/", 1)[-1] for arm in _at(schema, error.schema_path) if "$ref" in arm]
    if type(error.kind).__name__.endswith("OneOfMultipleValid"):
        return f"this is more than one of {', '.join(arms)}: keep exactly one"
    reasons = _nearest_arm(error, arms, schema)
    return f"{quote(error.instance)} is none of {', '.join(arms)}{reasons}"


def _nearest_arm(error: jsonschema_rs.ValidationError, arms: list[str], schema: Any) -> str:
    """Say what the arm that its own `type` points to lacks, where one arm stands out."""
    for arm, faults in zip(arms, getattr(error.kind, "context", ()), strict=False):
        if not any(fault.schema_path[-1] == "const" for fault in faults):
            told = [explain(fault, schema) for fault in faults[:3]]
            where = "; ".join(f"{'/'.join(map(str, path))}: {text}" for _, path, text, _ in told)
            if len(arms) > 1 and any(keyword != "required" or len(path) > 1 for keyword, path, _, _ in told):
                return f"; as {arm}: {where}"
    return ""


def _without_null(path: Path, value: object) -> Fix | None:
    if value is not None or not path or isinstance(path[-1], int):
        return None
    pointer = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return Fix(True, "leave the member out instead of null", ({"op": "remove", "path": pointer},))


def _types(expected: Any) -> str:
    names = [expected] if isinstance(expected, str) else list(expected)
    return " or ".join(_ARTICLE.get(name, name) for name in names)


def _at(schema: Any, path: Sequence[str | int]) -> Any:
    node = schema
    for step in path:
        node = node[step]
    return node
