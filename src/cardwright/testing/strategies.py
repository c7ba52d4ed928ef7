"""Hypothesis strategies of agent cards, drawn from the bundled schemas by hypothesis-jsonschema.

`from_schema` of a whole schema inlines every reference and takes up to 4 s for a card; here it reads one level at a time,
and a card takes 10 to 40 ms.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from cardwright.errors import BadArgument
from cardwright_rules import DIALECTS
from cardwright_runtime.engine import compile_schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# RFC 8785 §3.2.2.3: larger integers are not exact in every reader.
MAX_INTEGER = 2**53 - 1
NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs", "Cc"]), max_size=12
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
URLS = ["https://agent.example.com/a2a", "https://example.org", "wss://example.com/x"]


# Notes for readers and other tools. A format is one of them: the validators do not assert it.
NOTES = frozenset(
    {
        "$comment",
        "$defs",
        "$id",
        "$schema",
        "default",
        "deprecated",
        "description",
        "examples",
        "format",
        "title",
    }
)
# What a subschema is while its level is drawn: a text that no card contains.
HOLE = "\ue000{}\ue001"
# The keywords of an object that has nothing but fields.
FIELDS = {"additionalProperties", "properties", "required", "type"}
# Beyond what a schema requires: enough for several of everything, and a card stays below a few kilobytes.
MORE_FIELDS = 3
MORE_ITEMS = 2


class Cards:
    """Strategies of one dialect's schema.

    Every level of the schema is a `from_schema` of its own, whose subschemas are placeholders. A placeholder is
    filled from the strategy of its subschema, so hypothesis-jsonschema reads every keyword, once a subschema.
    Only an object that has nothing but fields is put together here: it would read each field at every draw.

    Args:
        schema: The bundled schema of the dialect.
        words: The values to draw for fields of these names, where facts refer to one another.
        keys: The keys to draw for maps, likewise.
    """

    def __init__(
        self,
        schema: dict[str, Any],
        *,
        words: Mapping[str, list[str]] | None = None,
        keys: Sequence[str] = (),
    ) -> None:
        self.schema = schema
        self._known = words or {}
        self._keys = keys
        self._strategies: dict[tuple[int, str], st.SearchStrategy[Any]] = {}

    def card(self) -> st.SearchStrategy[dict[str, Any]]:
        """Return documents that the schema accepts, unknown fields among them."""
        # A document may fit two arms of a oneOf, and hypothesis-jsonschema does not know all keywords of 2020-12.
        return self._of(self.schema).filter(compile_schema(self.schema).is_valid)

    def _of(self, node: Any, name: str = "") -> st.SearchStrategy[Any]:
        """Return the strategy of a subschema; `name` is the field that it belongs to."""
        if node is True or not _constraints(node):
            return JSON
        if "$ref" in node:
            return self._of(self.schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], name)
        # Deferred, because a definition may refer to itself.
        return self._strategies.setdefault((id(node), name), st.deferred(lambda: self._level(node, name)))

    def _level(self, node: dict[str, Any], name: str) -> st.SearchStrategy[Any]:
        level = _constraints(node)
        if level.get("type") == "object" and level.keys() <= FIELDS:
            return self._object(level)
        level = _narrowed(level)
        holes: dict[str, st.SearchStrategy[Any]] = {}

        def hole(child: Any, name: str = name) -> dict[str, Any]:
            placeholder = HOLE.format(len(holes))
            holes[placeholder] = self._of(child, name)
            return {"const": placeholder}

        for union in {"anyOf", "oneOf"} & level.keys():
            level[union] = [hole(arm) for arm in level[union]]
        if "array" in _types(level):
            level["items"] = hole(level.get("items", True))
        if "object" in _types(level):
            fields = level.get("properties", {})
            level["properties"] = {field: hole(child, field) for field, child in fields.items()}
            if level.setdefault("additionalProperties", True) is not False:
                level["additionalProperties"] = hole(level["additionalProperties"])
        known = self._words(name, node) if "string" in _types(level) else []
        drawn = from_schema(level, allow_x00=False)
        if known:
            return st.sampled_from(known) if name in self._known else st.sampled_from(known) | drawn
        return _filled(drawn, holes) if holes else drawn

    def _object(self, level: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        """Return the strategy of an object with no keywords but those in `FIELDS`."""
        required = level.get("required", ())
        fields = {**dict.fromkeys(required, True), **level.get("properties", {})}
        drawn = {field: self._of(child, field) for field, child in fields.items()}
        others = level.get("additionalProperties", True)
        if others is False:
            unknown: st.SearchStrategy[dict[str, Any]] = st.builds(dict)
        else:
            keys = st.sampled_from(self._keys) if self._keys and not fields else NAMES
            most = 1 if fields else MORE_FIELDS
            unknown = st.dictionaries(
                keys.filter(lambda key: key not in fields), self._of(others), max_size=most
            )
        known = st.fixed_dictionaries({field: drawn.pop(field) for field in required}, optional=drawn)
        return st.builds(operator.or_, unknown, known)

    def _words(self, name: str, node: dict[str, Any]) -> list[str]:
        words = self._known.get(name, [])
        is_valid = compile_schema(_constraints(node)).is_valid
        return [word for word in words or (URLS if node.get("x-format") == "uri" else []) if is_valid(word)]


def _constraints(node: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of a schema that validate."""
    return {key: value for key, value in node.items() if key not in NOTES and not key.startswith("x-")}


def _types(node: dict[str, Any]) -> list[str]:
    stated = node.get("type", [])
    return [stated] if isinstance(stated, str) else stated


def _narrowed(level: dict[str, Any]) -> dict[str, Any]:
    """Return one level of a schema with a maximum size; it accepts nothing that the schema refuses."""
    if "array" in _types(level):
        least = level.get("minItems", 0)
        level["maxItems"] = min(level.get("maxItems", least + MORE_ITEMS), least + MORE_ITEMS)
    if "object" in _types(level):
        least = max(len(level.get("required", ())), level.get("minProperties", 0))
        level["maxProperties"] = min(level.get("maxProperties", least + MORE_FIELDS), least + MORE_FIELDS)
    if {"integer", "number"} & {*_types(level)}:
        level["minimum"] = max(level.get("minimum", -MAX_INTEGER), -MAX_INTEGER)
        level["maximum"] = min(level.get("maximum", MAX_INTEGER), MAX_INTEGER)
    return level


@st.composite
def _filled(draw: st.DrawFn, level: st.SearchStrategy[Any], holes: dict[str, st.SearchStrategy[Any]]) -> Any:
    """Return a value of a level with a drawn value for each placeholder."""

    def fill(value: Any) -> Any:
        if isinstance(value, str):
            return draw(holes[value]) if value in holes else value
        if isinstance(value, list):
            return [fill(item) for item in value]
        return {name: fill(item) for name, item in value.items()} if isinstance(value, dict) else value

    return fill(draw(level))


@functools.cache
def agent_cards(dialect: str = "a2a-1.0") -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of JSON objects that the schema of a dialect accepts, unknown fields among them.

    What a schema cannot say does not always hold: a drawn card may name a security scheme that it does not declare.

    Args:
        dialect: A dialect with a schema of its own.

    Raises:
        BadArgument: If there is no such dialect.
    """
    row = DIALECTS.get(dialect)
    if row is None or row.schema_id is None:
        known = ", ".join(name for name, one in DIALECTS.items() if one.schema_id)
        raise BadArgument("dialect", f"{dialect!r} has no schema; use one of {known}")
    return Cards(row.schema()).card()
