"""Cards drawn from the bundled schemas by hypothesis-jsonschema, in 10 to 40 ms each.

`from_schema` of a whole schema inlines every reference, and takes 0.1 to 4 s for a card.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright_models import DIALECTS
from cardwright_runtime.engine import compile_schema

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


# What stands under these names in a card that means something: facts that refer to one another.
WORDS = {
    "protocolVersion": [
        "0.1",
        "0.2.5",
        "0.3.0",
        "0.3",
        "0.3.7",
        "1.0",
        "1.0.1",
        "1.2",
        "2.0",
        "2024-11-05",
        "x",
    ],
    "version": ["1.0", "1.0.0", "0.3", "stable"],
    "preferredTransport": ["JSONRPC", "GRPC", "jsonrpc", "https://example.org/binding"],
    "transport": ["JSONRPC", "GRPC", "http"],
    "protocolBinding": ["JSONRPC", "GRPC", "HTTP+JSON"],
    "protocol": ["a2a", "mcp", "smtp", "a2a-next"],
    "type": ["none", "api-key", "oauth2", "mtls", "hmac-signed"],
    "header": ["X-Key", "Authorization"],
    "scope": ["", "read", "read write"],
    "scheme": ["bearer", "Bearer", "basic"],
    "id": ["a", "b", "c"],
    "uri": [
        "https://example.org/x",
        "https://beach.cool-ai.io/extensions/v1",
        "https://cardwright.dev/extensions/mcp/v1",
        "https://cardwright.dev/extensions/skill-schemas/v1",
    ],
    "credentials": ["secret", '{"in": "header", "name": "X-Key"}', "{", '{"flows": {}}'],
}
KEYS = ["a", "b", "c", "a-clientCredentials", "b-implicit", "api_key"]


# Notes for readers and other tools. A format is one of them: the validators do not assert it (`URLS`).
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
    """Strategies of one dialect's schema; lifelike ones draw from few words where facts refer to others.

    Every level of the schema is a `from_schema` of its own, whose subschemas are placeholders. A placeholder is
    filled from the strategy of its subschema, so hypothesis-jsonschema reads every keyword, once a subschema.
    Only an object that has nothing but fields is put together here: it would read each field at every draw.
    """

    def __init__(self, schema: dict[str, Any], *, lifelike: bool = False) -> None:
        self.schema = schema
        self._lifelike = lifelike
        self._strategies: dict[tuple[int, str], st.SearchStrategy[Any]] = {}

    def card(self) -> st.SearchStrategy[dict[str, Any]]:
        """Return documents that the schema accepts, unknown fields among them."""
        # A document may fit two arms of a oneOf, and hypothesis-jsonschema does not know all keywords of 2020-12.
        return self._of(self.schema).filter(compile_schema(self.schema).is_valid)

    def _of(self, node: Any, name: str = "") -> st.SearchStrategy[Any]:
        """Return the strategy of a subschema; `name` is the field that it belongs to."""
        if node is True or not constraints(node):
            return JSON
        if "$ref" in node:
            return self._of(self.schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], name)
        # Deferred, because a definition may refer to itself.
        return self._strategies.setdefault((id(node), name), st.deferred(lambda: self._level(node, name)))

    def _level(self, node: dict[str, Any], name: str) -> st.SearchStrategy[Any]:
        level = constraints(node)
        if level.get("type") == "object" and level.keys() <= FIELDS:
            return self._object(level)
        level = narrowed(level)
        holes: dict[str, st.SearchStrategy[Any]] = {}

        def hole(child: Any, name: str = name) -> dict[str, Any]:
            placeholder = HOLE.format(len(holes))
            holes[placeholder] = self._of(child, name)
            return {"const": placeholder}

        for union in {"anyOf", "oneOf"} & level.keys():
            level[union] = [hole(arm) for arm in level[union]]
        if "array" in types(level):
            level["items"] = hole(level.get("items", True))
        if "object" in types(level):
            fields = level.get("properties", {})
            level["properties"] = {field: hole(child, field) for field, child in fields.items()}
            if level.setdefault("additionalProperties", True) is not False:
                level["additionalProperties"] = hole(level["additionalProperties"])
        known = self._words(name, node) if "string" in types(level) else []
        drawn = from_schema(level, allow_x00=False)
        if known:
            return (
                st.sampled_from(known) if self._lifelike and name in WORDS else st.sampled_from(known) | drawn
            )
        return filled(drawn, holes) if holes else drawn

    def _object(self, level: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        """Return the strategy of an object with no keywords but those in `FIELDS`."""
        required = level.get("required", ())
        fields = {**dict.fromkeys(required, True), **level.get("properties", {})}
        drawn = {field: self._of(child, field) for field, child in fields.items()}
        others = level.get("additionalProperties", True)
        if others is False:
            unknown: st.SearchStrategy[dict[str, Any]] = st.builds(dict)
        else:
            keys = st.sampled_from(KEYS) if self._lifelike and not fields else NAMES
            most = 1 if fields else MORE_FIELDS
            unknown = st.dictionaries(
                keys.filter(lambda key: key not in fields), self._of(others), max_size=most
            )
        known = st.fixed_dictionaries({field: drawn.pop(field) for field in required}, optional=drawn)
        return st.builds(operator.or_, unknown, known)

    def _words(self, name: str, node: dict[str, Any]) -> list[str]:
        words = WORDS.get(name, []) if self._lifelike else []
        is_valid = compile_schema(constraints(node)).is_valid
        return [word for word in words or (URLS if node.get("format") == "uri" else []) if is_valid(word)]


def constraints(node: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of a schema that validate."""
    return {key: value for key, value in node.items() if key not in NOTES and not key.startswith("x-")}


