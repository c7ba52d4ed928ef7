"""Limit of concurrent deliveries per caller: slow receivers of one caller do not delay those of others."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

# Minimum wait, and the weight of the last attempt in the average duration (project decision).
_MIN_SECONDS: Final = 1.0
_WEIGHT: Final = 0.2


@dataclass(slots=True)
class _Usage:
    running: int = 0
    # Average duration of an attempt, and the latest retry time that was given out.
    seconds: float = 0.0
    retry_at: float = 0.0


class CallerSlots:
    """Limiter of concurrent deliveries per caller, in this process.

    Args:
        limit: Maximum concurrent deliveries of a caller.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._usage: dict[str, _Usage] = {}

    @contextmanager
    def acquire(self, caller: str) -> Generator[bool]:
        """Take a slot until the block ends; yields whether there was one."""
        usage = self._usage.setdefault(caller, _Usage())
        if usage.running >= self._limit:
            yield False
            return
        began = self._clock()
        usage.running += 1
        try:
            yield True
        finally:
            now = self._clock()
            usage.running -= 1
            usage.seconds += _WEIGHT * (now - began - usage.seconds)
            if not usage.running and usage.retry_at <= now:
                del self._usage[caller]

    def wait(self, caller: str) -> float:
        """Return the seconds until a slot should be free, estimated from the duration of the caller's attempts.

        Each call returns a later time, so that thousands of waiting events do not retry at once.
        """
        usage = self._usage.setdefault(caller, _Usage())
        now = self._clock()
        usage.retry_at = max(usage.retry_at, now + _MIN_SECONDS) + usage.seconds / self._limit
        return usage.retry_at - now
