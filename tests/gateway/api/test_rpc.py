"""`POST /rpc`: reads are public, changes need the token, and no change runs code or reads files."""

from __future__ import annotations

import asyncio
import stat
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from cardwright_gateway.errors import UnknownAgent
from tests.gateway.gateways import ADMIN, AGENTS, BASE, CARD, TOKEN, gateway

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.gateways import GatewayClient
    from tests.serve.client import Reply

ELSEWHERE = {"url": "https://agent.example.com/a2a"}
FORBIDDEN: tuple[dict[str, Any], ...] = (
    {"protocol": "mcp", "transport": {"type": "stdio", "command": "touch", "args": ["{mark}"]}},
    {"transport": {"type": "stdio", "command": "touch", "args": ["{mark}"]}},
    {"command": "touch", "args": ["{mark}"]},
    {"protocol": "mcp", "url": "https://a.example.com/mcp", "args": ["{mark}"]},
    {"protocol": "mcp", "url": "https://a.example.com/mcp", "env": {"A": "b"}},
    {"transport": {"type": "http", "url": "https://a.example.com/mcp", "command": "touch"}},
    {"transport": {"type": "http", "url": "https://a.example.com/mcp", "env": {"A": "b"}}},
    {"transport": {"type": "http", "url": "https://a.example.com/mcp", "cwd": "/"}},
    {"card": CARD, "backend": {"python": "os:getcwd"}},
    {"card": CARD, "backend": {"queue": {"token": "${HOME}"}}},
    {"card": "/etc/passwd"},
    {**ELSEWHERE, "bearer": "${HOME}"},
    {**ELSEWHERE, "headers": {"X-Key": "${HOME}"}},
    {"transport": {"type": "http", "url": "https://a.example.com/${HOME}"}},
    {"transport": {"type": "http", "url": "https://a.example.com/", "headers": {"X": "${HOME}"}}},
    {"card": CARD, "backend": {"url": "https://a.example.com/"}, "bearer": "${HOME}"},
)


def ask(method: str, params: Any = None, *, before: Any = (), **config: Any) -> Reply:
    """Send one call to a new gateway, as the operator."""

    async def run() -> Reply:
        async with gateway(admin_token=TOKEN, **config) as running:
            for one in before:
                assert (await running.rpc(*one, **ADMIN)).status == 200
            return await running.rpc(method, params, **ADMIN)

    return asyncio.run(run())


def status_and_codes(reply: Reply) -> tuple[int, int, str]:
    """Return the status, the code and the reason of an error."""
    error = reply.json["error"]
    return reply.status, error["code"], error["data"][0]["reason"]


@pytest.mark.parametrize("method", ["agents/get", "agents.get", "agents/refreshCard", "agents.refreshCard"])
@pytest.mark.parametrize("name", ["id", "name"])
def test_getting_one_agent_returns_its_card(method: str, name: str) -> None:
    result = ask(method, {name: "greeter"}).json["result"]
    assert result["id"] == "greeter"
    assert result["url"] == f"{BASE}/agents/greeter"
    assert result["cardUrl"] == f"{BASE}/agents/greeter/.well-known/agent-card.json"
    assert result["card"]["supportedInterfaces"][0]["url"] == result["url"]


@pytest.mark.parametrize("method", ["agents/list", "agents.list"])
def test_listing_agents_returns_no_cards(method: str) -> None:
    result = ask(method).json["result"]
    assert [one["id"] for one in result["agents"]] == ["greeter", "kept"]
    assert result["total"] == 2
    assert all("card" not in one and one["state"] == "ok" for one in result["agents"])


def test_pages_of_a_list_hold_every_agent_once() -> None:
    agents = {f"agent-{number:02}": {"card": CARD} for number in range(7)}

    async def run() -> list[list[str]]:
        pages: list[list[str]] = []
        async with gateway(agents=agents) as running:
            cursor: dict[str, str] = {}
            while True:
                result = (await running.rpc("agents/list", {"limit": 3, **cursor})).json["result"]
                pages.append([one["id"] for one in result["agents"]])
                if "nextCursor" not in result:
                    return pages
                cursor = {"cursor": result["nextCursor"]}

    pages = asyncio.run(run())
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [name for page in pages for name in page] == sorted(agents)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("agents/list", {"limit": 0}), ("agents/list", {"limit": 1_001}), ("agents/list", {"limit": True}),
        ("agents/list", {"cursor": 1}), ("agents/get", None), ("agents/get", ["greeter"]), ("agents/get", {"id": 1}),
        ("agents/get", {"id": "../greeter"}), ("agents/add", {"id": "one"}),
        ("agents/add", {"id": "one", "agent": "x"}), ("agents/add", {"id": "one", "agent": {}}),
        ("agents/add", {"id": "one", "agent": {"url": "ftp://a.example.com"}}),
        ("agents/add", {"id": "rpc", "agent": ELSEWHERE}), ("agents/add", {"id": "-one", "agent": ELSEWHERE}),
        ("agents/add", {"id": "greeter", "agent": ELSEWHERE}),
    ],
)  # fmt: skip
def test_invalid_params_are_reported(method: str, params: Any) -> None:
    assert status_and_codes(ask(method, params)) == (400, -32602, "INVALID_PARAMS")


