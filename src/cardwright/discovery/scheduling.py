"""Scheduling of checks: times with jitter and backoff, and one check at a time per host."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.store import PeerRecord

# 10 % (project decision), so that peers fetched together spread out over time.
JITTER: Final = 0.1
# After a failure: a minute, doubled each time, at most an hour.
FIRST_RETRY_SECONDS: Final = 60.0
LAST_RETRY_SECONDS: Final = 3600.0
# A response may state a year; a registry checks earlier (project decision).
MAX_TTL_SECONDS: Final = 30 * 24 * 3600.0


def refresh_at(now: float, fresh_until: float, random: Callable[[], float]) -> float:
    """Return the time of the next check of a peer with a fresh card.

    Args:
        now: The current time.
        fresh_until: The end of the card's freshness.
        random: Returns a number from 0 to 1.
    """
    fresh_seconds = min(max(fresh_until - now, 0.0), MAX_TTL_SECONDS)
    # Jitter only shortens: the card of a healthy peer never becomes stale.
    return now + fresh_seconds * (1 - JITTER * random())


def retry_at(now: float, failures: int, retry_after: float | None, random: Callable[[], float]) -> float:
    """Return the time of the next check after consecutive failures.

    Args:
        now: The current time.
        failures: The number of consecutive failures.
        retry_after: The seconds that the peer requested, or None.
        random: Returns a number from 0 to 1.
    """
    delay = min(FIRST_RETRY_SECONDS * 2.0 ** min(failures - 1, 10), LAST_RETRY_SECONDS)
    delay *= 1 + JITTER * (2 * random() - 1)
    return now + max(delay, retry_after or 0.0)


@dataclass(slots=True)
class HostQueue:
    """Queue of peers by host; at most one peer per host is in progress."""

    _waiting: dict[str, deque[PeerRecord]] = field(default_factory=dict[str, "deque[PeerRecord]"])
    _ready: deque[str] = field(default_factory=deque[str])
    _busy: set[str] = field(default_factory=set[str])
    _count: int = 0

    def __len__(self) -> int:
        """Return the number of waiting peers."""
        return self._count

    def add(self, peers: Iterable[tuple[str, PeerRecord]]) -> None:
        """Add peers, each with its host."""
        for host, peer in peers:
            queue = self._waiting.get(host)
            if queue is None:
                queue = self._waiting[host] = deque()
                if host not in self._busy:
                    self._ready.append(host)
            queue.append(peer)
            self._count += 1

    def take(self) -> tuple[str, PeerRecord] | None:
        """Return a waiting peer and its host, which becomes busy; None if all hosts are busy or nothing waits."""
        if not self._ready:
            return None
        host = self._ready.popleft()
        peer = self._waiting[host].popleft()
        self._busy.add(host)
        self._count -= 1
        return host, peer

    def done(self, host: str) -> None:
        """Mark a host as idle."""
        self._busy.discard(host)
        if self._waiting.get(host):
            self._ready.append(host)
        else:
            self._waiting.pop(host, None)
