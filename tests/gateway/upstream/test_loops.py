"""A request that returns to the gateway is refused at once; one that passes several gateways is not."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import CardError
from cardwright.guard.client import GuardedClient
from cardwright.http.problem import HttpError
from cardwright_gateway.auth.key_sets import FetchedKeys, FetchLimit
from cardwright_gateway.catalog.sources.a2a import A2aSource
from cardwright_gateway.single_flight import shared_task
from cardwright_gateway.upstream.loops import Loops
from cardwright_gateway.upstream.mcp import HttpServer, McpSession
from tests.discovery.calling.sdk_agents import serving
from tests.gateway.gateways import CARD, JSON, MESSAGE, gateway, rpc
from tests.gateway.tasks.gateways import message
from tests.gateway.upstream.mcp.servers.sdk import Changing
from tests.peers import Reply, peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.gateway.gateways import GatewayClient
    from tests.peers import Peer, RecordedRequest

FUNCTION = {"card": CARD, "backend": {"python": "tests.gateway.gateways:answer"}, "invoke": True}
OPEN = {"access": "open", "visibility": "public"}


@asynccontextmanager
async def places(*names: str) -> AsyncGenerator[tuple[dict[str, Peer], dict[str, GatewayClient]]]:
    """Give an origin to each gateway that is put into the second dictionary."""
    running: dict[str, GatewayClient] = {}

    async def answer(name: str, request: RecordedRequest) -> Reply:
        headers = {"host": "gateway.example.com", **{k: v for k, v in request.headers.items() if k != "host"}}
        reply = await call(running[name].gateway, request.method, request.path, headers, body=request.body)
        return Reply(reply.status, reply.body, {"Content-Type": reply.headers.get("content-type", "")})

    async with AsyncExitStack() as stack:
        peers = {
            name: await stack.enter_async_context(peer(lambda request, name=name: answer(name, request)))  # type: ignore[misc]
            for name in names
        }
        yield peers, running


def at(url: str, **more: Any) -> dict[str, Any]:
    """Return an agent with our card at a URL."""
    return {"card": CARD, "backend": {"url": url}, **more}


async def sent(running: GatewayClient, agent_id: str, **headers: str) -> Any:
    """Send a message."""
    return await running("POST", f"/{agent_id}", {**JSON, **headers}, rpc("SendMessage", MESSAGE, "own-id"))


@pytest.mark.parametrize("form", ["rpc", "rest"])
async def test_an_agent_whose_url_is_its_own_endpoint_is_called_once_more(form: str) -> None:
    async with places("a") as (peers, running):
        url = f"{peers['a'].origin}/agents/loop"
        loop = at(url)
        if form == "rest":
            rest = {"url": url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}
            loop["card"] = {**CARD, "supportedInterfaces": [rest]}
        async with gateway(agents={"loop": loop}) as running["a"]:
            if form == "rpc":
                reply = await sent(running["a"], "loop")
                assert reply.json["id"] == "own-id"
                reason = reply.json["error"]["data"][0]["reason"]
            else:
                body = json.dumps(MESSAGE).encode()
                reply = await running["a"]("POST", "/loop/message:send", JSON, body)
                reason = reply.reason
            assert (reply.status, reason) == (508, "LOOP_DETECTED")
            assert len(peers["a"].requests) == 1


@pytest.mark.parametrize("form", ["rpc", "rest", "invoke", "mcp", "card"])
async def test_a_loop_error_has_the_form_of_its_route_and_names_the_fix(form: str) -> None:
    async with gateway(agents={"greeter": FUNCTION}) as send:
        looped = {**JSON, "CDN-Loop": f"other.example, {send.gateway.loops.name}; hop=2"}
        body = json.dumps(MESSAGE).encode()
        match form:
            case "rpc":
                reply = await sent(send, "greeter", **looped)
                assert reply.json["id"] == "own-id"
                error = reply.json["error"]
                assert (error["code"], error["data"][0]["reason"]) == (-32603, "LOOP_DETECTED")
            case "card":
                reply = await send("GET", "/greeter/.well-known/agent-card.json", looped)
                error = reply.json["error"]
            case _:
                path = {"rest": "message:send", "invoke": "v1/invoke", "mcp": "mcp"}[form]
                reply = await send("POST", f"/greeter/{path}", looped, body)
                error = reply.json["error"]
                assert reply.reason == "LOOP_DETECTED"
        assert reply.status == 508
        assert "set the url (or card_url) of the agent to the agent itself" in error["message"]


async def test_loops_over_several_gateways_end_at_the_first() -> None:
    async with places("a", "b") as (peers, running), AsyncExitStack() as stack:
        for name, other in (("a", "b"), ("b", "a")):
            ring = at(f"{peers[other].origin}/agents/ring")
            running[name] = await stack.enter_async_context(gateway(agents={"ring": ring}))
        reply = await sent(running["a"], "ring")
        assert reply.json["error"]["data"][0]["reason"] == "LOOP_DETECTED"
        assert (len(peers["a"].requests), len(peers["b"].requests)) == (1, 1)
        one, two = (running[name].gateway.loops.name for name in "ab")
        assert peers["a"].requests[0].headers["cdn-loop"] == f"{one}, {two}"


async def test_a_call_through_other_gateways_keeps_the_via_list() -> None:
    async with places("a") as (peers, running):
        behind = {"greeter": FUNCTION}
        front = {"far": at(f"{peers['a'].origin}/agents/greeter")}
        async with gateway(agents=behind) as running["a"], gateway(agents=front) as send:
            before = "cdn.example:8443; x=1"
            reply = await sent(send, "far", **{"CDN-Loop": before})
            assert b"2 words" in reply.body
            (came,) = peers["a"].requests
            assert came.headers["cdn-loop"] == f"{before}, {send.gateway.loops.name}"
            # The next request has no headers of another one.
            await sent(send, "far")
            assert peers["a"].requests[1].headers["cdn-loop"] == send.gateway.loops.name


async def test_a_loop_of_managed_tasks_ends_too() -> None:
    async with places("a", "b") as (peers, running), AsyncExitStack() as stack:
        for name, other in (("a", "b"), ("b", "a")):
            agents = {"ring": at(f"{peers[other].origin}/agents/ring", tasks="own", access="open")}
            more: Any = {"webhooks": {"enabled": False}, "limits": {"requests": 0}}
            running[name] = await stack.enter_async_context(gateway(agents=agents, **more))
        body = rpc("SendMessage", message("hello"))
        reply = await running["a"]("POST", "/ring", JSON, body)
        status = reply.json["result"]["task"]["status"]
        assert status["state"] == "TASK_STATE_FAILED"
        assert "set the url (or card_url)" in status["message"]["parts"][0]["text"]
        assert (len(peers["a"].requests), len(peers["b"].requests)) == (1, 1)


@pytest.mark.parametrize("form", ["rpc", "rest"])
@pytest.mark.parametrize("streaming", [True, False])
async def test_a_managed_task_in_a_loop_fails_with_a_fix(form: str, *, streaming: bool) -> None:
    async with places("a") as (peers, running):
        url = f"{peers['a'].origin}/agents/loop"
        loop = at(url, tasks="own", access="open")
        binding = {"rpc": "JSONRPC", "rest": "HTTP+JSON"}[form]
        interface = {"url": url, "protocolBinding": binding, "protocolVersion": "1.0"}
        capabilities = {**CARD["capabilities"], "streaming": streaming}
        loop["card"] = {**CARD, "supportedInterfaces": [interface], "capabilities": capabilities}
        more: Any = {"webhooks": {"enabled": False}, "limits": {"requests": 0}}
        async with gateway(agents={"loop": loop}, **more) as running["a"]:
            if form == "rpc":
                reply = await running["a"]("POST", "/loop", JSON, rpc("SendMessage", message("hello")))
                result = reply.json["result"]
            else:
                body = json.dumps(message("hello")).encode()
                result = (await running["a"]("POST", "/loop/message:send", JSON, body)).json
            status = result["task"]["status"]
            assert status["state"] == "TASK_STATE_FAILED"
            text = status["message"]["parts"][0]["text"]
            assert "set the url (or card_url) of the agent to the agent itself" in text
            assert status["message"]["metadata"]["reason"] == "LOOP_DETECTED"
            assert len(peers["a"].requests) == 1


async def test_a_card_url_of_the_gateway_itself_is_not_fetched_endlessly() -> None:
    async with places("a") as (peers, running):
        own = f"{peers['a'].origin}/agents/loop/.well-known/agent-card.json"
        agents = {"loop": {"url": f"{peers['a'].origin}/agents/loop", "card_url": own}}
        async with gateway(agents=agents) as running["a"]:
            with pytest.raises(CardError, match="HTTP error"):
                await running["a"].gateway.card("loop")
            assert {request.path for request in peers["a"].requests} == {
                "/agents/loop/.well-known/agent-card.json"
            }
            assert len(peers["a"].requests) <= 2


async def test_an_mcp_server_that_is_the_gateways_own_endpoint_is_not_called() -> None:
    async with places("a") as (peers, running):
        agents = {"loop": {"url": f"{peers['a'].origin}/agents/loop/mcp", "protocol": "mcp"}}
        async with gateway(agents=agents, start_seconds=2) as running["a"]:
            with pytest.raises(CardError):
                await running["a"].gateway.card("loop")
            name = running["a"].gateway.loops.name
            assert {request.headers["cdn-loop"] for request in peers["a"].requests} == {name}


async def test_all_processes_of_a_gateway_have_the_same_via_name(tmp_path: Any) -> None:
    names = set[str]()
    for _ in range(2):
        async with gateway(store=str(tmp_path / "gateway.db")) as send:
            names.add(send.gateway.loops.name)
    async with gateway() as send:
        assert send.gateway.loops.name not in names
    assert len(names) == 1


@pytest.mark.parametrize(
    ("values", "passed_on"),
    [
        ([], ""),
        ([b""], ""),
        ([b'a, b;c="d"'], 'a, b;c="d"'),
        ([b"a", b"b"], "a, b"),
        ([b"a\x00", b"b"], "b"),
        ([b"\xe9"], ""),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_sent_is_left_out_of_the_list(values: list[bytes], passed_on: str) -> None:
    loops = Loops("f" * 32)
    scope: Any = {"headers": [(b"cdn-loop", value) for value in values]}
    with loops.propagated(scope):
        assert loops.fields() == {"cdn-loop": f"{passed_on}, {loops.name}".removeprefix(", ")}
    assert loops.fields() == {"cdn-loop": loops.name}
    loops.check(scope)


@pytest.mark.parametrize("values", [[b"a" * 1025], [b"a" * 600, b"b" * 600]])
def test_a_list_that_is_too_long_is_refused_and_not_passed_on(values: list[bytes]) -> None:
    loops = Loops("f" * 32)
    scope: Any = {"headers": [(b"cdn-loop", value) for value in values]}
    with pytest.raises(HttpError, match="more than 1,024 bytes"):
        loops.check(scope)
    with loops.propagated(scope):
        assert loops.fields() == {"cdn-loop": loops.name}


@pytest.mark.parametrize("form", ["rpc", "rest", "mcp", "card"])
async def test_a_too_long_via_list_is_refused_in_the_form_of_the_route(form: str) -> None:
    async with gateway(agents={"greeter": FUNCTION}) as send:
        method = "GET" if form == "card" else "POST"
        path = {"rpc": "", "rest": "/message:send", "mcp": "/mcp", "card": "/.well-known/agent-card.json"}
        headers = {**JSON, "CDN-Loop": "a" * 9000}
        body = b"" if form == "card" else rpc("SendMessage", MESSAGE)
        reply = await send(method, f"/greeter{path[form]}", headers, body)
        assert reply.status == 400
        assert "CDN-Loop" in reply.json["error"]["message"]


async def test_a_shared_card_is_not_fetched_with_headers_of_one_caller() -> None:
    seen = list[str]()

    async def answer(request: RecordedRequest) -> Reply:
        seen.append(request.headers["cdn-loop"])
        return Reply(200, json.dumps(CARD).encode(), {"Content-Type": "application/json"})

    async with peer(answer) as there, gateway(agents={"far": {"url": there.origin}}) as send:
        source = send.gateway.agents["far"].source
        assert isinstance(source, A2aSource)
        await source.card()
        seen.clear()
        with send.gateway.loops.propagated({"headers": [(b"cdn-loop", b"stranger")]}):
            await source.fetch(force=True)
        assert set(seen) == {send.gateway.loops.name}


async def test_a_shared_mcp_session_does_not_send_headers_of_one_caller() -> None:
    seen = list[str]()

    async def answer(request: RecordedRequest) -> Reply:
        seen.append(request.headers["cdn-loop"])
        return Reply(500)

    async with peer(answer) as there:
        agents = {"far": {"url": f"{there.origin}/mcp", "protocol": "mcp"}}
        async with gateway(agents=agents, start_seconds=2) as send:
            await send("GET", "/far/.well-known/agent-card.json", {"CDN-Loop": "stranger"})
            assert set(seen) == {send.gateway.loops.name}


async def test_shared_mcp_lists_are_not_read_with_headers_of_one_caller() -> None:
    seen = list[bytes]()
    loops = Loops("f" * 32)

    inner = Changing().streamable_http_app()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.extend(value for name, value in scope.get("headers", ()) if name == b"cdn-loop")
        await inner(scope, receive, send)

    async with (
        serving(application, lifespan="on") as origin,
        GuardedClient(fields=loops.fields) as client,
    ):
        made = McpSession("far", HttpServer(f"{origin}/mcp", configured=origin), client=client)
        try:
            await made.started()
            seen.clear()
            with loops.propagated({"headers": [(b"cdn-loop", b"stranger")]}):
                await made.refresh()
        finally:
            await made.close()
    assert set(seen) == {loops.name.encode()}


async def test_keys_of_an_issuer_are_not_fetched_with_headers_of_one_caller() -> None:
    seen = list[str]()
    loops = Loops("f" * 32)

    async def fetch(_: str) -> bytes:
        seen.append(loops.fields()["cdn-loop"])
        return b'{"keys": []}'

    keys = FetchedKeys("https://id.example/jwks", fetch, FetchLimit(time.monotonic), time.monotonic)
    with loops.propagated({"headers": [(b"cdn-loop", b"stranger")]}), suppress(CardError):
        await keys.find("k1")
    assert seen == [loops.name]


async def test_shared_work_does_not_forward_headers_of_one_caller() -> None:
    loops = Loops("f" * 32)

    async def fields() -> dict[str, str]:
        return loops.fields()

    with loops.propagated({"headers": [(b"cdn-loop", b"stranger")]}):
        assert await shared_task(fields()) == {"cdn-loop": loops.name}
        assert await asyncio.create_task(fields()) == {"cdn-loop": f"stranger, {loops.name}"}


@pytest.mark.parametrize("text", ["{}", "{};x=1", "a,{}", "a , {} ;b", "{},{}"])
def test_the_gateways_own_name_is_found_anywhere_in_the_list(text: str) -> None:
    loops = Loops("f" * 32)
    for name in (loops.name, loops.name.upper()):
        with pytest.raises(HttpError):
            loops.check({"headers": [(b"cdn-loop", text.replace("{}", name).encode())]})
    loops.check({"headers": [(b"cdn-loop", f"{loops.name}0".encode())]})
