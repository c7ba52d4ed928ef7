"""Periodic work: one way to start, to wake and to stop every background loop of the gateway."""

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
# How long `close` waits for a run that has begun (project decision).
CLOSING_SECONDS: Final = 2.0


class PeriodicTask:
    """A function that runs again and again in the background.

    Whatever a run raises is logged, and the next run comes at its time.

    Args:
        name: What it does, for the log.
        seconds: The pause between the end of a run and the next one.
        function: What it runs.
        jitter: How much longer a pause may be, as a share of it, so that several processes do not run together.
        at_start: Whether the first run begins at once; otherwise it comes after the first pause.
        closing_seconds: How long `close` waits for a run that has begun before it cancels it. A run that is
            cancelled leaves its thread with a connection of a database that is closed next.
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
        self._runs = False

    @property
    def is_running(self) -> bool:
        """Whether it has been started and not been closed."""
        return self._task is not None and not self._task.done()

    def start(self) -> None:
        """Start it, unless it has been started."""
        if not self.is_running:
            self._closing = False
            if self._at_start:
                self._due.set()
            self._task = asyncio.create_task(self._loop(), name=f"cardwright {self._name}")

    def wake(self) -> None:
        """Begin the next run at once; one that has begun is followed by another."""
        self._due.set()

    async def run_now(self) -> None:
        """Run the function once, beside its schedule; what it raises is raised."""
        await self._function()

    async def close(self) -> None:
        """Stop: a pause ends at once, and a run that has begun has some seconds to end; closing twice is allowed."""
        self._closing = True
        task = self._task
        if task is None:
            return
        try:
            if self._runs and self._closing_seconds > 0:
                await asyncio.wait({task}, timeout=self._closing_seconds)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            self._task = None

    async def _loop(self) -> None:
        while not self._closing:
            await self._pause()
            self._due.clear()
            self._runs = True
            try:
                await self._function()
            except (CardError, SQLAlchemyError) as error:
                # A driver's message may hold values of rows.
                told = error if isinstance(error, CardError) else type(error).__name__
                _LOG.warning("%s failed and is tried again: %s", self._name, told)
            except Exception:  # noqa: BLE001 - outermost frame of one run
                _LOG.exception("%s failed and is tried again", self._name)
            finally:
                self._runs = False

    async def _pause(self) -> None:
        seconds = self._seconds * (1 + self._jitter * random.random())  # noqa: S311 - no secret
        try:
            async with asyncio.timeout(seconds):
                await self._due.wait()
        except TimeoutError:
            pass
