"""A response whose body is read in pieces, and the errors of its connection."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from cardwright.errors import BadResponse, PeerTimeout, PeerUnreachable
from cardwright.guard.bodies import body_pieces
from cardwright.guard.message_limits import EVENT_STREAM
from cardwright.guard.responses import Headers
from cardwright.guard.single_request import ConnectionFailed

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from cardwright.guard.pace import Allowance
    from cardwright.guard.single_request import SingleResponse
    from cardwright.guard.target import Target


class Streamed:
    """A response with a streamed body.

    Attributes:
        url: The URL of the response.
        status: The HTTP status.
        headers: Its header fields.
    """

    def __init__(
        self,
        response: aiohttp.ClientResponse | SingleResponse,
        target: Target,
        safe_url: str,
        max_bytes: int | None,
        allowance: Allowance,
    ) -> None:
        self.url = target.url
        self.status = response.status
        self.headers = Headers(response.headers.items())
        self._response = response
        self._safe_url = safe_url
        self._max_bytes = max_bytes
        # Its chunks have an allowance of their own, so that a usual stream never waits for them.
        self._allowance = allowance if EVENT_STREAM in response.content_type else None

    async def chunks(self) -> AsyncGenerator[bytes]:
        """Yield the body in pieces.

        Raises:
            BadResponse: If it is too large, has too many small HTTP chunks, or has a content coding that was not requested.
            PeerUnreachable: If the connection breaks.
            PeerTimeout: If a time limit is reached.
        """
        try:
            async with aclosing(
                body_pieces(self._response, self._safe_url, self._max_bytes, self._allowance)
            ) as pieces:
                async for piece in pieces:
                    yield piece
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise fault(error, self._safe_url) from error


def fault(error: BaseException, safe_url: str) -> PeerUnreachable | PeerTimeout | BadResponse:
    """Return the `CardError` for an error of aiohttp; it contains no text of the peer."""
    if isinstance(error, TimeoutError):
        return PeerTimeout(safe_url, "no response within the time limit")
    if isinstance(error, ConnectionFailed):
        return PeerUnreachable(safe_url, str(error))
    messages = {
        aiohttp.ClientConnectorCertificateError: "the TLS certificate is not trusted",
        aiohttp.ClientConnectorSSLError: "the TLS connection failed",
        aiohttp.ClientConnectorDNSError: "the host name cannot be resolved",
        aiohttp.ClientConnectorError: "the connection failed",
        aiohttp.ServerDisconnectedError: "the server closed the connection without a response",
        aiohttp.ClientPayloadError: "the response is incomplete: the connection closed early",
        aiohttp.ClientResponseError: "the response is not valid HTTP",
        HttpProcessingError: "the response is not valid HTTP",
    }
    for kind, message in messages.items():
        if isinstance(error, kind):
            connected = not isinstance(error, aiohttp.ClientConnectorError)
            return PeerUnreachable(safe_url, message, connected=connected)
    return PeerUnreachable(safe_url, "the connection was lost", connected=True)
