"""The process of the command: it starts the workers, restarts one that crashes, and stops them."""

from __future__ import annotations

import logging
import os
import signal
import threading
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from typing import TYPE_CHECKING, Any, Final

from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from cardwright.extras import is_installed
from cardwright.serve.access_log import log_settings
from cardwright.serve.listening import (
    BACKLOG,
    CONNECTIONS,
    HEADER_BYTES,
    HEADER_MILLISECONDS,
    STOP_SECONDS,
    StartFailed,
    address_of,
)
from cardwright.serve.worker import FAILED, STARTED, STOPPING, Worker, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_GRANIAN: Final = logging.getLogger("_granian")
_LOG: Final = logging.getLogger(__name__)
# The message with which the command ends its own reading.
_END: Final = b"end"


class CommandProcess(MPServer):
    """Granian's server, with workers that report their start.

    Until all workers have started, one that ends is not started again: the reason is the same the next time.
    """

    def __init__(
        self,
        load: Callable[[], Any],
        *,
        host: str,
        port: int,
        workers: int,
        log_requests: bool,
        reloads: bool = False,
    ) -> None:
        super().__init__(
            "cardwright",
            address=address_of(host),
            port=port,
            interface=Interfaces.ASGI,
            loop=Loops.uvloop if is_installed("uvloop") else Loops.asyncio,
            workers=workers,
            websockets=False,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                header_read_timeout=HEADER_MILLISECONDS, max_buffer_size=HEADER_BYTES
            ),
            backlog=BACKLOG,
            backpressure=CONNECTIONS,
            workers_kill_timeout=STOP_SECONDS,
            respawn_failed_workers=False,
            log_level=LogLevels.warning,
            log_dictconfig=log_settings(),
            log_access=log_requests,
        )
        self._received, self._sent = Pipe(duplex=False)
        self._worker: Any = Worker(load, self._sent, os.getpid(), STOP_SECONDS)
        self._failure: str | None = None
        self._is_started = False
        self._reloads = reloads

    def run(self, started: Callable[[], None]) -> None:
        """Serve until SIGINT or SIGTERM; see `cardwright.serve.server.run`."""
        reader = threading.Thread(target=self._read, args=(started,), daemon=True)
        self._reader = reader
        # While the workers start, the command reports why one ended; later Granian does.
        _GRANIAN.setLevel(logging.CRITICAL)
        ended: SystemExit | None = None
        with _signals_restored():
            try:
                self.serve(spawn_target=serve, target_loader=self._worker, wrap_loader=False)
            except SystemExit as error:
                ended = error
        self._sent.send_bytes(_END)
        if reader.ident is not None:
            reader.join()
        self._sent.close()
        self._received.close()
        if self.interrupt_signal:
            return
        if not self._is_started:
            raise StartFailed(
                self._failure or "a worker ended while it was starting: see the error messages above"
            )
        if ended is not None:
            raise ended

    def startup(self, spawn_target: Any, target_loader: Any) -> None:
        """Start the workers; a signal that arrives meanwhile is handled when all processes can."""
        blocking = hasattr(signal, "pthread_sigmask")
        if blocking:
            signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
        try:
            super().startup(spawn_target, target_loader)  # type: ignore[no-untyped-call] # granian has types for a part
        finally:
            if blocking:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        # Not before the workers: a process with threads should not fork.
        self._reader.start()

    def signal_handler_interrupt(self, *arguments: Any, **named: Any) -> None:
        """Stop the workers."""
        if os.getpid() != self.pid:
            # A worker that was just forked to replace another, and has no handlers of its own yet.
            raise SystemExit(0)
        # Workers that received the same signal, as Ctrl+C sends it to all, end as they should.
        _GRANIAN.setLevel(logging.CRITICAL)
        super().signal_handler_interrupt(*arguments, **named)  # type: ignore[no-untyped-call] # likewise

    def signal_handler_reload(self, *arguments: Any, **named: Any) -> None:
        """Pass SIGHUP on to workers that handle it, or replace all workers."""
        if os.getpid() != self.pid:
            return
        if not self._reloads:
            super().signal_handler_reload(*arguments, **named)  # type: ignore[no-untyped-call] # likewise
            return
        for worker in self.wrks:
            with suppress(ProcessLookupError):
                os.kill(worker.inner.pid, signal.SIGHUP)

    def _read(self, started: Callable[[], None]) -> None:
        """Read the messages of the workers."""
        waiting = self.workers
        while (message := self._received.recv_bytes()) != _END:
            if message == STARTED:
                waiting -= 1
                if waiting == 0:
                    self.respawn_failed_workers = self._is_started = True
                    if not self.interrupt_signal:
                        _GRANIAN.setLevel(logging.WARNING)
                        started()
            elif message.startswith(FAILED):
                reason = message[len(FAILED) :].decode("utf-8", "replace")
                if self._is_started:
                    _LOG.error("a worker could not be started again: %s", reason)
                else:
                    self._failure = self._failure or reason


@contextmanager
def _signals_restored() -> Generator[None]:
    """Restore the signal handlers that Granian replaces."""
    numbers = [*STOPPING, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
