"""Connections of the client: which ones are reused, and how many interim responses a server may send.

aiohttp reuses a connection that the server has already closed, if the event loop has not read that yet; and it skips
interim responses (1xx) without a limit. Each one restarts the time limit for the response, and a server that sends
nothing else would take all of the processor until the caller's own time limit.
"""

from __future__ import annotations

import select
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError

if TYPE_CHECKING:
    import asyncio
    import ssl

    from aiohttp import StreamReader
    from aiohttp.abc import AbstractResolver
    from aiohttp.http import RawResponseMessage

# Servers send one or two (RFC 8297 §2; project decision).
MAX_INTERIM: Final = 32
_FINAL: Final = 200
# uvicorn and node close idle connections after 5 s; a request at that moment would be lost.
_IDLE_SECONDS: Final = 4.0
# aiohttp pauses a response after one HTTP chunk for each 16 bytes of it; with its default, that takes 25 ms (measured).
READ_BUFFER: Final = 32 * 1024
_SERVER_ERROR: Final = 500


def new_session(
    resolver: AbstractResolver, *, ssl_context: ssl.SSLContext | None, user_agent: str, concurrency: int
) -> aiohttp.ClientSession:
    """Return a session that takes nothing from the environment, and sends a request once.

    Args:
        resolver: The DNS resolver, which the session does not close.
        ssl_context: The TLS settings; None for the system's trust store.
        user_agent: The User-Agent header.
        concurrency: The maximum number of open connections; 0 for no limit.
    """
    connector = _Connector(
        resolver=resolver,
        # Each connection needs its own lookup, and so its own check.
        use_dns_cache=False,
        ssl=ssl_context or True,
        limit=concurrency,
        keepalive_timeout=_IDLE_SECONDS,
    )
    session = aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        auto_decompress=False,
        read_bufsize=READ_BUFFER,
        headers=standard_fields(user_agent),
        # A body without a type gets none; aiohttp would send one even without a body.
        skip_auto_headers=("Content-Type",),
    )
    # It would repeat a request on another reused connection, or after a new one broke; aiohttp has no option for it.
    session._retry_connection = False  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    return session


def standard_fields(user_agent: str) -> dict[str, str]:
    """Return the header fields of every request."""
    return {"User-Agent": user_agent, "Accept-Encoding": "identity"}


class StaleConnection(aiohttp.ServerDisconnectedError):
    """A reused connection broke before any byte of the response: the server may have closed it before the request."""


class _Connector(aiohttp.TCPConnector):
    """Connector whose connections are reused only while they are open, and limit the interim responses."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # aiohttp has no option for it; tests with servers that send too many and that close their connections fail if
        # this has no effect any more.
        self._factory = cast("partial[ResponseHandler]", partial(ResponseProtocol, loop=self._loop))


class ResponseProtocol(ResponseHandler):
    """Protocol of a connection: aiohttp's, with a limit of interim responses, and an error of its own if it was stale."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._interim = 0
        self._requests = 0
        self._responding = False

    def is_connected(self) -> bool:
        """Return whether the connection can be used: an idle one has nothing to read but its end."""
        return super().is_connected() and not _is_readable(self.transport)

    def set_response_params(self, **params: Any) -> None:
        """Prepare for the next response."""
        self._requests += 1
        self._responding = False
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Note that the response has begun."""
        self._responding = True
        super().data_received(data)

    def set_exception(self, exc: BaseException, *exc_cause: BaseException) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] # its default is private
        """Replace the error of a connection that the server had closed before the request."""
        broken = isinstance(exc, (aiohttp.ClientConnectionError, OSError)) and not isinstance(
            exc, TimeoutError
        )
        stale = broken and self._requests > 1 and not self._responding
        super().set_exception(StaleConnection() if stale else exc, *exc_cause)

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Count the interim responses before a response."""
        if data[0].code >= _SERVER_ERROR:
            # uvicorn closes the connection after an error of its application, and does not announce it.
            self.force_close()
        self._interim = self._interim + 1 if data[0].code < _FINAL else 0
        if self._interim <= MAX_INTERIM:
            super().feed_data(data, size)
        elif self._interim == MAX_INTERIM + 1:
            self.set_exception(HttpProcessingError(message="too many interim responses"))
            if self.transport is not None:
                self.transport.abort()


def _is_readable(transport: asyncio.BaseTransport | None) -> bool:
    """Return whether a socket has something to read now, which the event loop may not have read yet."""
    socket = transport.get_extra_info("socket") if transport is not None else None
    if socket is None:
        return False
    if not hasattr(select, "poll"):
        return bool(select.select([socket], [], [], 0)[0])
    poll = select.poll()
    poll.register(socket.fileno(), select.POLLIN)
    return bool(poll.poll(0))
