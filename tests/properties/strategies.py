"""Cards for property tests: schema-valid ones, lifelike ones, and mutants."""

from __future__ import annotations

import functools
from typing import Any

from hypothesis import strategies as st

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright.testing.strategies import JSON, NAMES, Cards
from cardwright.testing.strategies import agent_cards as cards
from cardwright_rules import DIALECTS

__all__ = [
    "JSON", "KEYS", "NAMES", "SCHEMA_DIALECTS", "WORDS", "Cards", "cards", "lifelike", "mutants", "mutated",
]  # fmt: skip


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


@functools.cache
def lifelike(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return schema-valid documents whose versions, schemes, scopes and ids refer to one another.

    Of a hybrid, which has no schema of its own: two cards in one, and cards converted to it.
    """
    if DIALECTS[dialect].schema_id is not None:
        return Cards(DIALECTS[dialect].schema(), words=WORDS, keys=KEYS).card()
    older, newer = lifelike("a2a-0.3"), lifelike("a2a-1.0")
    return st.builds(lambda one, other: {**one, **other}, older, newer) | newer.map(_as_hybrid)


def _as_hybrid(document: dict[str, Any]) -> dict[str, Any]:
    card = Card.from_document(document, dialect="a2a-1.0")
    return convert(card, to="a2a-hybrid")[0].document


@functools.cache
def mutants(dialect: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return documents of a dialect with a few fields removed, replaced or made null: mostly invalid."""

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
