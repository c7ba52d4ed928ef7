"""How old an answer is and how long it stays fresh (RFC 9111 §4.2), by a clock that is passed in."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from time import gmtime
from typing import TYPE_CHECKING, Final

from cardwright.dates import http_date
from cardwright.discovery.caching.fields import combined, directives, seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.discovery.caching.values import Headers, Kept

# RFC 9110 §15.1: what may be taken to be fresh for a while though it does not say so.
HEURISTIC: Final = frozenset({200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501})
# RFC 9111 §4.2.2: a typical share of the time since it was last modified.
_SHARE: Final = 0.1
# What forbids a stale answer to a private cache (RFC 9111 §4.2.4).
_STRICT: Final = ("must-revalidate", "no-cache")


def fresh_until(
    kept: Kept,
    *,
    default_seconds: float = 3600,
    floor_seconds: float = 60,
    override_seconds: float | None = None,
) -> float:
    """Return when a card is due again, in seconds since 1970.

    The first that is given of an override, Cache-Control, Expires and the default counts. What the answer
    says is shortened by its age on arrival; the other two count from its arrival. `no-cache` asks for the floor.

    Args:
        kept: What is kept of the last answer.
        default_seconds: How long an answer stays fresh that does not say so (Beach card seed: an hour).
        floor_seconds: No peer is asked more often than this (ours).
        override_seconds: What the application says of this peer.
    """
    return kept.received_at + max(floor_seconds, _remaining(kept, default_seconds, override_seconds))


def _remaining(kept: Kept, default_seconds: float, override_seconds: float | None) -> float:
    if override_seconds is not None:
        return override_seconds
    said = directives(combined(kept.headers, "cache-control"))
    if _whole(said, "no-cache"):
        return 0
    stays = lifetime(kept, said)
    return default_seconds if stays is None else stays - age(kept, kept.received_at)


def age(kept: Kept, now: float) -> float:
    """Return how many seconds old an answer is (RFC 9111 §4.2.3); infinitely many if its Age is no number.

    RFC 9111 §5.1 would have a malformed Age passed over; http-cache-tests has it taken for stale, which harms less.
    """
    stated = combined(kept.headers, "age")
    told = 0 if stated is None else seconds(stated.strip())
    if told is None:
        return float("inf")
    date = _moment(combined(kept.headers, "date"), kept.received_at)
    apparent = max(0.0, kept.received_at - date) if date is not None else 0.0
    delay = max(0.0, kept.received_at - kept.requested_at)
    return max(apparent, told + delay) + max(0.0, now - kept.received_at)


def lifetime(kept: Kept, said: Mapping[str, str | None], *, heuristic_seconds: float = 0.0) -> float | None:
    """Return how many seconds an answer stays fresh (RFC 9111 §4.2.1); None if it does not say.

    Args:
        kept: What is kept of it.
        said: Its directives.
        heuristic_seconds: The most that may be guessed by its Last-Modified; 0: nothing is guessed.
    """
    if "max-age" in said:
        # RFC 9111 §4.2.1: what is no number of seconds is stale.
        return seconds(said["max-age"]) or 0
    date = _moment(combined(kept.headers, "date"), kept.received_at)
    begins = kept.received_at if date is None else date
    expires = combined(kept.headers, "expires")
    if expires is not None:
        until = _moment(expires, kept.received_at)
        return 0 if until is None else max(0.0, until - begins)
    if not heuristic_seconds or (kept.status not in HEURISTIC and "public" not in said):
        return None
    changed = _moment(combined(kept.headers, "last-modified"), kept.received_at)
    return None if changed is None else min(heuristic_seconds, max(0.0, (begins - changed) * _SHARE))


def may_use(kept: Kept, asked: Headers, now: float, *, heuristic_seconds: float = 0.0) -> bool:
    """Whether an answer may be used for a request without asking its origin (RFC 9111 §4, §5.2.1)."""
    said = directives(combined(kept.headers, "cache-control"))
    wanted = directives(combined(asked, "cache-control"))
    if _whole(said, "no-cache") or "no-cache" in wanted:
        return False
    old, stays = age(kept, now), lifetime(kept, said, heuristic_seconds=heuristic_seconds) or 0
    if not wanted:
        return stays > old
    limit = seconds(wanted.get("max-age"))
    if limit is not None and (old > limit or not limit):
        return False
    left = stays - old - (seconds(wanted.get("min-fresh")) or 0)
    return left > 0 or (
        "max-stale" in wanted
        and not any(name in said for name in _STRICT)
        and -left <= (_most_stale(wanted["max-stale"]))
    )


def _most_stale(argument: str | None) -> float:
    """RFC 9111 §5.2.1.2: without an argument, however stale it is; one that is no number allows nothing."""
    return float("inf") if argument is None else seconds(argument) or 0


def _whole(said: Mapping[str, str | None], name: str) -> bool:
    """Whether a directive is there and means the whole answer, not only the fields that it lists."""
    return name in said and said[name] is None


def _moment(text: str | None, near: float) -> float | None:
    return None if text is None else _parsed(text, gmtime(near).tm_year)


@lru_cache(maxsize=256)
def _parsed(text: str, year: int) -> float | None:
    found = http_date(text, datetime(year, 1, 1, tzinfo=UTC))
    return None if found is None else found.timestamp()
