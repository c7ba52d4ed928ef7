"""Whose turn it is: one in flight per host, and when to look again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.store import PeerRecord

# reliability.md 2c: 10 %, so that what was fetched together is not fetched together for ever.
JITTER: Final = 0.1
# After a failure: a minute, then twice as long each time, an hour at most.
FIRST_RETRY_SECONDS: Final = 60.0
LAST_RETRY_SECONDS: Final = 3600.0
# An answer may ask for a year; a registry that is to be fresh does not wait that long (ours).
GREATEST_TTL_SECONDS: Final = 30 * 24 * 3600.0


def refresh_at(now: float, fresh_until: float, random: Callable[[], float]) -> float:
    """Return when to look at a peer again whose card is fresh for some time.

    Args:
        now: The time.
        fresh_until: When the card's time is over.
        random: Gives a number from 0 to 1.
    """
    lasts = min(max(fresh_until - now, 0.0), GREATEST_TTL_SECONDS)
    # Only sooner: a card whose peer is well is never past its time.
    return now + lasts * (1 - JITTER * random())


def retry_at(now: float, failures: int, retry_after: float | None, random: Callable[[], float]) -> float:
    """Return when to look again at a peer that failed some times in a row.

    Args:
        now: The time.
        failures: How often, this time included.
        retry_after: How many seconds the peer asked for.
        random: Gives a number from 0 to 1.
    """
    waits = min(FIRST_RETRY_SECONDS * 2.0 ** min(failures - 1, 10), LAST_RETRY_SECONDS)
    waits *= 1 + JITTER * (2 * random() - 1)
    return now + max(waits, retry_after or 0.0)


@dataclass(slots=True)
class Turns:
    """Peers that wait, by host: of each host one is looked at at a time."""

    _waiting: dict[str, deque[PeerRecord]] = field(default_factory=dict[str, "deque[PeerRecord]"])
    _ready: deque[str] = field(default_factory=deque[str])
    _busy: set[str] = field(default_factory=set[str])
    _count: int = 0

    def __len__(self) -> int:
        """Return how many wait."""
        return self._count

    def add(self, peers: Iterable[tuple[str, PeerRecord]]) -> None:
        """Let peers wait, each with its host."""
        for host, peer in peers:
            queue = self._waiting.get(host)
            if queue is None:
                queue = self._waiting[host] = deque()
                if host not in self._busy:
                    self._ready.append(host)
            queue.append(peer)
            self._count += 1

    def take(self) -> tuple[str, PeerRecord] | None:
        """Return a peer whose host is idle, and its host, which is busy now; None where there is none."""
        if not self._ready:
            return None
        host = self._ready.popleft()
        peer = self._waiting[host].popleft()
        self._busy.add(host)
        self._count -= 1
        return host, peer

    def done(self, host: str) -> None:
        """Say that a host is idle again."""
        self._busy.discard(host)
        if self._waiting.get(host):
            self._ready.append(host)
        else:
            self._waiting.pop(host, None)
