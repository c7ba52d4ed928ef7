"""Key sets that were fetched a moment ago."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright.signing.origins import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable

# reliability.md 2b: no flood of ids that nobody has makes us ask an origin more often.
PAUSE_SECONDS: Final = 60.0
# How long a key set counts whose origin no longer answers (ours): a revocation is not put off for ever.
GREATEST_AGE_SECONDS: Final = 24 * 3600.0
# So many key sets are kept; the one that was fetched longest ago goes first (ours).
MAX_SETS: Final = 256


class RecentKeySets:
    """A `fetch` for `Policy` that asks each origin at most once a minute.

    A fetch that fails takes no key set away: the last good one serves until it is a day old.
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
        self._sets: dict[str, tuple[float, bytes]] = {}

    def __call__(self, url: str) -> bytes:
        """Return the bytes of a key set.

        Raises:
            LookupError: If its origin was asked within the pause, and there is no good answer.
            CardError: As `fetch`, if it fails and there is no good answer; OSError and ValueError likewise.
        """
        origin, now = str(origin_of(url)), self._clock()
        kept = self._sets.get(url)
        if kept is not None and now - kept[0] > GREATEST_AGE_SECONDS:
            kept = self._sets.pop(url) and None
        asked = self._asked.get(origin)
        if asked is not None and now - asked < self._pause:
            if kept is None:
                raise LookupError("its origin was asked a moment ago")
            return kept[1]
        self._remember(self._asked, origin, now)
        try:
            body = self._fetch(url)
        except (CardError, OSError, LookupError, ValueError):
            if kept is None:
                raise
            return kept[1]
        self._remember(self._sets, url, (now, body))
        return body

    @staticmethod
    def _remember(table: dict[str, Any], name: str, value: Any) -> None:
        table.pop(name, None)
        table[name] = value
        if len(table) > MAX_SETS:
            del table[next(iter(table))]