def types(node: dict[str, Any]) -> list[str]:
    stated = node.get("type", [])
    return [stated] if isinstance(stated, str) else stated


def narrowed(level: dict[str, Any]) -> dict[str, Any]:
    """Return one level of a schema with a maximum size; it accepts nothing that the schema refuses."""
    if "array" in types(level):
        least = level.get("minItems", 0)
        level["maxItems"] = min(level.get("maxItems", least + MORE_ITEMS), least + MORE_ITEMS)
    if "object" in types(level):
        least = max(len(level.get("required", ())), level.get("minProperties", 0))
        level["maxProperties"] = min(level.get("maxProperties", least + MORE_FIELDS), least + MORE_FIELDS)
    if {"integer", "number"} & {*types(level)}:
        level["minimum"] = max(level.get("minimum", -MAX_INTEGER), -MAX_INTEGER)
        level["maximum"] = min(level.get("maximum", MAX_INTEGER), MAX_INTEGER)
    return level


@st.composite
def filled(draw: st.DrawFn, level: st.SearchStrategy[Any], holes: dict[str, st.SearchStrategy[Any]]) -> Any:
    """Return a value of a level with a drawn value for each placeholder."""

    def fill(value: Any) -> Any:
        if isinstance(value, str):
            return draw(holes[value]) if value in holes else value
        if isinstance(value, list):
            return [fill(item) for item in value]
        return {name: fill(item) for name, item in value.items()} if isinstance(value, dict) else value

    return fill(draw(level))


@functools.cache
def cards(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return schema-valid documents of a dialect."""
    return Cards(DIALECTS[dialect].schema()).card()


@functools.cache
def lifelike(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return schema-valid documents whose versions, schemes, scopes and ids refer to one another.

    Of a hybrid, which has no schema of its own: two cards in one, and cards converted to it.
    """
    if DIALECTS[dialect].schema_id is not None:
        return Cards(DIALECTS[dialect].schema(), lifelike=True).card()
    older, newer = lifelike("a2a-0.3"), lifelike("a2a-1.0")
    return st.builds(lambda one, other: {**one, **other}, older, newer) | newer.map(_as_hybrid)


def _as_hybrid(document: dict[str, Any]) -> dict[str, Any]:
    card = Card.from_document(document, dialect="a2a-1.0")
    return convert(card, to="a2a-hybrid")[0].document


@functools.cache
def mutants(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return documents of a dialect with a few members dropped, replaced or made null: mostly invalid."""

    whole = cards(dialect) if DIALECTS[dialect].schema_id else lifelike(dialect)

    @st.composite
    def mutant(draw: st.DrawFn) -> dict[str, Any]:
        document: dict[str, Any] = draw(whole)
        for _ in range(draw(st.integers(1, 3))):
            document = mutated(draw, document)
        return document

    return mutant()


def mutated(draw: st.DrawFn, document: Any) -> Any:
    """Return a copy of a document in which one place is dropped or replaced."""
    if isinstance(document, dict) and document:
        name = draw(st.sampled_from(sorted(document)))
        if isinstance(document[name], (dict, list)) and document[name] and draw(st.booleans()):
            return {**document, name: mutated(draw, document[name])}
        if draw(st.booleans()):
            return {other: value for other, value in document.items() if other != name}
        return {**document, name: draw(JSON)}
    if isinstance(document, list) and document:
        index = draw(st.integers(0, len(document) - 1))
        inner = document[index]
        changed = mutated(draw, inner) if isinstance(inner, (dict, list)) else draw(JSON)
        return [*document[:index], changed, *document[index + 1 :]]
    return document


SCHEMA_DIALECTS = sorted(name for name, row in DIALECTS.items() if row.schema_id)
