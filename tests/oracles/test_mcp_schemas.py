"""The schemas and rules of MCP server cards and server.json against the published schemas, document by document."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright.card import Document, ServerCard
from cardwright.errors import UnknownDialect
from cardwright_rules import SERVERS
from tests.properties.strategies import Cards, mutated
from tests.shared import shared

if TYPE_CHECKING:
    from pathlib import Path

CARD, OLDER, REGISTRY = "mcp-server-card-1", "mcp-server-card-1649", "mcp-registry-2025-12-11"
FILES: Final = {
    CARD: ("spec", "mcp-server-card", "schema.json"),
    REGISTRY: ("spec", "mcp-registry", "2025-12-11.server.schema.json"),
}
# What the published schema says in its descriptions, and in no keyword.
BEYOND_KEYWORDS: Final = (
    "mcp-registry/mcpb-digest",
    "mcp-registry/package-range",
    "mcp-registry/edition-version",
)
WORDS: Final[dict[str, list[Any]]] = {
    "$schema": [
        "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ],
    "name": ["com.example/tides", "tides", "KEY"],
    "version": ["1.0.0", "latest"],
    "description": ["Knows the tides.", "a" * 101],
    "url": ["https://example.com/mcp", "{base}/mcp", "/mcp"],
    "fileSha256": ["a" * 64, "A"],
    "title": ["Tides", "a" * 101],
}


@cache
def published(dialect: str) -> Any:
    schema = json.loads(shared(*FILES[dialect]).read_text(encoding="utf-8"))
    if dialect == CARD:
        return jsonschema_rs.Draft202012Validator({**schema, "$ref": "#/$defs/ServerCard"})
    # As in our schemas, a format is an annotation.
    return jsonschema_rs.Draft7Validator(schema, validate_formats=False)


def agree(dialect: str, document: Any) -> None:
    errors = [
        one
        for one in Document.of_parts(document, dialect).errors
        if not one.rule.startswith("secrets/") and one.rule not in BEYOND_KEYWORDS
    ]
    assert (not errors) == published(dialect).is_valid(document), [(one.pointer, one.rule) for one in errors]


def corpus(folder: str) -> list[tuple[str, Path]]:
    return [(file.name, file) for file in sorted(shared("corpus", folder).glob("*.json"))]


def test_every_real_server_json_has_the_published_validity() -> None:
    for _, file in corpus("mcp-registry"):
        document = json.loads(file.read_bytes())
        assert str(Document.from_document(document).dialect) == REGISTRY
        agree(REGISTRY, document)


def test_the_real_server_cards_are_of_three_shapes() -> None:
    shapes: dict[str, list[str]] = {CARD: [], OLDER: [], "": []}
    for name, file in corpus("mcp-server-card"):
        try:
            shapes[str(Document.from_bytes(file.read_bytes()).dialect)].append(name)
        except UnknownDialect:
            shapes[""].append(name)
    # The third shape is no specification's: tools beside the name of the server.
    assert {dialect: len(names) for dialect, names in shapes.items()} == {CARD: 1, OLDER: 17, "": 7}


@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_the_examples_of_the_extension_have_their_validity(kind: str) -> None:
    for file in sorted(shared("oracles", "mcp-server-card", "ServerCard", kind).glob("*.json")):
        document = json.loads(file.read_bytes())
        assert ServerCard.from_document(document, dialect=CARD).valid == (kind == "valid"), file.name
        agree(CARD, document)


@pytest.mark.parametrize("dialect", [CARD, REGISTRY])
@pytest.mark.bulk
def test_generated_documents_have_the_published_validity(dialect: str) -> None:
    shared("spec")
    drawn = Cards(SERVERS[dialect].schema(), words=WORDS, keys=["a", "b"]).card()

    @st.composite
    def changed(draw: st.DrawFn) -> Any:
        document = draw(drawn)
        for _ in range(draw(st.integers(0, 2))):
            document = mutated(draw, document)
        return document

    @settings(max_examples=max(settings().max_examples, 300))
    @given(changed())
    def same(document: Any) -> None:
        agree(dialect, document)

    same()
