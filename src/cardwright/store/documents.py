"""Stored documents that a peer's card refers to by URL, as fetched with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, select

from cardwright.store.registering import URL_CHARACTERS
from cardwright.store.tables import DOCUMENTS
from cardwright.store.tokenizer import storable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import Connection

_D: Final = DOCUMENTS.c


def documents(connection: Connection, peer: str, urls: Collection[str]) -> dict[str, bytes]:
    """Return the stored ones of some documents of a peer, by URL."""
    statement = select(_D.url, _D.body).where(
        _D.peer == storable(peer), _D.url.in_(list(map(storable, urls)))
    )
    return {str(row.url): bytes(row.body) for row in connection.execute(statement)}


def replace(connection: Connection, peer: str, bodies: Mapping[str, bytes], at: float) -> None:
    """Replace all stored documents of a peer, so that they cannot accumulate.

    Documents with a URL that is too long are left out.
    """
    connection.execute(delete(DOCUMENTS).where(_D.peer == storable(peer)))
    rows = [
        {"peer": storable(peer), "url": storable(url), "fetched_at": at, "body": body}
        for url, body in sorted(bodies.items())
        if len(url) <= URL_CHARACTERS
    ]
    if rows:
        connection.execute(insert(DOCUMENTS), rows)
