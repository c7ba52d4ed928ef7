"""A failed lookup names an MCP server at the URL, which gets no request that changes it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from cardwright.discovery.mcp_servers import explained
from cardwright.errors import BadResponse, CardError, PeerUnreachable
from cardwright.guard import Guard, GuardedClient
from tests.peers import Reply, peer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers import RecordedRequest

NOTHING = BadResponse("", "not-found", "no card found: …")
JSON = {"Content-Type": "application/json"}
STREAM = {"Content-Type": "text/event-stream"}
PONG = b'{"jsonrpc": "2.0", "id": 1, "result": {}}'
SESSION_MISSING = (
    b'{"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "no session"}}'
)
UNKNOWN_METHOD = b'{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}}'


def explain(
    answer: Callable[[RecordedRequest], Reply], error: CardError = NOTHING
) -> tuple[CardError, list[RecordedRequest]]:
    async def run() -> tuple[CardError, list[RecordedRequest]]:
        async with peer(answer) as there, GuardedClient(Guard(allow=("127.0.0.0/8",))) as client:
            return await explained(error, client, f"{there.origin}/mcp", {"X-Key": "k"}), there.requests

    return asyncio.run(run())


@pytest.mark.parametrize(
    "reply",
    [
        Reply(200, PONG, JSON),
        Reply(200, b"event: message\ndata: " + PONG + b"\n\n", STREAM),
        Reply(400, SESSION_MISSING, {**JSON, "Mcp-Session-Id": "s-1"}),
    ],
    ids=["result", "stream", "session"],
)
def test_an_mcp_server_is_named(reply: Reply) -> None:
    found, requests = explain(lambda _: reply)

    assert isinstance(found, BadResponse)
    assert found.kind == "not-found"
    assert found.url.endswith("/mcp")
    assert "this is an MCP server, which has no agent card" in str(found)
    assert "transport: {type: http, url: ...}" in str(found)
    assert json.loads(requests[0].body)["method"] == "ping"
    # A session that the server opened for the question is closed.
    assert [
        (one.method, one.headers.get("mcp-session-id"), one.headers["x-key"]) for one in requests[1:]
    ] == ([("DELETE", "s-1", "k")] if "Mcp-Session-Id" in reply.headers else [])


@pytest.mark.parametrize(
    "reply",
    [
        Reply(404),
        Reply(200, UNKNOWN_METHOD, JSON),
        Reply(200, b"{}", JSON),
        Reply(200, b"<html>", {"Content-Type": "text/html"}),
        Reply(200, b'{"jsonrpc": "2.0", "id": 1, "result": {"kind": "task"}}', JSON),
        Reply(200, b"a" * 100_000, STREAM),
    ],
)
def test_another_server_is_not_named_an_mcp_server(reply: Reply) -> None:
    assert explain(lambda _: reply)[0] is NOTHING


@pytest.mark.parametrize("error", [PeerUnreachable("", "no route"), BadResponse("", "status", "HTTP 500")])
def test_only_a_failed_lookup_requests_the_mcp_server(error: CardError) -> None:
    found, requests = explain(lambda _: Reply(200, PONG, JSON), error)

    assert found is error
    assert requests == []
