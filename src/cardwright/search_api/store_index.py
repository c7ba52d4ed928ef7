"""The index of a registry's database: its full-text search, as entries of a catalogue."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import orjson

from cardwright.catalog_entries import CARD_TYPE, identifier
from cardwright.errors import BadArgument
from cardwright.search_api.entry_index import Entry, Found, FoundPage, offset_of, score
from cardwright.search_api.filters import Filter, SearchError, words_of_question
from cardwright.store import Query
from cardwright.store.facets import facets_of
from cardwright_rules import DIALECTS
from cardwright_runtime.fix_functions import slugged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.store import CardStore, Hit, PeerRecord

_OTHER_TYPE: Final = "application/json"
_A2A: Final = tuple(name for name, row in DIALECTS.items() if row.family == "a2a")
_OTHERS: Final = tuple(name for name, row in DIALECTS.items() if row.family != "a2a")
_PAGE: Final = 200
# Cards that a page with a filter reads at most; it ends early then, with a token (project decision).
_MAX_READ: Final = 2_000
# Of the cards that have only some of the words of a question: so many of each word are ranked (project decision).
_MAX_PARTLY: Final = 100
_ALL, _SOME = "a", "s"
_MAX_TERMS: Final = 32
_BAD_TOKEN: Final = "pageToken: not a token of this search; leave it out to start again"  # noqa: S105 - no secret


class StoreIndex:
    """The index of a database of cards: a card with all words of a question comes first.

    If no card has all of them, those with most of the words that say something come first.

    Args:
        store: The database.
    """

    def __init__(self, store: CardStore) -> None:
        self._store = store

    def search(self, text: str, conditions: Filter, *, limit: int, token: str | None) -> FoundPage:
        """Return the entries that fit a question best first."""
        kind, _, rest = (token or "").partition(".")
        if token is not None and kind not in (_ALL, _SOME):
            raise SearchError(_BAD_TOKEN)
        query = _query(text, conditions)
        if query is None:
            return FoundPage([])
        if kind != _SOME:
            page = self._with_all(query, conditions, limit, rest or None)
            if page.results or token is not None:
                return page
        return self._with_some(query, conditions, limit, offset_of(rest if kind == _SOME else None))

    def matching(self, text: str, conditions: Filter) -> Iterator[Entry]:
        """Yield all entries with all words of a question, or else with some of them; all entries without a question."""
        query = _query(text, conditions)
        if query is None:
            return
        found = False
        for hit in self._hits(query):
            entry = self._entry(hit.peer, hit.description)
            if conditions.holds(entry):
                found = True
                yield entry
        if not found and text.strip():
            yield from (one.entry for one in self._with_some(query, conditions, _MAX_PARTLY, 0).results)

    def listed(
        self, conditions: Filter, *, order: str, limit: int, token: str | None
    ) -> tuple[list[Entry], str | None, int | None]:
        """Return a page of all entries in an order."""
        start = offset_of(token)
        entries: list[Entry] = []
        field, _, direction = order.partition(" ")
        read = 0
        while read < _MAX_READ:
            wanted = limit + 1 - len(entries) if not conditions.values else _PAGE
            peers = self._store.listed(
                by_name=field == "displayName",
                descending=direction == "DESC",
                offset=start + read,
                limit=wanted,
            )
            for place, peer in enumerate(peers):
                if len(entries) == limit:
                    return entries, str(start + read + place), self._total(conditions)
                entry = self._entry(peer)
                if conditions.holds(entry):
                    entries.append(entry)
            read += len(peers)
            if len(peers) < wanted:
                return entries, None, self._total(conditions)
        return entries, str(start + read), self._total(conditions)

    def _total(self, conditions: Filter) -> int | None:
        return None if conditions.values else self._store.count().cards

    def _with_all(self, query: Query, conditions: Filter, limit: int, cursor: str | None) -> FoundPage:
        results: list[Found] = []
        read = 0
        while True:
            wanted = limit - len(results) if not conditions.values else limit
            try:
                page = self._store.search(query, limit=max(1, wanted), cursor=cursor)
            except BadArgument:
                raise SearchError(_BAD_TOKEN) from None
            read += max(1, len(page.hits))
            for hit in page.hits:
                entry = self._entry(hit.peer, hit.description)
                if conditions.holds(entry):
                    results.append(Found(entry, max(1, round(hit.score * 100))))
            cursor = page.cursor
            if cursor is None or len(results) >= limit or read >= _MAX_READ:
                return FoundPage(results, None if cursor is None else f"{_ALL}.{cursor}")

    def _with_some(self, query: Query, conditions: Filter, limit: int, start: int) -> FoundPage:
        words = words_of_question(query.text)
        counts: dict[str, int] = {}
        best: dict[str, Hit] = {}
        for word in words:
            for hit in islice(self._hits(replace(query, text=word)), _MAX_PARTLY):
                counts[hit.url] = counts.get(hit.url, 0) + 1
                earlier = best.get(hit.url)
                best[hit.url] = hit if earlier is None or hit.score > earlier.score else earlier
        ranked = sorted(best.values(), key=lambda hit: (-counts[hit.url], -hit.score, hit.url))
        found: list[Found] = []
        for place, hit in enumerate(ranked[start:], start):
            if len(found) == limit:
                return FoundPage(found, f"{_SOME}.{place}")
            entry = self._entry(hit.peer, hit.description)
            if conditions.holds(entry):
                # 0.75: the name has the word.
                part = score(counts[hit.url], len(words), in_name=hit.score >= 0.75)
                found.append(Found(entry, min(part, 99)))
        return FoundPage(found)

    def _hits(self, query: Query) -> Iterator[Hit]:
        cursor = None
        while True:
            page = self._store.search(query, limit=_PAGE, cursor=cursor)
            yield from page.hits
            cursor = page.cursor
            if cursor is None:
                return

    def _entry(self, peer: PeerRecord, description: str = "") -> Entry:
        document: Any = orjson.loads(self._store.body(peer.version)) if peer.version is not None else {}  # noqa: TID251 - a row of the store
        facets = facets_of(document, peer.dialect.partition("-")[0])
        url, _, fragment = peer.url.partition("#")
        parts = urlsplit(url)
        is_http = parts.scheme in ("http", "https")
        own = fragment if fragment.startswith("urn:air:") else ""
        skills = document.get("skills", document.get("capabilities"))
        ids = [one.get("id") for one in (skills if type(skills) is list else ()) if type(one) is dict]
        version = document.get("version")
        fields: Entry = {
            "identifier": own
            or identifier(parts.hostname or "" if is_http else "", slugged(peer.id or peer.name)),
            "displayName": peer.name or peer.id or url,
            "type": CARD_TYPE if peer.dialect in _A2A else _OTHER_TYPE,
            "url": (peer.answer.url if peer.answer else url) if is_http and not own else "",
            "description": description or facets.description[:_PAGE],
            "capabilities": [one for one in ids if type(one) is str][:_MAX_TERMS],
            "tags": list(dict.fromkeys(facets.tags))[:_MAX_TERMS],
            "version": version if type(version) is str else "",
        }
        return {name: value for name, value in fields.items() if value}


def _query(text: str, conditions: Filter) -> Query | None:
    """Return the query of the database for a question; None if no card can match its conditions.

    What the database can filter, it filters: the other conditions are checked for each entry.
    """
    dialects: tuple[str, ...] = ()
    types = conditions.values.get("type")
    if types is not None:
        dialects = (_A2A if CARD_TYPE in types else ()) + (_OTHERS if _OTHER_TYPE in types else ())
        if not dialects:
            return None
    tags = conditions.values.get("tags", frozenset())
    return Query(text, tags=tuple(tags) if len(tags) == 1 else (), dialects=dialects)
