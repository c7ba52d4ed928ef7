"""Running an application with Granian, with limits against slow and abusive clients.

Compared with uvicorn (benchmarks/README.md), Granian is faster, and only Granian closes connections with an incomplete
header. Its defaults are not safe, so all limits are set here.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright.extras import requires_extra

if TYPE_CHECKING:
    from collections.abc import Callable

# Timeout of an incomplete header (reliability: slow clients) and of an idle connection.
HEADER_MILLISECONDS: Final = 10_000
# Maximum size of a request's header; a larger one gets the response 431.
HEADER_BYTES: Final = 16 * 1024
# Open connections, not requests: with Granian's default of 1,024, as many idle connections block the server.
CONNECTIONS: Final = 16_384
# Without it an incomplete header delays the shutdown by half a minute.
_STOP_SECONDS: Final = 15
_BACKLOG: Final = 1024


class PortTaken(CardError):
    """The server cannot listen on the address; the message says why and which option to change."""


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


def run(load: Callable[[], Any], *, host: str, port: int, workers: int, log_requests: bool = False) -> None:
    """Serve an application until SIGINT or SIGTERM.

    Args:
        load: Creates the application in each worker; it must be possible to pickle it.
        host: The address to listen on.
        port: The port, from `free_port`.
        workers: The number of worker processes.
        log_requests: Whether to log each request.
    """
    with requires_extra("serve"):
        from granian import Granian
        from granian.constants import HTTPModes, Interfaces, Loops
        from granian.http import HTTP1Settings
        from granian.log import LogLevels

    server = Granian(
        "cardwright",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        loop=Loops.asyncio,
        workers=workers,
        websockets=False,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_MILLISECONDS, max_buffer_size=HEADER_BYTES),
        backlog=_BACKLOG,
        backpressure=CONNECTIONS,
        workers_kill_timeout=_STOP_SECONDS,
        respawn_failed_workers=True,
        log_level=LogLevels.warning,
        log_access=log_requests,
    )
    server.serve(target_loader=_Loader(load), wrap_loader=False)


class _Loader:
    """Loader that Granian calls in each worker, with the name of a target that is not used."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self.load = load

    def __call__(self, *_: Any) -> Any:
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
        return self.load()


def _end_with(parent: int) -> None:
    """End this worker when its parent process has ended; otherwise it would keep the port and serve forever."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_STOP_SECONDS)
    os._exit(1)
