"""Descriptions of MCP servers: read, fixed, shown, compared, and kept apart from agent cards."""

from __future__ import annotations

from io import StringIO
from typing import Any, Final

import pytest
from hypothesis import given, settings
from rich.console import Console

from cardwright import Card, Catalog, ServerCard, diff, fix
from cardwright.cli.reports.document_view import sheet
from cardwright.errors import BadArgument, UnknownDialect
from cardwright.page import server_page
from cardwright.server_cards import server_card
from cardwright_rules import SERVERS
from cardwright_runtime.identifiers import server_name, shortened
from tests.properties.strategies import JSON

V1: Final = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
SERVER: Final[dict[str, Any]] = {
    "$schema": V1,
    "name": "com.example.seeds/stock",
    "version": "1.2.0",
    "description": "Knows which seeds are in store.",
    "remotes": [{"type": "streamable-http", "url": "https://seeds.example.com/mcp"}],
}
PACKAGE: Final = {
    "registryType": "npm",
    "identifier": "@seeds/stock",
    "version": "1.2.0",
    "transport": {"type": "stdio"},
}
POSITIONS = [{"type": "positional", "valueHint": name} for name in ("from", "to")]
JSON_FILE: Final[dict[str, Any]] = {
    **SERVER,
    "$schema": V1.replace("v1/server-card", "2025-12-11/server"),
    "packages": [PACKAGE],
}
OLDER: Final[dict[str, Any]] = {
    "serverInfo": {"name": "stock", "title": "Stock", "version": "1.2.0"},
    "transport": {"type": "sse", "endpoint": "https://seeds.example.com/sse"},
    "tools": [{"name": "count", "description": "Counts seeds."}],
}
CAPABLE: Final[dict[str, Any]] = {**OLDER, "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}


def package(**more: Any) -> dict[str, Any]:
    return {**JSON_FILE, "packages": [{**PACKAGE, **more}]}


def remote(**more: Any) -> dict[str, Any]:
    return {**SERVER, "remotes": [{**SERVER["remotes"][0], **more}]}


def printed(server: ServerCard) -> str:
    out = StringIO()
    Console(width=200, file=out).print(*sheet(server), sep="\n")
    return out.getvalue()


@pytest.mark.parametrize(
    ("document", "dialect", "endpoints"),
    [
        (SERVER, "mcp-server-card-1", ("https://seeds.example.com/mcp",)),
        (JSON_FILE, "mcp-registry-2025-12-11", ("https://seeds.example.com/mcp",)),
        (OLDER, "mcp-server-card-1649", ("https://seeds.example.com/sse",)),
    ],
)
def test_each_shape_is_detected(document: dict[str, Any], dialect: str, endpoints: tuple[str, ...]) -> None:
    server = ServerCard.from_document(document)

    assert (str(server.dialect), server.valid, server.endpoints) == (dialect, True, endpoints)
    assert server.model.to_wire() == document


def test_a_server_is_no_agent_card() -> None:
    with pytest.raises(UnknownDialect, match="not an agent card, but a description of an MCP server"):
        Card.from_document(SERVER)
    with pytest.raises(UnknownDialect, match="not a catalogue, but a description of an MCP server"):
        Catalog.from_document(JSON_FILE)
    with pytest.raises(UnknownDialect, match="not a description of an MCP server, but a catalogue"):
        ServerCard.from_document({"entries": []}, dialect="ard-0.91")
    with pytest.raises(UnknownDialect, match="not a description of an MCP server, but an agent card"):
        ServerCard.from_document({"name": "A", "supportedInterfaces": []})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({**SERVER, "$schema": V1.replace("v1", "v7")}, SERVER),
        ({**SERVER, "remotes": [{**SERVER["remotes"][0], "type": "Streamable_HTTP"}]}, SERVER),
        ({**SERVER, "name": "Seed Stock"}, {**SERVER, "name": "com.example.seeds/Seed-Stock"}),
        ({**SERVER, "description": "Knows seeds. " * 9}, {**SERVER, "description": "Knows seeds. " * 7 + "Knows…"}),
        ({**SERVER, "tools": [{"name": "count"}]}, SERVER),
        ({**SERVER, "website_url": "https://example.com"}, {**SERVER, "websiteUrl": "https://example.com"}),
        ({**JSON_FILE, "packages": [{"registry_type": "npm", **{k: v for k, v in PACKAGE.items() if k != "registryType"}}]}, JSON_FILE),
    ],
)  # fmt: skip
def test_common_mistakes_are_fixed(before: dict[str, Any], after: dict[str, Any]) -> None:
    better, _ = fix(ServerCard.from_document(before))

    assert (better.document, better.valid) == (after, True)


