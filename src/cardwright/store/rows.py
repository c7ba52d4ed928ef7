"""Conversion of rows to records, and of responses to stored text."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import Select, case, select, tuple_

from cardwright.store.facets import facets_of, indexed_words
from cardwright.store.records import FetchRecord, PeerRecord, PeerSettings, VersionRecord
from cardwright.store.tables import PEERS, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection, Row

    from cardwright.store.facets import Facets

# The maximum length of names and errors; PostgreSQL cannot index much longer texts (project decision).
NAME_CHARACTERS: Final = 512
ERROR_CHARACTERS: Final = 1_000

_EARLIER: Final = PEERS.alias("earlier")


def claim_to_id(peers: Any) -> tuple[Any, ...]:
    """Return the sort key of peers with the same id; the first one has the id.

    A configured id comes before one in a card, an id in a peer's first card before a later one, and then the
    peer that was added first.
    """
    return case((peers.c.configured_id.is_(None), 1), else_=0), peers.c.id_since, peers.c.place


_CONFLICT: Final = (
    select(_EARLIER.c.url)
    .where(
        ~_EARLIER.c.removed,
        _EARLIER.c.agent_id == PEERS.c.agent_id,
        tuple_(*claim_to_id(_EARLIER)) < tuple_(*claim_to_id(PEERS)),
    )
    .order_by(*claim_to_id(_EARLIER))
    .limit(1)
    .scalar_subquery()
    .label("conflicts_with")
)
_P: Final = PEERS.c
_PEER_COLUMNS: Final = (
    _P.url, _P.configured_id, _P.ttl_seconds, _P.pin, _P.replace_valid, _P.source, _P.agent_id, _CONFLICT,
    _P.name, _P.dialect, _P.valid, _P.errors, _P.warnings, _P.checked_at, _P.ok_at, _P.fresh_until, _P.next_at,
    _P.failures, _P.error, _P.error_rule, _P.answer, _P.version, _P.body_digest, _P.waiting, _P.removed,
)  # fmt: skip
_V: Final = VERSIONS.c
_VERSION_COLUMNS: Final = (
    _V.version, _P.url, _V.seen_at, _V.body_digest, _V.dialect, _V.valid, _V.errors, _V.warnings, _V.answer,
    _V.change, _V.state,
)  # fmt: skip


def select_peers(*more: Any) -> Select[*tuple[Any, ...]]:
    """Return the statement for `peer_of`, with further columns appended."""
    return select(*_PEER_COLUMNS, *more)


def select_versions() -> Select[*tuple[Any, ...]]:
    """Return the statement for `version_of`."""
    return select(*_VERSION_COLUMNS).join_from(VERSIONS, PEERS, _V.peer == _P.number)


def peer_of(row: Row[*tuple[Any, ...]], *, claimed_until: float | None = None) -> PeerRecord:
    """Return the record of a peer's row; `claimed_until` is the end of a claim made after the row was read."""
    (
        url, configured_id, ttl_seconds, pin, replace_valid, source, agent_id, conflicts_with,
        name, dialect, valid, errors, warnings, checked_at, ok_at, fresh_until, next_at,
        failures, error, error_rule, answer, version, body_digest, waiting, removed, *_,
    ) = row  # fmt: skip
    return PeerRecord(
        url,
        PeerSettings(url, configured_id, ttl_seconds, pin, replace_valid, source),
        agent_id,
        None if removed else conflicts_with,
        name,
        dialect,
        valid,
        errors,
        warnings,
        checked_at,
        ok_at,
        fresh_until,
        next_at if claimed_until is None else claimed_until,
        failures,
        error,
        error_rule,
        unpacked(answer),
        version,
        body_digest,
        waiting,
        removed,
    )


def version_of(row: Row[*tuple[Any, ...]]) -> VersionRecord:
    """Return the record of a version's row."""
    version, url, seen_at, body_digest, dialect, valid, errors, warnings, answer, change, state = row
    return VersionRecord(
        version, url, seen_at, body_digest, dialect, valid, errors, warnings, unpacked(answer), change, state
    )


def packed(answer: FetchRecord | None) -> str:
    """Return a response as stored text; "" for none."""
    if answer is None:
        return ""
    fields = (
        answer.url,
        answer.fetched_at,
        answer.status,
        answer.headers,
        answer.request_headers,
        answer.candidate,
        answer.signature,
        answer.signed_by,
        answer.references,
    )
    try:
        return orjson.dumps(fields).decode()
    except TypeError:
        # Unpaired surrogates and numbers past 64 bits: the standard library escapes and writes them.
        return json.dumps(fields)


def unpacked(text: str) -> FetchRecord | None:
    """Return the response of a stored text, or None."""
    if not text:
        return None
    url, fetched_at, status, headers, request_headers, *rest = json.loads(text)
    return FetchRecord(url, fetched_at, status, _pairs(headers), _pairs(request_headers), *rest)


def digest_of(body: bytes) -> str:
    """Return the SHA-256 of a card's bytes in hexadecimal, as in `body_digest`."""
    return hashlib.sha256(body).hexdigest()


def facets_and_words(document: Any, dialect: str, *, valid: bool) -> tuple[Facets, set[str]]:
    """Return the facets of a card, and the words that it is found by."""
    facets = facets_of(document, dialect.partition("-")[0])
    return facets, indexed_words(facets, dialect, valid=valid)


def words_of_stored(connection: Connection, versions: Collection[int]) -> list[tuple[int, set[str]]]:
    """Return stored versions with the words that they are found by, derived again from their bodies."""
    statement = select(_V.version, _V.dialect, _V.valid, _V.body).where(_V.version.in_(versions))
    return [
        (version, facets_and_words(orjson.loads(body), dialect, valid=valid)[1])
        for version, dialect, valid, body in connection.execute(statement)
    ]


def _pairs(values: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in values)
