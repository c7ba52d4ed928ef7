"""How much of a peer's history is kept: everything, until it would be a stranger who fills the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, select

from cardwright.store.tables import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

# Of one peer, past and refused versions (ours). A card that changes each day reaches the first after three
# years; one of the greatest size that changes whenever it is asked for reaches the second within an hour.
MOST_VERSIONS: Final = 1_000
MOST_BYTES: Final = 16 * 1024 * 1024

_V: Final = VERSIONS.c


def prune(connection: Connection, peers: Iterable[int]) -> None:
    """Forget the oldest versions of peers that have too many; what is good or waits is never forgotten."""
    for peer in sorted(set(peers)):
        asked = (
            select(_V.version, func.length(_V.body).label("size"))
            .where(_V.peer == peer, _V.state.in_(("past", "refused")))
            .order_by(_V.version.desc())
        )
        size = 0
        for kept, row in enumerate(connection.execute(asked).all()):
            size += row.size
            if kept >= MOST_VERSIONS or size > MOST_BYTES:
                older = _V.version <= row.version
                connection.execute(
                    delete(VERSIONS).where(_V.peer == peer, _V.state.in_(("past", "refused")), older)
                )
                break
