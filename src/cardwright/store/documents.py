"""Documents that a peer's card refers to by URL, as they were fetched with it."""

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
    """Return those of some documents that are kept for a peer."""
    asked = select(_D.url, _D.body).where(_D.peer == storable(peer), _D.url.in_(list(map(storable, urls))))
    return {str(row.url): bytes(row.body) for row in connection.execute(asked)}


def keep(connection: Connection, peer: str, bodies: Mapping[str, bytes], at: float) -> None:
    """Keep documents of a peer in the place of all it had, so that no peer gathers more and more.

    A URL that is too long is passed over.
    """
    connection.execute(delete(DOCUMENTS).where(_D.peer == storable(peer)))
    rows = [
        {"peer": storable(peer), "url": storable(url), "fetched_at": at, "body": body}
        for url, body in sorted(bodies.items())
        if len(url) <= URL_CHARACTERS
    ]
    if rows:
        connection.execute(insert(DOCUMENTS), rows)
