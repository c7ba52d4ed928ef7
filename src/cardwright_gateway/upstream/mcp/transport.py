"""The way to an MCP server: mcp's transports, with the guard under what dials and a watch on what ends."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Self

import httpx2
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from cardwright.errors import PeerUnreachable
from cardwright.guard.answers import Timeouts
from cardwright.guard.exchange import MAX_ANSWER, origin_of
from cardwright.guard.transports import httpx2_transport
from cardwright_gateway.upstream.mcp.servers import HttpServer, StdioServer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from types import TracebackType

    from mcp.client._transport import ReadStream, TransportStreams
    from mcp.shared.message import SessionMessage

    from cardwright.guard.client import GuardedClient
    from cardwright.guard.exchange import Route
    from cardwright_gateway.upstream.mcp.stderr_tail import Tail

# By which routes the requests of a call went out. mcp sends each in the context of who asks for it.
ROUTES: ContextVar[list[Route] | None] = ContextVar("routes", default=None)
# A stream of changes is silent for hours; whoever calls a tool has a deadline of its own.
_PATIENT: Final = Timeouts(connect=3.0, first_byte=None, total=None)
# What comes by GET is a stream of messages that ends with the session: no sum of them is too much.
_ENDLESS: Final = 1 << 50


@asynccontextmanager
async def transport_to(
    server: StdioServer | HttpServer, client: GuardedClient, tail: Tail, lost: Callable[[], None]
) -> AsyncGenerator[TransportStreams]:
    """Open the way to a server, and close it: a process is ended, and killed where it does not go.

    Args:
        server: Where it is.
        client: What dials.
        tail: What keeps the last words of a process.
        lost: Called when no message can come any more.

    Raises:
        OSError: If a process cannot be started.
        httpx2.TransportError: If nothing answers at a URL; the cause is an error of ours.
    """
    async with AsyncExitStack() as stack:
        if isinstance(server, StdioServer):
            file = stack.enter_context(tail.open())
            parameters = StdioServerParameters(
                command=server.command, args=list(server.args), env=dict(server.env), cwd=server.cwd
            )
            streams = await stack.enter_async_context(stdio_client(parameters, file))
        elif server.sse:

            def client_for(*_: Any, **__: Any) -> httpx2.AsyncClient:
                return _http(server, client, lost)

            streams = await stack.enter_async_context(sse_client(server.url, httpx_client_factory=client_for))
        else:
            http = await stack.enter_async_context(_http(server, client, lost))
            streams = await stack.enter_async_context(
                streamable_http_client(server.url, http_client=http, max_sse_event_size=MAX_ANSWER)
            )
        reading, writing = streams
        yield _Watched(reading, lost), writing


def _http(server: HttpServer, client: GuardedClient, lost: Callable[[], None]) -> httpx2.AsyncClient:
    transport = _EachByItsRoute(server, client, lost)
    return httpx2.AsyncClient(transport=transport, trust_env=False, timeout=None)


class _EachByItsRoute(httpx2.AsyncBaseTransport):
    """Sends each request by a route of its own, so that what went wrong is told of the call it went wrong in."""

    def __init__(self, server: HttpServer, client: GuardedClient, lost: Callable[[], None]) -> None:
        self._server = server
        self._client = client
        self._lost = lost

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        transport = httpx2_transport(
            self._client,
            credentials_for={origin_of(self._server.url): self._server.headers},
            max_bytes=_ENDLESS if request.method == "GET" else MAX_ANSWER,
            timeouts=_PATIENT,
            configured=self._server.configured,
        )
        routes = ROUTES.get()
        if routes is not None and request.method == "POST":
            routes.append(transport.route)
        try:
            return await transport.handle_async_request(request)
        except httpx2.TransportError as error:
            if isinstance(error.__cause__, PeerUnreachable):
                self._lost()
            raise


class _Watched:
    """A stream of messages, and who is told when nobody reads it any more: it ended, or was closed."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], ended: Callable[[], None]) -> None:
        self._inner = inner
        self._ended = ended

    @property
    def last_context(self) -> Any:
        """The context that the last message was sent in, where the stream keeps it (mcp asks for it)."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        return await self._inner.receive()

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> ReadStream[SessionMessage | Exception]:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return await self._inner.__anext__()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        self._ended()
        return await self._inner.__aexit__(exc_type, exc_val, exc_tb)
