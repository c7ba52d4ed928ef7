"""Claims on peers as leases: only one process checks a peer at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import or_, update

from cardwright.store.rows import peer_of, select_peers
from cardwright.store.tables import PEERS

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection, Row

    from cardwright.store.records import PeerRecord

_P: Final = PEERS.c
_CHUNK: Final = 500
_T = TypeVar("_T")


def claim(
    connection: Connection,
    *,
    now: float,
    limit: int,
    owner: str,
    until: float,
    urls: Collection[str] | None,
    force: bool,
) -> list[PeerRecord]:
    """Lease and return unclaimed peers; the end of the lease becomes their next check."""
    statement = (
        select_peers(_P.number)
        .where(~_P.removed, or_(_P.lease_until.is_(None), _P.lease_until <= now, _P.lease_owner == owner))
        .order_by(_P.next_at)
        .with_for_update(skip_locked=True, of=PEERS)
    )
    if not force:
        statement = statement.where(_P.next_at <= now)
    rows: list[Row[*tuple[Any, ...]]] = []
    for chunk in [None] if urls is None else _chunks(list(dict.fromkeys(urls))):
        if limit > len(rows):
            chosen = statement if chunk is None else statement.where(_P.url.in_(chunk))
            rows += connection.execute(chosen.limit(limit - len(rows))).all()
    for numbers in _chunks([row.number for row in rows]):
        leased = update(PEERS).where(_P.number.in_(numbers))
        connection.execute(leased.values(lease_owner=owner, lease_until=until, next_at=until))
    return [peer_of(row, claimed_until=until) for row in rows]


def renew(connection: Connection, *, owner: str, urls: Collection[str], until: float) -> None:
    """Extend the leases that an owner still has."""
    for chunk in _chunks(list(urls)):
        leased = update(PEERS).where(_P.url.in_(chunk), _P.lease_owner == owner)
        connection.execute(leased.values(lease_until=until, next_at=until))


def release(connection: Connection, *, owner: str, urls: Collection[str], now: float) -> None:
    """Release claims on unchecked peers: they are due again."""
    for chunk in _chunks(list(urls)):
        leased = update(PEERS).where(_P.url.in_(chunk), _P.lease_owner == owner)
        connection.execute(leased.values(lease_owner=None, lease_until=None, next_at=now))


def _chunks(values: list[_T]) -> list[list[_T]]:
    return [values[at : at + _CHUNK] for at in range(0, len(values), _CHUNK)]
