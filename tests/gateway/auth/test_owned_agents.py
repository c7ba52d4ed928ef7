"""Agents with owners: forged identities, private agents, and contradictory settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card
from cardwright.errors import BadConfiguration
from cardwright_gateway import GatewayConfig
from cardwright_gateway.a2a.calls import Call
from cardwright_gateway.api.calls import with_sender
from cardwright_gateway.auth.access import AccessControl
from tests.gateway.gateways import ADMIN, BASE, CARD, JSON, TOKEN, rpc
from tests.gateway.processes import AGENTS, Process, process
from tests.gateway.tasks.gateways import OWNERS, function, message, owned
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.gateway.tasks.gateways import Owned


@pytest.fixture(scope="module")
def echo() -> Iterator[Process]:
    """An agent that answers with what it was sent."""
    with process(AGENTS / "echo.py") as peer:
        yield peer


async def get(gateway: Owned, path: str, **headers: str) -> Any:
    return await call(gateway.gateway, "GET", path, headers)


async def test_an_added_agent_takes_no_path_of_the_root_agent() -> None:
    agents = {"home": function("answer", access="open", tasks="pass")}
    async with owned(agents, root="home", admin_token=TOKEN) as gateway:
        settings = {"card": {**CARD, "name": "Thief"}}
        for thief in ("v1", "tasks", "tenant", "mcp", "extendedAgentCard"):
            added = await call(
                gateway.gateway, "POST", "/rpc", {**JSON, **ADMIN},
                body=rpc("agents/add", {"id": thief, "agent": settings}),
            )  # fmt: skip
            assert b'"result"' in added.body
        for path in ("/v1/message:send", "/tenant/message:send", "/tasks/message:send"):
            reply = await call(
                gateway.gateway, "POST", path, JSON, body=json.dumps(message("two words")).encode()
            )
            assert b"2 words" in reply.body or reply.status == 400, path
            assert b"NO_BACKEND" not in reply.body
        # It still has its own path.
        card = await get(gateway, "/agents/tenant/.well-known/agent-card.json")
        assert json.loads(card.body)["name"] == "Thief"


@pytest.mark.parametrize("tasks", ["pass", "own"])
@pytest.mark.process
async def test_a_caller_cannot_forge_its_identity(echo: Process, tasks: str) -> None:
    agents = {"echo": {"url": echo.origin, "owner": "acme", "tasks": tasks}}
    agents["open"] = {"url": echo.origin, "owner": "acme", "access": "open", "tasks": tasks}
    async with owned(agents) as gateway:
        forged = message("hi", metadata={"from": {"owner_id": "forged"}, "kept": 1})
        forged["metadata"] = {"from": {"owner_id": "forged"}}
        keyed = await gateway.key("echo")
        for caller, seen in ((keyed, {"owner_id": "acme"}), (gateway.anonymous("open"), None)):
            response = await caller.rpc("SendMessage", forged)
            # A slow response is a task, whose history has the message as the caller sent it.
            response["result"].get("task", {}).pop("history", None)
            answer = json.dumps(response)
            assert "forged" not in answer
            assert ('\\"from\\"' in answer) == (seen is not None)
        seen = await keyed.rpc("SendMessage", message("hi"), **{"X-A2A-Agent-ID": "platform/7"})
        assert "platform/7" in json.dumps(seen)


@pytest.mark.process
async def test_keys_are_never_forwarded_upstream(echo: Process) -> None:
    agents = {"echo": {"url": echo.origin, "owner": "acme", "tasks": "pass"}}
    async with owned(agents) as gateway:
        caller = await gateway.key("echo")
        secret = caller.credentials["X-Agent-API-Key"]
        bearer = type(caller)(gateway.gateway, "echo", {"Authorization": f"Bearer {secret}"})
        for one in (caller, bearer):
            answer = json.dumps(await one.rpc("SendMessage", message("headers")))
            assert "x-a2a-agent" in answer or "content-type" in answer
            assert "bak_" not in answer


async def test_an_unlisted_agent_is_in_no_list_and_its_card_is_valid() -> None:
    agents = {
        "veiled": function("answer", visibility="unlisted", access="open", tasks="pass", card=CARD),
        "undercover": function("answer", visibility="private"),
    }
    async with owned(agents) as gateway:
        for agent_id in agents:
            for version in ("1.0", "0.3"):
                reply = await get(
                    gateway, f"/{agent_id}/.well-known/agent-card.json", **{"A2A-Version": version}
                )
                card = Card.from_bytes(reply.body)
                assert (reply.status, card.valid) == (200, True)
                assert b"Greets and counts" not in reply.body
            assert (await get(gateway, f"/agents/{agent_id}/report")).status == 404
        for path in ("/", "/.well-known/ai-catalog.json", "/metrics", "/readyz", "/health"):
            body = (await get(gateway, path)).body
            assert b"veiled" not in body, path
            assert b"undercover" not in body, path
        listed = await gateway.anonymous("veiled").at(
            "mcp", json.loads(rpc("tools/list", {})), Accept="application/json, text/event-stream"
        )
        assert b"Greets and counts" not in listed.body


async def test_a_private_agent_is_not_found_by_others_on_any_path() -> None:
    queue = {"queue": {"token": "a-token-of-the-worker"}}
    agents = {
        "secret": function("answer", visibility="private", invoke=True),
        "worked": {"card": CARD, "backend": queue, "owner": "acme", "visibility": "private"},
    }
    async with owned(agents) as gateway:
        for method, path, body in (
            ("POST", "", rpc("SendMessage", message("hi"))),
            ("POST", "", b"{"),
            ("POST", "/message:send", json.dumps(message("hi")).encode()),
            ("GET", "/tasks/t-1", b""),
            ("GET", "/tasks", b""),
            ("POST", "/v1/invoke", b'{"message": "hi"}'),
            ("POST", "/mcp", rpc("tools/list", {})),
            ("GET", "/mcp", b""),
            ("GET", "/queue", b""),
            ("POST", "/queue/w-1", b"{}"),
            ("GET", "/report", b""),
            ("GET", "/extendedAgentCard", b""),
            ("GET", "/nothing", b""),
            ("OPTIONS", "", b""),
            ("HEAD", "", b""),
            ("HEAD", "/queue", b""),
        ):
            for prefix in ("/agents/", "/"):
                for credentials in (
                    {},
                    {"X-Agent-API-Key": "bak_" + "a" * 43},
                    {"Authorization": "Bearer x"},
                ):
                    headers = {**(JSON if body else {}), **credentials}
                    there, absent = [
                        await call(gateway.gateway, method, f"{prefix}{one}{path}", headers, body=body)
                        for one in ("secret", "ghosts")
                    ]
                    assert there == absent, (method, path, credentials)
                    worked = await call(gateway.gateway, method, f"{prefix}worked{path}", headers, body=body)
                    assert worked == absent, (method, path, credentials)


@pytest.mark.process
async def test_a_caller_cannot_forge_its_identity_by_the_proto_field_name(echo: Process) -> None:
    async with owned({"echo": {"url": echo.origin, "owner": "acme", "tasks": "pass"}}) as gateway:
        caller = await gateway.key("echo")
        running = gateway.gateway
        access = AccessControl(
            running.identity, running.limiter, limits_anonymous=False, states=running.accounts.states
        )
        admitted = await access.admit(running.agent("echo").config, {"headers": _fields(caller.credentials)})
        forged = {"request": {"content": [{"text": "hi"}], "metadata": {"from": {"owner_id": "forged"}}}}
        call = Call(rpc=False, path="/v1/message:send", body=json.dumps(forged).encode())
        forwarded = json.loads(with_sender(admitted, call))
        assert forwarded["request"]["metadata"] == {"from": {"owner_id": "acme"}}


def _fields(credentials: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in credentials.items()]


@pytest.mark.parametrize("way", ["jsonrpc", "rest", "stream", "invoke", "mcp"])
async def test_an_unreachable_owned_agent_is_offline_on_every_route(way: str) -> None:
    interfaces = [
        {"url": "http://127.0.0.1:9/", "protocolBinding": binding, "protocolVersion": "1.0"}
        for binding in ("JSONRPC", "HTTP+JSON")
    ]
    gone = {
        "card": {**CARD, "supportedInterfaces": interfaces},
        "backend": {"url": "http://127.0.0.1:9/"},
        "owner": "acme",
        "tasks": "pass",
        "invoke": True,
    }
    async with owned({"gone": gone}, admin_token=TOKEN) as gateway:
        caller = await gateway.key("gone")
        match way:
            case "jsonrpc":
                answer = json.dumps(await caller.rpc("SendMessage", message("hi")))
            case "rest":
                answer = (await caller.at("message:send", message("hi"))).body.decode()
            case "stream":
                answer = (await caller.at("message:stream", message("hi"))).body.decode()
            case "invoke":
                answer = (await caller.at("v1/invoke", {"message": "hi"})).body.decode()
            case _:
                tool = {"name": CARD["skills"][0]["id"], "arguments": {"message": "hi"}}
                accepted = {"Accept": "application/json, text/event-stream"}
                arguments = json.loads(rpc("tools/call", tool))
                answer = (await caller.at("mcp", arguments, **accepted)).body.decode()
        assert "AGENT_OFFLINE" in answer or (way == "mcp" and "the agent is offline" in answer), answer
        tokens, admin = "/api/v1/owners/acme/tokens", {**JSON, **ADMIN}
        issued = await call(gateway.gateway, "POST", tokens, admin, body=b'{"name": "a"}')
        listed = await get(gateway, "/api/v1/instances", Authorization=f"Bearer {issued.json['token']}")
        assert [(one["mode"], one["state"]) for one in listed.json["instances"]] == [("push", "offline")]


async def test_a_task_of_an_unreachable_agent_fails_with_the_reason() -> None:
    interfaces = [{"url": "http://127.0.0.1:9/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]
    gone = {"card": {**CARD, "supportedInterfaces": interfaces}, "owner": "acme"}
    async with owned({"gone": {**gone, "backend": {"url": "http://127.0.0.1:9/"}}}) as gateway:
        task = await (await gateway.key("gone")).send("hi")
        assert task["status"]["state"] == "TASK_STATE_FAILED"
        assert task["status"]["message"]["metadata"]["reason"] == "AGENT_OFFLINE"


@pytest.mark.process
async def test_an_extended_card_is_not_requested_upstream_for_strangers(echo: Process) -> None:
    agents = {"veiled": {"url": echo.origin, "owner": "acme", "access": "open", "visibility": "unlisted"}}
    agents["veiled"]["tasks"] = "pass"
    async with owned(agents) as gateway:
        anonymous = gateway.anonymous("veiled")
        card = json.loads((await get(gateway, "/veiled/.well-known/agent-card.json")).body)
        assert card["capabilities"]["extendedAgentCard"] is False
        answer = await anonymous.rpc("GetExtendedAgentCard", {})
        assert answer["error"]["data"][0]["reason"] == "EXTENDED_AGENT_CARD_NOT_CONFIGURED"
        assert (await get(gateway, "/veiled/extendedAgentCard")).status == 400


async def test_anonymous_callers_behind_a_proxy_are_counted_by_their_address() -> None:
    agents = {"open": function("answer", access="open", tasks="pass")}
    proxies = {"networks": ["192.0.2.7/32"], "base_urls": [BASE]}
    limits = {"requests": 2, "anonymous": True}
    async with owned(agents, proxies=proxies, limits=limits) as gateway:
        host = BASE.partition("://")[2]
        proxy_fields = {"X-Forwarded-Host": host, "X-Forwarded-Proto": "https"}

        async def passes(forwarded: str) -> bool:
            fields = {**proxy_fields, "X-Forwarded-For": forwarded}
            return "result" in await gateway.anonymous("open").rpc("SendMessage", message("hi"), **fields)

        assert [await passes("198.51.100.1") for _ in range(3)] == [True, True, False]
        # The entries before the first foreign one were written by this caller.
        assert not await passes("198.51.100.9, 198.51.100.1")
        assert await passes("198.51.100.2")


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (
            {"card": CARD, "backend": {"python": "a:b"}, "visibility": "unlisted"},
            '/agents/a/owner: "owner" is required and missing. Add it. An agent that is not public needs an owner',
        ),
        (
            {"card": CARD, "owner": "acme", "visibility": "private"},
            '/agents/a/backend: "backend" is required and missing. Add it. Without a backend, the card shows',
        ),
        ({"card": CARD, "owner": "acme", "tasks": "own"}, "add `backend`"),
        ({"card": CARD, "owner": "nobody"}, "unknown owner"),
        (
            {"card": CARD, "backend": {"python": "a:b"}, "access": "keys"},
            "Only the owner of an agent can issue keys: set `owner`",
        ),
        (function("answer", visibility="private", access="open"), "requires keys"),
    ],
)
def test_contradictory_agent_settings_are_refused_with_the_place(
    agent: dict[str, Any], expected: str
) -> None:
    with pytest.raises(BadConfiguration) as caught:
        GatewayConfig.from_value({"base_url": BASE, "owners": OWNERS, "agents": {"a": agent}})
    assert "/agents/a/" in str(caught.value)
    assert expected in str(caught.value)
