"""JSON Schemas of skills as tables that people read: what a call takes, what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.outline.members import entries, items, member, prose, text, words
from cardwright.page.source import pretty
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

# The rest stands in the JSON below the table (ours).
MOST_ROWS: Final = 100
_MOST_CHOICES: Final = 12
_LOCAL: Final = "#/"
# How far a table follows what properties hold (ours).
_DEEPEST: Final = 4
# What narrows a value, and how it is said.
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
    """One property: its name, its type in words, whether it must be there, and what it is for."""

    name: str
    kind: str
    required: bool
    description: str
    bounds: str = ""


@dataclass(frozen=True, slots=True)
class SchemaView:
    """One schema: a table of its properties, and the whole of it as JSON.

    Attributes:
        label: Whether it is of the input or the output.
        kind: Its type in words, for a schema without properties.
        rows: Its properties, in their order.
        left_out: How many properties have no row.
        source: The schema as JSON text.
    """

    label: str
    kind: str
    rows: tuple[Row, ...]
    left_out: int
    source: str


def schema_view(label: str, schema: Any) -> SchemaView:
    """Return what a page shows of a schema; of any shape, it is read as far as it goes."""
    found = list(islice(_rows(schema, schema, "", _DEEPEST), MOST_ROWS + 1))
    if not found and (below := _object_below(schema, schema, _DEEPEST)):
        found = list(
            islice(_rows(below[0], schema, f"{below[1]}." if below[1] else "", _DEEPEST), MOST_ROWS + 1)
        )
    own = len(entries(schema, "properties"))
    left_out = max(own - MOST_ROWS, len(found) - MOST_ROWS, 0)
    return SchemaView(label, _kind(schema, schema), tuple(found[:MOST_ROWS]), left_out, pretty(schema))


def _rows(schema: Any, root: Any, before: str, depth: int) -> Iterator[Row]:
    """Yield a row for each property, and below one that is an object, or holds some, a row for each of its own."""
    required = {name for name in items(schema, "required") if isinstance(name, str)}
    for name, part in entries(schema, "properties").items():
        told = f"{before}{words(name)}"
        described = prose(_described(part, root))
        yield Row(told, _kind(part, root), name in required, described, _bounds(part))
        below = _object_below(part, root, depth) if depth else None
        if below:
            yield from _rows(below[0], root, f"{told}{below[1]}.", depth - 1)


def _object_below(schema: Any, root: Any, depth: int) -> tuple[Any, str] | None:
    """Return the object that a schema is or holds, with `[]` for each array around it; None where there is none."""
    if depth < 0:
        return None
    if member(schema, "$ref") is not None:
        return _object_below(_referred(schema, root), root, depth - 1)
    if entries(schema, "properties"):
        return schema, ""
    if isinstance(member(schema, "items"), dict):
        below = _object_below(schema["items"], root, depth - 1)
        return (below[0], f"[]{below[1]}") if below else None
    arms = [*items(schema, "anyOf"), *items(schema, "oneOf")]
    return next((below for arm in arms if (below := _object_below(arm, root, depth - 1))), None)


def _kind(schema: Any, root: Any, depth: int = _DEEPEST) -> str:
    """Return a type in words; of an object that is referred to, its name."""
    if isinstance(schema, bool):
        return "anything" if schema else "nothing"
    if member(schema, "$ref") is not None:
        target = _referred(schema, root)
        if target is None or depth == 0:
            return text(schema, "$ref")
        is_object = member(target, "type") == "object" or entries(target, "properties")
        return text(schema, "$ref").rpartition("/")[2] if is_object else _kind(target, root, depth - 1)
    choices = items(schema, "enum")
    if choices:
        told = ", ".join(quote(one) for one in choices[:_MOST_CHOICES])
        return f"one of {told}{', …' if len(choices) > _MOST_CHOICES else ''}"
    if "const" in entries({"it": schema}, "it"):
        return f"exactly {quote(schema['const'])}"
    for union in ("anyOf", "oneOf"):
        if (arms := items(schema, union)) and depth:
            return " or ".join(dict.fromkeys(_kind(arm, root, depth - 1) for arm in arms[:_MOST_CHOICES]))
    if member(schema, "type") == "array":
        return (
            f"array of {_kind(schema['items'], root, depth - 1)}" if "items" in schema and depth else "array"
        )
    told = _simple(schema)
    form = text(schema, "format")
    return f"{told} ({form})" if form else told


def _simple(schema: Any) -> str:
    """Return a type by name alone."""
    kind = member(schema, "type")
    if isinstance(kind, list):
        return " or ".join(words(one) for one in kind) or "anything"
    if isinstance(kind, str):
        return words(kind)
    return text(schema, "title") or "anything"


def _described(schema: Any, root: Any) -> Any:
    said = member(schema, "description")
    return (
        said if said is not None else member(_referred(schema, root), "description") or text(schema, "title")
    )


def _referred(schema: Any, root: Any) -> Any:
    """Return what a reference within the same schema leads to, or None."""
    reference = member(schema, "$ref")
    if not isinstance(reference, str) or not reference.startswith(_LOCAL):
        return None
    return member(root, *reference.removeprefix(_LOCAL).split("/"))


def _bounds(schema: Any) -> str:
    told = entries({"it": schema}, "it")
    return "; ".join(form.format(quote(told[name])) for name, form in _BOUNDS.items() if name in told)
