"""Dates of HTTP fields (RFC 9110 §5.6.7) and of JSON (RFC 3339 §5.6)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final

_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1
    )
}
# RFC 9110 §5.6.7: the three forms of a date.
_DATES: Final = (
    re.compile(
        r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?P<day>\d\d) (?P<month>\w{3}) (?P<year>\d{4}) (?P<time>\d\d:\d\d:\d\d) GMT"
    ),
    re.compile(
        r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?P<day>\d\d)-(?P<month>\w{3})-(?P<year>\d\d) (?P<time>\d\d:\d\d:\d\d) GMT"
    ),
    re.compile(
        r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?P<month>\w{3}) (?P<day>[ \d]\d) (?P<time>\d\d:\d\d:\d\d) (?P<year>\d{4})"
    ),
)
# RFC 3339 §5.6; \d would also match the digits of other scripts.
_RFC_3339: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt](?P<time>(?:[01][0-9]|2[0-3]):[0-5][0-9]:)(?P<second>[0-5][0-9]|60)(?P<fraction>\.[0-9]+)?"
    r"(?P<zone>[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


def http_date(text: str, now: datetime) -> datetime | None:
    """Return the time of a date in any form of RFC 9110 §5.6.7; None if the text is not a date."""
    match = next((matched for form in _DATES if (matched := form.fullmatch(text.strip(" \t")))), None)
    month = _MONTHS.get(match["month"]) if match else None
    if match is None or month is None:
        return None
    year = int(match["year"])
    if len(match["year"]) == 2:
        # RFC 9110 §5.6.7: a year more than fifty years in the future is the latest past year with these digits.
        year += now.year // 100 * 100
        year -= 100 if year > now.year + 50 else 0
    hour, minute, second = map(int, match["time"].split(":"))
    try:
        return datetime(year, month, int(match["day"]), hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None


def imf_fixdate(moment: datetime) -> str:
    """Return a time in the preferred form of RFC 9110 §5.6.7, as in Last-Modified."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def rfc3339_time(text: object) -> datetime | None:
    """Return an RFC 3339 date and time (§5.6) as a time in UTC; None if the value is not one.

    Only six digits of a fraction count, and a leap second becomes the second before it.
    """
    match = _RFC_3339.fullmatch(text) if isinstance(text, str) and len(text) <= 64 else None
    if match is None:
        return None
    second = "59" if match["second"] == "60" else match["second"]
    fraction = (match["fraction"] or "")[:7]
    zone = "+00:00" if match["zone"] in "Zz" else match["zone"]
    try:
        return datetime.fromisoformat(f"{match['date']}T{match['time']}{second}{fraction}{zone}").astimezone(
            UTC
        )
    except (ValueError, OverflowError):
        return None


def rfc3339(moment: datetime) -> str:
    """Return a time with a zone as RFC 3339 in UTC, with full precision."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def rfc3339_at(seconds: float | None) -> str | None:
    """Return a time in seconds since 1970 as RFC 3339 in UTC; None stays None.

    >>> rfc3339_at(0.0)
    '1970-01-01T00:00:00Z'
    """
    return None if seconds is None else rfc3339(datetime.fromtimestamp(seconds, UTC))
