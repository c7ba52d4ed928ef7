"""Header field parsing by RFC 9111."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.discovery.caching.values import Headers

# RFC 9111 §1.2.2: greater values count as this one.
MAX_SECONDS: Final = 2**31
# RFC 9111 §5.2: a token, optionally with an argument (a token or a quoted string).
_DIRECTIVE: Final = re.compile(r'([^\s,;="]+)(?:=(?:"((?:[^"\\]|\\.)*+)"|([^\s,]*)))?')
_LANGUAGES: Final = "accept-language"


def combined(headers: Headers, name: str) -> str | None:
    """Return the value of a field, its lines joined (RFC 9110 §5.2); None if it is missing."""
    return _by_name(headers).get(name)


# A decision reads many fields of the same few headers.
@lru_cache(maxsize=64)
def _by_name(headers: Headers) -> Mapping[str, str]:
    fields: dict[str, str] = {}
    for key, value in headers:
        name = key.lower()
        fields[name] = f"{fields[name]}, {value}" if name in fields else value
    return fields


@lru_cache(maxsize=256)
def directives(value: str | None) -> Mapping[str, str | None]:
    """Return the Cache-Control directives, names in lower case; the first of duplicates (RFC 9111 §4.2.1)."""
    parsed: dict[str, str | None] = {}
    for name, quoted, token in _DIRECTIVE.findall(value or ""):
        parsed.setdefault(name.lower(), quoted or token or None)
    return parsed


def seconds(argument: str | None) -> int | None:
    """Return the seconds of a directive or of Age (RFC 9111 §1.2.2); None if they are not a number."""
    if argument is None or not (argument.isascii() and argument.isdigit()):
        return None
    # Longer numbers are not parsed: `int` takes quadratic time.
    digits = argument.lstrip("0")
    return min(int(digits or "0"), MAX_SECONDS) if len(digits) <= 10 else MAX_SECONDS


@lru_cache(maxsize=256)
def listed(value: str | None) -> tuple[str, ...]:
    """Return the items of a comma-separated list of names, in lower case (RFC 9110 §5.6.1)."""
    return tuple(name for part in (value or "").split(",") if (name := part.strip().lower()))


def varies_on(headers: Headers) -> tuple[str, ...]:
    """Return the names in Vary, in lower case."""
    return listed(combined(headers, "vary"))


def same(stored: Headers, requested: Headers, names: tuple[str, ...]) -> bool:
    """Whether two requests have the same values in these fields, ignoring blanks and line breaks (RFC 9111 §4.1)."""
    return all(
        _plain(name, combined(stored, name)) == _plain(name, combined(requested, name)) for name in names
    )


def _plain(name: str, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    items = tuple(part.strip() for part in value.split(","))
    # Language tags are case-insensitive (RFC 4647 §2.1).
    return tuple(part.lower() for part in items) if name == _LANGUAGES else items
