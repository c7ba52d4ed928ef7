"""Responses as plain values, independent of the HTTP library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Headers:
    """Header fields in the order of arrival, with case-insensitive lookup (RFC 9110 §5.1)."""

    __slots__ = ("_items",)

    def __init__(self, items: Iterable[tuple[str, str]]) -> None:
        self._items = tuple(items)

    def get(self, name: str) -> str | None:
        """Return the lines of a field, joined with commas (RFC 9110 §5.2), or None."""
        key = name.lower()
        lines = [value for field, value in self._items if field.lower() == key]
        return ", ".join(lines) if lines else None

    def items(self) -> tuple[tuple[str, str], ...]:
        """Return all lines: the name as received, and its value."""
        return self._items

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over the lines."""
        return iter(self._items)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits in seconds; None for no limit.

    Attributes:
        connect: For connecting (project decision: 3 s).
        first_byte: For each wait for bytes, also the first (5 s).
        total: For the whole request, with all redirects and DNS lookups (10 s for cards).
    """

    connect: float | None = 3.0
    first_byte: float | None = 5.0
    total: float | None = 10.0


@dataclass(frozen=True, slots=True)
class Response:
    """A complete response.

    Attributes:
        url: The URL of the response, after redirects.
        status: The HTTP status.
        headers: Its header fields.
        body: Its bytes, without content coding.
        hops: The URLs that redirected, in order.
    """

    url: str
    status: int
    headers: Headers
    body: bytes
    hops: tuple[str, ...] = ()


# Status codes of redirects.
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
