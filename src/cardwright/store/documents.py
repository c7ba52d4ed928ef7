"""Documents that cards refer to by URL, as they were last fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from cardwright.store.registering import URL_CHARACTERS
from cardwright.store.tables import DOCUMENTS
from cardwright.store.words import storable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import Connection

_D: Final = DOCUMENTS.c


def documents(connection: Connection, urls: Collection[str]) -> dict[str, bytes]:
    """Return those of some documents that are kept."""
    asked = select(_D.url, _D.body).where(_D.url.in_(list(map(storable, urls))))
    return {str(row.url): bytes(row.body) for row in connection.execute(asked)}


def keep(connection: Connection, bodies: Mapping[str, bytes], at: float) -> None:
    """Keep documents, each in the place of an older one; a URL that is too long is passed over."""
    rows = [
        {"url": storable(url), "fetched_at": at, "body": body}
        for url, body in sorted(bodies.items())
        if len(url) <= URL_CHARACTERS
    ]
    if not rows:
        return
    made = (postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert)(DOCUMENTS)
    newer = {"fetched_at": made.excluded.fetched_at, "body": made.excluded.body}
    connection.execute(made.on_conflict_do_update(index_elements=[_D.url], set_=newer), rows)
