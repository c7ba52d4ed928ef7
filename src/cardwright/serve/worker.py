"""A worker process of the server: it loads the application, listens, and tells the command how its start went."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

import granian._signals
from granian._granian import WorkerSignal
from granian.server.mp import MPServer

from cardwright.errors import CardError
from cardwright.garbage_collection import collect_rarely
from cardwright.serve.listening import BACKLOG, borrowed, end_slow_readers, raise_file_limit
from cardwright.serve.signals import add_signal_handler

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable
    from multiprocessing.connection import Connection

# The signals that stop a server; the command blocks them until a new worker can handle them.
STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
# Messages of a worker: that it listens, or FAILED and the reason.
STARTED: Final = b"started"
FAILED: Final = b"failed "
# Messages of several workers do not mix below the size that a pipe writes at once (pipe(7), PIPE_BUF).
_MAX_MESSAGE: Final = 4000


@dataclass(frozen=True, slots=True)
class Worker:
    """What a worker process needs; it can be pickled."""

    load: Callable[[], Any]
    # The end of the pipe for messages to the command.
    messages: Connection
    parent: int
    stop_seconds: int

    def fail(self, reason: str) -> NoReturn:
        """Tell the command that this worker cannot start, and why; end it.

        Raises:
            SystemExit: Always.
        """
        self.messages.send_bytes((FAILED + reason.encode("utf-8", "replace"))[:_MAX_MESSAGE])
        raise SystemExit(1)

    def application(self, descriptor: int) -> Any:
        """Load the application, and return it with its start observed."""
        raise_file_limit()
        try:
            application = self.load()
        except CardError as error:
            self.fail(str(error))
        return _Observed(self, application, descriptor)


def _end(*_: object) -> NoReturn:
    """End the worker at once: Python ignores an exception of a signal handler that runs inside a finalizer."""
    os._exit(0)


def _signals_of(loop: asyncio.AbstractEventLoop) -> Any:
    """Return Granian's event for the signals that stop a worker; only the first signal sets it.

    A second one, as a command sends it to workers that Ctrl+C has reached already, would block Granian's worker for
    ever while the application starts.
    """
    event = WorkerSignal()
    arrived = False

    def stop() -> None:
        nonlocal arrived
        if not arrived:
            arrived = True
            event.set()

    for number in STOPPING:
        add_signal_handler(loop, number, stop)
    return event


class _Observed:
    """An ASGI application that listens and reports when the lifespan of the application has started."""

    def __init__(self, worker: Worker, application: Any, descriptor: int) -> None:
        self.worker = worker
        self.application = application
        self.descriptor = descriptor

    def __call__(self, scope: Any, receive: Any, send: Any) -> Awaitable[None]:
        if scope["type"] == "lifespan":
            return _exit_with(self._lifespan(scope, receive, send))
        return self.application(scope, receive, send)  # type: ignore[no-any-return] # an ASGI application

    async def _lifespan(self, scope: Any, receive: Any, send: Any) -> None:
        started = False

        async def observed(message: Any) -> None:
            nonlocal started
            if message["type"] == "lifespan.startup.complete":
                started = True
                gc.collect()
                collect_rarely()
                # Granian does this, too, a moment later.
                with borrowed(self.descriptor) as listener:
                    listener.listen(BACKLOG)
                self.worker.messages.send_bytes(STARTED)
            elif message["type"] == "lifespan.startup.failed":
                self.worker.fail(str(message.get("message", "")))
            await send(message)

        try:
            await self.application(scope, receive, observed)
        except (CardError, OSError) as error:
            if started:
                raise
            # Granian would serve an application whose start failed.
            self.worker.fail(str(error))


async def _exit_with(lifespan: Awaitable[None]) -> None:
    """Exit the process at a SystemExit: it ends asyncio's loop, but uvloop only logs it."""
    try:
        await lifespan
    except SystemExit:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)


def serve(
    worker_id: int, process_name: str | None, worker: Worker, granians_socket: Any, *settings: Any
) -> None:
    """Run a worker until SIGINT or SIGTERM; Granian calls this in the new process.

    Args:
        worker_id: The number of the worker.
        process_name: Its name in lists of processes; None for that of the command.
        worker: What to run.
        granians_socket: The specification of the worker's own socket (Linux), or the shared socket; and the same
            once more as a Python object where that is needed.
        settings: Granian's other arguments.
    """
    # Until Granian handles them.
    for number in STOPPING:
        signal.signal(number, _end)
    if sys.platform != "win32":
        granian._signals.set_loop_signals = _signals_of  # noqa: SLF001 - it has no other way in
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
    threading.Thread(target=_end_with, args=(worker.parent, worker.stop_seconds), daemon=True).start()
    (specification, shared), python_socket = granians_socket
    try:
        holder = shared if specification is None else specification.build()
    except OSError as error:
        worker.fail(f"cannot listen: {error}")
    with borrowed(holder.get_fd()) as listener:
        end_slow_readers(listener)
    MPServer._spawn_asgi_lifespan_worker(  # noqa: SLF001 - granian has no option for its sockets # pyright: ignore[reportPrivateUsage]
        worker_id,
        process_name,
        lambda: worker.application(holder.get_fd()),
        ((None, holder), python_socket),
        *settings,
    )


def _end_with(parent: int, stop_seconds: int) -> None:
    """End this worker when its parent process has ended; otherwise it would keep the port and serve forever."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(stop_seconds)
    os._exit(1)
