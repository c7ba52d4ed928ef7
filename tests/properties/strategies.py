"""Cards by the schemas: strategies built once a definition, so that a card takes milliseconds.

`from_schema` on a whole card takes some 0.1 s; here each definition is a strategy of its own, made
from the same schema, and a reference is the strategy of what it refers to.
"""

from __future__ import annotations

import functools
from typing import Any

from hypothesis import strategies as st
from hypothesis_jsonschema import from_schema

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright_models import DIALECTS

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs", "Cc"]), max_size=12
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
URLS = st.sampled_from(["https://agent.example.com/a2a", "https://example.org", "wss://example.com/x"])


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
KEYS = st.sampled_from(["a", "b", "c", "a-clientCredentials", "b-implicit", "api_key"])


class Cards:
    """Strategies of one dialect's schema; lifelike ones draw from few words where facts refer to others."""

    def __init__(self, dialect: str, *, lifelike: bool = False) -> None:
        self.schema = DIALECTS[dialect].schema()
        self._lifelike = lifelike
        self._made: dict[str, st.SearchStrategy[Any]] = {}

    def card(self) -> st.SearchStrategy[dict[str, Any]]:
        """Return documents that the schema accepts, unknown members among them."""
        return self._of(self.schema)

    def _reference(self, name: str) -> st.SearchStrategy[Any]:
        if name not in self._made:
            self._made[name] = st.deferred(lambda: self._of(self.schema["$defs"][name]))
        return self._made[name]

    def _of(self, node: Any, name: str = "") -> st.SearchStrategy[Any]:
        if node is True or not node.keys() - {"description", "x-spec", "default", "x-presence", "title"}:
            return JSON
        if "$ref" in node:
            return self._reference(node["$ref"].rsplit("/", 1)[-1])
        if "const" in node or "enum" in node:
            return from_schema({key: node[key] for key in ("const", "enum") if key in node})
        for union in ("oneOf", "anyOf"):
            if union in node:
                return st.one_of([self._of(arm) for arm in node[union]])
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        return st.one_of([self._typed(kind, node, name) for kind in kinds])

    def _typed(self, kind: str, node: Any, name: str) -> st.SearchStrategy[Any]:
        if kind == "object":
            return self._object(node)
        if kind == "array":
            least = node.get("minItems", 0)
            return st.lists(self._of(node.get("items", True), name), min_size=least, max_size=max(least, 2))
        if kind == "string" and self._lifelike and name in WORDS:
            return st.sampled_from(WORDS[name])
        if kind == "string":
            return URLS if "url" in name.lower() else NAMES
        return from_schema({"type": kind})

    def _object(self, node: Any) -> st.SearchStrategy[dict[str, Any]]:
        properties = node.get("properties", {})
        required = {name: self._of(properties.get(name, True), name) for name in node.get("required", ())}
        optional = {
            name: self._of(member, name) for name, member in properties.items() if name not in required
        }
        known = st.fixed_dictionaries(required, optional=optional)
        if properties:
            unknown = st.dictionaries(NAMES.filter(lambda name: name not in properties), JSON, max_size=1)
            return st.builds(lambda extra, members: {**extra, **members}, unknown, known)
        inner = node.get("additionalProperties", True)
        return st.dictionaries(KEYS if self._lifelike else NAMES, self._of(inner), max_size=3)


@functools.cache
def cards(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return schema-valid documents of a dialect."""
    return Cards(dialect).card()


@functools.cache
def lifelike(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return schema-valid documents whose versions, schemes, scopes and ids refer to one another.

    Of a hybrid, which has no schema of its own: two cards in one, and cards converted to it.
    """
    if DIALECTS[dialect].schema_id is not None:
        return Cards(dialect, lifelike=True).card()
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
