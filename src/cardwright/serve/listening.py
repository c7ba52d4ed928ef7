"""What a server listens on, and its limits that do not depend on the application."""

from __future__ import annotations

import socket
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Generator

# How long a client may receive nothing of what was sent to it. It also counts while the client's window is closed, so
# it ends connections of clients that send requests and do not read the responses (RFC 5482; tcp(7)).
USER_TIMEOUT_MILLISECONDS: Final = 30_000
# Timeout of an incomplete header (project decision against slow clients) and of an idle connection.
HEADER_MILLISECONDS: Final = 10_000
# Maximum size of a request's header; a larger one gets the response 431.
HEADER_BYTES: Final = 16 * 1024
# Open connections, not requests: with Granian's default of 1,024, as many idle connections block the server.
CONNECTIONS: Final = 16_384
# Without it an incomplete header delays the shutdown by half a minute.
STOP_SECONDS: Final = 15
# Connections that wait until the server accepts them.
BACKLOG: Final = 1024


class PortTaken(CardError):
    """The server cannot listen on the address; the message says why and which option to change."""


class StartFailed(CardError):
    """The server could not start; the message is that of the worker process."""


def free_port(host: str, port: int) -> int:
    """Return the port to listen on: the given one, or a free one for 0.

    Raises:
        PortTaken: If the server cannot listen there.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return int(probe.getsockname()[1])
    except socket.gaierror as error:
        raise PortTaken(f"unknown address {host!r}: choose another with --host") from error
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PortTaken(
            f"cannot listen on {host}, port {port}: {reason[:1].lower()}{reason[1:]}; choose another with --port or"
            " --host"
        ) from None


def address_of(host: str) -> str:
    """Return the address of a host that `free_port` accepted; Granian knows no names."""
    return str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])


@contextmanager
def borrowed(descriptor: int) -> Generator[socket.socket]:
    """Give a socket that somebody else closes."""
    own = socket.socket(fileno=descriptor)
    try:
        yield own
    finally:
        own.detach()


def end_slow_readers(listener: socket.socket) -> None:
    """Limit how long a client may leave a response unread; accepted connections inherit the option (Linux)."""
    if sys.platform == "linux":
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT_MILLISECONDS)


def raise_file_limit() -> None:
    """Raise the limit of open files to its maximum: each connection is one, and each call of an agent another."""
    try:
        import resource
    except ImportError:
        return
    maximum = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
