"""Transport for httpx2, the HTTP client of mcp."""

from __future__ import annotations

from typing import Any, ClassVar

import httpx2

from cardwright.errors import BadResponse, CardError
from cardwright.guard.sdk_transport import SdkBody, SdkTransport


class _Body(SdkBody, httpx2.AsyncByteStream):
    pass


class _TooLarge(httpx2.SSEError, httpx2.StreamError):
    """A response is too large. mcp ends only the call for these two errors, and the whole session for others."""

    def __init__(self, message: str, request: httpx2.Request) -> None:
        httpx2.SSEError.__init__(self, message, request=request)


class GuardedTransport(SdkTransport, httpx2.AsyncBaseTransport):
    """Transport for `httpx2.AsyncClient`."""

    library: ClassVar = httpx2
    body: ClassVar = _Body

    def translated(self, error: CardError, request: Any) -> Exception:
        """Return the library's error for an error of a request."""
        if isinstance(error, BadResponse) and error.kind == "too-large" and request.method == "POST":
            return _TooLarge(str(error), request)
        return super().translated(error, request)
