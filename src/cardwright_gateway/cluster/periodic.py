"""Periodic background tasks: start, wake and stop."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_LOG: Final = logging.getLogger("cardwright_gateway")
# How long `close` waits for a run in progress (project decision).
CLOSING_SECONDS: Final = 2.0


class PeriodicTask:
    """A function that runs periodically in the background.

    Errors of a run are logged; the next run is not affected.

    Args:
        name: What it does, for the log.
        seconds: The pause between two runs.
        function: The function to run.
        jitter: Maximum extension of a pause, as a fraction of it, so that several processes do not run at once.
        at_start: Whether the first run starts at once; otherwise after the first pause.
        closing_seconds: How long `close` waits for a run in progress before it cancels it. The thread of a cancelled
            run keeps using a connection of the database, which is closed next.
    """

    def __init__(
        self,
        name: str,
        seconds: float,
        function: Callable[[], Awaitable[object]],
        *,
        jitter: float = 0.0,
        at_start: bool = True,
        closing_seconds: float = CLOSING_SECONDS,
    ) -> None:
        self._name = name
        self._seconds = seconds
        self._function = function
        self._jitter = jitter
        self._at_start = at_start
        self._closing_seconds = closing_seconds
        self._task: asyncio.Task[None] | None = None
        self._due = asyncio.Event()
        self._closing = False
        self._in_progress = False

    @property
    def is_running(self) -> bool:
        """Whether it has been started and not closed."""
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Start it, unless it is running."""
        if not self.is_running:
            self._closing = False
            if self._at_start:
                self._due.set()
            self._task = asyncio.create_task(self._loop(), name=f"cardwright {self._name}")

    def wake(self) -> None:
        """Start the next run at once; a run in progress is followed by another one."""
        self._due.set()

    async def run_now(self) -> None:
        """Run the function once, independently of its schedule; its exceptions propagate."""
        await self._function()

    async def close(self) -> None:
        """Stop; wait at most `closing_seconds` for a run in progress. Idempotent."""
        self._closing = True
        task = self._task
        if task is None:
            return
        try:
            if self._in_progress and self._closing_seconds > 0:
                await asyncio.wait({task}, timeout=self._closing_seconds)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self._task = None

    async def _loop(self) -> None:
        while not self._closing:
            await self._pause()
            self._due.clear()
            self._in_progress = True
            try:
                await self._function()
            except (CardError, SQLAlchemyError) as error:
                # The message of a database driver may contain values of rows.
                reason = error if isinstance(error, CardError) else type(error).__name__
                _LOG.warning("%s failed and will be retried: %s", self._name, reason)
            except Exception:  # noqa: BLE001 - outermost frame of one run
                _LOG.exception("%s failed and will be retried", self._name)
            finally:
                self._in_progress = False

    async def _pause(self) -> None:
        seconds = self._seconds * (1 + self._jitter * random.random())  # noqa: S311 - no secret
        try:
            async with asyncio.timeout(seconds):
                await self._due.wait()
        except TimeoutError:
            pass
