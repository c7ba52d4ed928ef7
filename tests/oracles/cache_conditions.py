"""Conditions of a caller's request against a stored response (RFC 9111 §4.3.2)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from cardwright.dates import http_date
from cardwright.discovery.caching.fields import combined

if TYPE_CHECKING:
    from cardwright.discovery.caching.values import Headers, StoredResponse

# RFC 9110 §8.8.3; the weakness flag stays out, since the comparison is the weak one.
_TAGS: Final = re.compile(r'"[^"]*"')


def satisfied(request_headers: Headers, kept: StoredResponse) -> bool:
    """Whether the caller has the stored response already, so that it gets 304 (RFC 9110 §13.1.2, §13.1.3)."""
    tags = combined(request_headers, "if-none-match")
    if tags is not None:
        etag = combined(kept.headers, "etag")
        return tags.strip() == "*" or (etag is not None and etag.removeprefix("W/") in _TAGS.findall(tags))
    since = combined(request_headers, "if-modified-since")
    if since is None:
        return False
    now = datetime.fromtimestamp(kept.received_at, UTC)
    wanted = http_date(since, now)
    return wanted is not None and _changed(kept, now) <= wanted


def _changed(kept: StoredResponse, received: datetime) -> datetime:
    """RFC 9111 §4.3.2: without Last-Modified its Date counts, and without that when it came."""
    for name in ("last-modified", "date"):
        value = combined(kept.headers, name)
        moment = http_date(value, received) if value is not None else None
        if moment is not None:
            return moment
    return received
