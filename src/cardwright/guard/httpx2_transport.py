"""Transport for httpx2, the HTTP client of mcp: requests are sent with the guarded client."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

import httpx2

from cardwright.errors import BadResponse, CardError, PeerTimeout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cardwright.guard.exchange import Exchange, Route


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Transport that sends the requests of an `httpx2.AsyncClient` with a route.

    Attributes:
        route: The settings of the requests, and the last error.
    """

    def __init__(self, route: Route) -> None:
        self.route = route

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return its response with a streamed body.

        Raises:
            httpx2.TransportError: With a `CardError` as its cause.
        """
        content = await request.aread()
        try:
            exchange = await self.route.send(
                request.method, str(request.url), request.headers.multi_items(), content
            )
        except CardError as error:
            raise _translated(error, request) from error
        body = _Body(exchange, request)
        return httpx2.Response(exchange.status, headers=list(exchange.headers), stream=body, request=request)


class _TooLarge(httpx2.SSEError, httpx2.StreamError):
    """A response is too large. mcp ends only the call for these two errors, and the whole session for others."""

    def __init__(self, message: str, request: httpx2.Request) -> None:
        httpx2.SSEError.__init__(self, message, request=request)


class _Body(httpx2.AsyncByteStream):
    def __init__(self, exchange: Exchange, request: httpx2.Request) -> None:
        self._exchange = exchange
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async with aclosing(self._exchange.chunks()) as pieces:
                async for piece in pieces:
                    yield piece
        except CardError as error:
            raise _translated(error, self._request) from error

    async def aclose(self) -> None:
        await self._exchange.close()


def _translated(error: CardError, request: httpx2.Request) -> httpx2.TransportError:
    if isinstance(error, BadResponse) and error.kind == "too-large" and request.method == "POST":
        return _TooLarge(str(error), request)
    kind = httpx2.ReadTimeout if isinstance(error, PeerTimeout) else httpx2.ReadError
    return kind(str(error), request=request)
