"""Peers for tests: small HTTP servers on loopback that answer by a function and record the requests."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request: its method, its path with the query, and its header fields, lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response; `raw` is sent unchanged, in pieces, instead of the other fields."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Peer:
    """A running server: its address, and the requests that it received."""

    origin: str
    port: int
    requests: list[RecordedRequest] = field(default_factory=list[RecordedRequest])

    @property
    def paths(self) -> list[str]:
        """The paths of the requests, in order."""
        return [one.path for one in self.requests]


@asynccontextmanager
async def peer(
    answer: Callable[[RecordedRequest], Reply | Awaitable[Reply]],
    *,
    host: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
    per_connection: int = 0,
) -> AsyncGenerator[Peer]:
    """Run a server that answers every request by a function; with `tls`, by https.

    With `per_connection`, a connection that had so many responses ends at its next request, without a response.
    """

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            for count in itertools.count():
                head = await reader.readuntil(b"\r\n\r\n")
                request = await _read(head, reader)
                running.requests.append(request)
                if per_connection and count == per_connection:
                    return
                given = answer(request)
                reply = given if isinstance(given, Reply) else await given
                writer.write(_bytes(reply, request.method))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with raw_peer(serve, host=host, tls=tls) as running:
        yield running


@asynccontextmanager
async def raw_peer(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    *,
    host: str = "127.0.0.1",
    tls: ssl.SSLContext | None = None,
) -> AsyncGenerator[Peer]:
    """Run a server whose every connection is a function's."""
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await serve(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connected, host, 0, ssl=tls)
    port = server.sockets[0].getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    try:
        yield Peer(f"http{'s' if tls else ''}://{shown}:{port}", port)
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read(head: bytes, reader: asyncio.StreamReader) -> RecordedRequest:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return RecordedRequest(method, path, headers, body)


def _bytes(reply: Reply, method: str) -> bytes:
    lengthless = reply.status == 304 or any(name.lower() == "content-length" for name in reply.headers)
    fields = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
    length = "" if lengthless else f"Content-Length: {len(reply.body)}\r\n"
    head = f"HTTP/1.1 {reply.status} Status\r\n{fields}{length}\r\n".encode("latin-1")
    return head if method == "HEAD" or reply.status == 304 else head + reply.body
