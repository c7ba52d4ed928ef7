"""Cache of fetched key sets."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright.signing.keyset import KeySet
from cardwright.signing.origins import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable

# Many signatures with unknown ids must not cause more requests to an origin.
PAUSE_SECONDS: Final = 60.0
# How long a key set is used if its origin does not respond, so that a revocation takes effect (project decision).
MAX_AGE_SECONDS: Final = 24 * 3600.0
# How long it is used while requests for other key sets of its origin delay its refresh.
MAX_WAIT_SECONDS: Final = 3600.0
# The size of the cache; the key set that was fetched first is removed first (project decision).
MAX_SETS: Final = 256


class RecentKeySets:
    """A `fetch` for `Policy` that requests each origin at most once a minute.

    If a request fails or returns no key set, the last good key set is used until it is a day old. In the minute after a
    failure for an unknown URL, only known key sets are requested again, so that a wrong URL does not delay them.
    """

    def __init__(
        self,
        fetch: Callable[[str], bytes],
        *,
        clock: Callable[[], float] = time.monotonic,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._pause = pause_seconds
        self._requested: dict[str, float] = {}
        self._failed: dict[str, float] = {}
        self._sets: dict[str, tuple[float, bytes]] = {}

    def __call__(self, url: str) -> bytes:
        """Return the bytes of a key set.

        Raises:
            LookupError: If its origin was requested within the pause, and the cache has no key set.
            CardError: As `fetch`, if it fails and the cache has no key set; OSError and ValueError likewise.
        """
        cached = self.stored_body(url)
        if cached is not None:
            return cached
        try:
            return self.fetched(url, self._fetch(url))
        except (CardError, OSError, LookupError, ValueError):
            last = self.failed(url)
            if last is None:
                raise
            return last

    def stored_body(self, url: str) -> bytes | None:
        """Return the cached key set, or None if the URL should be fetched now.

        A caller that gets None fetches the URL, then calls `fetched` or `failed`.

        Raises:
            LookupError: If its origin was requested within the pause, and the cache has no key set.
        """
        origin, now = str(origin_of(url)), self._clock()
        fetched, cached = self._sets.get(url, (now, None))
        if now - fetched > MAX_AGE_SECONDS:
            del self._sets[url]
            cached = None
        failed = cached is None and self._within(self._failed, origin, now, 2 * self._pause)
        if failed or self._within(self._requested, origin, now, self._pause):
            if cached is None or now - fetched > MAX_WAIT_SECONDS:
                raise LookupError("its origin was requested less than a minute ago")
            return cached
        _store(self._requested, origin, now)
        return None

    def fetched(self, url: str, body: bytes) -> bytes:
        """Store a fetched key set in the cache.

        Raises:
            BadKey: If it is not a key set.
        """
        KeySet.from_bytes(body)
        _store(self._sets, url, (self._clock(), body))
        return body

    def failed(self, url: str) -> bytes | None:
        """Record a failed request; return the last good key set, or None."""
        if url in self._sets:
            return self._sets[url][1]
        _store(self._failed, str(origin_of(url)), self._clock())
        return None

    @staticmethod
    def _within(times: dict[str, float], origin: str, now: float, seconds: float) -> bool:
        # If the clock was set back, the elapsed time is unknown.
        return origin in times and 0 <= now - times[origin] < seconds


def _store(table: dict[str, Any], name: str, value: Any) -> None:
    table.pop(name, None)
    table[name] = value
    if len(table) > MAX_SETS:
        del table[next(iter(table))]
