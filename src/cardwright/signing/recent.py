"""Key sets that were fetched a moment ago."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright.signing.keyset import KeySet
from cardwright.signing.origins import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable

# reliability.md 2b: no flood of ids that nobody has makes us ask an origin more often.
PAUSE_SECONDS: Final = 60.0
# How long a key set counts whose origin no longer answers (ours): a revocation is not put off for ever.
GREATEST_AGE_SECONDS: Final = 24 * 3600.0
# How long one counts while others of its origin take the turns: whoever names many keeps no old one alive.
GREATEST_WAIT_SECONDS: Final = 3600.0
# So many key sets are kept; the one that was fetched longest ago goes first (ours).
MAX_SETS: Final = 256


class RecentKeySets:
    """A `fetch` for `Policy` that asks each origin at most once a minute.

    A fetch that fails, or brings no key set, takes none away: the last good one serves until it is a day
    old. After a failure only the key sets that are known are asked for again in the next minute, so that
    a name that leads nowhere does not take the turn of one that leads somewhere.
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
        self._asked: dict[str, float] = {}
        self._failed: dict[str, float] = {}
        self._sets: dict[str, tuple[float, bytes]] = {}

    def __call__(self, url: str) -> bytes:
        """Return the bytes of a key set.

        Raises:
            LookupError: If its origin was asked within the pause, and there is no good answer.
            CardError: As `fetch`, if it fails and there is no good answer; OSError and ValueError likewise.
        """
        kept = self.kept(url)
        if kept is not None:
            return kept
        try:
            return self.fetched(url, self._fetch(url))
        except (CardError, OSError, LookupError, ValueError):
            old = self.failed(url)
            if old is None:
                raise
            return old

    def kept(self, url: str) -> bytes | None:
        """Return what serves without asking; None where it is the turn of the URL to be fetched.

        Whoever gets None fetches, and says how it went: by `fetched`, or by `failed`.

        Raises:
            LookupError: If its origin was asked within the pause, and there is no good answer.
        """
        origin, now = str(origin_of(url)), self._clock()
        fetched, kept = self._sets.get(url, (now, None))
        if now - fetched > GREATEST_AGE_SECONDS:
            del self._sets[url]
            kept = None
        failed = kept is None and self._within(self._failed, origin, now, 2 * self._pause)
        if failed or self._within(self._asked, origin, now, self._pause):
            if kept is None or now - fetched > GREATEST_WAIT_SECONDS:
                raise LookupError("its origin was asked a moment ago")
            return kept
        _remember(self._asked, origin, now)
        return None

    def fetched(self, url: str, body: bytes) -> bytes:
        """Keep a key set that came.

        Raises:
            BadKey: If it is none.
        """
        KeySet.from_bytes(body)
        _remember(self._sets, url, (self._clock(), body))
        return body

    def failed(self, url: str) -> bytes | None:
        """Note that a fetch failed, or brought no key set; the last good one is returned, or None."""
        if url in self._sets:
            return self._sets[url][1]
        _remember(self._failed, str(origin_of(url)), self._clock())
        return None

    @staticmethod
    def _within(times: dict[str, float], origin: str, now: float, seconds: float) -> bool:
        # A clock that went back says nothing of how long ago it was.
        return origin in times and 0 <= now - times[origin] < seconds


def _remember(table: dict[str, Any], name: str, value: Any) -> None:
    table.pop(name, None)
    table[name] = value
    if len(table) > MAX_SETS:
        del table[next(iter(table))]
