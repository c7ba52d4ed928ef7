"""Moving windows in the memory of one process.

limits' own store in memory walks through all its keys after every hit, a thread for each: with 50,000 callers that
takes a whole core (measured, limits 5.8), and it keeps as many as come. This one forgets a caller when its window is
empty, at a constant cost a hit, and has a bound.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

# Some 700 bytes each with 60 requests in their window (ours).
MAX_CALLERS: Final = 100_000
# Past that, new ones share so many windows: whoever sends from many addresses neither gets more nor takes memory.
SHARED: Final = 16_384
# So many that left are forgotten with each hit; each hit adds one at most.
_FORGOTTEN: Final = 4
_LEAST: Final = 0.001


class Windows:
    """When who was admitted; nothing here waits, so nothing comes in between.

    Args:
        clock: Seconds that only grow.
        max_callers: How many have a window of their own.
    """

    def __init__(self, clock: Callable[[], float], max_callers: int = MAX_CALLERS) -> None:
        self._clock = clock
        self._max = max_callers
        self._times: dict[str, array[float]] = {}
        # When each may be forgotten at the earliest: one entry a caller.
        self._ends: list[tuple[float, str, int]] = []

    def __len__(self) -> int:
        """Return how many windows there are."""
        return len(self._times)

    def wait(self, caller: str, requests: int, seconds: int) -> float:
        """Return the seconds until a caller may send the next request; 0 where it may now."""
        times = self._times.get(self._name(caller, requests, seconds))
        if times is None or len(times) < requests:
            return 0.0
        # At the very end of a window its first request still counts, as limits has it.
        left = times[-requests] + seconds - self._clock()
        return max(left, _LEAST) if left >= 0 else 0.0

    def note(self, caller: str, requests: int, seconds: int) -> None:
        """Note that a request of a caller was admitted."""
        now = self._clock()
        self._forget(now)
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
        # Strings hash otherwise in each process: nobody can choose whose window they share.
        return f"shared/{requests}/{seconds}/{hash(caller) % SHARED}"

    def _forget(self, now: float) -> None:
        for _ in range(_FORGOTTEN):
            if not self._ends or self._ends[0][0] > now:
                return
            _, name, seconds = heappop(self._ends)
            end = self._times[name][-1] + seconds
            if end > now:
                heappush(self._ends, (end, name, seconds))
            else:
                del self._times[name]
