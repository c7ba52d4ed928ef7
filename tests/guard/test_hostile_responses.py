"""Hostile responses: slow, endless, compressed, truncated or not HTTP; each has its own error."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import tracemalloc
import zlib
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadResponse, CardError, PeerError, PeerTimeout, PeerUnreachable
from cardwright.guard import MAX_BYTES, Guard, GuardedClient, Response, Timeouts
from tests.peers import raw_peer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

pytestmark = pytest.mark.usefixtures("both_ways")
LEAVE = Guard(allow=("127.0.0.0/8",))
# Short, and no test asks how long it took: only that it ended.
SHORT = Timeouts(connect=0.5, first_byte=0.3, total=0.4)
# For what ends by itself.
PATIENT = Timeouts(first_byte=20, total=60)
OK = b"HTTP/1.1 200 OK\r\n"
CANARY = "kanarie"
MIB = 1024 * 1024


@dataclass(frozen=True)
class Case:
    """A hostile response: its pieces, the pause after each, and the expected error."""

    sends: Iterable[bytes]
    ends: type[PeerError] | int
    says: str = ""
    pause: float | None = None
    then: str = "close"


def endless(piece: bytes) -> Iterable[bytes]:
    return repeat(piece * max(1, 4096 // len(piece)))


def one_by_one(text: bytes) -> Iterable[bytes]:
    return (bytes([byte]) for byte in text)


TOO_LARGE = "more than 262,144 bytes"
NO_HTTP = "not valid HTTP"


def cases() -> dict[str, Case]:
    """Return all cases; what they send can be read once."""
    return {
        "drips its header": Case(one_by_one(OK + b"X-A: " + b"a" * 4000), PeerTimeout, "complete response within 0.4", 0.01),
        "drips its body": Case(
            [OK + b"Content-Length: 4000\r\n\r\n", *one_by_one(b"a" * 4000)], PeerTimeout, "complete response within 0.4", 0.01
        ),
        "drips its chunks": Case(
            [OK + b"Transfer-Encoding: chunked\r\n\r\n", *repeat(b"1\r\na\r\n", 4000)], PeerTimeout, "complete response within", 0.01
        ),
        "drips interim answers": Case(repeat(b"HTTP/1.1 103 Early\r\n\r\n", 4000), PeerUnreachable, NO_HTTP, 0.001),
        "sends interim answers before its own": Case(
            [*repeat(b"HTTP/1.1 103 Early\r\n\r\n", 32), OK + b"Content-Length: 2\r\n\r\n{}"], 200
        ),
        "never answers": Case([], PeerTimeout, "no response within the time limit", then="wait"),
        "stops in its header": Case([OK], PeerTimeout, "no response within the time limit", then="wait"),
        "stops in its body": Case(
            [OK + b"Content-Length: 9\r\n\r\nab"], PeerTimeout, "no response within the time limit", then="wait"
        ),
        "closes at once": Case([], PeerUnreachable, "closed the connection without a response"),
        "body without end": Case([OK + b"\r\n", *repeat(b"a" * 65536, 64)], BadResponse, TOO_LARGE),
        "chunks without end": Case(
            [OK + b"Transfer-Encoding: chunked\r\n\r\n", *repeat(b"1000\r\n" + b"a" * 4096 + b"\r\n", 1000)],
            BadResponse, TOO_LARGE,
        ),
        "chunks of one byte without end": Case(
            [OK + b"Transfer-Encoding: chunked\r\n\r\n", *repeat(b"1\r\na\r\n" * 1000, 1000)],
            BadResponse, "HTTP chunks",
        ),
        "a chunk extension without end": Case(
            chain([OK + b"Transfer-Encoding: chunked\r\n\r\n1;x="], endless(b"a")), PeerTimeout, "complete response within"
        ),
        "a chunk of 16 EiB": Case(
            [OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", *repeat(b"a" * 65536, 64)],
            BadResponse, TOO_LARGE,
        ),
        "trailers without end": Case(
            chain([OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"], endless(b"X: y\r\n")), PeerUnreachable
        ),
        "header lines without end": Case(chain([OK], endless(b"X: y\r\n")), PeerUnreachable, NO_HTTP),
        "a header line without end": Case(chain([OK + b"X: "], endless(b"y")), PeerUnreachable, NO_HTTP),
        "a status line without end": Case(chain([b"HTTP/1.1 200 "], endless(b"y")), PeerUnreachable, NO_HTTP),
        "interim answers without end": Case(endless(b"HTTP/1.1 100 Go on\r\n\r\n"), PeerUnreachable, NO_HTTP),
        "a length of 1 TB": Case([OK + b"Content-Length: 1000000000000\r\n\r\n"], BadResponse, TOO_LARGE, then="wait"),
        "a length past 64 bits": Case([OK + b"Content-Length: 99999999999999999999999\r\n\r\n"], PeerUnreachable, NO_HTTP),
        "a negative length": Case([OK + b"Content-Length: -1\r\n\r\n"], PeerUnreachable, NO_HTTP),
        "two lengths": Case([OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"], PeerUnreachable, NO_HTTP),
        "a length and chunks": Case(
            [OK + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"], PeerUnreachable, NO_HTTP
        ),
        "an invalid chunk size": Case(
            [OK + b"Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n"], PeerUnreachable, NO_HTTP
        ),
        "a body that ends early": Case([OK + b"Content-Length: 9\r\n\r\nab"], PeerUnreachable, "is incomplete"),
        "chunks that end early": Case(
            [OK + b"Transfer-Encoding: chunked\r\n\r\n9\r\nab"], PeerUnreachable, "is incomplete"
        ),
        "a reset in the body": Case(
            [OK + b"Content-Length: 9\r\n\r\nab"], PeerUnreachable, "is incomplete", then="reset"
        ),
        "a reset in the header": Case([OK], PeerUnreachable, "", then="reset"),
        "a chunk extension": Case([OK + b"Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\n\r\n"], 200),
        "another protocol": Case([b"SSH-2.0-OpenSSH_9.9\r\n"], PeerUnreachable, NO_HTTP),
        "frames of HTTP/2": Case([b"\0\0\x12\x04\0\0\0\0\0" + b"\0" * 18], PeerUnreachable, NO_HTTP),
        "NUL in a header": Case([OK + b"X: a\0b\r\nContent-Length: 0\r\n\r\n"], PeerUnreachable, NO_HTTP),
        "an upgrade": Case([b"HTTP/1.1 101 Up\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc"], 101),
        "a status past all": Case([b"HTTP/1.1 1000 X\r\n\r\n"], PeerUnreachable, NO_HTTP),
        "no content and a body": Case([b"HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nhello"], PeerUnreachable, NO_HTTP),
        "invalid gzip": Case(
            [OK + b"Content-Encoding: gzip\r\nContent-Length: 7\r\n\r\nkanarie"], BadResponse, "gzip response is invalid"
        ),
        "gzip that ends early": Case(
            [OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"hello")[:-9]], BadResponse, "gzip response is incomplete"
        ),
        "gzip of nothing": Case([OK + b"Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"], BadResponse, "is incomplete"),
        **{
            f"the coding {coding}": Case(
                [OK + f"Content-Encoding: {coding}\r\nContent-Length: 1\r\n\r\nx".encode()], BadResponse, "content coding"
            )
            for coding in ("deflate", "br", "zstd", "compress", "gzip, gzip", "identity, gzip", "kanarie", "*")
        },
    }  # fmt: skip


CASES = list(cases())


def serving(case: Case) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for piece in case.sends:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(case.pause or 0)
        if case.then == "wait":
            await asyncio.Event().wait()
        if case.then == "reset":
            raw: Any = writer.get_extra_info("socket")
            # What was sent arrives before the reset.
            await asyncio.sleep(0.02)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    return serve


def fetch(case: Case, timeouts: Timeouts = SHORT, **given: Any) -> Response | CardError:
    """Return what a GET comes to."""

    async def scene() -> Response | CardError:
        async with raw_peer(serving(case)) as one, GuardedClient(LEAVE, timeouts=timeouts) as client:
            try:
                return await client.get(one.origin, **given)
            except CardError as error:
                return error

    return asyncio.run(scene())


@pytest.mark.parametrize("name", CASES)
def test_each_kind_of_hostile_response_has_its_own_error(name: str) -> None:
    case = cases()[name]
    found = fetch(case, SHORT if case.ends is PeerTimeout else PATIENT)
    if isinstance(case.ends, int):
        assert isinstance(found, Response)
        assert found.status == case.ends
    else:
        assert isinstance(found, case.ends)
        assert case.says in str(found)
        assert CANARY not in str(found)


def bomb(mebibytes: int) -> bytes:
    """Return endless gzip of zeroes: a flushed block can be repeated at any place."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return gzip.compress(b"")[:10] + block * mebibytes


