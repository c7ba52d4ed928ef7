"""JSON Schema errors in words a person can act on: what was seen, what was expected, how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.violation import Fix, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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

# A2A 0.2 to 0.3 and A2A 1.0 §4.5: what a caller must present.
_REQUIREMENTS: Final = ("security", "securityRequirements")
# /securityRequirements/0/schemes/<name>/list: without its scopes a scheme is still asked for.
_SCOPES_DEPTH: Final = 5


def explain(error: ValidationError) -> tuple[str, Path, str, Fix | None]:
    """Return keyword, path, message and perhaps a fix of one schema error.

    A missing member is named by its own path, so that the pointer says where to add it.
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
            message = f"expected {_types(expected)}, found {_found(value)}"
            return keyword, path, message, _without_null(path, value)
        case "const" | "enum":
            options = expected if keyword == "enum" else [expected]
            choice = ", ".join(quote(option) for option in options)
            message = f"expected {'one of ' if len(options) > 1 else ''}{choice}, found {_found(value)}"
            return keyword, path, message, _without_null(path, value)
        case "oneOf" | "anyOf":
            return keyword, path, _explain_union(error), _without_null(path, value)
        case "additionalProperties":
            names = ", ".join(map(quote, expected))
            return (
                keyword,
                path,
                f"unknown field {names}. Correct its name, or remove it",
                None,
            )
        case "minimum" | "maximum":
            bound = "at least" if keyword == "minimum" else "at most"
            return keyword, path, f"expected {bound} {quote(expected)}, found {quote(value)}", None
        case "format":
            wanted = _FORMATS.get(str(expected), str(expected))
            return keyword, path, f"expected {wanted}, found {quote(value)}", None
        case "minLength" if expected == 1:
            return keyword, path, "expected text, found an empty string", None
        case "minProperties":
            return keyword, path, f"the object needs at least {expected} fields", None
        case "propertyNames":
            name = quote(expected.instance)
            return keyword, path, f"{name} is not a valid field name here", None
        case "not":
            return (
                keyword,
                path,
                f"{quote(value)} is not allowed here",
                None,
            )
        case "pattern":
            return (
                keyword,
                path,
                f"{quote(value)} does not match the pattern {quote(expected)}",
                None,
            )
        case "minItems":
            return keyword, path, f"the array needs at least {expected} items", None
        case _:
            return keyword, path, f"{quote(value)} violates the schema's {keyword}", None


def once(errors: Sequence[ValidationError]) -> Iterator[ValidationError]:
    """Yield the errors without those unions that fit no arm for a reason that another error names.

    A schema may say `properties` beside `oneOf`: a fault below then breaks both, and the nearer one
    says what it is.
    """
    told: set[tuple[str | int, ...]] = set()
    for error in errors:
        path = tuple(error.instance_path)
        told.update(path[:length] for length in range(len(path)))
        if not _is_union(error):
            told.add(path)
    for error in errors:
        kind: Any = error.kind
        if not (_is_union(error) and all(kind.value) and tuple(error.instance_path) in told):
            yield error


def _is_union(error: ValidationError) -> bool:
    return error.kind.name in ("oneOf", "anyOf")


def may_be_left_out(schema: Any, error: ValidationError) -> bool:
    """Whether the member that an error lies at is neither required nor, perhaps, what makes a union fit."""
    node, holder, name = schema, {}, None
    before: str | int = ""
    for step in error.evaluation_path:
        if before == "properties":
            name = step
        elif step == "properties":
            holder = node
        node = _referred(schema, node["$ref"]) if step == "$ref" else node[step]
        before = "" if before == "properties" else step
    required = holder.get("required", ()) if name == error.instance_path[-1] else ()
    return name not in required and "oneOf" not in holder


def _referred(schema: Any, reference: str) -> Any:
    return schema if reference == "#" else schema["$defs"][reference.removeprefix("#/$defs/")]


def spec_at(schema: Any, schema_path: Sequence[str | int], path: Sequence[str | int]) -> str:
    """Return the spec section (`x-spec`) nearest to where a schema error arose."""
    spec = str(schema.get("x-spec", ""))
    node = schema
    for step in schema_path[:-1]:
        node = node[step]
        if isinstance(node, dict):
            spec = str(node.get("x-spec", spec))
    if schema_path[-1] == "required" and isinstance(node, dict):
        member = node.get("properties", {}).get(str(path[-1]), {})
        spec = str(member.get("x-spec", spec))
    return spec


def hint_at(schema: Any, schema_path: Sequence[str | int]) -> str:
    """Return what the schema (`x-hint`) says of a frequent mistake right where an error arose."""
    return str(annotation_at(schema, schema_path, "x-hint") or "")


def annotation_at(schema: Any, schema_path: Sequence[str | int], name: str) -> Any:
    """Return an annotation of the schema right where an error arose; None if there is none."""
    node = schema
    for step in schema_path[:-1]:
        node = node[step]
    return node.get(name) if isinstance(node, dict) else None


def _explain_union(error: ValidationError) -> str:
    """Say why no arm, or more than one, of a union fits; the arm that comes nearest is told in full."""
    arms: list[list[ValidationError]] = list(error.kind.value)
    if not all(arms):
        return "this has the fields of more than one alternative. Keep exactly one"
    # An arm whose distinguishing constant fits, or that lacks least, is the one that was meant.
    nearest = min(arms, key=lambda faults: (any(f.kind.name == "const" for f in faults), len(faults)))
    told = [explain(fault) for fault in nearest[:3]]
    outer = len(error.instance_path)
    reasons = [f"at {pointer_of(path[outer:]) or 'its root'} {text}" for _, path, text, _ in told]
    return (
        f"{quote(error.instance)} fits none of the alternatives; the closest one fails: {'; '.join(reasons)}"
    )


def _without_null(path: Path, value: object) -> Fix | None:
    if value is not None or not path or isinstance(path[-1], int) or _demands(path):
        return None
    operation = {"op": "remove", "path": pointer_of(path)}
    return Fix(safe=True, description="removes the field: it is null", patch=(operation,))


def _demands(path: Path) -> bool:
    """Whether a place is a demand of a requirement: one that names less asks for less, perhaps for nothing."""
    named = next((depth for depth, step in enumerate(path) if step in _REQUIREMENTS), len(path))
    return 1 < len(path) - named < _SCOPES_DEPTH


def _found(value: object) -> str:
    """Return a value with its type, as a message says what was found."""
    kinds = {
        str: "the string ",
        int: "the number ",
        float: "the number ",
        list: "the array ",
        dict: "the object ",
    }
    return f"{kinds.get(type(value), '')}{quote(value)}"


def _types(expected: Any) -> str:
    names = [expected] if isinstance(expected, str) else list(expected)
    return " or ".join(_ARTICLE.get(name, name) for name in names)
