"""What comes back: values of our own, so that no other room knows the client below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Headers:
    """Header fields in the order they came, looked up without regard to case (RFC 9110 §5.1)."""

    __slots__ = ("_items",)

    def __init__(self, items: Iterable[tuple[str, str]]) -> None:
        self._items = tuple(items)

    def get(self, name: str) -> str | None:
        """Return a field's lines, joined with commas (RFC 9110 §5.2); None where there is none."""
        wanted = name.lower()
        found = [value for given, value in self._items if given.lower() == wanted]
        return ", ".join(found) if found else None

    def items(self) -> tuple[tuple[str, str], ...]:
        """Return every line: the name as it came, and its value."""
        return self._items

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Go through the lines."""
        return iter(self._items)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds; None for ever.

    Attributes:
        connect: For a connection (reliability.md 2c: 3 s).
        first_byte: For the next byte, the first one too (5 s).
        total: For the whole, every redirect and the look-ups of names included (10 s for cards).
    """

    connect: float | None = 3.0
    first_byte: float | None = 5.0
    total: float | None = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, read whole.

    Attributes:
        url: Where it came from in the end.
        status: The HTTP status.
        headers: Its header fields.
        body: Its bytes, without a content coding.
        hops: The URLs that redirected, in order.
    """

    url: str
    status: int
    headers: Headers
    body: bytes
    hops: tuple[str, ...] = ()


# What a caller may look at when a redirect is answered.
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
