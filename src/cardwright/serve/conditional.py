"""Whether a caller has the answer already (RFC 9110 §13)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final

from cardwright.serve.problems import BAD_HEADER, refuse

# RFC 9110 §8.8.3: an entity tag holds anything visible but a quotation mark.
_TAG: Final = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
# Possessive, so that no field makes it look twice at the same blanks.
_TAGS: Final = re.compile(rf"[ \t]*+(?:,[ \t]*+)*+{_TAG}(?:[ \t]*+,[ \t]*+(?:{_TAG})?+)*+[ \t]*+")
_ONE: Final = re.compile(r'"[^"]*"')
_EACH: Final = re.compile(r'(W/)?("[^"]*")')
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


def holds(if_none_match: str, etag: str) -> bool:
    """Whether a list of entity tags has this one, by the weak comparison, or is `*` (RFC 9110 §13.1.2).

    Raises:
        Refused: If it is no such list.
    """
    if if_none_match == etag or if_none_match.strip(" \t") == "*":
        return True
    if not _TAGS.fullmatch(if_none_match):
        raise refuse(BAD_HEADER, "If-None-Match is malformed: it is * or a list of quoted entity tags")
    return etag in _ONE.findall(if_none_match)


def matches(if_match: str, etag: str) -> bool:
    """Whether a list of entity tags has this one, by the strong comparison, or is `*` (RFC 9110 §13.1.1).

    Raises:
        Refused: If it is no such list.
    """
    if if_match.strip(" \t") == "*":
        return True
    if not _TAGS.fullmatch(if_match):
        raise refuse(BAD_HEADER, "If-Match is malformed: it is * or a list of quoted entity tags")
    return any(tag == etag and not weak for weak, tag in _EACH.findall(if_match))


def unchanged_since(if_modified_since: str, modified: datetime, now: datetime) -> bool:
    """Whether a date is no earlier than the last change (RFC 9110 §13.1.3); what is no date is passed over."""
    since = http_date(if_modified_since, now)
    return since is not None and modified.replace(microsecond=0) <= since


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
