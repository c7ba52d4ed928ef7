"""An index of entries, and one of few entries in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from cardwright.search_api.filters import Filter, SearchError, words_of_question
from cardwright.store.tokenizer import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TEXTS: Final = ("description", "representativeQueries", "tags", "capabilities")
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """An entry that a search found, with its score from 1 to 100."""

    entry: Entry
    score: int


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page of what a search found, and the token of the next page; None for the last."""

    results: list[Found]
    token: str | None = None


class EntryIndex(Protocol):
    """What the search API asks of an index. All methods may block."""

    def search(self, text: str, conditions: Filter, *, limit: int, token: str | None) -> FoundPage:
        """Return the entries that fit a question best first.

        Raises:
            SearchError: If the token is not one of this search.
        """
        ...

    def matching(self, text: str, conditions: Filter) -> Iterator[Entry]:
        """Yield all entries that fit a question, or all without one."""
        ...

    def listed(
        self, conditions: Filter, *, order: str, limit: int, token: str | None
    ) -> tuple[list[Entry], str | None, int | None]:
        """Return a page of all entries in an order: (entries, token of the next page, number of all or None)."""
        ...


class MemoryIndex:
    """An index of a list of entries.

    Args:
        entries: The entries of a catalogue.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = [(entry, *_words(entry)) for entry in entries]

    def search(self, text: str, conditions: Filter, *, limit: int, token: str | None) -> FoundPage:
        """Return the entries with most of the words of a question first, of these those that have them in their name."""
        start = offset_of(token)
        ranked = self._ranked(text, conditions)
        more = start + limit < len(ranked)
        return FoundPage(ranked[start : start + limit], str(start + limit) if more else None)

    def matching(self, text: str, conditions: Filter) -> Iterator[Entry]:
        """Yield all entries that fit a question, or all without one."""
        if text.strip():
            yield from (found.entry for found in self._ranked(text, conditions))
        else:
            yield from (entry for entry, *_ in self._entries if conditions.holds(entry))

    def listed(
        self, conditions: Filter, *, order: str, limit: int, token: str | None
    ) -> tuple[list[Entry], str | None, int | None]:
        """Return a page of the entries in an order."""
        start = offset_of(token)
        field, _, direction = order.partition(" ")
        entries = sorted(
            (entry for entry, *_ in self._entries if conditions.holds(entry)),
            key=lambda entry: (str(entry.get(field, "")).lower(), str(entry.get("identifier"))),
            reverse=direction == "DESC",
        )
        more = start + limit < len(entries)
        return entries[start : start + limit], str(start + limit) if more else None, len(entries)

    def _ranked(self, text: str, conditions: Filter) -> list[Found]:
        words = words_of_question(text)
        found = [
            Found(entry, score(len(hits), len(words), in_name=all(word in title for word in hits)))
            for entry, title, everything in self._entries
            if conditions.holds(entry) and (hits := [word for word in words if word in everything])
        ]
        return sorted(found, key=lambda one: (-one.score, str(one.entry.get("identifier"))))


def score(found: int, wanted: int, *, in_name: bool) -> int:
    """Return the score of an entry that has some of the words of a question, from 1 to 100."""
    return max(1, round((100 if in_name else 75) * found / wanted))


def offset_of(token: str | None) -> int:
    """Return the position that a token names.

    Raises:
        SearchError: If it names none.
    """
    if token is None:
        return 0
    if not token.isascii() or not token.isdigit() or len(token) > 9:
        raise SearchError("pageToken: not a token of this registry; leave it out to start again")
    return int(token)


def _words(entry: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """Return the words of an entry's name, and all its words."""
    title = set(words_of(str(entry.get("displayName", ""))))
    texts = [entry.get(field) for field in _TEXTS]
    flat = [one for text in texts for one in (text if type(text) is list else [text]) if type(one) is str]
    return title, title | set(words_of("\n".join(flat)))
