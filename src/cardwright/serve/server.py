"""Running an application with Granian, with limits against slow and abusive clients.

Compared with uvicorn (benchmarks/README.md), Granian is faster, and only Granian closes connections with an incomplete
header. Its defaults are not safe, so all limits are set: `cardwright.serve.listening` has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.extras import requires_extra

if TYPE_CHECKING:
    from collections.abc import Callable


def run(
    load: Callable[[], Any],
    *,
    host: str,
    port: int,
    workers: int,
    log_requests: bool = False,
    started: Callable[[], None] = lambda: None,
    reloads: bool = False,
) -> None:
    """Serve an application until SIGINT or SIGTERM.

    Args:
        load: Creates the application in each worker; it must be possible to pickle it.
        host: The address to listen on.
        port: The port, from `free_port`.
        workers: The number of worker processes.
        log_requests: Whether to log each request.
        started: Called once, in another thread, when all workers listen.
        reloads: Whether the application handles SIGHUP itself. By default its workers are replaced.

    Raises:
        StartFailed: If a worker could not start.
        SystemExit: If the workers crashed repeatedly.
    """
    with requires_extra("serve"):
        from cardwright.serve.command_process import CommandProcess

    CommandProcess(
        load, host=host, port=port, workers=workers, log_requests=log_requests, reloads=reloads
    ).run(started)
