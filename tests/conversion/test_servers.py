"""Conversion of descriptions of MCP servers: their fields are kept, and no A2A or MCP endpoint is invented."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cardwright import Card, ServerCard, UnknownDialect
from cardwright.conversion import convert, convert_to_server
from cardwright.jcs import canonical_bytes
from cardwright_rules import DIALECTS, SERVERS
from tests.cli.command_line import EXAMPLES
from tests.properties.strategies import Cards, lifelike, mutants, mutated
from tests.properties.test_conversion import at, leaves, listed, words

REMOTE = {"type": "streamable-http", "url": "https://charts.example.com/mcp"}
SERVER = {
    "name": "com.example/charts",
    "title": "Harbour charts",
    "description": "Finds nautical charts.",
    "version": "0.2.0",
    "websiteUrl": "https://example.com/charts",
    "remotes": [REMOTE],
    "packages": [{"registryType": "npm", "identifier": "@harbour/charts", "transport": {"type": "stdio"}}],
}
OLDER: dict[str, Any] = {
    "serverInfo": {"name": "charts", "title": "Harbour charts", "version": "0.2.0"},
    "description": "Finds nautical charts.",
    "transport": {"type": "streamable-http", "endpoint": REMOTE["url"]},
    "capabilities": {"tools": {}},
    "tools": [
        {
            "name": "find_chart",
            "title": "Find a chart",
            "description": "Finds one.",
            "inputSchema": {"type": "object"},
        }
    ],
}
AGENT = Card.from_bytes((EXAMPLES / "a2a-1.0.card.json").read_bytes())
ENDPOINT = "https://gateway.example.com/charts"


def server(document: dict[str, Any], dialect: str) -> ServerCard:
    return ServerCard.from_document(document, dialect=dialect)


def test_server_json_becomes_a_server_card_without_its_packages() -> None:
    card, report = convert_to_server(server(SERVER, "mcp-registry-2025-12-11"))

    assert card.valid
    assert card.document == {
        "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        **{name: value for name, value in SERVER.items() if name != "packages"},
    }
    assert [loss.pointer for loss in report.losses] == ["/packages"]


def test_an_older_server_card_is_named_by_the_host_of_its_endpoint() -> None:
    card, report = convert_to_server(server(OLDER, "mcp-server-card-1649"))

    assert card.valid
    assert card.document["name"] == "com.example.charts/charts"
    assert card.document["title"] == "Harbour charts"
    assert card.document["remotes"] == [REMOTE]
    assert {loss.pointer for loss in report.losses} >= {"/tools", "/capabilities"}
    assert "/name" in [assumption.pointer for assumption in report.assumptions]


def test_an_older_server_card_without_an_endpoint_gets_no_remote_and_no_domain() -> None:
    document = {name: value for name, value in OLDER.items() if name != "transport"}
    card, report = convert_to_server(server(document, "mcp-server-card-1649"))

    assert "remotes" not in card.document
    assert card.document["name"] == "charts"
    assert [error.rule for error in card.errors] == ["mcp-server/name"]
    assert [one.why for one in report.assumptions if one.pointer == "/name" and "no URL" in one.why]


def test_the_place_of_an_older_server_card_names_it_if_no_url_does() -> None:
    document = {"serverInfo": {"name": "charts", "version": "0.2.0"}}
    at = "https://www.example.com/.well-known/mcp/server-card.json"
    card, report = convert_to_server(ServerCard.from_document(document, found_at=at))

    assert card.valid
    assert card.document["name"] == "com.example/charts"
    assert not report.losses


def test_fields_of_the_newer_form_in_an_older_server_card_are_kept() -> None:
    document = {
        "name": "charts",
        "version": "0.2.0",
        "url": REMOTE["url"],
        "serverInfo": {
            "name": "charts",
            "title": "Harbour charts",
            "version": "0.2.0",
            "homepage": "https://example.com/charts",
            "repository": "https://github.com/harbour/charts",
        },
        "protocolVersion": "2025-06-18",
        "transport": {"type": "streamableHttp", "url": REMOTE["url"]},
    }
    card, report = convert_to_server(server(document, "mcp-server-card-1649"))

    assert card.valid
    assert card.document["repository"] == {"url": "https://github.com/harbour/charts", "source": "github"}
    assert card.document["websiteUrl"] == "https://example.com/charts"
    assert card.document["remotes"] == [REMOTE | {"supportedProtocolVersions": ["2025-06-18"]}]
    # `streamableHttp` is in the result as streamable-http.
    assert [loss.pointer for loss in report.losses] == ["/transport/type"]


def test_a_session_has_an_object_for_a_capability_that_a_card_only_affirms() -> None:
    document = OLDER | {"capabilities": {"tools": True, "prompts": False}}
    card, report = convert(server(document, "mcp-server-card-1649"), to="mcp-2024-11-05")

    assert card.valid
    assert card.document["capabilities"] == {"tools": {}}
    assert [loss.pointer for loss in report.losses] == ["/serverInfo/name"]


def test_the_card_of_an_mcp_server_states_no_a2a_endpoint_and_no_known_tools() -> None:
    card, report = convert(server(SERVER, "mcp-registry-2025-12-11"))

    assert card.document["supportedInterfaces"] == []
    assert card.document["skills"] == []
    assert [error.pointer for error in card.errors] == ["/skills", "/supportedInterfaces"]
    (extension,) = card.document["capabilities"]["extensions"]
    assert "tools are not known" in extension["description"]
    assert extension["params"]["server"]["remotes"] == [REMOTE]
    assert not report.losses


def test_tools_of_an_older_server_card_become_skills() -> None:
    card, _ = convert(server(OLDER, "mcp-server-card-1649"), endpoint=ENDPOINT)

    assert card.valid
    assert [(skill["id"], skill["name"]) for skill in card.document["skills"]] == [
        ("find_chart", "Find a chart")
    ]
    assert card.document["supportedInterfaces"] == [
        {"url": ENDPOINT, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ]
    assert "not known" not in str(card.document["capabilities"])


@pytest.mark.parametrize("to", ["a2a-0.2", "a2a-0.3", "a2a-1.0", "beach-1.0"])
def test_an_endpoint_is_that_of_the_card_in_each_dialect(to: str) -> None:
    card, _ = convert(server(OLDER, "mcp-server-card-1649"), to=to, endpoint=ENDPOINT)

    assert ENDPOINT in str(card.document)
    assert [error.pointer for error in card.errors] == []


def test_an_endpoint_of_a2a_never_becomes_one_of_mcp() -> None:
    converted, report = convert_to_server(AGENT)

    assert converted.valid
    assert converted.endpoints == ()
    assert "/supportedInterfaces" in [loss.pointer for loss in report.losses]


def test_a_too_long_description_is_cut_and_the_rest_is_a_loss() -> None:
    document = SERVER | {"description": "Finds charts. " * 20}
    card, report = convert_to_server(server(document, "mcp-registry-2025-12-11"))

    assert len(card.document["description"]) <= 100
    assert "/description" in [loss.pointer for loss in report.losses]


@pytest.mark.parametrize(
    ("dialect", "schema"),
    [
        ("mcp-server-card-1", "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
        (
            "mcp-registry-2025-12-11",
            "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        ),
    ],
)
def test_a_server_survives_a_round_trip_through_its_card(dialect: str, schema: str) -> None:
    document = SERVER | {"$schema": schema}
    if dialect == "mcp-server-card-1":
        del document["packages"]
    there, report = convert(server(document, dialect))
    back, _ = convert_to_server(there, to=dialect)

    assert not report.losses
    assert back.document == document


def test_an_older_server_card_survives_a_round_trip() -> None:
    there, report = convert(server(OLDER, "mcp-server-card-1649"))
    back, _ = convert_to_server(there, to="mcp-server-card-1649")

    assert not report.losses
    assert back.document == OLDER


def test_each_kind_of_result_has_a_function_of_its_own() -> None:
    one = AGENT
    with pytest.raises(UnknownDialect, match="convert_to_server"):
        convert(one, to="mcp-server-card-1")
    with pytest.raises(UnknownDialect, match="use convert"):
        convert_to_server(one, to="a2a-1.0")
    with pytest.raises(UnknownDialect, match="cardwright catalog build"):
        convert(one, to="ard-0.91")


def texts(document: Any) -> set[str]:
    return {value for _, value in leaves(document) if isinstance(value, str)}


@st.composite
def drawn(draw: st.DrawFn, dialect: str) -> dict[str, Any]:
    document: Any = draw(strategies(dialect).card())
    for _ in range(draw(st.integers(0, 2))):
        document = mutated(draw, document)
    assume(isinstance(document, dict))
    return dict(document)


@cache
def strategies(dialect: str) -> Cards:
    return Cards(SERVERS[dialect].schema(), keys=["a", "b"])


@pytest.mark.parametrize("dialect", SERVERS)
@given(data=st.data())
@pytest.mark.bulk
def test_every_dropped_field_of_a_server_is_listed(dialect: str, data: st.DataObject) -> None:
    document = data.draw(drawn(dialect))
    one = server(document, dialect)
    before = canonical_bytes(document)
    for to in ("a2a-1.0", *SERVERS):
        if to == dialect:
            continue
        result, report = convert(one, to=to) if to in DIALECTS else convert_to_server(one, to=to)
        for loss in report.losses:
            at(one.document, loss.pointer)
        for assumption in report.assumptions:
            at(result.document, assumption.pointer)
        name = str(result.document.get("name"))
        there = words(result.document) | {repr(name.rpartition("/")[2])}
        for loss in report.losses:
            value = at(one.document, loss.pointer)
            assert not value or not isinstance(value, str) or value not in texts(result.document), (to, loss)
        for pointer, value in leaves_of(one.document):
            assert repr(value) in there or listed(pointer, report), (to, pointer)
    assert canonical_bytes(one.document) == before


# The URL of a card that was generated from an MCP session is that of the server.
@pytest.mark.parametrize(
    "dialect", [name for name in DIALECTS if name not in ("a2a-hybrid", "mcp-2024-11-05")]
)
@given(data=st.data())
@pytest.mark.bulk
def test_the_server_card_of_any_agent_names_no_endpoint(dialect: str, data: st.DataObject) -> None:
    card = Card.from_document(data.draw(lifelike(dialect) | mutants(dialect)), dialect=dialect)
    result, report = convert_to_server(card)
    assert result.endpoints == () or "https://cardwright.dev/extensions/mcp/v1" in str(card.document)
    for loss in report.losses:
        at(card.document, loss.pointer)


def leaves_of(document: Any) -> list[tuple[str, Any]]:
    """Return the texts and numbers of a document, without those that its form says."""
    by_form = ("/$schema", "/transport/type")
    return [
        (pointer, value)
        for pointer, value in leaves(document)
        if pointer not in by_form and value not in ([], {}, None)
    ]
