"""A too large message of an MCP server fails the call only."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadResponse
from cardwright.guard.message_limits import MCP_MESSAGES
from cardwright_gateway.a2a.problems import problem_of
from cardwright_gateway.errors import SessionNotReady
from cardwright_gateway.upstream.mcp import HttpServer
from cardwright_gateway.upstream.mcp.message_limits import EXCEEDED, LineDecoder, line_encoding
from tests.gateway.upstream.mcp.servers.over_http import ECHO, response_to
from tests.gateway.upstream.mcp.sessions import nothing, raw, session, text
from tests.peers import RecordedRequest, Reply, peer, raw_peer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from cardwright_gateway.upstream.mcp import McpSession

BYTES, VALUES = MCP_MESSAGES.max_bytes, MCP_MESSAGES.max_values
CASES = pytest.mark.parametrize(
    ("large", "reason"),
    [
        ({"large": "bytes"}, "8,388,608 bytes"),
        ({"large": "values"}, "20,000 JSON values"),
        ({"large": "levels"}, "20,000 JSON values"),
    ],
    ids=["bytes", "values", "levels"],
)
LARGE = {
    b'"bytes"': b'"' + b"a" * BYTES + b'"',
    b'"values"': b"[" + b"1," * VALUES + b"1]",
    b'"levels"': b"[" * VALUES + b"]" * VALUES,
}


def response(request: dict[str, Any]) -> bytes:
    """Return the response of a server whose tool gives back its arguments, some of them enlarged."""
    body = json.dumps(response_to(request)).encode()
    for name, value in LARGE.items():
        body = body.replace(name, value)
    return body


def event(body: bytes) -> bytes:
    return b"event: message\ndata: " + body + b"\n\n"


@contextlib.asynccontextmanager
async def over_http(form: str) -> AsyncGenerator[McpSession]:
    """Yield a session with a server over streamable HTTP."""

    def answer(request: RecordedRequest) -> Reply:
        message = json.loads(request.body or b"{}")
        if request.method != "POST" or "id" not in message:
            return Reply(405 if request.method == "GET" else 202)
        body = response(message)
        if form == "events":
            return Reply(200, event(body), {"Content-Type": "text/event-stream"})
        return Reply(200, body, {"Content-Type": "application/json"})

    async with peer(answer) as one, session(HttpServer(f"{one.origin}/mcp", configured=one.origin)) as made:
        yield made


@contextlib.asynccontextmanager
async def over_sse() -> AsyncGenerator[McpSession]:
    """Yield a session with a server over HTTP+SSE, which answers on the stream of a GET."""
    stream: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            await answer(reader, writer)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            if head.startswith("get"):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                writer.write(b"event: endpoint\ndata: /messages\n\n")
                stream[:] = [writer]
                await reader.read()
                return
            length = int(head.partition("content-length:")[2].split("\r\n")[0])
            message = json.loads(await reader.readexactly(length))
            known = "ended" not in str(message)
            writer.write(b"HTTP/1.1 %d -\r\nContent-Length: 0\r\n\r\n" % (202 if known else 404))
            if "id" in message and known:
                stream[0].write(event(response(message)))
                await stream[0].drain()

    async with raw_peer(serve) as one:
        server = HttpServer(f"{one.origin}/sse", configured=one.origin, sse=True)
        async with session(server, random=lambda: 0.0, sleep=lambda _: asyncio.sleep(0)) as made:
            yield made


async def fails(made: McpSession, large: dict[str, Any], reason: str) -> None:
    """Make a call whose response is too large."""
    with pytest.raises(BadResponse, match=reason) as caught:
        await made.call("echo", large, progress=nothing)
    assert (caught.value.kind, caught.value.url) == ("too-large", "harbour")
    problem = problem_of(caught.value)
    assert (problem.error_code.status, problem.error_code.reason) == (502, "UPSTREAM_INVALID")
    assert "the agent's response is too large: a message of the response exceeds" in problem.message


@CASES
@pytest.mark.parametrize("form", ["json", "events"])
async def test_over_http_only_the_call_fails(form: str, large: dict[str, Any], reason: str) -> None:
    async with over_http(form) as made:
        assert await text(made, "echo", text="hi") == "done"
        await fails(made, large, reason)
        assert await text(made, "echo", text="hi") == "done"
        assert (made.state, made.restarts) == ("ready", 0)


@CASES
async def test_over_sse_the_call_fails_with_the_reason_and_the_session_restarts(
    large: dict[str, Any], reason: str
) -> None:
    async with over_sse() as made:
        assert await text(made, "echo", text="hi") == "done"
        await fails(made, large, reason)
        assert (made.state, reason in made.error) == ("crashed", True)
        assert await again(made) == "done"


async def test_over_sse_a_rejected_call_fails_at_once_and_the_session_restarts() -> None:
    async with over_sse() as made:
        with pytest.raises(SessionNotReady, match="the connection ended"):
            await text(made, "echo", text="ended")
        assert await again(made) == "done"


async def again(made: McpSession) -> str:
    """Call until the session has restarted."""
    while True:
        try:
            return await text(made, "echo", text="hi")
        except SessionNotReady:
            await asyncio.sleep(0)


@pytest.mark.process
@pytest.mark.parametrize(
    ("tool", "large", "reason"),
    [
        ("echo", {"text": "a" * BYTES}, "8,388,608 bytes"),
        ("structured", {"values": [1] * VALUES}, "20,000 JSON values"),
    ],
)
async def test_over_stdio_the_call_fails_with_the_reason_and_the_process_restarts(
    tool: str, large: dict[str, Any], reason: str
) -> None:
    async with session(raw(), random=lambda: 0.0, sleep=lambda _: asyncio.sleep(0)) as made:
        assert await text(made, "echo", text="hi") == "hi"
        with pytest.raises(BadResponse, match=reason) as caught:
            await made.call(tool, large, progress=nothing)
        assert (caught.value.kind, caught.value.url) == ("too-large", "harbour")
        assert await again(made) == "hi"


@pytest.mark.process
async def test_a_process_whose_tools_are_too_large_does_not_start_and_says_why() -> None:
    async with session(raw(pages=[[{**ECHO, "description": "a"}]], copies=BYTES)) as made:
        with pytest.raises(SessionNotReady, match="8,388,608 bytes"):
            await made.started()


def test_a_line_is_not_collected_past_the_limit() -> None:
    exceeded: list[BadResponse] = []
    context = contextvars.copy_context()
    context.run(EXCEEDED.set, exceeded.append)
    decoder = context.run(LineDecoder)
    piece = b"a" * 65_536
    for _ in range(BYTES // len(piece)):
        assert decoder.decode(piece) == ""
    assert not exceeded
    assert decoder.decode(b"a") == ""
    assert [error.kind for error in exceeded] == ["too-large"]
    # Everything after it is dropped, and the violation is reported once.
    for _ in range(2 * BYTES // len(piece)):
        assert decoder.decode(piece + b"\n") == ""
    assert len(exceeded) == 1


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_pass_unchanged_in_any_chunks(size: int) -> None:
    lines = '{"a": "ä\u2028"}\n\n{"b": [1]}\r\nlast'.encode()
    decoder = LineDecoder()
    decoded = [decoder.decode(lines[at : at + size]) for at in range(0, len(lines), size)]
    assert "".join(decoded) == lines.decode().removesuffix("last")
    assert decoder.decode(b"\xff\n") == "last\ufffd\n"


def test_unicode_line_separators_do_not_split_a_line() -> None:
    exceeded: list[BadResponse] = []
    context = contextvars.copy_context()
    context.run(EXCEEDED.set, exceeded.append)
    context.run(LineDecoder).decode(b"[" + b"1,\r" * VALUES + b"1]\n")
    assert [error.reason for error in exceeded] == ["a message of the response exceeds 20,000 JSON values"]


def test_the_encoding_encodes_as_utf_8() -> None:
    assert line_encoding() == line_encoding()
    assert "ä\n".encode(line_encoding()) == b"\xc3\xa4\n"
