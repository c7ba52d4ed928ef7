"""Conditional requests (RFC 9110 §13)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.dates import http_date
from cardwright.http.problem import BAD_HEADER, refuse

if TYPE_CHECKING:
    from datetime import datetime

# RFC 9110 §8.8.3: an entity tag contains any visible character except the quotation mark.
_TAG: Final = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
# Possessive quantifiers, so that no input causes backtracking.
_TAGS: Final = re.compile(rf"[ \t]*+(?:,[ \t]*+)*+{_TAG}(?:[ \t]*+,[ \t]*+(?:{_TAG})?+)*+[ \t]*+")
_ONE: Final = re.compile(r'"[^"]*"')
_EACH: Final = re.compile(r'(W/)?("[^"]*")')


def holds(if_none_match: str, etag: str) -> bool:
    """Return whether If-None-Match contains an entity tag, by weak comparison, or is `*` (RFC 9110 §13.1.2).

    Raises:
        HttpError: If the field is malformed.
    """
    if if_none_match == etag or if_none_match.strip(" \t") == "*":
        return True
    if not _TAGS.fullmatch(if_none_match):
        raise refuse(BAD_HEADER, "If-None-Match is malformed: expected * or a list of quoted entity tags")
    return etag in _ONE.findall(if_none_match)


def matches(if_match: str, etag: str) -> bool:
    """Return whether If-Match contains an entity tag, by strong comparison, or is `*` (RFC 9110 §13.1.1).

    Raises:
        HttpError: If the field is malformed.
    """
    if if_match.strip(" \t") == "*":
        return True
    if not _TAGS.fullmatch(if_match):
        raise refuse(BAD_HEADER, "If-Match is malformed: expected * or a list of quoted entity tags")
    return any(tag == etag and not weak for weak, tag in _EACH.findall(if_match))


def unchanged_since(if_modified_since: str, modified: datetime, now: datetime) -> bool:
    """Return whether If-Modified-Since is not before the last change (RFC 9110 §13.1.3); False if it is not a date."""
    since = http_date(if_modified_since, now)
    return since is not None and modified.replace(microsecond=0) <= since
