"""Agents that crash, hang, refuse connections or send invalid responses; other agents are not affected."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from a2a.client.errors import A2AClientError
from a2a.utils.errors import A2AError

from cardwright.guard.responses import Timeouts
from tests.gateway.api.test_sdk_clients import client_of, forwarded_header
from tests.gateway.faulty_agents import CARD, card, served
from tests.gateway.processes import AGENTS, before, in_process, process
from tests.peers import Reply, peer, raw_peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers import RecordedRequest
    from tests.serve.client import Reply as Answer

SUPPORTED = [(binding, version) for binding in ("JSONRPC", "HTTP+JSON") for version in ("1.0", "0.3")]
EVENT = b'data: {"jsonrpc": "2.0", "id": 1, "result": {"statusUpdate": {}}}\n\n'
NEWER = (("A2A-Version", "1.0"), ("Content-Type", "application/json"))


def sound(request: RecordedRequest) -> Reply:
    """An agent without errors."""
    if request.path == CARD:
        return served(card(f"http://{request.headers['host']}"))
    return served({"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "result": request.headers["host"]})


def dead() -> str:
    """An origin of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


async def rpc(gateway: Any, agent: str, method: str = "GetTask", call_id: int = 1) -> Answer:
    body = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": {"id": "t-1"}}
    return await call(gateway, "POST", f"/agents/{agent}", NEWER, body=json.dumps(body).encode())


def reason(answer: Answer) -> str:
    """The reason of an error, over JSON-RPC or not."""
    error = answer.json["error"]
    return str(error.get("data", error.get("details"))[0]["reason"])


# Agents that die


@pytest.mark.parametrize(("binding", "version"), SUPPORTED)
@pytest.mark.process
async def test_a_stream_of_an_agent_that_dies_ends_with_an_error(binding: str, version: str) -> None:
    with process(AGENTS / "all_features.py") as there:
        agents = {"tides": {"url": there.origin}}
        async with before(agents) as gateway, httpx.AsyncClient(timeout=30) as http:
            client = await client_of(gateway.at("tides"), http, binding, version, streaming=True)
            with pytest.raises((A2AError, A2AClientError)):
                await forwarded_header(client, "die")
            assert there.popen.wait() == 1


async def test_an_agent_that_refuses_connections_is_unreachable_and_comes_back() -> None:
    async with peer(sound) as there, in_process({"tides": {"url": there.origin}}) as gateway:
        assert (await rpc(gateway, "tides")).status == 200
    async with in_process({"tides": {"url": dead()}}) as gateway:
        for answer in (await rpc(gateway, "tides"), await call(gateway, "GET", f"/agents/tides{CARD}")):
            assert (answer.status, reason(answer)) == (502, "UPSTREAM_UNREACHABLE")


# Agents that hang


@pytest.mark.parametrize("method", ["its card", "GetTask", "SendMessage", "SendStreamingMessage"])
async def test_an_agent_that_does_not_start_its_response_times_out(method: str) -> None:
    async def answer(request: RecordedRequest) -> Reply:
        if method == "its card" or request.path != CARD:
            await asyncio.Event().wait()
        return sound(request)

    async with peer(answer) as there:
        agents = {"tides": {"url": there.origin, "timeout_seconds": 1}}
        async with in_process(agents) as gateway:
            if method == "its card":
                gateway.registry._client.timeouts = Timeouts(first_byte=0.05)  # pyright: ignore[reportPrivateUsage]
                response = await call(gateway, "GET", f"/agents/tides{CARD}")
            else:
                response = await rpc(gateway, "tides", method)
            assert (response.status, reason(response)) == (504, "UPSTREAM_TIMEOUT")
            assert gateway.agent("tides").running_calls == 0


# Invalid cards

DEEP = b"[" * 100_000
CARDS: dict[str, tuple[Callable[[], Reply], int, str]] = {
    "two megabytes": (
        lambda: Reply(200, b'{"name": "' + b"a" * 2_000_000 + b'"}', {"Content-Type": "application/json"}),
        502,
        "UPSTREAM_INVALID",
    ),
    # Without a JSON object, discovery also requests the legacy path, without success.
    "deep": (lambda: Reply(200, DEEP, {"Content-Type": "application/json"}), 502, "UPSTREAM_INVALID"),
    "names twice": (
        lambda: Reply(200, b'{"name": "a", "name": "b"}', {"Content-Type": "application/json"}),
        502,
        "UPSTREAM_INVALID",
    ),
    "no JSON": (lambda: Reply(200, b"tides", {"Content-Type": "application/json"}), 502, "UPSTREAM_INVALID"),
    "a list": (lambda: served([card("http://a")]), 502, "UPSTREAM_INVALID"),
    "no card": (lambda: served({"swagger": "2.0"}), 502, "UPSTREAM_INVALID"),
    "no name": (lambda: served(card("http://a", name="")), 502, "UPSTREAM_INVALID"),
    "no interface": (lambda: served(card("http://a", supportedInterfaces=[])), 502, "UPSTREAM_INVALID"),
    "HTML": (lambda: Reply(200, b"<p>tides", {"Content-Type": "text/html"}), 502, "UPSTREAM_INVALID"),
    "who are you": (lambda: Reply(401, b"", {"WWW-Authenticate": "Bearer"}), 502, "UPSTREAM_UNREACHABLE"),
    "nothing there": (lambda: Reply(404), 502, "UPSTREAM_UNREACHABLE"),
    "an error": (lambda: Reply(500, b"tides"), 502, "UPSTREAM_UNREACHABLE"),
    "metadata service": (
        lambda: Reply(302, b"", {"Location": "http://169.254.169.254/latest/meta-data/"}),
        502,
        "UPSTREAM_UNREACHABLE",
    ),
    "coded": (
        lambda: Reply(200, b"\x1f\x8b", {"Content-Type": "application/json", "Content-Encoding": "gzip"}),
        502,
        "UPSTREAM_INVALID",
    ),
}


