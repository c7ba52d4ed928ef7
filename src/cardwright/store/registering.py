"""Which peers there are: adding, removing, and what the operator says of a version that waits."""

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
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row

    from cardwright.store.index import Index
    from cardwright.store.records import PeerSettings

# As long as clients and servers commonly take them (ours); also what PostgreSQL can index.
URL_CHARACTERS: Final = 2_048
_CHUNK: Final = 500
# Says of a known peer that it is pinned no more.
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


def known(connection: Connection, peers: Iterable[PeerSettings]) -> bool:
    """Return whether peers are there, and all that is said of them is as it is stored.

    Raises:
        BadArgument: As `add`.
    """
    wanted = {one.url: _row(one) for one in peers}
    urls = list(wanted)
    columns = (_P.url, *(_P[name] for name in _SETTINGS))
    for at in range(0, len(urls), _CHUNK):
        asked = select(*columns).where(_P.url.in_(urls[at : at + _CHUNK]), ~_P.removed)
        rows = {row.url: row for row in connection.execute(asked)}
        for url in urls[at : at + _CHUNK]:
            row = rows.get(url)
            if row is None or _changed(row, wanted[url]):
                return False
    return True


def add(connection: Connection, peers: Iterable[PeerSettings]) -> None:
    """Add peers, or change what is said of them; of several with one URL the last counts.

    Raises:
        BadArgument: If a URL is empty or too long, or an id too long.
    """
    wanted = {one.url: _row(one) for one in peers}
    known: dict[str, Row[*tuple[Any, ...]]] = {}
    urls = list(wanted)
    # First the counter, which is one row: who adds at the same time waits here, and finds what is new.
    place = take(connection, "place", len(wanted)) if wanted else 0
    columns = (_P.url, _P.number, _P.place, _P.next_at, _P.removed, *(_P[name] for name in _SETTINGS))
    for at in range(0, len(urls), _CHUNK):
        asked = select(*columns).where(_P.url.in_(urls[at : at + _CHUNK]))
        known |= {row.url: row for row in connection.execute(asked)}
    new, changed = [], []
    for offset, (url, row) in enumerate(wanted.items()):
        old = known.get(url)
        if old is None:
            whole = _whole(row)
            new.append({"url": url, "place": place + offset, "agent_id": whole["configured_id"], **whole})
        elif old.removed or _changed(old, row):
            back = {"new_place": place + offset, "new_next_at": 0.0}
            stays = {"new_place": old.place, "new_next_at": old.next_at}
            # One that was removed begins anew; of another, what is not said stays.
            whole = _whole(row if old.removed else _over(old, row))
            settings = {f"new_{name}": whole[name] for name in _SETTINGS}
            changed.append({"of_number": old.number, **settings, **(back if old.removed else stays)})
    if new:
        connection.execute(insert(PEERS), new)
    if changed:
        connection.execute(_CHANGE, changed)


def _over(old: Row[*tuple[Any, ...]], said: dict[str, Any]) -> dict[str, Any]:
    """Return what is stored of a peer with what is said now over it."""
    return {name: getattr(old, name) if said[name] is None else said[name] for name in _SETTINGS}


def _changed(old: Row[*tuple[Any, ...]], said: dict[str, Any]) -> bool:
    whole = _whole(_over(old, said))
    return any(getattr(old, name) != whole[name] for name in _SETTINGS)


def _whole(row: dict[str, Any]) -> dict[str, Any]:
    """Return settings as they are stored: no pin for `none`, and a default for what was never said."""
    return {
        **row,
        "pin": None if row["pin"] == NO_PIN else row["pin"],
        "replace_valid": bool(row["replace_valid"]),
    }


def _row(peer: PeerSettings) -> dict[str, Any]:
    if not peer.url or len(peer.url) > URL_CHARACTERS or storable(peer.url) != peer.url:
        raise BadArgument("peers", f"a peer's URL has 1 to {URL_CHARACTERS:,} characters: {peer.url[:80]!r}")
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
    """Remove peers; their history stays and comes back with them, unless it is purged. Unknown ones are passed over."""
    named = [storable(url) for url in urls]
    for at in range(0, len(named), _CHUNK):
        some = _P.url.in_(named[at : at + _CHUNK])
        if not purge:
            gone = update(PEERS).where(some, ~_P.removed)
            connection.execute(gone.values(removed=True, lease_owner=None, lease_until=None))
            continue
        current = connection.execute(select(_P.version).where(some, _P.version.is_not(None))).scalars().all()
        index.drop(connection, words_of_stored(connection, current))
        connection.execute(delete(PEERS).where(some))
        connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.peer.in_(named[at : at + _CHUNK])))


def approve(connection: Connection, index: Index, url: str, version: int | None) -> None:
    """Make the waiting version the good one, and the one that a pin by digest is of.

    Raises:
        BadArgument: If none waits, or another than the one that is named.
        UnknownPeer: If there is no such peer.
    """
    peer = _waiting(connection, url)
    if version is not None and version != peer.waiting:
        raise BadArgument(
            "version", f"{version} does not wait, {peer.waiting} does: look at it, and approve that"
        )
    row = connection.execute(select(VERSIONS).where(_V.version == peer.waiting)).mappings().one()
    facets, words = facets_and_words(orjson.loads(row["body"]), row["dialect"], valid=row["valid"])
    if peer.version is not None:
        index.drop(connection, words_of_stored(connection, [peer.version]))
        connection.execute(BECOMES, {"of_version": peer.version, "now": "past"})
    connection.execute(BECOMES, {"of_version": peer.waiting, "now": "current"})
    good = current_card(peer.number, dict(row), stored_name(facets.name))
    connection.execute(APPROVED, {**good, "at": row["seen_at"]})
    # Due at once: whoever asks next fetches what the card refers to, and sees whether it is still served.
    seen: dict[str, Any] = {"ok_at": row["seen_at"], "next_at": 0.0, "error": "", "error_rule": ""}
    if peer.pin is not None and peer.pin.startswith(_DIGEST):
        seen["pin"] = digest(orjson.loads(row["body"]))
    connection.execute(update(PEERS).where(_P.number == peer.number).values(**seen))
    index.add(connection, [(peer.waiting, words)])
    learn(connection, plain_words(words))


def refuse(connection: Connection, url: str) -> None:
    """Refuse the waiting version; the good one stays, and the same bytes are not asked about again.

    Raises:
        BadArgument: If none waits.
        UnknownPeer: If there is no such peer.
    """
    peer = _waiting(connection, url)
    connection.execute(BECOMES, {"of_version": peer.waiting, "now": "refused"})
    connection.execute(update(PEERS).where(_P.number == peer.number).values(waiting=None))


def _waiting(connection: Connection, url: str) -> Row[*tuple[Any, ...]]:
    asked = select(_P.number, _P.version, _P.waiting, _P.pin).where(_P.url == storable(url), ~_P.removed)
    peer = connection.execute(asked.with_for_update()).first()
    if peer is None:
        raise UnknownPeer(url)
    if peer.waiting is None:
        raise BadArgument("url", f"no version of {url} waits to be approved")
    return peer


def counted(connection: Connection, now: float) -> Counts:
    """Return how many peers there are, and how they do."""

    def those(condition: Any) -> Any:
        return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)

    has_card = _P.version.is_not(None)
    asked = select(
        func.count(),
        those(has_card),
        those(_P.valid),
        those(has_card & (_P.fresh_until <= now)),
        those(_P.failures > 0),
        those(_P.waiting.is_not(None)),
    ).where(~_P.removed)
    return Counts(*map(int, connection.execute(asked).one()))
