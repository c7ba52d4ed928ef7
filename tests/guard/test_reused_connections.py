"""Reused connections: servers close them without a word, at the worst moment."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from cardwright.discovery.calling.a2a_client import A2aClient
from cardwright.errors import PeerUnreachable
from cardwright.guard import Guard, GuardedClient, Timeouts
from tests.peers import RecordedRequest, Reply, peer, raw_peer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

LOOPBACK = Guard(allow=("127.0.0.0/8",))
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ALL = 100


class Server:
    """A server that reads each request and closes a connection at its second one, without a response."""

    def __init__(self, dying: int) -> None:
        self.origin = ""
        self.requests: list[bytes] = []
        self.dying = dying
        self.waiting = asyncio.Barrier(2)
        self.both = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the first request of a connection, and every one once enough connections are dead."""
        for count in range(ALL):
            self.requests.append(await reader.readuntil(b"\r\n\r\n"))
            if b"ontent-Length: 4" in self.requests[-1]:
                await reader.readexactly(4)
            if count and self.dying:
                self.dying -= 1
                return
            if self.both:
                await self.waiting.wait()
            writer.write(RESPONSE)
            await writer.drain()


@asynccontextmanager
async def server(dying: int = ALL) -> AsyncGenerator[Server]:
    running = Server(dying)
    async with raw_peer(running.serve) as there:
        running.origin = there.origin
        yield running


async def send(client: GuardedClient, origin: str, *, repeatable: bool | None = None) -> bytes:
    async with client.stream("POST", origin, content=b"ping", repeatable=repeatable) as answer:
        return b"".join([piece async for piece in answer.chunks()])


async def test_a_get_on_a_closed_reused_connection_is_retried_once() -> None:
    async with server() as there, GuardedClient(LOOPBACK) as client:
        await client.get(there.origin)
        assert (await client.get(there.origin)).body == b"ok"
        assert len(there.requests) == 3


async def test_a_retried_request_has_a_new_connection() -> None:
    # After a server has restarted, all its connections are dead.
    async with server() as there, GuardedClient(LOOPBACK) as client:
        there.both = True
        await asyncio.gather(client.get(there.origin), client.get(there.origin))
        there.both = False
        assert (await client.get(there.origin)).body == b"ok"
        assert len(there.requests) == 4


async def test_an_idempotent_post_is_retried_once_and_no_other() -> None:
    async with server() as there, GuardedClient(LOOPBACK) as client:
        await send(client, there.origin)
        assert await send(client, there.origin, repeatable=True) == b"ok"
        assert len(there.requests) == 3
        await send(client, there.origin)
        with pytest.raises(PeerUnreachable, match="closed the connection without a response"):
            await send(client, there.origin)
        assert len(there.requests) == 5


async def test_a_request_on_a_new_connection_is_not_retried() -> None:
    async def closing(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))

    requests: list[bytes] = []
    async with raw_peer(closing) as there, GuardedClient(LOOPBACK) as client:
        with pytest.raises(PeerUnreachable):
            await client.get(there.origin)
        assert len(requests) == 1


async def test_a_request_with_a_begun_response_is_not_retried() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(RESPONSE)
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(RESPONSE[:9])
        await writer.drain()

    requests: list[bytes] = []
    async with raw_peer(serve) as there, GuardedClient(LOOPBACK) as client:
        await client.get(there.origin)
        with pytest.raises(PeerUnreachable):
            await client.get(there.origin)
        assert len(requests) == 2


async def test_a_fresh_request_never_has_a_reused_connection() -> None:
    async with server() as there, GuardedClient(LOOPBACK) as client:
        for _ in range(3):
            async with client.stream("POST", there.origin, content=b"ping", fresh=True) as answer:
                assert [piece async for piece in answer.chunks()] == [b"ok"]


async def test_a_connection_with_a_server_error_is_not_reused() -> None:
    # uvicorn closes it a moment later.
    connections: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(0)
        await reader.readuntil(b"ping")
        writer.write(RESPONSE.replace(b"200 OK", b"500 Error"))
        await reader.read()

    async with raw_peer(serve) as there, GuardedClient(LOOPBACK) as client:
        assert [await send(client, there.origin) for _ in range(3)] == [b"ok"] * 3
        assert len(connections) == 3


def test_a_closed_connection_is_not_reused_before_the_loop_notices() -> None:
    # A server in a thread of its own closes the connection while this event loop does nothing.
    closed, waiting = threading.Event(), threading.Event()
    requests: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        for first in (True, False):
            with listening.accept()[0] as connection:
                requests.append(connection.recv(65_536))
                while not requests[-1].endswith(b"ping"):
                    requests[-1] += connection.recv(65_536)
                connection.sendall(RESPONSE)
                if first:
                    waiting.wait()
            closed.set()

    async def scene(origin: str) -> None:
        async with GuardedClient(LOOPBACK) as client:
            assert await send(client, origin) == b"ok"
            waiting.set()
            closed.wait()
            assert await send(client, origin) == b"ok"

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        asyncio.run(scene(f"http://127.0.0.1:{listening.getsockname()[1]}"))
        thread.join()
    assert len(requests) == 2


@pytest.mark.parametrize("content", [None, b"{}"])
async def test_a_body_without_a_content_type_gets_none(content: bytes | None) -> None:
    def answer(request: RecordedRequest) -> Reply:
        assert "content-type" not in request.headers
        return Reply()

    async with peer(answer) as there, GuardedClient(LOOPBACK) as client:
        async with client.stream("POST", there.origin, content=content) as answered:
            assert answered.status == 200
        assert "content-type" not in there.requests[0].headers


async def test_a_client_that_reads_a_task_survives_the_end_of_a_reused_connection() -> None:
    def answer(request: RecordedRequest) -> Reply:
        result = {"id": "t-1", "contextId": "c-1", "status": {"state": "TASK_STATE_WORKING"}}
        response = {"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "result": result}
        return Reply(200, json.dumps(response).encode(), {"Content-Type": "application/json"})

    async with (
        peer(answer, per_connection=1) as there,
        GuardedClient(LOOPBACK) as client,
        A2aClient.connect(
            client, url=there.origin, binding="JSONRPC", version="1.0", tenant=None, credentials={},
            timeouts=Timeouts(), configured=None,
        ) as agent,
    ):  # fmt: skip
        for _ in range(3):
            assert (await agent.get_task("t-1"))["id"] == "t-1"
        assert len(there.requests) == 4
