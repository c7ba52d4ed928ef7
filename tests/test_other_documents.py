"""Documents that are not agent cards are named, with what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardwright import Card, Document, detect
from cardwright.errors import MalformedDocument, UnknownDialect

NEIGHBOURS: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_name("neighbours.json").read_bytes()
)


@pytest.mark.parametrize(
    ("name", "document"), [(name, one) for name, documents in NEIGHBOURS.items() for one in documents]
)
def test_a_document_that_is_not_a_card_is_named_with_what_to_do(name: str, document: dict[str, Any]) -> None:
    with pytest.raises(UnknownDialect, match=f"^not an agent card, but {name}\\. [A-Z]"):
        detect(document)


def test_every_neighbouring_format_of_the_schemas_is_recognised() -> None:
    source = json.loads((Path(__file__).parents[1] / "schemas" / "neighbours.json").read_bytes())

    assert {one["name"] for one in source["neighbours"]} == set(NEIGHBOURS)


# Documents of the dialects of servers and catalogues.
OTHERS: list[dict[str, Any]] = [
    {"specVersion": "1.0", "host": {}, "entries": []},
    {"entries": [{"identifier": "urn:air:example.com:agents:a"}]},
    {"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json", "remotes": []},
    {"serverInfo": {"name": "a", "version": "1"}, "tools": []},
    {"packages": [{"registryType": "npm", "identifier": "x"}]},
]


@pytest.mark.parametrize("extra", [*OTHERS, *(one for documents in NEIGHBOURS.values() for one in documents)])
def test_an_agent_card_with_fields_of_a_neighbour_stays_one(extra: dict[str, Any]) -> None:
    example = Path(__file__).parents[1] / "examples" / "a2a-1.0.card.json"
    card = json.loads(example.read_bytes())

    assert str(detect({**extra, **card}).dialect) == "a2a-1.0"


def test_a_document_of_no_known_kind_is_not_named() -> None:
    with pytest.raises(UnknownDialect, match="not an agent card of any known dialect"):
        detect({"name": "A", "flavour": "vanilla"})


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"name: A\nurl: https://example.com\n", "YAML"),
        (b"---\nname: A\n", "YAML"),
        (b"# A card\nname: A\n", "YAML"),
        (b"<!doctype html><title>404</title>", "HTML or XML"),
    ],
)
def test_a_file_that_is_not_json_is_named(body: bytes, name: str) -> None:
    with pytest.raises(MalformedDocument, match=f"the document is {name}"):
        Card.from_bytes(body)


@pytest.mark.parametrize("body", [b'{"a": }', b"nul", b"name", b"http://example.com", b"[1,"])
def test_broken_json_is_not_taken_for_yaml(body: bytes) -> None:
    with pytest.raises(MalformedDocument, match="the document is not JSON: "):
        Card.from_bytes(body)


SERVER = {"name": "com.example/a", "version": "1", "remotes": [{"type": "sse", "url": "https://example.com"}]}
ENVELOPES: list[tuple[dict[str, Any], str]] = [
    ({"server": SERVER, "_meta": {}}, "server"),
    ({"servers": [{"server": SERVER, "_meta": {}}], "metadata": {"count": 1}}, "servers[0].server"),
    ({"data": {"card": {"name": "a", "protocolVersion": "0.3.0", "skills": []}}}, "data.card"),
]


@pytest.mark.parametrize(("document", "place"), ENVELOPES)
def test_the_place_of_a_document_in_an_answer_is_named(document: dict[str, Any], place: str) -> None:
    with pytest.raises(UnknownDialect) as caught:
        detect(document)

    assert f"in `{place}`. Pass" in str(caught.value)


@pytest.mark.parametrize(
    ("found_at", "dialect"),
    [
        ("https://example.com/.well-known/mcp/server-card.json", "mcp-server-card-1"),
        ("https://example.com/mcp/server-card", "mcp-server-card-1"),
        ("checkout/server.json", "mcp-registry-2025-12-11"),
        ("", "mcp-registry-2025-12-11"),
    ],
)
def test_the_place_of_a_server_breaks_a_tie_and_is_no_proof(found_at: str, dialect: str) -> None:
    found = detect(SERVER, found_at=found_at)

    assert (str(found.dialect), found.sure) == (dialect, False)


@pytest.mark.parametrize("document", [{"name": "a", "description": "b"}, {"tools": []}])
def test_an_unknown_document_at_the_place_of_server_cards_names_what_it_lacks(document: Any) -> None:
    """A list of tools is one part of a server; its place says what it should be."""
    with pytest.raises(UnknownDialect, match=r"nearest dialect is mcp-server-card-1\S*, which requires "):
        Document.from_document(document, found_at="https://example.com/.well-known/mcp/server-card.json")


def test_capabilities_that_a_session_never_gives_are_no_evidence_for_one() -> None:
    document = {"name": "a", "protocolVersion": "2025-06-18", "capabilities": {"tools": True}}
    with pytest.raises(UnknownDialect):
        detect(document)
    assert str(detect(document | {"capabilities": {"tools": {}}}).dialect) == "mcp-2024-11-05"
