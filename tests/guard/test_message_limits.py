"""Limits on one message of a peer, before a library parses it, in any chunks and encoding."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import TYPE_CHECKING, Any

import httpx
import httpx2
import pytest

from cardwright.errors import BadResponse
from cardwright.guard import Guard, GuardedClient
from cardwright.guard.exchange import Route
from cardwright.guard.message_limits import (
    A2A_MESSAGES,
    MCP_MESSAGES,
    EventBuffer,
    MessageLimits,
    count_message_values,
    each_event,
    limited_pieces,
)
from cardwright.guard.transports import httpx2_transport, httpx_transport
from tests.peers import Reply, peer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.usefixtures("both_ways")
BOTH = pytest.mark.parametrize(
    ("transport", "library", "most"),
    [(httpx_transport, httpx, A2A_MESSAGES.max_values), (httpx2_transport, httpx2, MCP_MESSAGES.max_values)],
    ids=["httpx", "httpx2"],
)
SMALL = MessageLimits(max_bytes=100, max_values=10)
STREAM = {"Content-Type": "text/event-stream"}


def limited(*pieces: bytes, events: bool, limits: MessageLimits = SMALL) -> list[bytes]:
    """Return what is passed on of a response."""

    async def received() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    async def run() -> list[bytes]:
        return [piece async for piece in limited_pieces(received(), limits, "", events=events)]

    return asyncio.run(run())


def test_a_response_is_passed_on_as_a_whole() -> None:
    assert limited(b'{"a":', b"1}", events=False) == [b'{"a":1}']
    assert limited(events=False) == [b""]


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        ([b" " * 60, b" " * 41], "exceeds 100 bytes"),
        ([b"[1,1,1,1,1,1,", b"1,1,1,1,1]"], "exceeds 10 JSON values"),
        ([b"[" * 11], "exceeds 10 JSON values"),
    ],
)
@pytest.mark.parametrize("events", [True, False])
def test_a_message_over_a_limit_is_refused(pieces: list[bytes], reason: str, *, events: bool) -> None:
    if events:
        pieces = [b"data: ", *pieces, b"\n\n"]
    with pytest.raises(BadResponse, match=reason) as caught:
        limited(*pieces, events=events)
    assert caught.value.kind == "too-large"


def test_each_event_of_a_stream_has_the_limits_and_the_stream_has_not() -> None:
    event = b"data: [1,1,1,1,1,1]\n\n"
    assert b"".join(limited(event * 50, event[:9], event[9:], events=True)) == event * 51


async def test_events_that_came_before_one_that_is_too_large_are_passed_on() -> None:
    async def received() -> AsyncIterator[bytes]:
        yield b"data: 1\n\n"
        yield b"data: " + b"[" * 11 + b"\n\n"

    pieces = limited_pieces(received(), SMALL, "", events=True)
    assert await anext(pieces) == b"data: 1\n\n"
    with pytest.raises(BadResponse):
        await anext(pieces)


def test_the_last_event_may_end_with_the_stream_and_a_message_alone_is_an_event() -> None:
    """Some servers label any JSON response as a stream of events."""
    assert limited(b"data: 1\n\nda", b"ta: 2", events=True) == [b"data: 1\n\n", b"data: 2"]
    message = b' \n{"a":\r\n\r\r1}\n'
    framed = b'data:   {"a":    1} \n\n'
    assert limited(message, events=True) == limited(*map(bytes, zip(message)), events=True) == [framed]


@pytest.mark.parametrize("at", range(0, 120, 7))
def test_a_large_event_among_small_ones_is_found_wherever_the_pieces_end(at: int) -> None:
    stream = b"data: 1\n\n" + b"data: " + b"a" * 95 + b"\n\n" + b"data: 2\n\n"
    with pytest.raises(BadResponse, match="100 bytes"):
        limited(stream[:at], stream[at:], events=True)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 64])
@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r", b"\n\r\n", b"\r\n\n", b"\n\r"])
def test_events_end_at_an_empty_line_whatever_ends_the_lines(end: bytes, size: int) -> None:
    stream = end.join([b"data: one", b"id: 2\ndata: two", b"data: three", b""])
    buffer = EventBuffer(SMALL)
    events = [buffer.cut(stream[at : at + size]) for at in range(0, len(stream), size)]
    text = b"".join(events) + buffer.rest()
    assert text == stream
    assert all(event.endswith((b"\n", b"\r")) for event in events if event)
    assert [event.strip() for event in each_event(text)] == [
        b"data: one",
        b"id: 2\ndata: two",
        b"data: three",
    ]


# Disguises


@pytest.mark.parametrize(
    "message",
    [
        # A quotation mark in a comment begins no string.
        b': "\ndata: [1,1,1,1,1,1,1,1,1,1,1]\n\n',
        b'event: "\ndata: [1,1,1,1,1,1,1,1,1,1,1]\n\n',
        b'data: [\n: "\ndata: 1,1,1,1,1,1,1,1,1,1,1]\n: "\n\n',
        b'data: [\x0b: "\x0bdata: 1,1,1,1,1,1,1,1,1,1,1]\x0b: "\x0b\n\n',
        b'data: [\x0b: "\rdata: 1,1,1,1,1,1,1,1,1,1,1]\n\n',
        # json.loads finds the encoding by itself.
        json.dumps(["\u2200", *[1] * 11]).encode("utf-16"),
        json.dumps(["\u2200", *[1] * 11], ensure_ascii=False).encode("utf-16-le"),
        json.dumps([*[1] * 11], ensure_ascii=False).encode("utf-32"),
    ],
)
def test_escaped_values_are_counted(message: bytes) -> None:
    assert count_message_values(message, 10) == 11


@pytest.mark.parametrize(
    ("message", "values"),
    [
        (b"[]", 2),
        (b'{"a": "b, c, d", "e": ["\\"", "\\\\"]}', 5),
        (b'data: {"a":\ndata: "b, c",\ndata: "d": 1}\n\n', 4),
        (b": a comment\n\n", 1),
    ],
)
def test_strings_have_no_values(message: bytes, values: int) -> None:
    assert count_message_values(message, 100) >= values - 1
    assert count_message_values(message, 100) <= values + 1


@pytest.mark.parametrize("character", ["\x85", "\u2028", "\u2029"])
def test_an_unusual_line_end_does_not_split_an_event(character: str) -> None:
    text = f"a{character}b"
    event = b"data: " + json.dumps(text, ensure_ascii=False).encode() + b"\n\n"
    (passed,) = limited(event, events=True)
    assert passed.decode().splitlines() == passed.decode().split("\n")[:-1]
    assert json.loads(passed.removeprefix(b"data: ")) == text
    hidden = f'data: [{character}: "{character}data: 1,1,1,1,1,1,1,1,1,1,1]\n\n'.encode()
    with pytest.raises(BadResponse):
        limited(hidden, events=True)


@BOTH
async def test_a_charset_of_the_peers_choice_is_not_used(transport: Any, library: Any, most: int) -> None:
    body = b"data: " + b"+AFs-" * (most + 1) + b"\n\n"
    reply = Reply(200, body, {"Content-Type": "Text/Event-Stream; charset=utf-7"})
    async with (
        peer(lambda _: reply) as one,
        GuardedClient(Guard(allow=("127.0.0.0/8",))) as client,
        library.AsyncClient(transport=transport(Route(client)), trust_env=False) as http,
    ):
        answer = await http.get(one.origin)
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.text == body.decode()


@BOTH
async def test_a_content_coding_is_removed_once(transport: Any, library: Any, most: int) -> None:
    bomb = gzip.compress(b"[" * (most + 1))
    reply = Reply(200, gzip.compress(bomb), {"Content-Encoding": "gzip"})
    async with (
        peer(lambda _: reply) as one,
        GuardedClient(Guard(allow=("127.0.0.0/8",))) as client,
        library.AsyncClient(transport=transport(Route(client)), trust_env=False) as http,
    ):
        answer = await http.get(one.origin)
        assert answer.content == bomb


@BOTH
@pytest.mark.parametrize("headers", [{}, {"Content-Type": "application/json"}, STREAM])
async def test_the_transports_of_the_sdks_have_the_limits_of_their_protocol(
    transport: Any, library: Any, most: int, headers: dict[str, str]
) -> None:
    body = b"data: [" + b"1," * (most - 3) + b"1]\n\n"
    bodies = [body, body.replace(b"[1", b"[1,1,1,1", 1)]
    async with (
        peer(lambda _: Reply(200, bodies.pop(0), headers)) as one,
        GuardedClient(Guard(allow=("127.0.0.0/8",))) as client,
        library.AsyncClient(transport=transport(Route(client)), trust_env=False) as http,
    ):
        assert (await http.post(one.origin, content=b'{"n":5.0}')).content == body
        # Protobuf has only doubles; a message of MCP is sent as it is.
        assert one.requests[0].body == (b'{"n":5}' if transport is httpx_transport else b'{"n":5.0}')
        with pytest.raises(library.TransportError) as caught:
            await http.post(one.origin)
        assert isinstance(caught.value.__cause__, BadResponse)
        assert caught.value.__cause__.kind == "too-large"


FILE = b"A" * 400


@pytest.mark.parametrize(
    ("message", "is_refused"),
    [
        (b'{"text":"%s"}' % (b"a" * 80), False),
        (b'{"text":"%s"}' % (b"a" * 101), True),
        (b'{"raw":"%s"}' % FILE, False),
        (b'{"raw" :\t"%s", "text":"a"}' % FILE, False),
        (b'{"file":{"bytes":"%s"}}' % FILE, False),
        (b'{"raw":"%s","text":"%s"}' % (FILE, b"a" * 101), True),
        # Other fields, and texts that name one.
        (b'{"row":"%s"}' % FILE, True),
        (b'{"text":"\\"raw\\":","more":"%s"}' % FILE, True),
        (b'{"raw":%s}' % FILE, True),
        (b'["raw"]%s' % FILE, True),
        (b'{"raw":"%s' % FILE, True),
    ],
)
@pytest.mark.parametrize("events", [False, True])
def test_the_text_of_a_message_is_limited_separately_from_its_files(
    message: bytes, *, is_refused: bool, events: bool
) -> None:
    limits = MessageLimits(max_bytes=10_000, max_values=10, max_text=100)
    body = b"data: %s\n\n" % message if events else message
    if is_refused:
        with pytest.raises(BadResponse, match="100 bytes besides its files"):
            limited(body, events=events, limits=limits)
    else:
        assert limited(body, events=events, limits=limits) == [body]


def test_many_names_of_files_cost_little() -> None:
    limits = MessageLimits(max_values=10, max_text=100)
    with pytest.raises(BadResponse):
        limited(b'"raw"' * 100_000, events=False, limits=limits)
