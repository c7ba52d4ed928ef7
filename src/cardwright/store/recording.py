"""Writing what refreshes found: many sightings in one transaction, each of them for itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, case, func, insert, literal_column, null, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardwright.errors import BadArgument, StoreError
from cardwright.store.bulk import execute_many
from cardwright.store.facets import plain_words
from cardwright.store.history import prune
from cardwright.store.records import Observation
from cardwright.store.rows import (
    ERROR_CHARACTERS,
    NAME_CHARACTERS,
    digest_of,
    facets_and_words,
    packed,
    words_of_stored,
)
from cardwright.store.tables import COUNTERS, PEERS, VERSIONS, VOCABULARY
from cardwright.store.tokenizer import storable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sqlalchemy import Connection, Row

    from cardwright.store.database import Database

_CARRIES: Final = frozenset({"new", "changed", "quarantined"})
# How many words a process remembers to have written; past it, it begins anew (ours).
_KNOWN_WORDS: Final = 300_000

_P: Final = PEERS.c
_V: Final = VERSIONS.c
_NUMBER: Final[Any] = bindparam("of_number")
_CHECKED: Final[dict[str, Any]] = {
    "checked_at": bindparam("at"),
    "next_at": bindparam("due"),
    "fresh_until": bindparam("until"),
    "lease_owner": null(),
    "lease_until": null(),
}
_EMPTY: Final[Any] = literal_column("''")
_SEEN: Final[dict[str, Any]] = {
    **_CHECKED,
    "ok_at": bindparam("at"),
    "failures": literal_column("0"),
    "error": _EMPTY,
    "error_rule": _EMPTY,
}
_UNCHANGED: Final = (
    update(PEERS)
    .where(_P.number == _NUMBER)
    # Who serves the good card again serves no other that could be approved.
    .values(**_SEEN, answer=func.coalesce(bindparam("told"), _P.answer), waiting=null())
)
_FAILED: Final = (
    update(PEERS)
    .where(_P.number == _NUMBER)
    .values(
        **_CHECKED,
        failures=_P.failures + literal_column("1"),
        error=bindparam("said"),
        error_rule=bindparam("by_rule"),
    )
)
# The good card was not seen again: it grows old, and what holds the other one up is told.
_WAITS: Final = (
    update(PEERS)
    .where(_P.number == _NUMBER)
    .values(
        checked_at=bindparam("at"),
        next_at=bindparam("due"),
        lease_owner=null(),
        lease_until=null(),
        failures=literal_column("0"),
        error=bindparam("said"),
        error_rule=bindparam("by_rule"),
        waiting=bindparam("of_version"),
    )
)
_CURRENT: Final[dict[str, Any]] = {
    "card_id": bindparam("said_id"),
    "agent_id": func.coalesce(_P.configured_id, bindparam("said_id")),
    "name": bindparam("of_name"),
    "dialect": bindparam("of_dialect"),
    "valid": bindparam("is_valid"),
    "errors": bindparam("of_errors"),
    "warnings": bindparam("of_warnings"),
    "version": bindparam("of_version"),
    "body_digest": bindparam("of_digest"),
    "answer": bindparam("told"),
    "waiting": null(),
    "id_since": case(
        (_P.version.is_(None), literal_column("0.0")),
        (_P.card_id == bindparam("said_id"), _P.id_since),
        else_=bindparam("at"),
    ),
}
_CHANGED: Final = update(PEERS).where(_P.number == _NUMBER).values(**_SEEN, **_CURRENT)
APPROVED: Final = update(PEERS).where(_P.number == _NUMBER).values(**_CURRENT)
BECOMES: Final = update(VERSIONS).where(_V.version == bindparam("of_version")).values(state=bindparam("now"))


@dataclass(frozen=True, slots=True)
class _Found:
    """A card that was seen, ready to be written."""

    version: int
    words: Collection[str]
    row: dict[str, Any]
    name: str


def record(
    database: Database, sightings: Sequence[Observation], *, owner: str | None, known: set[str]
) -> list[int | None]:
    """Write sightings; one that the database cannot take costs no other.

    Args:
        database: Where.
        sightings: What was found.
        owner: Who claimed the peers; what somebody else has claimed meanwhile is dropped.
        known: Words that were written before; it grows.
    """
    for one in sightings:
        _check(one)
    try:
        return _written(database, sightings, owner, known)
    except StoreError as error:
        if error.cause != "other":
            raise
        if len(sightings) > 1:
            return [record(database, [one], owner=owner, known=known)[0] for one in sightings]
        if sightings[0].outcome not in _CARRIES:
            raise
    return _written(database, [_untaken(sightings[0])], owner, known)


def take(connection: Connection, name: str, count: int) -> int:
    """Return the first of so many new numbers of a counter."""
    asked = (
        update(COUNTERS)
        .where(COUNTERS.c.name == name)
        .values(value=COUNTERS.c.value + count)
        .returning(COUNTERS.c.value)
    )
    return int(connection.execute(asked).scalar_one()) - count + 1


def learn(connection: Connection, words: Iterable[str]) -> None:
    """Write words down for those that ask how words begin; in order, so that no two writers wait for each other."""
    rows = [{"word": word} for word in sorted(words)]
    if rows:
        made = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        execute_many(connection, made(VOCABULARY).on_conflict_do_nothing(), rows)


def _check(sighting: Observation) -> None:
    if sighting.outcome in _CARRIES and (sighting.card is None or not sighting.body):
        raise BadArgument("sightings", f"{sighting.url} is {sighting.outcome}, without its card or its bytes")
    if not all(math.isfinite(time) for time in (sighting.at, sighting.next_at, sighting.fresh_until)):
        raise BadArgument("sightings", f"{sighting.url} has a time that is no finite number")


def _untaken(sighting: Observation) -> Observation:
    """Return what stands in for a card that the database could not take."""
    return Observation(
        sighting.url,
        sighting.at,
        sighting.next_at,
        sighting.fresh_until,
        "failed",
        error="the database cannot take this card",
        error_rule="store/row",
    )


def _written(
    database: Database, sightings: Sequence[Observation], owner: str | None, known: set[str]
) -> list[int | None]:
    found = _prepared(database, sightings, known)
    with database.writing() as connection:
        versions: list[int | None] = []
        for wave in _waves(sightings):
            versions += _Wave(database, connection, owner).write(wave, found)
    return versions


def _prepared(database: Database, sightings: Sequence[Observation], known: set[str]) -> dict[int, _Found]:
    """Return what is to be written of each card, by the sighting's identity; before any lock is held."""
    carrying = [one for one in sightings if one.outcome in _CARRIES]
    if not carrying:
        return {}
    made = [_row(one) for one in carrying]
    unknown = set[str]().union(*(words for _, words, _ in made)) - known
    with database.writing() as connection:
        first = take(connection, "version", len(carrying))
        learn(connection, plain_words(unknown))
    if len(known) > _KNOWN_WORDS:
        known.clear()
    known |= unknown
    return {
        id(one): _Found(first + offset, words, {"version": first + offset, **row}, name)
        for offset, (one, (row, words, name)) in enumerate(zip(carrying, made, strict=True))
    }