@pytest.mark.parametrize("method", ["agents/get", "agents/refreshCard", "agents/update", "agents/remove"])
def test_an_unknown_agent_is_reported(method: str) -> None:
    reply = ask(method, {"id": "nobody", "agent": ELSEWHERE})
    assert status_and_codes(reply) == (404, -32603, "AGENT_NOT_FOUND")


@pytest.mark.parametrize("method", ["agents/add", "agents.add", "agents/update", "agents/remove"])
async def test_without_a_configured_token_changes_are_refused(method: str) -> None:
    async with gateway() as running:
        reply = await running.rpc(method, {"id": "kept", "agent": ELSEWHERE}, **ADMIN)
        assert sorted(running.gateway.agents) == sorted(AGENTS)
    assert status_and_codes(reply)[1:] == (-32601, "METHOD_NOT_FOUND")


@pytest.mark.parametrize("method", ["agents/add", "agents.add", "agents/update", "agents/remove"])
@pytest.mark.parametrize(
    "header",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Bearer {TOKEN.upper()}"},
    ],
)
async def test_a_wrong_token_changes_nothing(method: str, header: dict[str, str]) -> None:
    async with gateway(admin_token=TOKEN) as running:
        reply = await running.rpc(method, {"id": "new", "agent": ELSEWHERE}, **header)
        assert sorted(running.gateway.agents) == sorted(AGENTS)
    assert status_and_codes(reply) == (401, -32603, "UNAUTHENTICATED")
    assert reply.headers["www-authenticate"] == "Bearer"
    assert TOKEN not in reply.body.decode()


@pytest.mark.parametrize("method", ["agents/add", "agents/update"])
@pytest.mark.parametrize("settings", FORBIDDEN, ids=range(len(FORBIDDEN)))
def test_agents_that_run_code_or_read_files_are_refused(method: str, settings: Any, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    meant = _with(settings, str(mark))

    async def run() -> Reply:
        async with gateway(admin_token=TOKEN) as running:
            if method == "agents/update":
                await running.rpc("agents/add", {"id": "one", "agent": ELSEWHERE}, **ADMIN)
            known = dict(running.gateway.agents)
            reply = await running.rpc(method, {"id": "one", "agent": meant}, **ADMIN)
            assert dict(running.gateway.agents) == known
            return reply

    assert status_and_codes(asyncio.run(run())) == (400, -32602, "INVALID_PARAMS")
    assert not mark.exists()


@pytest.mark.parametrize("method", ["agents/update", "agents/remove"])
async def test_agents_of_the_file_are_changed_only_in_the_file(method: str) -> None:
    async with gateway(admin_token=TOKEN) as running:
        known = dict(running.gateway.agents)
        reply = await running.rpc(method, {"id": "greeter", "agent": {"card": CARD}}, **ADMIN)
        assert dict(running.gateway.agents) == known
    assert status_and_codes(reply) == (400, -32602, "INVALID_PARAMS")
    assert "configuration file" in reply.json["error"]["message"]


async def test_an_added_agent_exists_until_it_is_removed() -> None:
    async with gateway(admin_token=TOKEN) as running:
        added = await running.rpc("agents/add", {"id": "new", "agent": {"card": CARD}}, **ADMIN)
        assert added.json["result"]["state"] == "ok"
        card = await running("GET", "/agents/new/.well-known/agent-card.json")
        assert card.json["name"] == CARD["name"]
        renamed = {**CARD, "name": "Renamed"}
        await running.rpc("agents/update", {"id": "new", "agent": {"card": renamed}}, **ADMIN)
        card = await running("GET", "/agents/new/.well-known/agent-card.json")
        assert card.json["name"] == "Renamed"
        removed = await running.rpc("agents/remove", {"id": "new"}, **ADMIN)
        assert removed.json["result"] == {"id": "new", "removed": True}
        assert (await running("GET", "/agents/new/.well-known/agent-card.json")).status == 404
        with pytest.raises(UnknownAgent):
            running.gateway.agent("new")


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_added_agents_survive_a_restart_in_a_private_file(tmp_path: Path, form: str) -> None:
    store = tmp_path / "gateway.db"
    place = form.format(store)
    settings = {**ELSEWHERE, "bearer": "of-the-agent-alone"}

    async def run() -> None:
        async with gateway(store=place, admin_token=TOKEN) as running:
            await running.rpc("agents/add", {"id": "new", "agent": settings}, **ADMIN)
            await running.rpc("agents/add", {"id": "gone", "agent": {"card": CARD}}, **ADMIN)
            await running.rpc("agents/remove", {"id": "gone"}, **ADMIN)
        async with gateway(store=place) as running:
            with running.gateway.registry.store.database.reading() as connection:
                # FULL: keys and agents that were added survive a power cut, too.
                assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2
            assert sorted(running.gateway.agents) == ["greeter", "kept", "new"]
            backend: Any = running.gateway.agents["new"].config.connection
            assert dict(backend.headers) == {"Authorization": "Bearer of-the-agent-alone"}
            # It still has no owner, so the guard denies its address.
            assert backend.configured is None
            listed = await running.rpc("agents/list")
            assert "of-the-agent-alone" not in listed.body.decode()

    asyncio.run(run())
    files = list(tmp_path.iterdir())
    assert store in files
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_an_agent_of_the_file_hides_an_added_one(tmp_path: Path) -> None:
    store = str(tmp_path / "gateway.db")

    async with gateway(store=store, admin_token=TOKEN) as running:
        await running.rpc("agents/add", {"id": "new", "agent": ELSEWHERE}, **ADMIN)
    async with gateway(store=store, agents={**AGENTS, "new": {"card": CARD}}) as running:
        assert running.gateway.agents["new"].config.from_file


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/",
        "http://10.0.0.7/",
        "http://[::1]/",
        "http://169.254.169.254/",
        "http://localhost:9/",
    ],
)
async def test_an_added_agent_at_a_denied_address_is_not_connected_to(url: str) -> None:
    async with gateway(admin_token=TOKEN) as running:
        assert (await running.rpc("agents/add", {"id": "new", "agent": {"url": url}}, **ADMIN)).status == 200
        card, refreshed = (
            await running("GET", "/agents/new/.well-known/agent-card.json"),
            await running.rpc("agents/refreshCard", {"id": "new"}),
        )
    assert (card.status, card.reason) == (502, "UPSTREAM_UNREACHABLE")
    assert status_and_codes(refreshed) == (502, -32603, "UPSTREAM_UNREACHABLE")
    for reply in (card, refreshed):
        assert "may not connect" in reply.body.decode()
        assert url not in reply.body.decode()


