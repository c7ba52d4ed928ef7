"""Search over cards, in time that does not depend on how common a word is.

The results have an exact order: first cards whose name equals the text, then those whose name has all its words,
then those with the words in the names of agent, skills, tags and provider, then those with the words in any text;
within each of these tiers the newest stored version comes first. Filters apply to every tier. The index returns each
tier in this order, so nothing is ranked that is not returned, and no page repeats a card.

The last word is also a prefix, if it has three letters: it matches the first 24 words of the vocabulary, in
code point order, that begin with it.

Freshness depends on the clock and is in no index: a page reads up to 2,000 cards, and ends early with a cursor
if too few of them were fresh.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import select

from cardwright.errors import BadArgument
from cardwright.outline.fields import words as printable
from cardwright.store.cursors import Cursor, opened, sealed
from cardwright.store.facets import (
    ANY,
    HEADLINE,
    NAME,
    facets_of,
    filter_groups,
    name_word,
    query_words,
    snippet_of,
)
from cardwright.store.index import Condition
from cardwright.store.records import Hit, Page, Query
from cardwright.store.rows import peer_of, select_peers
from cardwright.store.tables import COUNTERS, PEERS, VERSIONS, VOCABULARY
from cardwright.store.tokenizer import unspaced_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Row

    from cardwright.store.index import Groups, Index

MAX_HITS: Final = 200
_MAX_READ: Final = 2_000
_CHUNK: Final = 1_000
_DESCRIPTION_CHARACTERS: Final = 200
_PREFIX_CHARACTERS: Final = 3
_MAX_PREFIX_WORDS: Final = 24
_LAST_CODEPOINT: Final = "\U0010ffff"
_END: Final = 2**62
_SCORES: Final = (1.0, 0.75, 0.5, 0.25)
# The prefixes of the words of each tier; the first tier is the whole name.
_MARKS: Final = (NAME, HEADLINE, "")

_P: Final = PEERS.c
_V: Final = VERSIONS.c


@dataclass(frozen=True, slots=True)
class _Tier:
    """One of the searches that make up the order; a card belongs to the first tier that it matches."""

    condition: Condition
    score: float


def search(
    connection: Connection, index: Index, query: Query, *, limit: int, cursor: str | None, now: float
) -> Page:
    """Return a page of cards that match a query.

    Raises:
        BadArgument: If the limit is not 1 to 200, or the cursor belongs to another query.
    """
    if not 1 <= limit <= MAX_HITS:
        raise BadArgument("limit", f"must be from 1 to {MAX_HITS}, not {limit}")
    key = connection.execute(select(COUNTERS.c.value).where(COUNTERS.c.name == "seal")).scalar_one()
    place = opened(cursor, query, key) if cursor is not None else Cursor(0, _END)
    words = query_words(query.text)
    if query.text.strip() and not words:
        return Page(())
    tiers = _tiers(connection, query, words)
    if place.tier >= len(tiers):
        raise BadArgument("cursor", "does not belong to this query and database; start without a cursor")
    results, next_cursor = _collected(
        connection, index, tiers, place, limit=limit, fresh=query.fresh, now=now
    )
    return Page(
        tuple(_hits(connection, results, words)), sealed(next_cursor, query, key) if next_cursor else None
    )


def _tiers(connection: Connection, query: Query, words: list[str]) -> list[_Tier]:
    filters = tuple(filter_groups(query))
    if not words:
        return [_Tier(Condition(filters or ((ANY,),)), 0.0)]
    statement: list[tuple[str, ...]] = [(word,) for word in words]
    statement[-1] = (words[-1], *_words_with_prefix(connection, words[-1]))
    texts: list[Groups] = [((name_word(query.text),),)]
    texts += [tuple(tuple(mark + word for word in group) for group in statement) for mark in _MARKS]
    return [
        _Tier(Condition((*text, *filters), tuple(texts[:place])), _SCORES[place])
        for place, text in enumerate(texts)
    ]


def _words_with_prefix(connection: Connection, word: str) -> tuple[str, ...]:
    if len(word) < _PREFIX_CHARACTERS or unspaced_run(word):
        return ()
    known = VOCABULARY.c.word
    statement = select(known).where(known > word, known < word + _LAST_CODEPOINT).order_by(known)
    return tuple(connection.execute(statement.limit(_MAX_PREFIX_WORDS)).scalars())


def _collected(
    connection: Connection,
    index: Index,
    tiers: list[_Tier],
    place: Cursor,
    *,
    limit: int,
    fresh: bool | None,
    now: float,
) -> tuple[list[tuple[int, _Tier]], Cursor | None]:
    """Return versions with their tiers, and the cursor of the next page; one extra result shows whether another page exists."""
    results: list[tuple[int, _Tier]] = []
    read, tier, before, chunk = 0, place.tier, place.before, limit + 1
    while tier < len(tiers):
        versions = index.find(connection, tiers[tier].condition, before=before, limit=chunk)
        for version in _current(connection, versions, fresh=fresh, now=now):
            if len(results) == limit:
                return results, Cursor(tier, before)
            results.append((version, tiers[tier]))
            before = version
        read += len(versions)
        if len(versions) < chunk:
            tier, before = tier + 1, _END
        else:
            before = versions[-1]
            if read >= _MAX_READ:
                return results, Cursor(tier, before)
            chunk = _CHUNK
    return results, None


def _current(connection: Connection, versions: list[int], *, fresh: bool | None, now: float) -> list[int]:
    """Return those of some versions that are current, in their order."""
    if not versions:
        return []
    statement = select(_P.version).where(_P.version.in_(versions), ~_P.removed)
    if fresh is not None:
        statement = statement.where(_P.fresh_until > now if fresh else _P.fresh_until <= now)
    return sorted((version for version in connection.execute(statement).scalars() if version), reverse=True)


def _hits(connection: Connection, results: list[tuple[int, _Tier]], words: list[str]) -> Iterator[Hit]:
    statement = (
        select_peers(_V.body)
        .join_from(PEERS, VERSIONS, _V.version == _P.version)
        .where(_P.version.in_([version for version, _ in results]), ~_P.removed)
    )
    rows = {row.version: row for row in connection.execute(statement)} if results else {}
    for version, tier in results:
        yield _hit(rows[version], words, tier.score)


def _hit(row: Row[*tuple[Any, ...]], words: list[str], score: float) -> Hit:
    peer = peer_of(row)
    facets = facets_of(orjson.loads(row.body), peer.dialect.partition("-")[0])
    return Hit(
        peer,
        printable(facets.description[:_DESCRIPTION_CHARACTERS]),
        printable(snippet_of(facets, words)) if words else "",
        score,
    )
