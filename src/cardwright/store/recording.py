"""Storing the results of checks: many in one transaction, each independent of the others."""

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

_WITH_CARD: Final = frozenset({"new", "changed", "quarantined"})
# The maximum of known words in a process's cache (project decision).
_MAX_KNOWN_WORDS: Final = 300_000

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
    # A peer that serves the current card again has no other card to approve.
    .values(**_SEEN, answer=func.coalesce(bindparam("new_answer"), _P.answer), waiting=null())
)
_FAILED: Final = (
    update(PEERS)
    .where(_P.number == _NUMBER)
    .values(
        **_CHECKED,
        failures=_P.failures + literal_column("1"),
        error=bindparam("new_error"),
        error_rule=bindparam("new_rule"),
    )
)
# The current card was not seen again: it becomes stale, and the error says why the new one waits.
_WAITS: Final = (
    update(PEERS)
    .where(_P.number == _NUMBER)
    .values(
        checked_at=bindparam("at"),
        next_at=bindparam("due"),
        lease_owner=null(),
        lease_until=null(),
        failures=literal_column("0"),
        error=bindparam("new_error"),
        error_rule=bindparam("new_rule"),
        waiting=bindparam("of_version"),
    )
)
_CURRENT: Final[dict[str, Any]] = {
    "card_id": bindparam("new_card_id"),
    "agent_id": func.coalesce(_P.configured_id, bindparam("new_card_id")),
    "name": bindparam("of_name"),
    "dialect": bindparam("of_dialect"),
    "valid": bindparam("is_valid"),
    "errors": bindparam("of_errors"),
    "warnings": bindparam("of_warnings"),
    "version": bindparam("of_version"),
    "body_digest": bindparam("of_digest"),
    "answer": bindparam("new_answer"),
    "waiting": null(),
    "id_since": case(
        (_P.version.is_(None), literal_column("0.0")),
        (_P.card_id == bindparam("new_card_id"), _P.id_since),
        else_=bindparam("at"),
    ),
}
_CHANGED: Final = update(PEERS).where(_P.number == _NUMBER).values(**_SEEN, **_CURRENT)
APPROVED: Final = update(PEERS).where(_P.number == _NUMBER).values(**_CURRENT)
BECOMES: Final = update(VERSIONS).where(_V.version == bindparam("of_version")).values(state=bindparam("now"))


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A card of a result, prepared for storing."""

    version: int
    words: Collection[str]
    row: dict[str, Any]
    name: str


def record(
    database: Database, observations: Sequence[Observation], *, owner: str | None, known: set[str]
) -> list[int | None]:
    """Store results of checks; a result that the database cannot store does not affect others.

    Args:
        database: The database.
        observations: The results.
        owner: The owner of the claims; results for peers that another owner claimed meanwhile are ignored.
        known: A cache of words that are in the vocabulary; it is extended.
    """
    for result in observations:
        _check(result)
    try:
        return _store(database, observations, owner, known)
    except StoreError as error:
        if error.cause != "other":
            raise
        if len(observations) > 1:
            return [record(database, [result], owner=owner, known=known)[0] for result in observations]
        if observations[0].outcome not in _WITH_CARD:
            raise
    return _store(database, [_failure_instead(observations[0])], owner, known)


def take(connection: Connection, name: str, count: int) -> int:
    """Return the first of `count` new numbers of a counter."""
    statement = (
        update(COUNTERS)
        .where(COUNTERS.c.name == name)
        .values(value=COUNTERS.c.value + count)
        .returning(COUNTERS.c.value)
    )
    return int(connection.execute(statement).scalar_one()) - count + 1


def learn(connection: Connection, words: Iterable[str]) -> None:
    """Add words to the vocabulary, for prefix searches; in sorted order, so that writers cannot deadlock."""
    rows = [{"word": word} for word in sorted(words)]
    if rows:
        upsert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
        execute_many(connection, upsert(VOCABULARY).on_conflict_do_nothing(), rows)


def _check(result: Observation) -> None:
    if result.outcome in _WITH_CARD and (result.card is None or not result.body):
        raise BadArgument(
            "observations", f"{result.url}: outcome {result.outcome} needs a card and its bytes"
        )
    if not all(math.isfinite(time) for time in (result.at, result.next_at, result.fresh_until)):
        raise BadArgument("observations", f"{result.url}: a time is not a finite number")


def _failure_instead(result: Observation) -> Observation:
    """Return the result to store instead of a card that the database cannot store."""
    return Observation(
        result.url,
        result.at,
        result.next_at,
        result.fresh_until,
        "failed",
        error="the database cannot store this card",
        error_rule="store/row",
    )


def _store(
    database: Database, observations: Sequence[Observation], owner: str | None, known: set[str]
) -> list[int | None]:
    cards = _prepared(database, observations, known)
    with database.writing() as connection:
        versions: list[int | None] = []
        for wave in _waves(observations):
            versions += _Wave(database, connection, owner).write(wave, cards)
    return versions


def _prepared(
    database: Database, observations: Sequence[Observation], known: set[str]
) -> dict[int, _Prepared]:
    """Return the prepared cards by the identity of their results, before any lock is taken."""
    with_card = [result for result in observations if result.outcome in _WITH_CARD]
    if not with_card:
        return {}
    prepared = [_version_row(result) for result in with_card]
    unknown = set[str]().union(*(words for _, words, _ in prepared)) - known
    with database.writing() as connection:
        first = take(connection, "version", len(with_card))
        learn(connection, plain_words(unknown))
    if len(known) > _MAX_KNOWN_WORDS:
        known.clear()
    known |= unknown
    return {
        id(result): _Prepared(first + offset, words, {"version": first + offset, **row}, name)
        for offset, (result, (row, words, name)) in enumerate(zip(with_card, prepared, strict=True))
    }


def _version_row(result: Observation) -> tuple[dict[str, Any], set[str], str]:
    card = result.card
    assert card is not None  # noqa: S101 - `_check` has seen it
    errors = sum(violation.severity == "error" for violation in card.violations)
    dialect = str(card.dialect)
    facets, words = facets_and_words(card.document, dialect, valid=not errors)
    row = {
        "seen_at": result.at,
        "dialect": dialect,
        "valid": not errors,
        "errors": errors,
        "warnings": len(card.violations) - errors,
        "card_id": usable_id(result.agent_id),
        "body_digest": digest_of(result.body),
        "answer": packed(result.answer),
        "change": storable(result.change),
        "body": result.body,
    }
    return row, words, stored_name(facets.name)


def usable_id(agent_id: str | None) -> str | None:
    """Return an id in its stored form; None if it is too long."""
    stored = storable(agent_id) if agent_id else None
    return stored if stored and len(stored) <= NAME_CHARACTERS else None


def stored_name(name: str) -> str:
    """Return a name in its stored form."""
    return storable(name)[:NAME_CHARACTERS]


def current_card(number: int, row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the parameters that make a version current."""
    return {
        "of_number": number,
        "new_card_id": row["card_id"],
        "of_name": name,
        "of_dialect": row["dialect"],
        "is_valid": row["valid"],
        "of_errors": row["errors"],
        "of_warnings": row["warnings"],
        "of_version": row["version"],
        "of_digest": row["body_digest"],
        "new_answer": row["answer"],
    }