async def test_an_added_agent_gets_no_credentials_of_one_of_the_file() -> None:
    inside = {"url": "http://127.0.0.1:9/a2a", "bearer": "of-the-file"}

    async with gateway(agents={"inside": inside}, admin_token=TOKEN) as running:
        reply = await running.rpc("agents/add", {"id": "new", "agent": {"url": inside["url"]}}, **ADMIN)
        # The response is the same as for an unused URL.
        assert reply.json["result"]["id"] == "new"
        cards = [
            (await running("GET", f"/agents/{name}/.well-known/agent-card.json")).body.decode()
            for name in ("inside", "new")
        ]
        # Nothing listens there; but only the agent of the file may connect to it, and has the token.
        assert ["may not connect" in card for card in cards] == [False, True]
        assert headers(running) == {
            "http://127.0.0.1:9/a2a#inside": {"Authorization": "Bearer of-the-file"},
            "http://127.0.0.1:9/a2a#new": {},
        }


async def test_two_agents_added_at_one_url_have_separate_tokens() -> None:
    async with gateway(agents={}, admin_token=TOKEN) as running:
        for name in ("first", "second"):
            await running.rpc(
                "agents/add", {"id": name, "agent": {**ELSEWHERE, "bearer": f"of-{name}"}}, **ADMIN
            )
        await running.rpc("agents/update", {"id": "first", "agent": {**ELSEWHERE, "bearer": "new"}}, **ADMIN)
        assert [fields["Authorization"] for fields in headers(running).values()] == [
            "Bearer new",
            "Bearer of-second",
        ]


async def test_an_added_agent_stays_beside_one_of_the_file_with_the_same_url(tmp_path: Path) -> None:
    store = str(tmp_path / "gateway.db")

    async with gateway(store=store, admin_token=TOKEN) as running:
        await running.rpc("agents/add", {"id": "new", "agent": ELSEWHERE}, **ADMIN)
    async with gateway(store=store, agents={"ours": {**ELSEWHERE, "bearer": "x"}}) as running:
        assert sorted(running.gateway.agents) == ["new", "ours"]
        assert list(headers(running).values()) == [{}, {"Authorization": "Bearer x"}]


def headers(running: GatewayClient) -> dict[str, Any]:
    """Return the header fields with which each card is requested, by the peer."""
    registry = running.gateway.registry
    return {peer.url: registry._settings.of(peer.record).headers for peer in registry.all()}  # pyright: ignore[reportPrivateUsage]


def _with(value: Any, mark: str) -> Any:
    if isinstance(value, dict):
        return {name: _with(item, mark) for name, item in value.items()}
    if isinstance(value, list):
        return [_with(item, mark) for item in value]
    return mark if value == "{mark}" else value
