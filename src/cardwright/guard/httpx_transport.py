"""Transport for httpx, the HTTP client of a2a-sdk."""

from __future__ import annotations

from typing import ClassVar

import httpx

from cardwright.guard.sdk_transport import SdkBody, SdkTransport


class _Body(SdkBody, httpx.AsyncByteStream):
    pass


class GuardedTransport(SdkTransport, httpx.AsyncBaseTransport):
    """Transport for `httpx.AsyncClient`."""

    library: ClassVar = httpx
    body: ClassVar = _Body
