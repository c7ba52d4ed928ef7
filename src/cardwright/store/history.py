"""Limits of a peer's version history, so that a peer cannot fill the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, select

from cardwright.store.tables import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

# Limits for the past and refused versions of a peer (project decision). A card that changes daily reaches the
# first after three years; one of maximum size that changes at each request reaches the second within an hour.
MAX_VERSIONS: Final = 1_000
MAX_BYTES: Final = 16 * 1024 * 1024

_V: Final = VERSIONS.c


def prune(connection: Connection, peers: Iterable[int]) -> None:
    """Delete the oldest versions of peers past the limits; current and waiting versions stay."""
    for peer in sorted(set(peers)):
        statement = (
            select(_V.version, func.length(_V.body).label("size"))
            .where(_V.peer == peer, _V.state.in_(("past", "refused")))
            .order_by(_V.version.desc())
        )
        size = 0
        for count, row in enumerate(connection.execute(statement).all()):
            size += row.size
            if count >= MAX_VERSIONS or size > MAX_BYTES:
                older = _V.version <= row.version
                connection.execute(
                    delete(VERSIONS).where(_V.peer == peer, _V.state.in_(("past", "refused")), older)
                )
                break
