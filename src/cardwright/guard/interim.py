"""Connections that end when a server sends too many interim responses.

aiohttp skips interim responses (1xx) without a limit. Each one restarts the time limit for the response, and a server
that sends nothing else would take all of the processor until the caller's own time limit.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from aiohttp import TCPConnector
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError

if TYPE_CHECKING:
    import asyncio

    from aiohttp import StreamReader
    from aiohttp.http import RawResponseMessage

# Servers send one or two (RFC 8297 §2; project decision).
MAX_INTERIM: Final = 32
_FINAL: Final = 200


class LimitedConnector(TCPConnector):
    """Connector whose connections limit the interim responses before a final one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # aiohttp has no option for it; a test with a server that sends too many fails if this has no effect any more.
        self._factory = cast("partial[ResponseHandler]", partial(_LimitedHandler, loop=self._loop))


class _LimitedHandler(ResponseHandler):
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._interim = 0

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        self._interim = self._interim + 1 if data[0].code < _FINAL else 0
        if self._interim <= MAX_INTERIM:
            super().feed_data(data, size)
        elif self._interim == MAX_INTERIM + 1:
            self.set_exception(HttpProcessingError(message="too many interim responses"))
            if self.transport is not None:
                self.transport.abort()
