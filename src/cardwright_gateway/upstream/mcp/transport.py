"""Transports to MCP servers: mcp's transports over the guarded HTTP client, with a callback for a lost connection."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

import httpx2
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from cardwright.discovery.calling.failures import card_error_in
from cardwright.errors import BadResponse, PeerUnreachable
from cardwright.guard.exchange import MAX_ANSWER, Route, origin_of
from cardwright.guard.responses import Timeouts
from cardwright.guard.transports import httpx2_transport
from cardwright_gateway.upstream.mcp.message_limits import EXCEEDED, line_encoding
from cardwright_gateway.upstream.mcp.servers import HttpServer, StdioServer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from types import TracebackType

    from mcp.client._transport import ReadStream, TransportStreams, WriteStream

    from cardwright.guard.client import GuardedClient
    from cardwright.guard.pace import Allowance
    from cardwright_gateway.upstream.mcp.stderr_tail import Tail

_Inner = TypeVar("_Inner", bound="ReadStream[SessionMessage | Exception] | WriteStream[SessionMessage]")
# The routes of a call's requests. mcp sends each request in the context of its caller.
ROUTES: ContextVar[list[Route] | None] = ContextVar("routes", default=None)
# A change stream may be silent for hours; tool calls have their own timeout.
_NO_TIMEOUT: Final = Timeouts(connect=3.0, first_byte=None, total=None)
# A GET response is a stream that lasts as long as the session: practically no limit, but for each event.
_UNLIMITED: Final = 1 << 50
# What a message costs, and one that is answered: with a request of its own over HTTP (measured; project decision).
_MESSAGE_WORK: Final = 30
_REQUEST_WORK: Final = 200


@asynccontextmanager
async def transport_to(
    server: StdioServer | HttpServer,
    client: GuardedClient,
    tail: Tail,
    lost: Callable[[], None],
    exceeded: Callable[[BadResponse], None],
) -> AsyncGenerator[TransportStreams]:
    """Open a transport to a server, and close it at the end: a process is terminated, then killed.

    Args:
        server: The server's address.
        client: The guarded HTTP client.
        tail: The buffer for the standard error of a process.
        lost: Called when the connection is lost.
        exceeded: Called when a message of a process or an SSE stream exceeds a limit: no later message can be read.

    Raises:
        OSError: If a process cannot be started.
        httpx2.TransportError: If a URL is unreachable; the cause is a `CardError`.
    """
    async with AsyncExitStack() as stack:
        if isinstance(server, StdioServer):
            file = stack.enter_context(tail.open())
            parameters = StdioServerParameters(
                command=server.command,
                args=list(server.args),
                env=dict(server.env),
                cwd=server.cwd,
                encoding=line_encoding(),
            )
            # mcp creates the decoder in a task of this context.
            EXCEEDED.set(exceeded)
            streams = await stack.enter_async_context(stdio_client(parameters, file))
        elif server.sse:

            def client_for(*_: Any, **__: Any) -> httpx2.AsyncClient:
                return _http(server, client, lost)

            streams = await stack.enter_async_context(sse_client(server.url, httpx_client_factory=client_for))
        else:
            # The guarded transport limits each event.
            http = await stack.enter_async_context(_http(server, client, lost))
            streams = await stack.enter_async_context(
                streamable_http_client(server.url, http_client=http, max_sse_event_size=None)
            )
        reading, writing = streams
        allowance = client.pace.stream()
        yield WatchedStream(reading, lost, exceeded, allowance), RequestStream(writing, allowance)


def _http(server: HttpServer, client: GuardedClient, lost: Callable[[], None]) -> httpx2.AsyncClient:
    transport = _RoutePerRequest(server, client, lost)
    return httpx2.AsyncClient(transport=transport, trust_env=False, timeout=None)


class _RoutePerRequest(httpx2.AsyncBaseTransport):
    """Transport with one route for each request, so that a failure is reported for the call in which it occurred."""

    def __init__(self, server: HttpServer, client: GuardedClient, lost: Callable[[], None]) -> None:
        self._server = server
        self._client = client
        self._lost = lost
        self._streams = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        route = Route(
            self._client,
            {origin_of(self._server.url): self._server.headers},
            max_bytes=_UNLIMITED if request.method == "GET" else MAX_ANSWER,
            timeouts=_NO_TIMEOUT,
            configured=self._server.configured,
            hold=self._server.hold,
        )
        transport = httpx2_transport(route)
        routes = ROUTES.get()
        if routes is not None and request.method == "POST":
            routes.append(transport.route)
        transport.route.in_session = MCP_SESSION_ID in request.headers
        try:
            response: httpx2.Response = await transport.handle_async_request(request)
        except httpx2.TransportError as error:
            if isinstance(error.__cause__, PeerUnreachable):
                self._lost()
            raise
        if request.method == "GET":
            # A server without GET streams may respond with 404 too: only after a stream it means that the session ended.
            if self._streams and response.status_code == 404:
                self._lost()
            self._streams |= response.is_success
        elif self._server.sse and response.is_error:
            # mcp sends nothing after this.
            self._lost()
        return response


class _Stream(Generic[_Inner]):
    """A message stream around another one."""

    def __init__(self, inner: _Inner) -> None:
        self._inner = inner

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        return await self._inner.__aexit__(exc_type, exc_val, exc_tb)


class WatchedStream(_Stream["ReadStream[SessionMessage | Exception]"]):
    """Message stream at a limited pace; calls `ended` when it has ended or was closed, `exceeded` at a message past a limit."""

    def __init__(
        self,
        inner: ReadStream[SessionMessage | Exception],
        ended: Callable[[], None],
        exceeded: Callable[[BadResponse], None],
        allowance: Allowance,
    ) -> None:
        super().__init__(inner)
        self._ended = ended
        self._exceeded = exceeded
        self._allowance = allowance

    @property
    def last_context(self) -> Any:
        """The context in which the last message was sent, if the stream has it (mcp reads it)."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        return await self._seen(await self._inner.receive())

    async def _seen(self, message: SessionMessage | Exception) -> SessionMessage | Exception:
        # mcp reads the next message only after this one, but it handles notifications and requests in tasks.
        asks = isinstance(message, SessionMessage) and isinstance(message.message, JSONRPCRequest)
        await self._allowance.spend(_REQUEST_WORK if asks else _MESSAGE_WORK)
        error = card_error_in(message) if isinstance(message, Exception) else None
        if isinstance(error, BadResponse) and error.kind == "too-large":
            self._exceeded(error)
        return message

    def __aiter__(self) -> ReadStream[SessionMessage | Exception]:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return await self._seen(await self._inner.__anext__())

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        self._ended()
        return await super().__aexit__(exc_type, exc_val, exc_tb)


class RequestStream(_Stream["WriteStream[SessionMessage]"]):
    """Message stream to a server; the response to a request does not count against the allowance."""

    def __init__(self, inner: WriteStream[SessionMessage], allowance: Allowance) -> None:
        super().__init__(inner)
        self._allowance = allowance

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        if isinstance(item.message, JSONRPCRequest):
            self._allowance.expect(_MESSAGE_WORK)
        await self._inner.send(item)
