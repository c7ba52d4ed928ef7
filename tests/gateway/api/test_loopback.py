"""Requests for another host (DNS rebinding), from another origin, or with an invalid body."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests.gateway.gateways import AGENTS, JSON, MESSAGE, gateway, rpc
from tests.serve.client import call

if TYPE_CHECKING:
    from tests.serve.client import Reply

LOCAL = "http://127.0.0.1:4000"
CARD = "/agents/greeter/.well-known/agent-card.json"
PATHS = (
    "/",
    CARD,
    "/healthz",
    "/rpc",
    "/agents/greeter",
    "/agents/greeter/tasks/x",
    "/.well-known/ai-catalog.json",
)
OWN_HOSTS = ("127.0.0.1:4000", "127.0.0.1", "localhost:4000", "LOCALHOST:4000", "[::1]:4000", "[::1]")
EVIL_HOSTS = (
    "evil.example", "evil.example:4000", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.2", "0.0.0.0",  # noqa: S104 - named, not bound
    "[::2]:4000", "[::ffff:127.0.0.1]", "2130706433", "127.1", "gateway.local",
)  # fmt: skip
EVIL_ORIGINS = (
    "https://evil.example", "http://127.0.0.1.evil.example", "null", "", "file://", "http://[::2]", "evil.example",
    "http://localhost@evil.example", "http://[::1", "chrome-extension://abc",
)  # fmt: skip


def ask(
    method: str, path: str, *headers: tuple[str, str], body: bytes = b"", base_url: str = LOCAL, **config: Any
) -> Reply:
    """Send one request to a gateway that listens on loopback."""

    async def run() -> Reply:
        async with gateway(local=True, base_url=base_url, **config) as running:
            return await running(method, path, headers, body)

    return asyncio.run(run())


def method_of(path: str) -> str:
    return "POST" if path in ("/rpc", "/agents/greeter") else "GET"


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_localhost_is_accepted_under_every_name(host: str) -> None:
    assert ask("GET", CARD, ("Host", host)).status == 200
    assert ask("GET", CARD, ("Host", host), ("Origin", f"http://{host}")).status == 200


@pytest.mark.parametrize("host", EVIL_HOSTS)
@pytest.mark.parametrize("path", PATHS)
def test_dns_rebinding_to_loopback_is_refused(host: str, path: str) -> None:
    body = rpc("agents/list") if path == "/rpc" else rpc("SendMessage", MESSAGE)
    reply = ask(method_of(path), path, ("Host", host), *JSON.items(), body=body)
    assert (reply.status, reply.reason) == (403, "FORBIDDEN")
    assert host not in reply.body.decode()


@pytest.mark.parametrize("origin", EVIL_ORIGINS)
@pytest.mark.parametrize("path", PATHS)
def test_a_cross_origin_request_is_refused(origin: str, path: str) -> None:
    body = rpc("agents/list") if path == "/rpc" else rpc("SendMessage", MESSAGE)
    headers = (("Host", "127.0.0.1:4000"), ("Origin", origin), *JSON.items())
    reply = ask(method_of(path), path, *headers, body=body)
    assert (reply.status, reply.reason) == (403, "FORBIDDEN")


async def test_a_cross_origin_request_is_refused_after_an_accepted_one() -> None:
    async with gateway(local=True, base_url=LOCAL) as running:
        host = ("Host", "127.0.0.1:4000")
        headers = (
            (host,),
            (host,),
            (host, ("Origin", "https://evil.example")),
            (("Host", "evil.example"),),
        )
        assert [(await running("GET", CARD, one)).status for one in headers] == [200, 200, 403, 403]


@pytest.mark.parametrize("name", ["agents.example.com", "AGENTS.example.com"])
def test_configured_host_names_are_accepted(name: str) -> None:
    headers = (("Host", name), ("Origin", f"https://{name}"))
    assert ask("GET", CARD, *headers, hosts=["Agents.example.com"]).status == 200
    assert ask("GET", CARD, *headers, base_url="https://agents.example.com").status == 200
    assert ask("GET", CARD, *headers).status == 403


async def test_a_public_gateway_accepts_any_host_name() -> None:
    async with gateway() as running:
        assert (
            await running("GET", CARD, {"Host": "anything.example", "Origin": "https://other.example"})
        ).status == 200


@pytest.mark.parametrize(
    "hosts",
    [(), ("a.example", "a.example"), ("a b",), ("a/b",), ("user@a.example",), ("[::1",), ("a.example:x",)],
)
@pytest.mark.parametrize("path", PATHS)
async def test_a_request_without_exactly_one_valid_host_is_refused(hosts: tuple[str, ...], path: str) -> None:
    async with gateway() as running:
        fields = [(b"host", host.encode()) for host in hosts]
        reply = await call(running.gateway, method_of(path), path, scope={"headers": fields})
    assert (reply.status, reply.reason) == (400, "BAD_HEADER")


BIG = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "agents/list", "params": {"x": "y" * 1024}}).encode()


@pytest.mark.parametrize(
    "path", ["/rpc", "/agents/greeter", "/greeter/message:send", "/agents/greeter/v1/message:send"]
)
def test_a_too_large_body_is_refused(path: str) -> None:
    reply = ask("POST", path, ("Host", "localhost"), *JSON.items(), body=BIG, max_body_bytes=1024)
    assert reply.status == 413
    details = reply.json["error"].get("data") or reply.json["error"]["details"]
    assert details[0]["reason"] == "BODY_TOO_LARGE"


async def exchanged(pieces: list[dict[str, Any]]) -> tuple[list[Any], int]:
    """Send a body in chunks; return the response, and how many chunks were read."""
    sent: list[Any] = []
    taken = 0

    async def receive() -> dict[str, Any]:
        nonlocal taken
        if taken == len(pieces):
            await asyncio.Event().wait()
        taken += 1
        return pieces[taken - 1]

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "path": "/rpc", "raw_path": b"/rpc",
        "query_string": b"", "root_path": "", "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
    }  # fmt: skip
    async with gateway(local=True, base_url=LOCAL, max_body_bytes=1024) as running:
        await running.gateway(scope, receive, send)
    return sent, taken


def test_a_body_beyond_the_limit_is_not_read_to_its_end() -> None:
    piece = {"type": "http.request", "body": b"x" * 600, "more_body": True}
    sent, taken = asyncio.run(exchanged([piece] * 100))
    assert sent[0]["status"] == 413
    assert taken == 2


def test_an_aborted_body_gets_no_response() -> None:
    piece = {"type": "http.request", "body": b'{"jsonrpc"', "more_body": True}
    sent, _ = asyncio.run(exchanged([piece, {"type": "http.disconnect"}]))
    assert sent == []


@pytest.mark.parametrize(("pieces", "each_seconds"), [(0, 10.0), (40, 4.0)])
def test_a_slow_body_times_out_though_each_chunk_is_in_time(
    pieces: int, each_seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte every few seconds would otherwise hold megabytes for days."""
    seconds = count(step=each_seconds)
    monkeypatch.setattr("cardwright.http.request._now", lambda: next(seconds))
    piece = {"type": "http.request", "body": b" ", "more_body": True}
    sent, taken = asyncio.run(exchanged([piece] * pieces))
    assert b"the body was too slow" in sent[1]["body"]
    assert taken <= 3


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"[" * 100_000, b"\xff", b'{"jsonrpc":"2.0","method":"agents/list","method":"agents/add","id":1}',
        b'{"jsonrpc":"1.0","id":1,"method":"agents/list"}', b'{"jsonrpc":"2.0","id":{},"method":"agents/list"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"agents/list"}', b'{"jsonrpc":"2.0","id":true,"method":"agents/list"}',
        b'{"jsonrpc":"2.0","id":1,"method":1}', b'[{"jsonrpc":"2.0","id":1,"method":"agents/list"}]',
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/rpc", "/agents/greeter", "/greeter/"])
def test_an_invalid_json_rpc_call_is_reported(body: bytes, path: str) -> None:
    reply = ask("POST", path, ("Host", "localhost"), *JSON.items(), body=body)
    assert reply.json["error"]["code"] in (-32700, -32600)
    assert "result" not in reply.json
    assert sorted(AGENTS) == ["greeter", "kept"]
