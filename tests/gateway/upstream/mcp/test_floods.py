"""A flood of messages from an MCP server is rate limited, and is not logged."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from cardwright.guard.pace import ALLOWED, Allowance, Pace
from cardwright_gateway.telemetry.logs import is_no_caller_error
from cardwright_gateway.upstream.mcp.transport import RequestStream, WatchedStream

NOTE = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/tools/list_changed"))
PING = SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="ping"))
RESPONSE = SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result={}))


class Inner:
    """A stream of the same message for ever."""

    def __init__(self, message: SessionMessage) -> None:
        self._message = message

    async def receive(self) -> SessionMessage:
        return self._message

    __anext__ = receive

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, *_: object) -> None:
        pass


def rate_limited() -> tuple[Allowance, list[float]]:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return Pace(lambda: 0.0, sleep).stream(), waits


@pytest.mark.parametrize(("message", "most"), [(NOTE, ALLOWED // 30), (PING, ALLOWED // 200)])
async def test_messages_beyond_the_rate_limit_wait(message: SessionMessage, most: int) -> None:
    allowance, waits = rate_limited()
    inner: Any = Inner(message)
    stream = WatchedStream(inner, lambda: None, lambda _: None, allowance)
    for _ in range(most):
        await stream.receive()
    assert not waits
    await stream.receive()
    await anext(stream)
    assert waits == sorted(waits) != []


async def test_a_response_to_a_request_does_not_wait() -> None:
    allowance, waits = rate_limited()
    sending, sent = anyio.create_memory_object_stream[SessionMessage](1)
    inner: Any = Inner(RESPONSE)
    requests: Any = RequestStream(sending, allowance)
    async with WatchedStream(inner, lambda: None, lambda _: None, allowance) as responses, requests, sent:
        for _ in range(2 * ALLOWED // 30):
            await requests.send(PING)
            assert await sent.receive() is PING
            await responses.receive()
        # Messages without a request use up the rate limit.
        for _ in range(ALLOWED // 30):
            await responses.receive()
        assert not waits
        await requests.send(NOTE)
        await responses.receive()
    assert waits


def test_log_records_of_mcp_about_invalid_messages_are_dropped() -> None:
    def written(name: str) -> bool:
        return is_no_caller_error(logging.makeLogRecord({"name": name, "msg": "Error parsing SSE message"}))

    assert not written("mcp.client.streamable_http")
    assert not written("mcp.client.stdio")
    assert written("mcp.server.lowlevel.server")
    assert written("cardwright_gateway")