@pytest.mark.parametrize("fault", CARDS)
async def test_an_invalid_card_is_reported_and_affects_no_other_agent(fault: str) -> None:
    make, status, why = CARDS[fault]

    async with peer(lambda _: make()) as bad, peer(sound) as good:
        agents = {"bad": {"url": bad.origin}, "good": {"url": good.origin}}
        async with in_process(agents) as gateway:
            for response in (await call(gateway, "GET", f"/agents/bad{CARD}"), await rpc(gateway, "bad")):
                assert (response.status, reason(response)) == (status, why)
            assert (await call(gateway, "GET", f"/agents/good{CARD}")).status == 200
            assert (await rpc(gateway, "good")).status == 200
            shown = await call(gateway, "GET", "/", (("Accept", "text/html"),))
            assert shown.status == 200


# Many at once


@pytest.mark.bulk
async def test_unreachable_agents_do_not_affect_180_others() -> None:
    # One server on every address of this machine: each agent has an origin of its own.
    async with peer(sound, host="0.0.0.0") as there:  # noqa: S104 - loopback has more addresses than one
        live = {f"a{n}": {"url": f"http://127.0.1.{n}:{there.port}"} for n in range(1, 181)}
        gone = {f"d{n}": {"url": dead()} for n in range(20)}
        async with in_process({**gone, **live}) as gateway:
            cards = dict(
                zip(
                    [*gone, *live],
                    await asyncio.gather(
                        *(call(gateway, "GET", f"/agents/{name}{CARD}") for name in [*gone, *live])
                    ),
                    strict=True,
                )
            )
            assert {cards[name].status for name in gone} == {502}
            assert {cards[name].status for name in live} == {200}
            calls = await asyncio.gather(*(rpc(gateway, name) for name in live))
            results = [answer.json["result"] for answer in calls]
            assert results == [one["url"].removeprefix("http://") for one in live.values()]


async def test_calls_beyond_the_concurrency_of_an_agent_get_retry_after() -> None:
    go, full, held = asyncio.Event(), asyncio.Event(), 0

    async def answer(request: RecordedRequest) -> Reply:
        nonlocal held
        if request.path != CARD:
            held += 1
            if held == 50:
                full.set()
            await go.wait()
        return sound(request)

    async with peer(answer) as there:
        agents = {"tides": {"url": there.origin, "concurrency": 50}, "other": {"url": there.origin}}
        async with in_process(agents) as gateway:
            assert (await call(gateway, "GET", f"/agents/tides{CARD}")).status == 200
            calls = [asyncio.create_task(rpc(gateway, "tides", call_id=n)) for n in range(300)]
            await full.wait()
            done, waiting = await asyncio.wait(calls, timeout=0)
            while len(waiting) > 50:
                done, waiting = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED, timeout=0)
                await asyncio.sleep(0)
            refused = [one.result() for one in done]
            assert len(refused) == 250
            assert {(one.status, reason(one)) for one in refused} == {(429, "RATE_LIMITED")}
            assert {one.headers["retry-after"] for one in refused} == {"1"}
            go.set()
            answers = await asyncio.gather(*waiting)
            assert {one.status for one in answers} == {200}
            ids = [one.json["id"] for one in (*refused, *answers)]
            assert sorted(ids) == list(range(300))
            assert (await rpc(gateway, "tides")).status == 200


# Disconnecting callers


@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
async def test_a_caller_that_disconnects_cancels_the_upstream_stream(binding: str) -> None:
    closed = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if CARD.encode() in head:
            host = head.split(b"ost: ")[1].split(b"\r\n")[0].decode()
            body = json.dumps(card(f"http://{host}")).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
            writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + EVENT)
        await writer.drain()
        while await reader.read(65536):
            pass
        closed.set()

    async with raw_peer(serve) as there, before({"tides": {"url": there.origin}}) as gateway:
        url = gateway.at("tides") + ("" if binding == "JSONRPC" else "/message:stream")
        body = {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {}}
        async with (
            httpx.AsyncClient() as http,
            http.stream("POST", url, json=body, headers=dict(NEWER)) as answer,
        ):
            assert await anext(answer.aiter_bytes()) == EVENT
            assert gateway.gateway.agent("tides").running_calls == 1
        await closed.wait()
        while gateway.gateway.agent("tides").running_calls:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
