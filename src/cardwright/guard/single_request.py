"""A request on a connection of its own, without the connection pool of aiohttp's session.

aiohttp's protocol and parser read the response, so its errors and limits are those of the session.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from functools import cache
from typing import TYPE_CHECKING, Final

from aiohappyeyeballs import start_connection
from aiohttp.http import HttpVersion11, StreamWriter
from multidict import CIMultiDict

from cardwright.guard.connections import READ_BUFFER, ResponseProtocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from aiohttp import StreamReader
    from multidict import CIMultiDictProxy

    from cardwright.guard.responses import Timeouts
    from cardwright.guard.target import Target

# RFC 8305 §5 recommends 250 ms before the next address is tried at the same time.
_NEXT_ADDRESS_SECONDS: Final = 0.25
# RFC 9110 §9.3: a request with one of these methods has no content.
_WITHOUT_CONTENT: Final = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})
_FINAL: Final = 200
_SWITCHING: Final = 101


class ConnectionFailed(OSError):
    """No connection was made; the message says why, and contains no text of the peer."""


class SingleResponse:
    """A response and its connection, with the attributes of aiohttp's `ClientResponse` that the client needs.

    Attributes:
        status: The HTTP status.
        headers: The header fields.
        content: The body.
    """

    def __init__(
        self, status: int, headers: CIMultiDictProxy[str], content: StreamReader, close: Callable[[], None]
    ) -> None:
        self.status = status
        self.headers = headers
        self.content = content
        self.close = close
        self.release = close

    @property
    def content_type(self) -> str:
        """The media type without parameters, lower case; "" without one."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    @property
    def content_length(self) -> int | None:
        """The announced size of the body in bytes; the parser refuses a value that is not a number."""
        length = self.headers.get("Content-Length")
        return None if length is None else int(length)


async def send_once(
    method: str,
    target: Target,
    addresses: Sequence[str],
    fields: Mapping[str, str],
    content: bytes | None,
    *,
    time_limits: Timeouts,
    ssl_context: ssl.SSLContext | None,
    done: Callable[[], None],
) -> SingleResponse:
    """Send a request on a new connection and return when the header of the response has arrived.

    Args:
        method: The HTTP method.
        target: The target.
        addresses: Its checked addresses.
        fields: The header fields.
        content: The body.
        time_limits: The limits for the connection and for each wait for bytes.
        ssl_context: The TLS settings; None for the system's trust store.
        done: Called once, when the connection is closed.

    Raises:
        ConnectionFailed: If no connection is made.
        TimeoutError: If a limit is reached.
        aiohttp.ClientError: If the connection breaks.
        HttpProcessingError: If the response is not valid HTTP.
        ValueError: If a header field is invalid.
    """
    loop = asyncio.get_running_loop()
    protocol = ResponseProtocol(loop)
    tls = (ssl_context or _system_trust()) if target.scheme == "https" else None
    open_ = True

    def close() -> None:
        nonlocal open_
        protocol.abort()
        if open_:
            open_ = False
            done()

    try:
        async with asyncio.timeout(time_limits.connect):
            await connect(
                lambda: protocol, addresses, target.port, tls=tls, name=target.host if tls else None
            )
        protocol.set_response_params(
            skip_payload=method == "HEAD",
            read_until_eof=True,
            auto_decompress=False,
            read_timeout=time_limits.first_byte,
            read_bufsize=READ_BUFFER,
        )
        writer = StreamWriter(protocol, loop)
        await writer.write_headers(
            f"{method} {target.path} HTTP/{HttpVersion11.major}.{HttpVersion11.minor}",
            _header(method, target, fields, content),
        )
        await writer.write_eof(content or b"")
        protocol.start_timeout()
        while True:
            message, body = await protocol.read()
            if message.code >= _FINAL or message.code == _SWITCHING:
                return SingleResponse(message.code, message.headers, body, close)
    except BaseException:
        close()
        raise


async def connect(
    protocol: Callable[[], asyncio.BaseProtocol],
    addresses: Sequence[str],
    port: int,
    *,
    tls: ssl.SSLContext | None = None,
    name: str | None = None,
) -> asyncio.BaseTransport:
    """Return a connection to the first of some addresses that accepts one (RFC 8305 §5).

    Args:
        protocol: Returns the protocol of the connection.
        addresses: The addresses.
        port: The port.
        tls: The settings of a TLS connection.
        name: The name in the certificate of a TLS connection.

    Raises:
        ConnectionFailed: If none accepts one, or TLS fails.
    """
    loop = asyncio.get_running_loop()
    try:
        if len(addresses) == 1:
            transport, _ = await loop.create_connection(
                protocol, addresses[0], port, ssl=tls, server_hostname=name
            )
        else:
            found = [_address_info(address, port) for address in addresses]
            connected = await start_connection(
                found, happy_eyeballs_delay=_NEXT_ADDRESS_SECONDS, interleave=1, loop=loop
            )
            transport, _ = await loop.create_connection(
                protocol, sock=connected, ssl=tls, server_hostname=name
            )
    except TimeoutError:
        raise
    except ssl.SSLCertVerificationError as error:
        raise ConnectionFailed("the TLS certificate is not trusted") from error
    except ssl.SSLError as error:
        raise ConnectionFailed("the TLS connection failed") from error
    except OSError as error:
        raise ConnectionFailed("the connection failed") from error
    return transport


def _header(
    method: str, target: Target, fields: Mapping[str, str], content: bytes | None
) -> CIMultiDict[str]:
    header = CIMultiDict({"Host": target.origin.partition("//")[2], "Accept": "*/*"})
    header.update(fields)
    header["Connection"] = "close"
    if content is not None or method not in _WITHOUT_CONTENT:
        header["Content-Length"] = str(len(content or b""))
    return header


def _address_info(address: str, port: int) -> tuple[int, int, int, str, tuple[str, int]]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)


@cache
def _system_trust() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
