"""Routes of a gateway: paths, methods and errors for unknown paths."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from prometheus_client.parser import text_string_to_metric_families

from cardwright import Card, Catalog, Document, ServerCard
from cardwright_gateway.api import listing
from tests.gateway.gateways import AGENTS, BASE, CARD, JSON, MESSAGE, gateway, rpc
from tests.gateway.tasks.gateways import OWNERS, function
from tests.serve.client import call

if TYPE_CHECKING:
    from tests.serve.client import Reply

NEW, OLD = "/.well-known/agent-card.json", "/.well-known/agent.json"
OWN = (
    "/",
    "/.well-known/ard.json",
    "/.well-known/ai-catalog.json",
    "/health",
    "/healthz",
    "/readyz",
    "/metrics",
)
CARDS = (
    *(f"{place}{name}" for place in ("/agents/greeter", "/greeter") for name in (NEW, OLD)),
    *(f"{place}{name}/" for place in ("/agents/greeter", "/greeter") for name in (NEW, OLD)),
    *(f"{name}?id=greeter" for name in (NEW, OLD)),
)
CALLS = ("/agents/greeter", "/agents/greeter/", "/greeter", "/greeter/")
NOWHERE = (
    "/agents", "/agents/", "//", "/agents/greeter/nothing", "/agents/greeter//message:send", "/rpc/x",
    "/agents/%2e%2e/rpc", "/agents/gree%2Fter", "/agents/.hidden", "/.well-known/other",
)  # fmt: skip


def ask(method: str, url: str, headers: Any = (), body: bytes = b"", **config: Any) -> Reply:
    """Send one request to a gateway of its own."""

    async def run() -> Reply:
        async with gateway(**config) as running:
            return await running(method, url, headers, body)

    return asyncio.run(run())


def each(
    method: str, urls: tuple[str, ...], headers: Any = (), body: bytes = b"", **config: Any
) -> list[Reply]:
    """Send a request to each of several URLs of one gateway."""

    async def run() -> list[Reply]:
        async with gateway(**config) as running:
            return [await running(method, url, headers, body) for url in urls]

    return asyncio.run(run())


def test_a_card_is_served_at_every_known_path() -> None:
    replies = each("GET", CARDS)
    assert [reply.status for reply in replies] == [200] * len(CARDS)
    for reply in replies:
        assert reply.json["name"] == CARD["name"]
        urls = {one["url"] for one in reply.json.get("supportedInterfaces", (reply.json,))}
        assert urls == {f"{BASE}/agents/greeter"}


@pytest.mark.parametrize("name", [NEW, OLD])
def test_all_paths_of_a_card_share_one_etag_and_answer_304(name: str) -> None:
    places = tuple(path for path in CARDS if name in path)
    etags = {reply.headers["etag"] for reply in each("GET", places)}
    assert len(etags) == 1
    again = each("GET", places, {"If-None-Match": etags.pop()})
    assert [reply.status for reply in again] == [304] * len(places)


@pytest.mark.parametrize("path", [*OWN, *(f"{path}/" for path in OWN[1:]), "/agents/greeter/report", "/greeter/report/"])  # fmt: skip
def test_every_get_route_supports_head(path: str) -> None:
    read, head, options, wrong = (ask(method, path) for method in ("GET", "HEAD", "OPTIONS", "POST"))
    assert (read.status, head.status, options.status, wrong.status) == (200, 200, 204, 405)
    assert read.body
    assert head.body == options.body == b""
    assert head.headers["content-type"] == read.headers["content-type"]
    assert options.headers["allow"] == wrong.headers["allow"] == "GET, HEAD, OPTIONS"
    assert wrong.reason == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize("path", CARDS)
def test_a_card_answers_head_and_options(path: str) -> None:
    read, head, options, wrong = (ask(method, path) for method in ("GET", "HEAD", "OPTIONS", "POST"))
    assert (read.status, head.status, options.status, wrong.status) == (200, 200, 204, 405)
    assert head.body == b""
    assert head.headers["content-length"] == read.headers["content-length"]


@pytest.mark.parametrize("path", CALLS)
def test_a_call_is_accepted_at_every_endpoint(path: str) -> None:
    newer = ask("POST", path, JSON, rpc("SendMessage", MESSAGE))
    assert newer.json["result"]["task"]["artifacts"][0]["parts"] == [{"text": "2 words"}]
    parts = [{"kind": "text", "text": "three whole words"}]
    result = {"message": {"kind": "message", "messageId": "m-2", "role": "user", "parts": parts}}
    older = ask("POST", path, {"Content-Type": "application/json"}, rpc("message/send", result))
    assert older.json["result"]["artifacts"][0]["parts"] == [{"kind": "text", "text": "3 words"}]


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_browser_gets_the_page_of_the_agent_at_its_endpoint(path: str, method: str) -> None:
    accepted = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    sent = ask(method, path, accepted)
    assert (sent.status, sent.headers["vary"]) == (303, "Accept")
    page = ask("GET", sent.headers["location"].removeprefix(BASE), accepted)
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert ask("GET", path, {"Accept": "*/*"}).status == 405


@pytest.mark.parametrize("path", [*CALLS, "/rpc", "/rpc/"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "TRACE"])
def test_calls_require_post(path: str, method: str) -> None:
    reply = ask(method, path)
    assert (reply.status, reply.headers["allow"]) == (405, "POST, OPTIONS")
    assert (method == "HEAD") is (reply.body == b"")
    shown = ask("GET", path, {"Accept": "text/html"})
    assert shown.status == 303 or b"<!doctype html>" in shown.body
    options = ask("OPTIONS", path)
    assert (options.status, options.headers["allow"], options.body) == (204, "POST, OPTIONS", b"")


@pytest.mark.parametrize("place", ["/agents/greeter", "/greeter"])
def test_rest_of_both_versions_is_below_an_agent(place: str) -> None:
    older = {"message": {"messageId": "m-2", "role": "ROLE_USER", "content": [{"text": "one"}]}}

    async def run() -> tuple[Reply, Reply, Reply]:
        async with gateway() as running:
            newer = await running("POST", f"{place}/message:send", JSON, body=_json(MESSAGE))
            task = newer.json["task"]["id"]
            known = await running("GET", f"{place}/tasks/{task}", JSON)
            version = {"Content-Type": "application/json"}
            return newer, known, await running("POST", f"{place}/v1/message:send", version, _json(older))

    newer, known, old = asyncio.run(run())
    assert (newer.status, known.status, old.status) == (200, 200, 200)
    assert known.json["artifacts"][0]["parts"] == [{"text": "2 words"}]
    assert old.json["task"]["artifacts"][0]["parts"] == [{"text": "1 words"}]


@pytest.mark.parametrize(
    "path", [f"/agents/nobody{NEW}", f"/nobody{OLD}", f"{NEW}?id=nobody", "/agents/nobody/report"]
)
def test_an_unknown_agent_is_a_json_error(path: str) -> None:
    reply = ask("GET", path)
    assert (reply.status, reply.reason) == (404, "AGENT_NOT_FOUND")
    assert reply.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize("path", ["/agents/nobody", "/nobody", "/agents/nobody/", "/api"])
def test_a_call_to_an_unknown_agent_has_status_and_code(path: str) -> None:
    reply = ask("POST", path, JSON, rpc("SendMessage", MESSAGE, "mine"))
    assert (reply.status, reply.json["id"], reply.json["error"]["code"]) == (404, "mine", -32603)
    assert reply.json["error"]["data"][0]["reason"] == "AGENT_NOT_FOUND"


def test_a_rest_call_to_an_unknown_agent_is_a_rest_error() -> None:
    reply = ask("POST", "/agents/nobody/message:send", JSON, _json(MESSAGE))
    assert (reply.status, reply.reason) == (404, "AGENT_NOT_FOUND")


@pytest.mark.parametrize("path", NOWHERE)
def test_every_other_path_is_404(path: str) -> None:
    for method in ("GET", "POST"):
        reply = ask(method, path, JSON, rpc("SendMessage", MESSAGE))
        assert reply.status == 404
        assert "greeter" not in reply.body.decode()


@pytest.mark.parametrize("query", ["", "?id=", "?id=greeter&id=kept", "?id=nobody", "?ID=greeter"])
def test_the_id_of_one_of_several_agents_is_required_exactly_once(query: str) -> None:
    assert ask("GET", f"{NEW}{query}").status == 404


def test_the_query_names_an_agent_beside_a_version_and_a_form() -> None:
    older = ask("GET", f"{NEW}?A2A-Version=0.3&id=greeter")
    assert older.json["url"] == f"{BASE}/agents/greeter"
    assert older.json["protocolVersion"].startswith("0.3")


def test_the_root_agent_is_served_and_called_at_the_root() -> None:
    card = ask("GET", NEW, root="greeter").json
    assert {one["url"] for one in card["supportedInterfaces"]} == {BASE}
    legacy, named = each("GET", (OLD, f"{NEW}?id=greeter"), root="greeter")
    assert legacy.json["url"] == BASE
    assert {one["url"] for one in named.json["supportedInterfaces"]} == {f"{BASE}/agents/greeter"}
    for path in {urlsplit(one["url"]).path or "/" for one in card["supportedInterfaces"]}:
        called = ask("POST", path, JSON, rpc("SendMessage", MESSAGE), root="greeter")
        assert called.json["result"]["task"]["artifacts"][0]["parts"] == [{"text": "2 words"}]
    sent = ask("POST", "/message:send", JSON, _json(MESSAGE), root="greeter")
    assert sent.json["task"]["artifacts"][0]["parts"] == [{"text": "2 words"}]
    assert ask("POST", "/greeter", JSON, rpc("SendMessage", MESSAGE), root="greeter").status == 200
    assert b"<!doctype html>" in ask("GET", "/", {"Accept": "text/html"}, root="greeter").body
    assert ask("OPTIONS", "/", root="greeter").headers["allow"] == "GET, HEAD, OPTIONS, POST"


def test_without_a_root_agent_calls_at_the_root_are_404() -> None:
    assert ask("POST", "/", JSON, rpc("SendMessage", MESSAGE)).status == 405
    assert ask("POST", "/message:send", JSON, _json(MESSAGE)).status == 404


def test_the_json_catalogue_conforms_to_ai_catalog() -> None:
    reply = ask(
        "GET", "/.well-known/ai-catalog.json", agents={**AGENTS, "never": {"url": "https://a.example"}}
    )
    assert reply.headers["content-type"] == "application/ai-catalog+json"
    value = reply.json
    assert re.fullmatch(r"1\.[0-9]+", value["specVersion"])
    assert value["host"]["displayName"]
    # Each agent is an A2A agent and an MCP server; the last entry is the search.
    assert (
        len({(one["identifier"], one.get("version")) for one in value["entries"]})
        == len(value["entries"])
        == 7
    )
    assert Catalog.from_document(value, dialect="ai-catalog-1").valid
    for entry in value["entries"]:
        # Exactly one of url and data; a type; nothing empty; identifiers are URIs (AI Catalog 1.0).
        assert ("url" in entry) != ("data" in entry)
        assert entry["type"] in (
            "application/a2a-agent-card+json",
            "application/mcp-server-card+json",
            "application/ai-registry+json",
        )
        assert urlsplit(entry["identifier"]).scheme
        assert entry["displayName"]
        assert all(entry.values())
        assert entry.keys() <= {
            "identifier", "displayName", "type", "url", "description", "version", "representativeQueries", "capabilities",
            "tags",
        }  # fmt: skip


def test_the_urls_of_the_catalogue_resolve_to_cards() -> None:
    *entries, search = ask("GET", "/.well-known/ai-catalog.json").json["entries"]
    assert (search["type"], search["url"]) == ("application/ai-registry+json", f"{BASE}/registry")
    paths = tuple(urlsplit(entry["url"]).path for entry in entries)
    documents = [Document.from_document(card.json) for card in each("GET", paths)]
    assert all(document.valid for document in documents)
    names = [document.document.get("title") or document.document["name"] for document in documents]
    assert names == [entry["displayName"] for entry in entries]
    assert [type(document) for document in documents] == [Card, ServerCard] * (len(entries) // 2)


@pytest.mark.parametrize(
    "path", ["/.well-known/ard.json", "/.well-known/ai-catalog.json", "/agents/greeter/mcp/server-card"]
)
def test_catalogues_and_server_cards_are_negotiated_and_have_entity_tags(path: str) -> None:
    first = ask("GET", path)
    assert first.headers["access-control-allow-origin"] == "*"
    assert "Accept-Encoding" in first.headers["vary"]
    again = ask("GET", path, {"if-none-match": first.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    assert ask("GET", path, {"accept": "text/html"}).status == 406
    assert ask("POST", path, JSON, b"{}").status == 405
    dialect = {"ard.json": "ard-0.91", "ai-catalog.json": "ai-catalog-1"}.get(
        path.rpartition("/")[2], "mcp-server-card-1"
    )
    assert Document.from_document(first.json, dialect=dialect).valid


def test_the_agents_are_searched_explored_and_listed_as_an_ard_registry() -> None:
    body = _json({"query": {"text": "Which agent has a greeting?"}, "pageSize": 1})
    (found,) = ask("POST", "/registry/search", JSON, body).json["results"]
    assert found["identifier"].endswith((":agents:greeter", ":mcp:greeter"))
    assert (found["source"], 1 <= found["score"] <= 100) == (f"{BASE}/registry", True)

    facets = _json({"resultType": {"facets": [{"field": "type"}]}})
    buckets = ask("POST", "/registry/explore", JSON, facets).json["facets"]["type"]["buckets"]
    assert {one["value"] for one in buckets} == {
        "application/a2a-agent-card+json",
        "application/mcp-server-card+json",
    }
    listed = ask("GET", "/registry/agents?pageSize=1&orderBy=displayName").json
    assert (len(listed["items"]), listed["total"] > 1, "pageToken" in listed) == (1, True, True)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/registry/search", b"{}", 400),
        ("POST", "/registry/search", b" " * 70_000, 413),
        ("POST", "/registry/explore", b"[]", 400),
        ("GET", "/registry/agents?orderBy=url", b"", 400),
        ("GET", "/registry/search", b"", 405),
    ],
)
def test_an_invalid_search_is_refused(method: str, path: str, body: bytes, status: int) -> None:
    reply = ask(method, path, JSON if body else (), body)
    assert reply.status == status
    if status == 400:
        assert reply.json["errorCode"] == "INVALID_ARGUMENT"


def test_the_list_of_agents_links_to_the_catalogues() -> None:
    assert ask("GET", "/").headers["link"] == (
        '<.well-known/ard.json>; rel="ard", <.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json"'
    )


def test_an_agent_that_is_not_public_has_no_server_card() -> None:
    private = {"one": function("answer", visibility="private")}
    for agent in ("one", "none"):
        reply = ask("GET", f"/agents/{agent}/mcp/server-card", agents=private, owners=OWNERS)
        assert (reply.status, reply.json["error"]["details"][0]["reason"]) == (404, "AGENT_NOT_FOUND")


def test_a_gateway_without_its_database_is_alive_and_not_ready() -> None:
    async def run() -> list[Reply]:
        async with gateway() as running:
            before = await running("GET", "/readyz")
            running.gateway.registry.store.close()
            return [before, await running("GET", "/readyz"), await running("GET", "/healthz")]

    before, ready, alive = asyncio.run(run())
    assert (before.status, before.json["status"]) == (200, "ready")
    assert (ready.status, ready.json["status"]) == (503, "not ready")
    assert alive.status == 200


async def test_a_mounted_gateway_works_below_its_mount_path() -> None:
    from starlette.applications import Starlette
    from starlette.routing import Mount

    async with gateway(base_url=f"{BASE}/ours") as running:
        app = Starlette(routes=[Mount("/ours", running.gateway)])
        paths = ("/ours/", f"/ours/agents/greeter{NEW}", "/ours/healthz", f"/agents/greeter{NEW}")
        replies = [await call(app, "GET", path) for path in paths]
        body = rpc("SendMessage", MESSAGE)
        page, card, alive, outside, called = [
            *replies,
            await call(app, "POST", "/ours/agents/greeter", JSON, body=body),
        ]
    assert (page.status, card.status, alive.status, outside.status) == (200, 200, 200, 404)
    assert {one["url"] for one in card.json["supportedInterfaces"]} == {f"{BASE}/ours/agents/greeter"}
    assert called.json["result"]["task"]["artifacts"][0]["parts"] == [{"text": "2 words"}]


async def test_metrics_are_in_prometheus_format() -> None:
    async with gateway() as running:
        await running("GET", f"/agents/greeter{NEW}")
        await running("GET", f"/agents/nobody{NEW}")
        await running("POST", "/agents/greeter", JSON, rpc("SendMessage", MESSAGE))
        reply = await running("GET", "/metrics")
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = {one.name: one for one in text_string_to_metric_families(reply.body.decode())}
    rows = families["cardwright_gateway_requests"].samples
    counted = {
        (row.labels["kind"], row.labels["status"]): row.value for row in rows if row.name.endswith("_total")
    }
    assert counted == {("card", "2xx"): 1, ("card", "4xx"): 1, ("jsonrpc", "2xx"): 1}
    agents = families["cardwright_gateway_agents"].samples
    assert [(row.labels, row.value) for row in agents] == [({"protocol": "managed", "state": "ok"}, 2)]


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize("name", [NEW, OLD])
@pytest.mark.parametrize("root", [None, "greeter"])
def test_a_base_url_without_a_slash_is_reported_with_a_fix(name: str, root: str | None) -> None:
    # The client of @a2a-js/sdk resolves the path of the card against the base URL: new URL(path, base).
    config: dict[str, Any] = {"root": root} if root else {}
    refused, named = each("GET", (f"/agents{name}", f"/agents{name}?id=greeter"), **config)
    assert refused.status == 404
    assert refused.json["error"]["details"][0]["reason"] == "CARD_NOT_FOUND"
    assert "End the base URL of an agent with a slash" in refused.json["error"]["message"]
    assert named.status == 200


async def test_the_catalogue_is_written_again_only_after_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    contents = listing.manifest_contents

    def noted(dialect: str, *given: Any) -> Any:
        written.append(dialect)
        return contents(dialect, *given)

    monkeypatch.setattr(listing, "manifest_contents", noted)

    async with gateway() as served:

        async def listed(name: str) -> set[str]:
            reply = await served("GET", f"/.well-known/{name}.json")
            return {one["url"] for one in reply.json["entries"]}

        first = await listed("ai-catalog")
        assert await listed("ai-catalog") == first
        assert written == ["ai-catalog-1"]
        await served.gateway.add("new", {"card": CARD, "visibility": "public"})
        assert len(await listed("ai-catalog")) == len(first) + 2
        await served.gateway.remove("new", actor="operator")
        assert await listed("ai-catalog") == await listed("ard") == first
        assert written == ["ai-catalog-1", "ai-catalog-1", "ai-catalog-1", "ard-0.91"]


async def test_a_long_catalogue_lists_its_pages_which_discover_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PAGE", 2)
    agents = {f"agent-{number}": {"card": CARD} for number in range(5)}

    async with gateway(agents=agents) as served:
        for path, dialect in (("ai-catalog", "ai-catalog-1"), ("ard", "ard-0.91")):
            first = await served("GET", f"/.well-known/{path}.json")
            catalog = Catalog.from_bytes(first.body)
            assert catalog.valid, catalog.errors
            *pages, search = catalog.entries
            assert str(catalog.dialect) == dialect
            assert search.type == "application/ai-registry+json"
            assert [page.name for page in pages] == [f"Agents, page {one} of 3" for one in (1, 2, 3)]
            found = []
            for page in pages:
                reply = await served("GET", page.url.removeprefix(BASE))
                listed = Catalog.from_bytes(reply.body, dialect=dialect)
                assert listed.valid, listed.errors
                found += [urlsplit(entry.url).path.split("/")[2] for entry in listed.entries]
            assert found == sorted([*agents, *agents])
        for wrong in ("0", "4", "-1", "x", "1&page=2", "%D9%A1", "01", "000000001" + "9" * 5_000):
            reply = await served("GET", f"/.well-known/ai-catalog.json?page={wrong}")
            assert reply.status in (400, 404), wrong
        assert (await served("GET", "/.well-known/ard.json?page=3")).status == 200


def test_a_short_catalogue_has_no_pages() -> None:
    assert ask("GET", "/.well-known/ai-catalog.json?page=1").status == 404
