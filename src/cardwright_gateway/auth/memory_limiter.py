"""Moving windows in the memory of one process.

The in-memory store of the library `limits` scans all its keys after every hit, in a thread each: with 50,000 callers
this takes a whole core (measured, limits 5.8), and the number of keys is unbounded. This one deletes a caller when its
window is empty, at a constant cost per hit, and is bounded.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# About 700 bytes each, with 60 requests in the window (project decision).
MAX_CALLERS: Final = 100_000
# Beyond that, new callers share this many windows: sending from many addresses gains neither requests nor memory.
SHARED: Final = 16_384
# Expired callers deleted per hit; each hit adds at most one.
_EXPIRED_PER_HIT: Final = 4
_MIN_WAIT: Final = 0.001


class MemoryWindows:
    """Times of admitted requests by caller. No method awaits, so each is atomic.

    Args:
        clock: A monotonic clock, in seconds.
        max_callers: Maximum number of callers with their own window.
    """

    def __init__(self, clock: Callable[[], float], max_callers: int = MAX_CALLERS) -> None:
        self._clock = clock
        self._max = max_callers
        self._times: dict[str, array[float]] = {}
        # A heap with the earliest expiry of each caller.
        self._ends: list[tuple[float, str, int]] = []

    def __len__(self) -> int:
        """Return the number of windows."""
        return len(self._times)

    def wait(self, caller: str, requests: int, seconds: int) -> float:
        """Return the seconds until a caller may send the next request; 0 if it may now."""
        times = self._times.get(self._name(caller, requests, seconds))
        if times is None or len(times) < requests:
            return 0.0
        # At the very end of a window its first request still counts, as in `limits`.
        left = times[-requests] + seconds - self._clock()
        return max(left, _MIN_WAIT) if left >= 0 else 0.0

    def state(self, caller: str, requests: int, seconds: int) -> tuple[int, float]:
        """Return how many requests a caller has left, and the seconds until it has one more."""
        times = self._times.get(self._name(caller, requests, seconds))
        begin = self._clock() - seconds
        first = 0 if times is None else bisect_left(times, begin)
        if times is None or first == len(times):
            return requests, 0.0
        return max(0, requests - (len(times) - first)), times[first] - begin

    def add(self, caller: str, requests: int, seconds: int) -> None:
        """Record an admitted request of a caller."""
        now = self._clock()
        self._expire(now)
        name = self._name(caller, requests, seconds)
        times = self._times.get(name)
        if times is None:
            times = self._times[name] = array("d")
            heappush(self._ends, (now + seconds, name, seconds))
        elif times[0] < now - seconds and len(times) > 16:
            del times[: bisect_right(times, now - seconds)]
        times.append(now)

    def _name(self, caller: str, requests: int, seconds: int) -> str:
        if caller in self._times or len(self._times) < self._max:
            return caller
        # String hashes differ per process, so a caller cannot choose whose window it shares.
        return f"shared/{requests}/{seconds}/{hash(caller) % SHARED}"

    def _expire(self, now: float) -> None:
        for _ in range(_EXPIRED_PER_HIT):
            if not self._ends or self._ends[0][0] > now:
                return
            _, name, seconds = heappop(self._ends)
            end = self._times[name][-1] + seconds
            if end > now:
                heappush(self._ends, (end, name, seconds))
            else:
                del self._times[name]
