"""How much one caller has under way: whoever's receivers hang keeps no other's from being told."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

# How soon somebody comes again at the earliest, and how much the last attempt says of how long one takes (ours).
_LEAST_SECONDS: Final = 1.0
_WEIGHT: Final = 0.2


@dataclass(slots=True)
class _Share:
    under_way: int = 0
    # How long one attempt takes, and when the last one comes again that found no room.
    seconds: float = 0.0
    last: float = 0.0


class Shares:
    """What each caller has under way in this process.

    Args:
        most: How many at most.
        clock: Seconds that only grow.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._shares: dict[str, _Share] = {}

    @contextmanager
    def taking(self, caller: str) -> Generator[bool]:
        """Count one in until the block ends; it is told whether there is room."""
        share = self._shares.setdefault(caller, _Share())
        if share.under_way >= self._most:
            yield False
            return
        began = self._clock()
        share.under_way += 1
        try:
            yield True
        finally:
            now = self._clock()
            share.under_way -= 1
            share.seconds += _WEIGHT * (now - began - share.seconds)
            if not share.under_way and share.last <= now:
                del self._shares[caller]

    def wait(self, caller: str) -> float:
        """Return in how many seconds there is room again, at the pace of the caller's attempts.

        Each is told a later time: what waits in thousands does not come back all the time.
        """
        share = self._shares.setdefault(caller, _Share())
        now = self._clock()
        share.last = max(share.last, now + _LEAST_SECONDS) + share.seconds / self._most
        return share.last - now
