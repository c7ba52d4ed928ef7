"""Signal handlers of an event loop that is run several times."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


def add_signal_handler(loop: asyncio.AbstractEventLoop, number: int, callback: Callable[[], None]) -> None:
    """Call back in an event loop when a signal arrives, also when one arrives between two runs of the loop.

    The method of uvloop loses such a signal, because uvloop closes the socket for signals at the end of a run. Granian
    runs a loop three times.

    Args:
        loop: The event loop of the main thread.
        number: The signal.
        callback: Called at least once for a signal, and later than the code that it interrupted.
    """

    def call_soon(*_: object) -> None:
        loop.call_soon_threadsafe(callback)

    # This makes a signal wake the loop (asyncio).
    loop.add_signal_handler(number, callback)
    signal.signal(number, call_soon)
    signal.siginterrupt(number, False)  # noqa: FBT003 - it has no keywords
