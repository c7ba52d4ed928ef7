"""JSON Schemas of skills as tables that people read: what a call takes, what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardwright.outline.members import entries, items, member, prose, text, words
from cardwright.page.source import pretty
from cardwright_models.violation import quote

# The rest stands in the JSON below the table (ours).
MOST_ROWS: Final = 100
_MOST_CHOICES: Final = 12
_LOCAL: Final = "#/"
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
    properties = entries(schema, "properties")
    required = {name for name in items(schema, "required") if isinstance(name, str)}
    rows = tuple(
        Row(
            words(name), _kind(part, schema), name in required, prose(_described(part, schema)), _bounds(part)
        )
        for name, part in list(properties.items())[:MOST_ROWS]
    )
    return SchemaView(label, _kind(schema, schema), rows, len(properties) - len(rows), pretty(schema))


def _kind(schema: Any, root: Any) -> str:
    """Return a type in words; a reference is followed one step, so that none leads in circles."""
    if isinstance(schema, bool):
        return "anything" if schema else "nothing"
    if member(schema, "$ref") is not None:
        target = _referred(schema, root)
        return _plain_kind(target) if target is not None else text(schema, "$ref")
    return _plain_kind(schema)


def _plain_kind(schema: Any) -> str:
    choices = items(schema, "enum")
    if choices:
        told = ", ".join(quote(one) for one in choices[:_MOST_CHOICES])
        return f"one of {told}{', …' if len(choices) > _MOST_CHOICES else ''}"
    if "const" in entries({"it": schema}, "it"):
        return f"exactly {quote(schema['const'])}"
    for union in ("anyOf", "oneOf"):
        if arms := items(schema, union):
            return " or ".join(dict.fromkeys(_simple(arm) for arm in arms[:_MOST_CHOICES]))
    if member(schema, "type") == "array":
        return f"array of {_simple(schema['items'])}" if "items" in schema else "array"
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
    return text(schema, "$ref").rpartition("/")[2] or text(schema, "title") or "anything"


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
