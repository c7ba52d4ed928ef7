"""Dates as fields of HTTP have them (RFC 9110 §5.6.7), and as JSON has them (RFC 3339 §5.6)."""

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
# RFC 3339 §5.6; \d alone would take the digits of every script.
_RFC_3339: Final = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt](?P<time>(?:[01][0-9]|2[0-3]):[0-5][0-9]:)(?P<second>[0-5][0-9]|60)(?P<fraction>\.[0-9]+)?"
    r"(?P<zone>[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


def http_date(text: str, now: datetime) -> datetime | None:
    """Return the time that a date in any form of RFC 9110 §5.6.7 names; None if it is none."""
    match = next((found for form in _DATES if (found := form.fullmatch(text.strip(" \t")))), None)
    month = _MONTHS.get(match["month"]) if match else None
    if match is None or month is None:
        return None
    year = int(match["year"])
    if len(match["year"]) == 2:
        # A year that seems more than fifty years ahead is the latest past one with these digits.
        year += now.year // 100 * 100
        year -= 100 if year > now.year + 50 else 0
    hour, minute, second = map(int, match["time"].split(":"))
    try:
        return datetime(year, month, int(match["day"]), hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None


def imf_fixdate(moment: datetime) -> str:
    """Return a time as the field Last-Modified has it."""
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def rfc3339_time(text: object) -> datetime | None:
    """Return the time, in UTC, that an RFC 3339 date and time names (§5.6); None if it is none.

    Of a fraction six digits count, and a leap second is the second before it.
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
    """Return a time that knows its zone as RFC 3339 in UTC, as exactly as it is."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
