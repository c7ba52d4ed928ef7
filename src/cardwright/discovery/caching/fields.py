"""Header fields, read as RFC 9111 reads them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# RFC 9111 §1.2.2: what is greater counts as this.
MOST_SECONDS: Final = 2**31
# RFC 9111 §5.2: a token, and perhaps an argument as a token or a quoted string.
_DIRECTIVE: Final = re.compile(r'([^\s,;="]+)(?:=(?:"((?:[^"\\]|\\.)*+)"|([^\s,]*)))?')
_LANGUAGES: Final = "accept-language"


def combined(headers: Iterable[tuple[str, str]], name: str) -> str | None:
    """Return the value of a field, its lines joined (RFC 9110 §5.2); None if it is not there."""
    # Most names differ by their length already, which costs less to see.
    size = len(name)
    lines = [value for key, value in headers if len(key) == size and key.lower() == name]
    return ", ".join(lines) if lines else None


@lru_cache(maxsize=256)
def directives(value: str | None) -> Mapping[str, str | None]:
    """Return the directives of Cache-Control, names in lower case; of equal ones the first (RFC 9111 §4.2.1)."""
    found: dict[str, str | None] = {}
    for name, quoted, token in _DIRECTIVE.findall(value or ""):
        found.setdefault(name.lower(), quoted or token or None)
    return found


def seconds(argument: str | None) -> int | None:
    """Return what a directive or Age gives in seconds (RFC 9111 §1.2.2); None if it is no such number."""
    if argument is None or not (argument.isascii() and argument.isdigit()):
        return None
    # More digits than the greatest has are not looked at: that costs time by their square.
    digits = argument.lstrip("0")
    return min(int(digits or "0"), MOST_SECONDS) if len(digits) <= 10 else MOST_SECONDS


@lru_cache(maxsize=256)
def listed(value: str | None) -> tuple[str, ...]:
    """Return the members of a list of names, in lower case (RFC 9110 §5.6.1)."""
    return tuple(name for part in (value or "").split(",") if (name := part.strip().lower()))


def varies_on(headers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the names in Vary, in lower case."""
    return listed(combined(headers, "vary"))


def same(kept: Iterable[tuple[str, str]], asked: Iterable[tuple[str, str]], names: tuple[str, ...]) -> bool:
    """Whether two requests have the same fields of these names, blanks and lines aside (RFC 9111 §4.1)."""
    return all(_plain(name, combined(kept, name)) == _plain(name, combined(asked, name)) for name in names)


def _plain(name: str, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    members = tuple(part.strip() for part in value.split(","))
    # Language tags have no case (RFC 4647 §2.1).
    return tuple(part.lower() for part in members) if name == _LANGUAGES else members