def _row(sighting: Observation) -> tuple[dict[str, Any], set[str], str]:
    card = sighting.card
    assert card is not None  # noqa: S101 - `_check` has seen it
    errors = sum(violation.severity == "error" for violation in card.violations)
    dialect = str(card.dialect)
    facets, words = facets_and_words(card.document, dialect, valid=not errors)
    row = {
        "seen_at": sighting.at,
        "dialect": dialect,
        "valid": not errors,
        "errors": errors,
        "warnings": len(card.violations) - errors,
        "card_id": usable_id(sighting.agent_id),
        "body_digest": digest_of(sighting.body),
        "answer": packed(sighting.answer),
        "change": storable(sighting.change),
        "body": sighting.body,
    }
    return row, words, stored_name(facets.name)


def usable_id(agent_id: str | None) -> str | None:
    """Return an id as it is stored; None for what is too long to be one."""
    told = storable(agent_id) if agent_id else None
    return told if told and len(told) <= NAME_CHARACTERS else None


def stored_name(name: str) -> str:
    """Return a name as it is stored."""
    return storable(name)[:NAME_CHARACTERS]


def current_card(number: int, row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the parameters that make a version the peer's good one."""
    return {
        "of_number": number,
        "said_id": row["card_id"],
        "of_name": name,
        "of_dialect": row["dialect"],
        "is_valid": row["valid"],
        "of_errors": row["errors"],
        "of_warnings": row["warnings"],
        "of_version": row["version"],
        "of_digest": row["body_digest"],
        "told": row["answer"],
    }


def _waves(sightings: Sequence[Observation]) -> list[list[Observation]]:
    """Cut sightings where a peer comes again, since a wave knows each peer as it was before."""
    waves: list[list[Observation]] = [[]]
    seen: set[str] = set()
    for one in sightings:
        if one.url in seen:
            waves.append([])
            seen.clear()
        seen.add(one.url)
        waves[-1].append(one)
    return waves


_PEER: Final = (
    select(_P.url, _P.number, _P.version, _P.waiting, _P.body_digest, _P.lease_owner)
    .where(~_P.removed)
    .with_for_update()
)
_CHUNK: Final = 500


class _Wave:
    """The statements for some peers, gathered and then sent one kind at a time."""

    def __init__(self, database: Database, connection: Connection, owner: str | None) -> None:
        self._index = database.index
        self._connection = connection
        self._owner = owner
        self._unchanged: list[dict[str, Any]] = []
        self._failed: list[dict[str, Any]] = []
        self._waits: list[dict[str, Any]] = []
        self._changed: list[dict[str, Any]] = []
        self._inserted: list[dict[str, Any]] = []
        self._become: list[dict[str, Any]] = []
        self._dropped: list[int] = []
        self._added: list[tuple[int, Collection[str]]] = []

    def write(self, sightings: Sequence[Observation], found: dict[int, _Found]) -> list[int | None]:
        """Write sightings of different peers, and return the version that each is about."""
        peers = self._peers([one.url for one in sightings])
        versions: list[int | None] = []
        for one in sightings:
            peer = peers.get(one.url)
            # Another owner has it, or had it and is done: what was found here is older.
            if peer is None or (self._owner is not None and peer.lease_owner != self._owner):
                versions.append(None)
                continue
            versions.append(self._gather(one, peer, found.get(id(one))))
        self._send()
        return versions

    def _peers(self, urls: list[str]) -> dict[str, Row[*tuple[Any, ...]]]:
        rows: dict[str, Row[*tuple[Any, ...]]] = {}
        for at in range(0, len(urls), _CHUNK):
            asked = _PEER.where(_P.url.in_(urls[at : at + _CHUNK])).order_by(_P.number)
            rows |= {row.url: row for row in self._connection.execute(asked)}
        return rows

    def _gather(self, one: Observation, peer: Row[*tuple[Any, ...]], found: _Found | None) -> int | None:
        stays: int | None = peer.version
        seen = {"of_number": peer.number, "at": one.at, "due": one.next_at, "until": one.fresh_until}
        if one.outcome == "failed":
            error = storable(one.error)[:ERROR_CHARACTERS]
            self._failed.append({**seen, "said": error, "by_rule": storable(one.error_rule)})
            return stays
        # Approved meanwhile, it is the good one.
        approved = one.outcome == "quarantined" and found and found.row["body_digest"] == peer.body_digest
        if found is None or approved:
            seen["told"] = packed(one.answer) or None
            self._unchanged.append(seen)
            if peer.waiting is not None:
                self._become.append({"of_version": peer.waiting, "now": "past"})
            return stays
        if one.outcome == "quarantined":
            seen.pop("until")
            seen |= {"said": storable(one.error)[:ERROR_CHARACTERS], "by_rule": storable(one.error_rule)}
            return self._quarantine(seen, peer, found)
        self._inserted.append({**found.row, "peer": peer.number, "state": "current"})
        self._changed.append({**seen, **current_card(peer.number, found.row, found.name)})
        self._added.append((found.version, found.words))
        for old in {peer.version, peer.waiting} - {None}:
            self._become.append({"of_version": old, "now": "past"})
        if peer.version is not None:
            self._dropped.append(peer.version)
        return found.version

    def _quarantine(self, seen: dict[str, Any], peer: Row[*tuple[Any, ...]], found: _Found) -> int:
        """Keep a card that waits. The same bytes wait once, and what was refused is not asked about again."""
        asked = (
            select(_V.version, _V.state, _V.body_digest)
            .where(_V.peer == peer.number, _V.state.in_(("waiting", "refused")))
            .where(_V.body_digest == found.row["body_digest"])
            .order_by(_V.version.desc())
            .limit(1)
        )
        same = self._connection.execute(asked).first()
        if same is not None:
            # What was refused takes the place of nothing that waits.
            waiting = same.version if same.state == "waiting" else peer.waiting
            self._waits.append({**seen, "of_version": waiting})
            return int(same.version)
        if peer.waiting is not None:
            self._become.append({"of_version": peer.waiting, "now": "past"})
        self._inserted.append({**found.row, "peer": peer.number, "state": "waiting"})
        self._waits.append({**seen, "of_version": found.version})
        return found.version

    def _send(self) -> None:
        if self._dropped:
            self._index.drop(self._connection, words_of_stored(self._connection, self._dropped))
        for statement, rows in (
            (_UNCHANGED, self._unchanged),
            (_FAILED, self._failed),
            (BECOMES, self._become),
            (insert(VERSIONS), self._inserted),
            (_WAITS, self._waits),
            (_CHANGED, self._changed),
        ):
            execute_many(self._connection, statement, rows)
        self._index.add(self._connection, self._added)
        # Who is new has no history.
        if self._become:
            prune(self._connection, (row["peer"] for row in self._inserted))
