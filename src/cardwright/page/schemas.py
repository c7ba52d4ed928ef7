"""JSON Schemas of skills as tables of their properties."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.outline.fields import prose, text, words
from cardwright.page.source import pretty
from cardwright.view.fields import entries, field_at, items
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

# Further properties are in the JSON below the table (project decision).
MAX_ROWS: Final = 100
_MAX_CHOICES: Final = 12
_LOCAL: Final = "#/"
# The depth to which a table lists nested properties (project decision).
_MAX_DEPTH: Final = 4
# Keywords that constrain a value, and their words.
_BOUNDS: Final = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matches {}",
    "default": "default {}",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A property: its name, its type in words, whether it is required, and its description."""

    name: str
    kind: str
    required: bool
    description: str
    bounds: str = ""


@dataclass(frozen=True, slots=True)
class SchemaView:
    """A schema: the table of its properties, and its JSON text.

    Attributes:
        label: "Input" or "Output".
        kind: Its type in words, for a schema without properties.
        rows: Its properties, in order.
        left_out: The number of properties without a row.
        source: The schema as JSON text.
    """

    label: str
    kind: str
    rows: tuple[Row, ...]
    left_out: int
    source: str


def schema_view(label: str, schema: Any) -> SchemaView:
    """Return the view of a schema; parts with an unexpected shape are ignored."""
    rows = list(islice(_rows(schema, schema, "", _MAX_DEPTH), MAX_ROWS + 1))
    if not rows and (below := _object_below(schema, schema, _MAX_DEPTH)):
        rows = list(
            islice(_rows(below[0], schema, f"{below[1]}." if below[1] else "", _MAX_DEPTH), MAX_ROWS + 1)
        )
    own = len(entries(schema, "properties"))
    left_out = max(own - MAX_ROWS, len(rows) - MAX_ROWS, 0)
    return SchemaView(label, _kind(schema, schema), tuple(rows[:MAX_ROWS]), left_out, pretty(schema))


def _rows(schema: Any, root: Any, prefix: str, depth: int) -> Iterator[Row]:
    """Yield a row for each property, followed by rows for the properties of its object or of its array's objects."""
    required = {name for name in items(schema, "required") if isinstance(name, str)}
    for name, part in entries(schema, "properties").items():
        path = f"{prefix}{words(name)}"
        description = prose(_description(part, root))
        yield Row(path, _kind(part, root), name in required, description, _bounds(part))
        below = _object_below(part, root, depth) if depth else None
        if below:
            yield from _rows(below[0], root, f"{path}{below[1]}.", depth - 1)


def _object_below(schema: Any, root: Any, depth: int) -> tuple[Any, str] | None:
    """Return the object schema in a schema, with `[]` for each array around it, or None."""
    if depth < 0:
        return None
    if field_at(schema, "$ref") is not None:
        return _object_below(_resolved(schema, root), root, depth - 1)
    if entries(schema, "properties"):
        return schema, ""
    if isinstance(field_at(schema, "items"), dict):
        below = _object_below(schema["items"], root, depth - 1)
        return (below[0], f"[]{below[1]}") if below else None
    arms = [*items(schema, "anyOf"), *items(schema, "oneOf")]
    return next((below for arm in arms if (below := _object_below(arm, root, depth - 1))), None)


def _kind(schema: Any, root: Any, depth: int = _MAX_DEPTH) -> str:
    """Return a type in words; for a reference to an object, the name of the definition."""
    if isinstance(schema, bool):
        return "anything" if schema else "nothing"
    if field_at(schema, "$ref") is not None:
        target = _resolved(schema, root)
        if target is None or depth == 0:
            return text(schema, "$ref")
        is_object = field_at(target, "type") == "object" or entries(target, "properties")
        return text(schema, "$ref").rpartition("/")[2] if is_object else _kind(target, root, depth - 1)
    choices = items(schema, "enum")
    if choices:
        values = ", ".join(quote(choice) for choice in choices[:_MAX_CHOICES])
        return f"one of {values}{', …' if len(choices) > _MAX_CHOICES else ''}"
    if "const" in entries({"it": schema}, "it"):
        return f"exactly {quote(schema['const'])}"
    for union in ("anyOf", "oneOf"):
        if (arms := items(schema, union)) and depth:
            return " or ".join(dict.fromkeys(_kind(arm, root, depth - 1) for arm in arms[:_MAX_CHOICES]))
    if field_at(schema, "type") == "array":
        return (
            f"array of {_kind(schema['items'], root, depth - 1)}" if "items" in schema and depth else "array"
        )
    name, form = _type_name(schema), text(schema, "format")
    return f"{name} ({form})" if form else name


def _type_name(schema: Any) -> str:
    kind = field_at(schema, "type")
    if isinstance(kind, list):
        return " or ".join(words(name) for name in kind) or "anything"
    if isinstance(kind, str):
        return words(kind)
    return text(schema, "title") or "anything"


def _description(schema: Any, root: Any) -> Any:
    own = field_at(schema, "description")
    if own is not None:
        return own
    return field_at(_resolved(schema, root), "description") or text(schema, "title")


def _resolved(schema: Any, root: Any) -> Any:
    """Return the target of a reference within the same schema, or None."""
    reference = field_at(schema, "$ref")
    if not isinstance(reference, str) or not reference.startswith(_LOCAL):
        return None
    return field_at(root, *reference.removeprefix(_LOCAL).split("/"))


def _bounds(schema: Any) -> str:
    bounded = entries({"it": schema}, "it")
    return "; ".join(form.format(quote(bounded[name])) for name, form in _BOUNDS.items() if name in bounded)
