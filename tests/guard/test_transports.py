"""Transports for the HTTP clients of the SDKs: all requests go through the guarded client."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import httpx
import httpx2
import pytest

from cardwright.errors import BadResponse, ConnectionDenied, MissingPackage, PeerTimeout, PeerUnreachable
from cardwright.guard import Guard, GuardedClient, Timeouts
from cardwright.guard.exchange import Route
from cardwright.guard.transports import httpx2_transport, httpx_transport
from tests.peers import Reply, peer, raw_peer

pytestmark = pytest.mark.usefixtures("both_ways")
LOOPBACK = Guard(allow=("127.0.0.0/8",))
BOTH = pytest.mark.parametrize(
    ("made", "library"), [(httpx_transport, httpx), (httpx2_transport, httpx2)], ids=["httpx", "httpx2"]
)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@BOTH
async def test_a_request_arrives_unchanged(made: Any, library: Any) -> None:
    async with (
        peer(lambda _: Reply(body=b"hello", headers={"X-A": "1"})) as one,
        GuardedClient(LOOPBACK) as client,
    ):
        secret = {one.origin.upper().replace("HTTP", "http"): {"Authorization": "Bearer s"}}
        transport = made(Route(client, credentials_for=secret))
        async with library.AsyncClient(transport=transport, trust_env=False) as http:
            answer = await http.post(f"{one.origin}/a?b=c", content=b"body", headers={"X-B": "2"})
        assert (answer.status_code, answer.content, answer.headers["x-a"]) == (200, b"hello", "1")
        (request,) = one.requests
        assert (request.method, request.path, request.body) == ("POST", "/a?b=c", b"body")
        assert (request.headers["x-b"], request.headers["authorization"]) == ("2", "Bearer s")
        assert request.headers["accept-encoding"] == "identity"


@BOTH
async def test_credentials_stay_with_their_origin(made: Any, library: Any) -> None:
    async with (
        peer(lambda _: Reply()) as one,
        peer(lambda _: Reply()) as other,
        GuardedClient(LOOPBACK) as client,
    ):
        transport = made(
            Route(client, credentials_for={one.origin: {"X-Key": "s"}, "no origin": {"X-Key": "t"}})
        )
        async with library.AsyncClient(transport=transport, trust_env=False) as http:
            await http.get(other.origin)
        assert "x-key" not in other.requests[0].headers


@BOTH
async def test_the_error_of_the_client_library_has_the_card_error_as_its_cause(
    made: Any, library: Any
) -> None:
    async with GuardedClient() as client:
        transport = made(Route(client))
        async with library.AsyncClient(transport=transport, trust_env=False) as http:
            with pytest.raises(library.TransportError) as caught:
                await http.post("http://127.0.0.1:1/")
            assert isinstance(caught.value.__cause__, ConnectionDenied)
            assert transport.route.failure is caught.value.__cause__
            with pytest.raises(library.TransportError):
                await http.post("http://user:secret@a.example/")
            assert "secret" not in str(transport.route.failure)
    async with peer(lambda _: Reply()) as one:
        origin = one.origin
    async with (
        GuardedClient(LOOPBACK) as client,
        library.AsyncClient(transport=made(Route(client)), trust_env=False) as http,
    ):
        with pytest.raises(library.TransportError) as caught:
            await http.get(origin)
        assert isinstance(caught.value.__cause__, PeerUnreachable)


@BOTH
async def test_no_redirect_is_followed(made: Any, library: Any) -> None:
    async with (
        peer(lambda _: Reply(302, headers={"Location": "http://127.0.0.1:1/"})) as one,
        GuardedClient(LOOPBACK) as client,
    ):
        http = library.AsyncClient(transport=made(Route(client)), trust_env=False)
        assert (await http.get(one.origin)).status_code == 302
        await http.aclose()


@BOTH
async def test_a_response_over_its_limit_is_stopped(made: Any, library: Any) -> None:
    async with peer(lambda _: Reply(body=b"x" * 1_001)) as one, GuardedClient(LOOPBACK) as client:
        transport = made(Route(client, max_bytes=1_000))
        async with library.AsyncClient(transport=transport, trust_env=False) as http:
            with pytest.raises(library.TransportError) as caught:
                await http.get(one.origin)
            assert isinstance(caught.value.__cause__, BadResponse)


@BOTH
async def test_a_silent_peer_is_a_timeout_error_of_both_libraries(made: Any, library: Any) -> None:
    async def serve(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with raw_peer(serve) as one, GuardedClient(LOOPBACK) as client:
        transport = made(Route(client, timeouts=Timeouts(first_byte=0.1)))
        async with library.AsyncClient(transport=transport, trust_env=False) as http:
            with pytest.raises(library.ReadTimeout) as caught:
                await http.get(one.origin)
            assert isinstance(caught.value.__cause__, PeerTimeout)


@BOTH
async def test_a_stream_comes_in_pieces_and_leaving_it_closes_the_connection(made: Any, library: Any) -> None:
    closed, more = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD + b"9\r\ndata: 1\n\n\r\n")
        await more.wait()
        writer.write(b"9\r\ndata: 2\n\n\r\n")
        await reader.read()
        closed.set()

    async with raw_peer(serve) as one, GuardedClient(LOOPBACK) as client:
        async with (
            library.AsyncClient(transport=made(Route(client)), trust_env=False) as http,
            http.stream("GET", one.origin, headers={"Accept": "text/event-stream"}) as answer,
        ):
            pieces = answer.aiter_bytes()
            assert await anext(pieces) == b"data: 1\n\n"
            # The second piece is not sent before the first was read.
            more.set()
            assert await anext(pieces) == b"data: 2\n\n"
        async with asyncio.timeout(30):
            await closed.wait()


@BOTH
async def test_cancellation_closes_the_connection(made: Any, library: Any) -> None:
    begun, closed = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD)
        begun.set()
        await reader.read()
        closed.set()

    async with raw_peer(serve) as one, GuardedClient(LOOPBACK) as client:
        http = library.AsyncClient(transport=made(Route(client)), trust_env=False)
        pending = asyncio.create_task(http.get(one.origin))
        await begun.wait()
        pending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pending
        async with asyncio.timeout(30):
            await closed.wait()
        await http.aclose()


@BOTH
def test_without_the_library_its_package_is_named(
    made: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library.__name__, None)
    monkeypatch.delitem(sys.modules, f"cardwright.guard.{library.__name__}_transport", raising=False)
    with pytest.raises(MissingPackage, match=r'pip install "cardwright\[(a2a|mcp)\]"'):
        made(GuardedClient())
