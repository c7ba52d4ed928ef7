"""Finding cards by what they say, in time that does not grow with how common a word is.

The order, exactly: first cards whose name is the text, then those whose name has all of its words, then those
that have them among the names of agent, skills, tags and provider, then those that have them anywhere;
within each of these tiers the version that was stored last comes first. Filters narrow every tier.
The index streams each tier in that order, so nothing is ranked that is not shown, and no page repeats a card.

The last word also stands for words that it begins, if it has three letters: for the first 24 of them that any
card ever had, in the order of their code points.

Whether a card is fresh changes with the clock and is in no index: a page looks at up to 2,000 cards, and ends early
with a cursor where too few of them were fresh.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import select

from cardwright.errors import BadArgument
from cardwright.outline.members import words as in_words
from cardwright.store.cursors import Cursor, opened, sealed
from cardwright.store.facets import (
    ANY,
    HEADLINE,
    NAME,
    asked_facets,
    asked_name,
    facets_of,
    query_words,
    snippet_of,
)
from cardwright.store.index import Wanted
from cardwright.store.records import Hit, Page, Query
from cardwright.store.rows import peer_of, select_peers
from cardwright.store.tables import COUNTERS, PEERS, VERSIONS, VOCABULARY
from cardwright.store.tokenizer import unspaced_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Row

    from cardwright.store.index import Groups, Index

MAX_HITS: Final = 200
_LOOKED_AT: Final = 2_000
_CHUNK: Final = 1_000
_DESCRIPTION_CHARACTERS: Final = 200
_BEGINNING_CHARACTERS: Final = 3
_BEGINNINGS: Final = 24
_LAST_CODEPOINT: Final = "\U0010ffff"
_END: Final = 2**62
_SCORES: Final = (1.0, 0.75, 0.5, 0.25)
# What the words of each tier are marked with; the first tier is the whole name.
_MARKS: Final = (NAME, HEADLINE, "")

_P: Final = PEERS.c
_V: Final = VERSIONS.c


@dataclass(frozen=True, slots=True)
class _Tier:
    """One of the searches that make up the order; every card is in the first that it fits."""

    wanted: Wanted
    score: float


def search(
    connection: Connection, index: Index, query: Query, *, limit: int, cursor: str | None, now: float
) -> Page:
    """Return a page of the cards that a query describes.

    Raises:
        BadArgument: If the limit is not 1 to 200, or the cursor none of this query.
    """
    if not 1 <= limit <= MAX_HITS:
        raise BadArgument("limit", f"is 1 to {MAX_HITS}, not {limit}")
    key = connection.execute(select(COUNTERS.c.value).where(COUNTERS.c.name == "seal")).scalar_one()
    place = opened(cursor, query, key) if cursor is not None else Cursor(0, _END)
    words = query_words(query.text)
    if query.text.strip() and not words:
        return Page(())
    tiers = _tiers(connection, query, words)
    if place.tier >= len(tiers):
        raise BadArgument("cursor", "is none of this query and this database: begin without one")
    found, rest = _gathered(connection, index, tiers, place, limit=limit, fresh=query.fresh, now=now)
    return Page(tuple(_hits(connection, found, words)), sealed(rest, query, key) if rest else None)


def _tiers(connection: Connection, query: Query, words: list[str]) -> list[_Tier]:
    filters = tuple(asked_facets(query))
    if not words:
        return [_Tier(Wanted(filters or ((ANY,),)), 0.0)]
    asked: list[tuple[str, ...]] = [(word,) for word in words]
    asked[-1] = (words[-1], *_begun_by(connection, words[-1]))
    texts: list[Groups] = [((asked_name(query.text),),)]
    texts += [tuple(tuple(mark + word for word in group) for group in asked) for mark in _MARKS]
    return [
        _Tier(Wanted((*text, *filters), tuple(texts[:place])), _SCORES[place])
        for place, text in enumerate(texts)
    ]


def _begun_by(connection: Connection, word: str) -> tuple[str, ...]:
    if len(word) < _BEGINNING_CHARACTERS or unspaced_run(word):
        return ()
    known = VOCABULARY.c.word
    asked = select(known).where(known > word, known < word + _LAST_CODEPOINT).order_by(known)
    return tuple(connection.execute(asked.limit(_BEGINNINGS)).scalars())


def _gathered(
    connection: Connection,
    index: Index,
    tiers: list[_Tier],
    place: Cursor,
    *,
    limit: int,
    fresh: bool | None,
    now: float,
) -> tuple[list[tuple[int, _Tier]], Cursor | None]:
    """Return versions with their tiers, and where to go on; one more than asked for tells whether there is more."""
    found: list[tuple[int, _Tier]] = []
    looked, tier, before, chunk = 0, place.tier, place.before, limit + 1
    while tier < len(tiers):
        versions = index.find(connection, tiers[tier].wanted, before=before, limit=chunk)
        for version in _good(connection, versions, fresh=fresh, now=now):
            if len(found) == limit:
                return found, Cursor(tier, before)
            found.append((version, tiers[tier]))
            before = version
        looked += len(versions)
        if len(versions) < chunk:
            tier, before = tier + 1, _END
        else:
            before = versions[-1]
            if looked >= _LOOKED_AT:
                return found, Cursor(tier, before)
            chunk = _CHUNK
    return found, None


def _good(connection: Connection, versions: list[int], *, fresh: bool | None, now: float) -> list[int]:
    """Return those of some versions that are some peer's good card, in their order."""
    if not versions:
        return []
    asked = select(_P.version).where(_P.version.in_(versions), ~_P.removed)
    if fresh is not None:
        asked = asked.where(_P.fresh_until > now if fresh else _P.fresh_until <= now)
    return sorted((version for version in connection.execute(asked).scalars() if version), reverse=True)


def _hits(connection: Connection, found: list[tuple[int, _Tier]], words: list[str]) -> Iterator[Hit]:
    asked = (
        select_peers(_V.body)
        .join_from(PEERS, VERSIONS, _V.version == _P.version)
        .where(_P.version.in_([version for version, _ in found]), ~_P.removed)
    )
    rows = {row.version: row for row in connection.execute(asked)} if found else {}
    for version, tier in found:
        yield _hit(rows[version], words, tier.score)


def _hit(row: Row[*tuple[Any, ...]], words: list[str], score: float) -> Hit:
    peer = peer_of(row)
    facets = facets_of(orjson.loads(row.body), peer.dialect.partition("-")[0])
    return Hit(
        peer,
        in_words(facets.description[:_DESCRIPTION_CHARACTERS]),
        in_words(snippet_of(facets, words)) if words else "",
        score,
    )
