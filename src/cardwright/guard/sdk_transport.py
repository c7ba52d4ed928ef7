"""The transport of an SDK's HTTP client, httpx or httpx2: requests are sent with the guarded client."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, ClassVar

from cardwright.errors import CardError, PeerTimeout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import ModuleType

    from cardwright.guard.exchange import Exchange, Route


class SdkTransport:
    """Transport that sends the requests of an `AsyncClient` with a route.

    Attributes:
        library: httpx or httpx2.
        body: Its stream of bytes.
        route: The settings of the requests, and the last error.
    """

    library: ClassVar[ModuleType]
    body: ClassVar[type[SdkBody]]

    def __init__(self, route: Route) -> None:
        self.route = route

    async def handle_async_request(self, request: Any) -> Any:
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
            raise self.translated(error, request) from error
        headers, body = list(exchange.headers), self.body(self, exchange, request)
        return self.library.Response(exchange.status, headers=headers, stream=body, request=request)

    def translated(self, error: CardError, request: Any) -> Exception:
        """Return the library's error for an error of a request."""
        kind = self.library.ReadTimeout if isinstance(error, PeerTimeout) else self.library.ReadError
        translated: Exception = kind(str(error), request=request)
        return translated


class SdkBody:
    """The body of a response, in the pieces of its exchange."""

    def __init__(self, transport: SdkTransport, exchange: Exchange, request: Any) -> None:
        self._transport = transport
        self._exchange = exchange
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the pieces; what the SDK parses has its turn."""
        parsing = self._transport.route.parsing
        try:
            async with aclosing(self._exchange.chunks()) as pieces:
                async for piece in pieces:
                    if parsing is not None:
                        await parsing.begin(len(piece))
                    yield piece
                    # The events of this piece are parsed. Any other body is parsed when all of it was read.
                    if parsing is not None and self._exchange.is_stream:
                        parsing.end()
        except CardError as error:
            raise self._transport.translated(error, self._request) from error

    async def aclose(self) -> None:
        """Release the connection."""
        await self._exchange.close()
