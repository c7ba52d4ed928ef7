"""A peer that floods with tiny events is read at a pace; a usual answer never waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx
import httpx2
import pytest

from cardwright.errors import BadResponse
from cardwright.guard import Guard, GuardedClient, Response
from cardwright.guard.bodies import MAX_CHUNKS
from cardwright.guard.exchange import Route
from cardwright.guard.message_limits import A2A_MESSAGES, batches, limited_pieces
from cardwright.guard.pace import ALLOWED, Pace, work_of
from cardwright.guard.transports import httpx2_transport, httpx_transport
from tests.peers import Reply, peer, raw_peer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.usefixtures("both_ways")
TINY = b'data: {"a": 1}\n\n'


class Time:
    """A clock that only sleeping moves, and the waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def pace(self) -> Pace:
        return Pace(lambda: self.now, self.sleep)


async def test_a_stream_within_its_allowance_never_waits() -> None:
    time = Time()

    allowance = time.pace().stream()
    await allowance.spend(ALLOWED)
    for _ in range(100):
        time.now += 1
        await allowance.spend(500)
    assert time.waits == []


async def test_streams_share_the_rate_above_their_allowances() -> None:
    time = Time()

    pace = time.pace()
    one, two = pace.stream(), pace.stream()
    for stream in (one, two):
        await stream.spend(ALLOWED)
    await asyncio.gather(one.spend(10_000), two.spend(10_000))
    # The second one waits for the first one's turn, too.
    assert sum(time.waits) == pytest.approx(2, abs=0.1)
    assert time.now >= 101.9


def test_one_large_event_is_delayed_and_not_refused() -> None:
    time = Time()
    asyncio.run(time.pace().stream().spend(ALLOWED + 10_000))
    assert time.waits == [1.0]


def test_tiny_events_cost_more_than_their_bytes() -> None:
    assert work_of(b":\n\n") == 3
    assert work_of(TINY) == 2 + 2
    assert work_of(b'data: "' + b"a" * 100_000 + b'"\n\n') == 3


@pytest.mark.parametrize("event", [TINY, b":\r\n\r\n", b"data: " + b"a" * 5_000 + b"\n\n"])
def test_batches_are_small_and_of_whole_events(event: bytes) -> None:
    events = event * 2_000
    found = list(batches(events))
    assert b"".join(found) == events
    assert max(map(len, found)) <= 2 * 1024 + 2 * len(event)
    assert all(len(batch) % len(event) == 0 for batch in found)


def test_events_are_passed_on_after_their_work_was_counted() -> None:
    steps: list[tuple[str, bytes]] = []

    async def received() -> AsyncIterator[bytes]:
        yield TINY * 1_000

    async def spend(events: bytes) -> None:
        steps.append(("spend", events))

    async def run() -> None:
        pieces = limited_pieces(received(), A2A_MESSAGES, "", events=True, spend=spend)
        while piece := await anext(pieces, b""):
            steps.append(("piece", piece))

    asyncio.run(run())
    assert len(steps) > 10
    assert [kind for kind, _ in steps] == ["spend", "piece"] * (len(steps) // 2)
    assert steps[0][1] == steps[1][1]


@pytest.mark.parametrize(
    ("transport", "library"), [(httpx_transport, httpx), (httpx2_transport, httpx2)], ids=["httpx", "httpx2"]
)
@pytest.mark.parametrize(("events", "waits"), [(1_000, False), (5_000, True)])
async def test_the_sdks_get_the_events_of_a_peer_at_the_pace_of_the_client(
    transport: object, library: object, events: int, *, waits: bool
) -> None:
    time = Time()

    async with peer(lambda _: Reply(200, TINY * events, {"Content-Type": "text/event-stream"})) as there:
        client = GuardedClient(Guard(allow=("127.0.0.0/8",)))
        client.pace = time.pace()
        async with client, library.AsyncClient(transport=transport(Route(client))) as http:  # type: ignore[operator, attr-defined] # either
            assert (await http.get(there.origin, headers={"Accept": SSE})).content == TINY * events
    assert bool(time.waits) == waits


JSON = "application/json"
SSE = "text/event-stream"


def in_chunks(media_type: str, chunk: bytes, count: int, pace: Pace | None = None) -> bytes:
    """Return the body of a response that a peer sends in many equal HTTP chunks."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n".encode())
        writer.write(b"Transfer-Encoding: chunked\r\n\r\n")
        for at in range(0, count, 1000):
            writer.write(b"%x\r\n%b\r\n" % (len(chunk), chunk) * min(1000, count - at))
            await writer.drain()
        writer.write(b"0\r\n\r\n")

    async def run() -> Response:
        async with raw_peer(serve) as there, GuardedClient(Guard(allow=("127.0.0.0/8",))) as client:
            client.pace = pace or client.pace
            return await client.get(there.origin, max_bytes=2_000_000)

    return asyncio.run(run()).body


@pytest.mark.parametrize("count", [MAX_CHUNKS + 100, 1_000_000])
def test_a_body_in_chunks_of_one_byte_is_an_error(count: int) -> None:
    with pytest.raises(BadResponse, match=r"more than 4,\d\d\d HTTP chunks") as caught:
        in_chunks(JSON, b"a", count)
    assert caught.value.kind == "too-large"


@pytest.mark.parametrize(("chunk", "count"), [(b"a", MAX_CHUNKS), (b"a" * 256, 6_000), (b"a" * 100_000, 15)])
def test_an_ordinary_body_in_chunks_is_received(chunk: bytes, count: int) -> None:
    assert in_chunks(JSON, chunk, count) == chunk * count


def test_an_event_stream_in_chunks_of_one_byte_is_read_at_a_pace() -> None:
    time = Time()
    assert in_chunks(SSE + "; charset=utf-8", b"a", 100_000, time.pace()) == b"a" * 100_000
    # 20,000 at once, then 40,000 a second, and what the allowance grows by meanwhile.
    assert sum(time.waits) == pytest.approx(2, abs=0.2)


def test_an_event_stream_with_a_chunk_for_each_event_never_waits() -> None:
    time = Time()
    assert in_chunks(SSE, TINY, 15_000, time.pace()) == TINY * 15_000
    assert time.waits == []


async def test_500_chunks_a_second_never_wait() -> None:
    time = Time()

    allowance = time.pace().stream()
    for _ in range(100_000):
        time.now += 1 / 500
        await allowance.spend_chunks(1)
    assert time.waits == []


def test_other_tasks_run_while_chunks_are_received() -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def sleep(_: float) -> None:
        pass

    async def run() -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            writer.write(b"1\r\na\r\n" * 40_000 + b"0\r\n\r\n")

        async with raw_peer(serve) as there, GuardedClient(Guard(allow=("127.0.0.0/8",))) as client:
            client.pace = Pace(sleep=sleep)
            async with client.stream("GET", there.origin) as answer:
                await asyncio.sleep(0.2)
                nonlocal turns
                task = asyncio.create_task(count())
                turns = 0
                _ = [piece async for piece in answer.chunks()]
                task.cancel()

    asyncio.run(run())
    assert turns >= 40_000 // 1_000