def test_a_missing_schema_is_added() -> None:
    bare = {name: value for name, value in SERVER.items() if name != "$schema"}
    better, fixes = fix(ServerCard.from_document(bare, dialect="mcp-server-card-1"), safe_only=True)

    assert better.document == SERVER
    assert [applied.fix.safe for applied in fixes] == [True]


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        (SERVER, {**SERVER, "name": "com.example/stock"}, {"server-renamed"}),
        (SERVER, {**SERVER, "version": "1.3.0"}, {"server-version-changed"}),
        (SERVER, {**SERVER, "description": "Counts."}, {"text-changed"}),
        (SERVER, {**SERVER, "remotes": []}, {"endpoint-removed"}),
        (SERVER, {**SERVER, "remotes": [{**SERVER["remotes"][0], "type": "sse"}]}, {"endpoint-changed"}),
        (JSON_FILE, {**JSON_FILE, "packages": [{**PACKAGE, "version": "1.2.1"}]}, {"package-version-changed"}),
        (JSON_FILE, {**JSON_FILE, "packages": [PACKAGE, {**PACKAGE, "registryType": "pypi", "identifier": "stock"}]}, {"package-added"}),
        (OLDER, {**OLDER, "tools": [{"name": "count"}]}, {"text-changed"}),
        (OLDER, {**OLDER, "tools": []}, {"tool-removed"}),
        (CAPABLE, {**CAPABLE, "capabilities": {}}, {"capability-withdrawn"}),
        (CAPABLE, {**CAPABLE, "capabilities": {"tools": {}, "prompts": {}}}, {"capability-offered"}),
        ({**OLDER, "capabilities": ["tools"]}, {**OLDER, "capabilities": ["logging"]}, {"capability-offered", "capability-withdrawn"}),
        (CAPABLE, {**CAPABLE, "protocolVersion": "2025-11-25"}, {"interface-version-changed"}),
        (OLDER, {**OLDER, "authentication": {"required": True}}, {"authentication-demanded"}),
        (JSON_FILE, package(environmentVariables=[{"name": "LOG"}]), {"setting-added"}),
        (JSON_FILE, package(environmentVariables=[{"name": "LOG", "isRequired": True}]), {"setting-demanded"}),
        (JSON_FILE, package(environmentVariables=[{"name": "LOG", "isRequired": True, "default": "x"}]), {"setting-added"}),
        (package(environmentVariables=[{"name": "LOG"}]), JSON_FILE, {"setting-removed"}),
        (JSON_FILE, package(packageArguments=[{"type": "named", "name": "--log"}]), {"setting-added"}),
        (JSON_FILE, package(runtimeArguments=[{"type": "named", "name": "--key", "isRequired": True}]), {"setting-demanded"}),
        (JSON_FILE, package(packageArguments=[{"type": "positional", "valueHint": "folder"}]), {"package-changed"}),
        (package(packageArguments=POSITIONS), package(packageArguments=POSITIONS[::-1]), {"package-changed"}),
        (remote(headers=[{"name": "X-Key"}]), remote(headers=[{"name": "x-key"}]), set()),
        (remote(headers=[{"name": "X-Key", "isRequired": True}]), remote(headers=[{"name": "X-Key"}]), {"setting-released"}),
        (remote(headers=[{"name": "X-Key"}]), remote(headers=[{"name": "X-Key", "format": "number"}]), {"setting-changed"}),
        (remote(supportedProtocolVersions=["2025-06-18"]), remote(supportedProtocolVersions=["2025-11-25"]), {"protocol-version-added", "protocol-version-removed"}),
        (SERVER, OLDER, {"form-added", "form-removed"}),
        (OLDER, {**OLDER, "tools": [{**OLDER["tools"][0], "inputSchema": {"type": "object"}}]}, {"tool-changed"}),
    ],
)  # fmt: skip
def test_the_changes_between_descriptions(old: dict[str, Any], new: dict[str, Any], kinds: set[str]) -> None:
    changes = diff(ServerCard.from_document(old), ServerCard.from_document(new))

    found = {change.kind for change in changes}
    assert kinds <= found if "form-added" in kinds else found == kinds


