"""Registering peers: add, remove, and approve or refuse a waiting version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import bindparam, case, delete, func, insert, select, update

from cardwright.errors import BadArgument, UnknownPeer
from cardwright.jcs import digest
from cardwright.store.facets import plain_words
from cardwright.store.recording import APPROVED, BECOMES, current_card, learn, stored_name, take, usable_id
from cardwright.store.records import Counts
from cardwright.store.rows import facets_and_words, words_of_stored
from cardwright.store.tables import DOCUMENTS, PEERS, VERSIONS
from cardwright.store.tokenizer import storable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection, Row

    from cardwright.store.index import Index
    from cardwright.store.records import PeerSettings

# The common maximum of clients and servers (project decision), and within the index limit of PostgreSQL.
URL_CHARACTERS: Final = 2_048
_CHUNK: Final = 500
# Removes the pin of a known peer.
NO_PIN: Final = "none"
_DIGEST: Final = "sha256:"

_P: Final = PEERS.c
_V: Final = VERSIONS.c
_SETTINGS: Final = ("configured_id", "ttl_seconds", "pin", "replace_valid", "source")
_CHANGE: Final = (
    update(PEERS)
    .where(_P.number == bindparam("of_number"))
    .values(
        **{name: bindparam(f"new_{name}") for name in _SETTINGS},
        agent_id=func.coalesce(bindparam("new_configured_id"), _P.card_id),
        removed=False,
        place=bindparam("new_place"),
        next_at=bindparam("new_next_at"),
    )
)


def are_stored(connection: Connection, peers: Iterable[PeerSettings]) -> bool:
    """Whether all these peers are registered with these settings.

    Raises:
        BadArgument: As `add`.
    """
    columns = (_P.url, *(_P[name] for name in _SETTINGS))
    for chunk in _chunks({peer.url: peer for peer in peers}):
        statement = select(*columns).where(_P.url.in_(list(chunk)), ~_P.removed)
        stored = {row.url: row for row in connection.execute(statement)}
        if any(url not in stored or _changed(stored[url], row) for url, row in chunk.items()):
            return False
    return True


def add(connection: Connection, peers: Iterable[PeerSettings]) -> None:
    """Add peers, or change their settings; of several with the same URL the last counts.

    Raises:
        BadArgument: If a URL is empty or too long, or an id too long.
    """
    last = {peer.url: peer for peer in peers}
    # The counter first: it is one row, so concurrent calls wait here and then see the new peers.
    place = take(connection, "place", len(last)) if last else 0
    for chunk in _chunks(last):
        _add(connection, chunk, place)
        place += len(chunk)


def _chunks(peers: dict[str, PeerSettings]) -> Iterator[dict[str, dict[str, Any]]]:
    """Yield the rows of peers by URL, a chunk at a time: all rows of a million peers would take 1.5 GB."""
    urls = list(peers)
    for at in range(0, len(urls), _CHUNK):
        yield {url: _row(peers[url]) for url in urls[at : at + _CHUNK]}


def _add(connection: Connection, rows_by_url: dict[str, dict[str, Any]], place: int) -> None:
    """Add the rows that are new, in the order of `place`, and change those of known peers."""
    columns = (_P.url, _P.number, _P.place, _P.next_at, _P.removed, *(_P[name] for name in _SETTINGS))
    statement = select(*columns).where(_P.url.in_(list(rows_by_url)))
    known = {row.url: row for row in connection.execute(statement)}
    new, changed = [], []
    for offset, (url, row) in enumerate(rows_by_url.items()):
        old = known.get(url)
        if old is None:
            stored = _stored_form(row)
            new.append({"url": url, "place": place + offset, "agent_id": stored["configured_id"], **stored})
        elif old.removed or _changed(old, row):
            added_again = {"new_place": place + offset, "new_next_at": 0.0}
            unchanged = {"new_place": old.place, "new_next_at": old.next_at}
            # A removed peer starts with new settings; for another one, unset values stay.
            stored = _stored_form(row if old.removed else _merged(old, row))
            settings = {f"new_{name}": stored[name] for name in _SETTINGS}
            changed.append(
                {"of_number": old.number, **settings, **(added_again if old.removed else unchanged)}
            )
    if new:
        connection.execute(insert(PEERS), new)
    if changed:
        connection.execute(_CHANGE, changed)


def _merged(old: Row[*tuple[Any, ...]], new: dict[str, Any]) -> dict[str, Any]:
    """Return the stored settings of a peer, updated with new ones."""
    return {name: getattr(old, name) if new[name] is None else new[name] for name in _SETTINGS}


def _changed(old: Row[*tuple[Any, ...]], new: dict[str, Any]) -> bool:
    stored = _stored_form(_merged(old, new))
    return any(getattr(old, name) != stored[name] for name in _SETTINGS)


def _stored_form(row: dict[str, Any]) -> dict[str, Any]:
    """Return settings in their stored form: no pin for `none`, and defaults for unset values."""
    return {
        **row,
        "pin": None if row["pin"] == NO_PIN else row["pin"],
        "replace_valid": bool(row["replace_valid"]),
    }


def _row(peer: PeerSettings) -> dict[str, Any]:
    if not peer.url or len(peer.url) > URL_CHARACTERS or storable(peer.url) != peer.url:
        reason = f"the URL of a peer must have 1 to {URL_CHARACTERS:,} characters: {peer.url[:80]!r}"
        raise BadArgument("peers", reason)
    if peer.id is not None and usable_id(peer.id) != peer.id:
        raise BadArgument("peers", f"the id of {peer.url} is empty or too long")
    return {
        "configured_id": peer.id,
        "ttl_seconds": peer.ttl_seconds,
        "pin": storable(peer.pin) if peer.pin is not None else None,
        "replace_valid": peer.replace_valid,
        "source": storable(peer.source),
    }


def remove(connection: Connection, index: Index, urls: Iterable[str], *, purge: bool) -> None:
    """Remove peers; their history stays for a later `add`, unless `purge` is set. Unknown ones are ignored."""
    stored_urls = [storable(url) for url in urls]
    for at in range(0, len(stored_urls), _CHUNK):
        chunk = _P.url.in_(stored_urls[at : at + _CHUNK])
        if not purge:
            statement = update(PEERS).where(chunk, ~_P.removed)
            connection.execute(statement.values(removed=True, lease_owner=None, lease_until=None))
            continue
        current = connection.execute(select(_P.version).where(chunk, _P.version.is_not(None))).scalars().all()
        index.drop(connection, words_of_stored(connection, current))
        connection.execute(delete(PEERS).where(chunk))
        connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.peer.in_(stored_urls[at : at + _CHUNK])))


def approve(connection: Connection, index: Index, url: str, version: int | None) -> None:
    """Make the waiting version current, and update a pin by digest.

    Raises:
        BadArgument: If no version waits, or another than the given one.
        UnknownPeer: If there is no such peer.
    """
    peer = _waiting(connection, url)
    if version is not None and version != peer.waiting:
        raise BadArgument(
            "version",
            f"version {version} is not waiting for approval; version {peer.waiting} is. Check and approve version"
            f" {peer.waiting}",
        )
    row = connection.execute(select(VERSIONS).where(_V.version == peer.waiting)).mappings().one()
    facets, words = facets_and_words(orjson.loads(row["body"]), row["dialect"], valid=row["valid"])
    if peer.version is not None:
        index.drop(connection, words_of_stored(connection, [peer.version]))
        connection.execute(BECOMES, {"of_version": peer.version, "now": "past"})
    connection.execute(BECOMES, {"of_version": peer.waiting, "now": "current"})
    parameters = current_card(peer.number, dict(row), stored_name(facets.name))
    connection.execute(APPROVED, {**parameters, "at": row["seen_at"]})
    # Due at once: the next check fetches the references, and confirms that the card is still served.
    seen: dict[str, Any] = {"ok_at": row["seen_at"], "next_at": 0.0, "error": "", "error_rule": ""}
    if peer.pin is not None and peer.pin.startswith(_DIGEST):
        seen["pin"] = digest(orjson.loads(row["body"]))
    connection.execute(update(PEERS).where(_P.number == peer.number).values(**seen))
    index.add(connection, [(peer.waiting, words)])
    learn(connection, plain_words(words))


def refuse(connection: Connection, url: str) -> None:
    """Refuse the waiting version; the current one stays, and the same bytes do not wait again.

    Raises:
        BadArgument: If no version waits.
        UnknownPeer: If there is no such peer.
    """
    peer = _waiting(connection, url)
    connection.execute(BECOMES, {"of_version": peer.waiting, "now": "refused"})
    connection.execute(update(PEERS).where(_P.number == peer.number).values(waiting=None))


def _waiting(connection: Connection, url: str) -> Row[*tuple[Any, ...]]:
    statement = select(_P.number, _P.version, _P.waiting, _P.pin).where(_P.url == storable(url), ~_P.removed)
    peer = connection.execute(statement.with_for_update()).first()
    if peer is None:
        raise UnknownPeer(url)
    if peer.waiting is None:
        raise BadArgument("url", f"no version of {url} waits for approval")
    return peer


def counted(connection: Connection, now: float) -> Counts:
    """Return the number of peers by state."""

    def count_if(condition: Any) -> Any:
        return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)

    has_card = _P.version.is_not(None)
    statement = select(
        func.count(),
        count_if(has_card),
        count_if(_P.valid),
        count_if(has_card & (_P.fresh_until <= now)),
        count_if(_P.failures > 0),
        count_if(_P.waiting.is_not(None)),
    ).where(~_P.removed)
    return Counts(*map(int, connection.execute(statement).one()))
