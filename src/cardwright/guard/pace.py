"""The pace at which the event streams of peers are read.

A peer can send thousands of tiny events a second, and each costs far more work than its bytes. So a stream has an
allowance, enough for every usual answer; what exceeds it is read at a pace that all streams of a client share.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from cardwright.guard.message_limits import count_message_values

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# Work is counted in JSON values and line ends, each 20 to 40 µs in the SDKs (measured; project decision).
# What a stream may cost at once, about 250 events of a task, and per second.
ALLOWED: Final = 5_000
_ALLOWED_PER_SECOND: Final = 500
# What all streams together may cost per second beyond their allowances.
_SHARED_PER_SECOND: Final = 10_000
# An HTTP chunk costs far less than a value, but each may be a packet of its own.
_CHUNKS_FOR_A_VALUE: Final = 4
# No message has more values.
_MOST: Final = 100_000


class Pace:
    """The shared pace of all streams of a client.

    Args:
        clock: A monotonic clock, in seconds.
        sleep: Waits for some seconds.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.clock = clock
        self._sleep = sleep
        self._free_at = 0.0

    def stream(self) -> Allowance:
        """Return the allowance of one stream."""
        return Allowance(self)

    async def wait(self, work: float) -> None:
        """Wait until some work beyond the allowances may be done; the waiting streams take turns."""
        now = self.clock()
        self._free_at = max(self._free_at, now) + work / _SHARED_PER_SECOND
        await self._sleep(self._free_at - now)


class Allowance:
    """What one stream may still cost; `Pace.stream` creates it."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._left = float(ALLOWED)
        self._counted_at = pace.clock()
        self._expected = 0.0

    def expect(self, work: float) -> None:
        """Leave out work that the client causes: responses to its own requests are no flood, however many there are."""
        self._expected += work

    async def spend_chunks(self, chunks: int) -> None:
        """Count HTTP chunks; wait if the stream has exceeded its allowance."""
        await self.spend(chunks / _CHUNKS_FOR_A_VALUE)

    async def spend(self, work: float) -> None:
        """Count work; wait if the stream has exceeded its allowance."""
        expected = min(work, self._expected)
        self._expected -= expected
        work -= expected
        now = self._pace.clock()
        grown = (now - self._counted_at) * _ALLOWED_PER_SECOND
        self._left, self._counted_at = min(self._left + grown, ALLOWED) - work, now
        if self._left < 0:
            beyond, self._left = -self._left, 0.0
            await self._pace.wait(beyond)


def work_of(events: bytes) -> int:
    """Return what some events cost: their values and their lines."""
    return events.count(b"\n") + events.count(b"\r") + count_message_values(events, _MOST)