def test_documents_of_two_kinds_are_not_compared() -> None:
    with pytest.raises(BadArgument, match="documents of two kinds"):
        diff(ServerCard.from_document(SERVER), Catalog.from_document({"entries": []}, dialect="ard-0.91"))


def test_packages_endpoints_and_tools_are_shown() -> None:
    needy = {**PACKAGE, "environmentVariables": [{"name": "SEED_KEY"}]}
    shown = printed(ServerCard.from_document({**JSON_FILE, "packages": [needy]}))
    assert "@seeds/stock 1.2.0  npm, stdio  environment SEED_KEY" in shown
    assert "https://seeds.example.com/mcp  streamable-http" in shown
    older = ServerCard.from_document({**OLDER, "description": "Knows \u001b[31mseeds."})
    assert "count  Counts seeds." in printed(older)
    assert "\u001b" not in printed(older)
    page = server_page(older).decode()
    assert '<h1 dir="auto">Stock</h1>' in page
    assert "Counts seeds." in page


@pytest.mark.parametrize("dialect", sorted(SERVERS))
@settings(max_examples=40)
@given(document=JSON)
def test_anything_can_be_read_fixed_shown_and_compared_as_a_server(dialect: str, document: Any) -> None:
    server = ServerCard.from_document(document, dialect=dialect)
    better, _ = fix(server)

    assert len(better.errors) <= len(server.errors)
    assert server_page(better).startswith(b"<!doctype html>")
    assert diff(server, server) == ()
    printed(server)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"remotes": [{"url": "https://mcp.example.com:8443/x"}]}, "com.example.mcp/Seed-Bank"),
        ({"remotes": [{"url": "https://{region}.example.com"}], "repository": {"url": "https://git.example.com/x"}}, "com.example.git/Seed-Bank"),
        ({"websiteUrl": "https://["}, None),
        ({"remotes": {"url": 7}}, None),
        ({}, None),
        ([], None),
    ],
)  # fmt: skip
def test_the_name_of_a_server(document: Any, expected: str | None) -> None:
    assert server_name("Seed Bank", document) == expected
    assert server_name("", document) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a" * 30, "a" * 19 + "…"), ("Finds charts, lights and more", "Finds charts,…"), ("short", "short"), (" ", None), (3, None)],
)  # fmt: skip
def test_texts_are_cut_at_words(text: Any, expected: str | None) -> None:
    short = shortened(text, 20)
    assert short == (expected.replace(",…", "…") if expected else None)
    assert shortened(text, None) is None


def test_the_server_card_of_an_agent_is_valid() -> None:
    view = Card.from_document(
        {"name": "A" * 300, "description": "word " * 90, "supportedInterfaces": []}
    ).view
    for one in (None, view):
        value = server_card(one, name="tide desk", url="https://Agents.example.com:8443/tides/mcp")
        server = ServerCard.from_document(value)
        assert (str(server.dialect), server.violations) == ("mcp-server-card-1", ())
        assert value["name"] == "com.example.agents/tide-desk"
