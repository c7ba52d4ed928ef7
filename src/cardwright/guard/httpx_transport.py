"""Transport for httpx, the HTTP client of a2a-sdk: requests are sent with the guarded client."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

import httpx

from cardwright.errors import CardError, PeerTimeout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cardwright.guard.exchange import Exchange, Route
    from cardwright.guard.parsing_turns import ParsingTurn


class GuardedTransport(httpx.AsyncBaseTransport):
    """Transport that sends the requests of an `httpx.AsyncClient` with a route.

    Attributes:
        route: The settings of the requests, and the last error.
    """

    def __init__(self, route: Route) -> None:
        self.route = route

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and return its response with a streamed body.

        Raises:
            httpx.TransportError: With a `CardError` as its cause.
        """
        content = await request.aread()
        try:
            exchange = await self.route.send(
                request.method, str(request.url), request.headers.multi_items(), content
            )
        except CardError as error:
            raise _translated(error, request) from error
        body = _Body(exchange, request, self.route.parsing)
        return httpx.Response(exchange.status, headers=list(exchange.headers), stream=body, request=request)


class _Body(httpx.AsyncByteStream):
    def __init__(self, exchange: Exchange, request: httpx.Request, parsing: ParsingTurn | None) -> None:
        self._exchange = exchange
        self._request = request
        self._parsing = parsing

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async with aclosing(self._exchange.chunks()) as pieces:
                async for piece in pieces:
                    if self._parsing is not None:
                        await self._parsing.begin(len(piece))
                    yield piece
                    # The events of this piece are parsed. Any other body is parsed when all of it was read.
                    if self._parsing is not None and self._exchange.is_stream:
                        self._parsing.end()
        except CardError as error:
            raise _translated(error, self._request) from error

    async def aclose(self) -> None:
        await self._exchange.close()


def _translated(error: CardError, request: httpx.Request) -> httpx.TransportError:
    kind = httpx.ReadTimeout if isinstance(error, PeerTimeout) else httpx.ReadError
    return kind(str(error), request=request)
