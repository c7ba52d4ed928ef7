"""JSON Schema errors as messages: what was found, what was expected and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.unions import alternatives, constants, names_required
from cardwright_runtime.violation import Fix, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jsonschema_rs import ValidationError

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

_FORMATS: Final = {
    "date-time": "a time such as 2026-05-04T12:00:00Z (RFC 3339 §5.6)",
    "uri": "a URI (RFC 3986 §3)",
}

# A2A 0.2 to 0.3 and A2A 1.0 §4.5: the security requirements of a card.
_REQUIREMENTS: Final = ("security", "securityRequirements")
# /securityRequirements/0/schemes/<name>/list: a scheme without its scopes is still required.
_SCOPES_DEPTH: Final = 5


def explain(error: ValidationError) -> tuple[str, Path, str, Fix | None]:
    """Return the keyword, path, message and optional fix of one schema error.

    The path of a missing field ends with its name, so that the pointer says where to add it.
    """
    kind: Any = error.kind
    keyword = str(kind.name)
    path: Path = list(error.instance_path)
    value, expected = error.instance, kind.value
    match keyword:
        case "required":
            path.append(str(expected))
            return keyword, path, f"{quote(expected)} is required and missing. Add it", None
        case "type":
            message = f"expected {_types(expected)}, found {_with_type(value)}"
            return keyword, path, message, _without_null(path, value)
        case "const" | "enum":
            options = expected if keyword == "enum" else [expected]
            choice = ", ".join(quote(option) for option in options)
            message = f"expected {'one of ' if len(options) > 1 else ''}{choice}, found {_with_type(value)}"
            return keyword, path, message, _without_null(path, value)
        case "oneOf" | "anyOf":
            return *_explain_union(error), _without_null(path, value)
        case "additionalProperties":
            names = ", ".join(map(quote, expected))
            if len(expected) == 1:
                return keyword, path, f"unknown field {names}. Correct its name, or remove it", None
            return keyword, path, f"unknown fields {names}. Correct their names, or remove them", None
        case "minimum" | "maximum":
            bound = "at least" if keyword == "minimum" else "at most"
            return keyword, path, f"expected {bound} {quote(expected)}, found {quote(value)}", None
        case "format":
            description = _FORMATS.get(str(expected), str(expected))
            return keyword, path, f"expected {description}, found {quote(value)}", None
        case "minLength" if expected == 1:
            return keyword, path, "the string must not be empty", None
        case "minProperties":
            return keyword, path, f"the object needs at least {_count(expected, 'field')}", None
        case "propertyNames":
            name = quote(expected.instance)
            return keyword, path, f"{name} is not a valid field name here", None
        case "not":
            return (keyword, path, f"{quote(value)} is not allowed here", None)
        case "pattern":
            return (keyword, path, f"{quote(value)} does not match the pattern {quote(expected)}", None)
        case "minItems":
            return keyword, path, f"the array needs at least {_count(expected, 'item')}", None
        case _:
            return keyword, path, f"{quote(value)} violates the schema's {keyword}", None


def may_be_left_out(schema: Any, error: ValidationError) -> bool:
    """Return whether the field at an error can be removed: it is not required and not part of a `oneOf`."""
    node, holder, name = schema, {}, None
    before: str | int = ""
    for step in error.evaluation_path:
        if before == "properties":
            name = step
        elif step == "properties":
            holder = node
        node = _resolved(schema, node["$ref"]) if step == "$ref" else node[step]
        before = "" if before == "properties" else step
    required = holder.get("required", ()) if name == error.instance_path[-1] else ()
    return name not in required and "oneOf" not in holder


def _resolved(schema: Any, reference: str) -> Any:
    return schema if reference == "#" else schema["$defs"][reference.removeprefix("#/$defs/")]


def spec_at(schema: Any, schema_path: Sequence[str | int], path: Sequence[str | int]) -> str:
    """Return the spec section (`x-spec`) nearest to the schema keyword that failed."""
    spec = str(schema.get("x-spec", ""))
    node = schema
    for step in schema_path[:-1]:
        node = node[step]
        if isinstance(node, dict):
            spec = str(node.get("x-spec", spec))
    if schema_path[-1] == "required" and isinstance(node, dict):
        field = node.get("properties", {}).get(str(path[-1]), {})
        spec = str(field.get("x-spec", spec))
    return spec


def hint_at(schema: Any, schema_path: Sequence[str | int]) -> str:
    """Return the hint (`x-hint`) about a frequent mistake beside the schema keyword that failed, or ""."""
    return str(annotation_at(schema, schema_path, "x-hint") or "")


def annotation_at(schema: Any, schema_path: Sequence[str | int], name: str) -> Any:
    """Return an annotation beside the schema keyword that failed; None if it is absent."""
    node = schema
    for step in schema_path[:-1]:
        node = node[step]
    return node.get(name) if isinstance(node, dict) else None


def _explain_union(error: ValidationError) -> tuple[str, Path, str]:
    """Return why no alternative of a union fits, or more than one."""
    kind: Any = error.kind
    keyword, path = str(kind.name), list(error.instance_path)
    if wrong := constants(error):
        options = ", ".join(quote(option.kind.value) for option in wrong)
        at = list(wrong[0].instance_path)
        return "enum", at, f"expected one of {options}, found {_with_type(wrong[0].instance)}"
    if not all(kind.value):
        return keyword, path, "this has the fields of more than one alternative. Keep exactly one"
    arms = alternatives(error)
    if all(len(arm) == 1 and arm[0].kind.name == "type" and arm[0].instance_path == path for arm in arms):
        types = [name for arm in arms for name in _names(arm[0])]
        return keyword, path, f"expected {_types(types)}, found {_with_type(error.instance)}"
    if names := names_required(error):
        return keyword, path, f"exactly one of these fields is required: {', '.join(map(quote, names))}"
    nearest = min(arms, key=len)
    outer = len(path)
    explained = [explain(one) for one in nearest[:3]]
    reasons = [f"at {pointer_of(inner[outer:]) or 'its root'} {text}" for _, inner, text, _ in explained]
    fault = (
        f"{quote(error.instance)} fits none of the alternatives; the closest one fails: {'; '.join(reasons)}"
    )
    return keyword, path, fault


def _without_null(path: Path, value: object) -> Fix | None:
    if value is not None or not path or isinstance(path[-1], int) or _is_requirement(path):
        return None
    operation = {"op": "remove", "path": pointer_of(path)}
    return Fix(safe=True, description="removes the field: it is null", patch=(operation,))


def _is_requirement(path: Path) -> bool:
    """Return whether a path is inside a security requirement: removing part of one would weaken it."""
    start = next((depth for depth, step in enumerate(path) if step in _REQUIREMENTS), len(path))
    return 1 < len(path) - start < _SCOPES_DEPTH


def _with_type(value: object) -> str:
    """Return a value with its type, for a message."""
    kinds = {str: "the string ", int: "the number ", float: "the number "}
    return f"{kinds.get(type(value), '')}{quote(value)}"


def _count(number: Any, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _names(error: ValidationError) -> list[str]:
    kind: Any = error.kind
    return [kind.value] if isinstance(kind.value, str) else list(kind.value)


def _types(expected: Any) -> str:
    names = [expected] if isinstance(expected, str) else list(expected)
    return " or ".join(_ARTICLE.get(name, name) for name in names)
