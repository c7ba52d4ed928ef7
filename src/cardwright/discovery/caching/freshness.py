"""Age and freshness lifetime of a response (RFC 9111 §4.2); the clock is passed in."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from time import gmtime
from typing import TYPE_CHECKING, Final

from cardwright.dates import http_date
from cardwright.discovery.caching.fields import combined, directives, seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.discovery.caching.values import Headers, StoredResponse

# RFC 9110 §15.1: heuristically cacheable status codes.
HEURISTIC: Final = frozenset({200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501})
# RFC 9111 §4.2.2: a typical fraction of the time since Last-Modified.
_HEURISTIC_FRACTION: Final = 0.1
# Directives that forbid a private cache to use a stale response (RFC 9111 §4.2.4).
_STRICT: Final = ("must-revalidate", "no-cache")


def fresh_until(
    stored: StoredResponse,
    *,
    default_seconds: float = 3600,
    floor_seconds: float = 60,
    override_seconds: float | None = None,
) -> float:
    """Return when a card is due for a refresh, in seconds since 1970.

    The first one present counts: override, Cache-Control, Expires, default. The age of the response on arrival
    is subtracted from Cache-Control and Expires; the other two count from its arrival. `no-cache` means the floor.

    Args:
        stored: The stored response.
        default_seconds: The lifetime of a response that states none (Beach card seed: an hour).
        floor_seconds: The minimum time between two requests to a peer (project decision).
        override_seconds: The lifetime that the application sets for this peer.
    """
    return stored.received_at + max(floor_seconds, _remaining(stored, default_seconds, override_seconds))


def _remaining(stored: StoredResponse, default_seconds: float, override_seconds: float | None) -> float:
    if override_seconds is not None:
        return override_seconds
    cache_control = directives(combined(stored.headers, "cache-control"))
    if _applies_to_all(cache_control, "no-cache"):
        return 0
    fresh_seconds = lifetime(stored, cache_control)
    return default_seconds if fresh_seconds is None else fresh_seconds - age(stored, stored.received_at)


def age(stored: StoredResponse, now: float) -> float:
    """Return the age of a response in seconds (RFC 9111 §4.2.3); infinity if its Age is not a number.

    RFC 9111 §5.1 ignores a malformed Age; http-cache-tests treats the response as stale, which is safer.
    """
    stated = combined(stored.headers, "age")
    age_seconds = 0 if stated is None else seconds(stated.strip())
    if age_seconds is None:
        return float("inf")
    date = _moment(combined(stored.headers, "date"), stored.received_at)
    apparent = max(0.0, stored.received_at - date) if date is not None else 0.0
    delay = max(0.0, stored.received_at - stored.requested_at)
    return max(apparent, age_seconds + delay) + max(0.0, now - stored.received_at)


def lifetime(
    stored: StoredResponse, cache_control: Mapping[str, str | None], *, heuristic_seconds: float = 0.0
) -> float | None:
    """Return the freshness lifetime of a response in seconds (RFC 9111 §4.2.1); None if it states none.

    Args:
        stored: The stored response.
        cache_control: Its Cache-Control directives.
        heuristic_seconds: The maximum of heuristic freshness, from Last-Modified; 0 turns it off.
    """
    if "max-age" in cache_control:
        # RFC 9111 §4.2.1: an invalid number of seconds means stale.
        return seconds(cache_control["max-age"]) or 0
    date = _moment(combined(stored.headers, "date"), stored.received_at)
    start = stored.received_at if date is None else date
    expires = combined(stored.headers, "expires")
    if expires is not None:
        end = _moment(expires, stored.received_at)
        return 0 if end is None else max(0.0, end - start)
    if not heuristic_seconds or (stored.status not in HEURISTIC and "public" not in cache_control):
        return None
    modified = _moment(combined(stored.headers, "last-modified"), stored.received_at)
    if modified is None:
        return None
    return min(heuristic_seconds, max(0.0, (start - modified) * _HEURISTIC_FRACTION))


def may_use(
    stored: StoredResponse, request_headers: Headers, now: float, *, heuristic_seconds: float = 0.0
) -> bool:
    """Whether a stored response may be used for a request without revalidation (RFC 9111 §4, §5.2.1)."""
    cache_control = directives(combined(stored.headers, "cache-control"))
    requested = directives(combined(request_headers, "cache-control"))
    if _applies_to_all(cache_control, "no-cache") or "no-cache" in requested:
        return False
    age_seconds = age(stored, now)
    fresh_seconds = lifetime(stored, cache_control, heuristic_seconds=heuristic_seconds) or 0
    if not requested:
        return fresh_seconds > age_seconds
    limit = seconds(requested.get("max-age"))
    if limit is not None and (age_seconds > limit or not limit):
        return False
    left = fresh_seconds - age_seconds - (seconds(requested.get("min-fresh")) or 0)
    return left > 0 or (
        "max-stale" in requested
        and not any(name in cache_control for name in _STRICT)
        and -left <= (_max_stale(requested["max-stale"]))
    )


def _max_stale(argument: str | None) -> float:
    """Return the maximum staleness (RFC 9111 §5.2.1.2): no argument allows any, an invalid one allows none."""
    return float("inf") if argument is None else seconds(argument) or 0


def _applies_to_all(cache_control: Mapping[str, str | None], name: str) -> bool:
    """Whether a directive applies to the whole response, not only to the fields that it lists."""
    return name in cache_control and cache_control[name] is None


def _moment(text: str | None, near: float) -> float | None:
    return None if text is None else _parsed(text, gmtime(near).tm_year)


@lru_cache(maxsize=256)
def _parsed(text: str, year: int) -> float | None:
    parsed = http_date(text, datetime(year, 1, 1, tzinfo=UTC))
    return None if parsed is None else parsed.timestamp()