@pytest.mark.parametrize("cap", [MAX_BYTES, 1_000_000])
def test_a_decompression_bomb_is_never_held_in_memory(cap: int) -> None:
    body = bomb(300)
    assert len(body) < 320_000
    case = Case(
        [OK + f"Content-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n".encode(), body], BadResponse
    )
    # What is over the cap on the wire is not even begun.
    if len(body) > cap:
        case = Case([OK + b"Content-Encoding: gzip\r\n\r\n", body[:200_000]], BadResponse)
    tracemalloc.start()
    try:
        found = fetch(case, PATIENT, max_bytes=cap)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(found, BadResponse)
    assert found.kind == "too-large"
    assert peak < 4 * MIB


def test_a_streamed_body_is_counted_like_a_whole_one() -> None:
    async def read(case: Case) -> int:
        async with (
            raw_peer(serving(case)) as one,
            GuardedClient(LEAVE, timeouts=SHORT) as client,
            client.stream("POST", one.origin, content=b"x", max_bytes=10_000) as answer,
        ):
            return sum([len(piece) async for piece in answer.chunks()])

    for name in ("body without end", "chunks without end", "a length of 1 TB"):
        with pytest.raises(BadResponse) as caught:
            asyncio.run(read(cases()[name]))
        assert caught.value.kind == "too-large"
    for name in ("stops in its body", "stops in its header", "never answers"):
        with pytest.raises(PeerTimeout):
            asyncio.run(read(cases()[name]))


async def test_bytes_after_a_response_are_not_the_next_response() -> None:
    poison = OK + b"Content-Length: 7\r\n\r\nkanarie"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(OK + b"Content-Length: 2\r\n\r\nhi" + poison)
            await writer.drain()

    found: list[bytes | str] = []
    async with raw_peer(serve) as one, GuardedClient(LEAVE, timeouts=SHORT) as client:
        for _ in range(6):
            try:
                found.append((await client.get(one.origin)).body)
            except PeerError as error:
                found.append(str(error))
            await asyncio.sleep(0.01)
    assert CANARY.encode() not in found


async def test_a_hanging_peer_does_not_delay_others() -> None:
    quick = Case([OK + b"Content-Length: 0\r\n\r\n"], 200)
    async with (
        raw_peer(serving(cases()["never answers"]), host="127.0.0.2") as slow,
        raw_peer(serving(quick), host="127.0.0.3") as good,
        GuardedClient(LEAVE, timeouts=Timeouts(total=None, first_byte=None)) as client,
    ):
        hanging = [asyncio.create_task(client.get(slow.origin)) for _ in range(20)]
        found = [(await client.get(good.origin)).status for _ in range(20)]
        for task in hanging:
            task.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)
    assert found == [200] * 20
