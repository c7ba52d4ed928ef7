"""The server that runs an application: Granian, with the settings that slow and rude clients ask for.

Measured beside uvicorn (benchmarks/README.md): Granian is faster, and the only one of the two that ends
a header which never comes whole. Its defaults are not safe: they are all set here.
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

# A header that has not come after this long never will (reliability: slow clients); it ends idle connections too.
HEADER_MILLISECONDS: Final = 10_000
# All of a request's header; longer ones are answered with 431.
HEADER_BYTES: Final = 16 * 1024
# Open connections, not requests: with Granian's own 1,024 as many idle ones stop it dead.
CONNECTIONS: Final = 16_384
# Without it a half-sent header holds the end back for half a minute.
_STOP_SECONDS: Final = 15
_BACKLOG: Final = 1024


class PortTaken(CardError):
    """The server cannot listen there; the message says why, and which option helps."""


def free_port(host: str, port: int) -> int:
    """Return the port to listen on: the one that is asked for, or for 0 one that is free.

    Raises:
        PortTaken: If nothing can listen there.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return int(probe.getsockname()[1])
    except socket.gaierror as error:
        raise PortTaken(f"there is no address {host!r} here: --host names another") from error
    except (OSError, OverflowError) as error:
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PortTaken(
            f"cannot listen on {host}, port {port}: {told[:1].lower()}{told[1:]}; --port or --host names another"
        ) from None


def run(load: Callable[[], Any], *, host: str, port: int, workers: int, log_requests: bool = False) -> None:
    """Serve an application until the process is told to end (SIGINT, SIGTERM).

    Args:
        load: Makes the application, in each worker; it and all that it holds can be pickled.
        host: The address to listen on.
        port: The port, as `free_port` gave it.
        workers: How many processes answer.
        log_requests: Whether each request is logged.
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
    """What Granian calls in a worker with the name of a target, which is not needed here."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self.load = load

    def __call__(self, *_: Any) -> Any:
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
        return self.load()


def _end_with(parent: int) -> None:
    """End this worker when its parent is gone: else it would hold the port, and serve for ever."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_STOP_SECONDS)
    os._exit(1)