def _waves(observations: Sequence[Observation]) -> list[list[Observation]]:
    """Split results at repeated peers, since each wave reads a peer's state once."""
    waves: list[list[Observation]] = [[]]
    seen: set[str] = set()
    for result in observations:
        if result.url in seen:
            waves.append([])
            seen.clear()
        seen.add(result.url)
        waves[-1].append(result)
    return waves


_PEER: Final = (
    select(_P.url, _P.number, _P.version, _P.waiting, _P.body_digest, _P.lease_owner)
    .where(~_P.removed)
    .with_for_update()
)
_CHUNK: Final = 500


class _Wave:
    """The statements for some peers, collected and sent by kind."""

    def __init__(self, database: Database, connection: Connection, owner: str | None) -> None:
        self._index = database.index
        self._connection = connection
        self._owner = owner
        self._unchanged: list[dict[str, Any]] = []
        self._failed: list[dict[str, Any]] = []
        self._waiting_updates: list[dict[str, Any]] = []
        self._changed: list[dict[str, Any]] = []
        self._inserted: list[dict[str, Any]] = []
        self._state_changes: list[dict[str, Any]] = []
        self._dropped: list[int] = []
        self._added: list[tuple[int, Collection[str]]] = []

    def write(self, observations: Sequence[Observation], cards: dict[int, _Prepared]) -> list[int | None]:
        """Store results of different peers, and return their versions."""
        peers = self._peers([result.url for result in observations])
        versions: list[int | None] = []
        for result in observations:
            peer = peers.get(result.url)
            # Another owner has claimed the peer: this result is older.
            if peer is None or (self._owner is not None and peer.lease_owner != self._owner):
                versions.append(None)
                continue
            versions.append(self._gather(result, peer, cards.get(id(result))))
        self._execute()
        return versions

    def _peers(self, urls: list[str]) -> dict[str, Row[*tuple[Any, ...]]]:
        rows: dict[str, Row[*tuple[Any, ...]]] = {}
        for at in range(0, len(urls), _CHUNK):
            statement = _PEER.where(_P.url.in_(urls[at : at + _CHUNK])).order_by(_P.number)
            rows |= {row.url: row for row in self._connection.execute(statement)}
        return rows

    def _gather(self, result: Observation, peer: Row[*tuple[Any, ...]], card: _Prepared | None) -> int | None:
        current: int | None = peer.version
        values = {
            "of_number": peer.number,
            "at": result.at,
            "due": result.next_at,
            "until": result.fresh_until,
        }
        if result.outcome == "failed":
            error = storable(result.error)[:ERROR_CHARACTERS]
            self._failed.append({**values, "new_error": error, "new_rule": storable(result.error_rule)})
            return current
        # It was approved meanwhile, and is current.
        approved = result.outcome == "quarantined" and card and card.row["body_digest"] == peer.body_digest
        if card is None or approved:
            values["new_answer"] = packed(result.answer) or None
            self._unchanged.append(values)
            if peer.waiting is not None:
                self._state_changes.append({"of_version": peer.waiting, "now": "past"})
            return current
        if result.outcome == "quarantined":
            values.pop("until")
            values |= {
                "new_error": storable(result.error)[:ERROR_CHARACTERS],
                "new_rule": storable(result.error_rule),
            }
            return self._quarantine(values, peer, card)
        self._inserted.append({**card.row, "peer": peer.number, "state": "current"})
        self._changed.append({**values, **current_card(peer.number, card.row, card.name)})
        self._added.append((card.version, card.words))
        for old in {peer.version, peer.waiting} - {None}:
            self._state_changes.append({"of_version": old, "now": "past"})
        if peer.version is not None:
            self._dropped.append(peer.version)
        return card.version

    def _quarantine(self, values: dict[str, Any], peer: Row[*tuple[Any, ...]], card: _Prepared) -> int:
        """Store a waiting card. The same bytes wait only once, and refused bytes do not wait again."""
        statement = (
            select(_V.version, _V.state, _V.body_digest)
            .where(_V.peer == peer.number, _V.state.in_(("waiting", "refused")))
            .where(_V.body_digest == card.row["body_digest"])
            .order_by(_V.version.desc())
            .limit(1)
        )
        stored_version = self._connection.execute(statement).first()
        if stored_version is not None:
            # Refused bytes do not replace a waiting version.
            waiting = stored_version.version if stored_version.state == "waiting" else peer.waiting
            self._waiting_updates.append({**values, "of_version": waiting})
            return int(stored_version.version)
        if peer.waiting is not None:
            self._state_changes.append({"of_version": peer.waiting, "now": "past"})
        self._inserted.append({**card.row, "peer": peer.number, "state": "waiting"})
        self._waiting_updates.append({**values, "of_version": card.version})
        return card.version

    def _execute(self) -> None:
        if self._dropped:
            self._index.drop(self._connection, words_of_stored(self._connection, self._dropped))
        for statement, rows in (
            (_UNCHANGED, self._unchanged),
            (_FAILED, self._failed),
            (BECOMES, self._state_changes),
            (insert(VERSIONS), self._inserted),
            (_WAITS, self._waiting_updates),
            (_CHANGED, self._changed),
        ):
            execute_many(self._connection, statement, rows)
        self._index.add(self._connection, self._added)
        # New peers have no history.
        if self._state_changes:
            prune(self._connection, (row["peer"] for row in self._inserted))
