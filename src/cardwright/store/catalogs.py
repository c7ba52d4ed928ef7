"""The catalogues that a registry follows, in a table beside its agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, select, update

from cardwright.errors import BadArgument
from cardwright.store.registering import URL_CHARACTERS
from cardwright.store.tables import CATALOGS, PEERS
from cardwright.store.tokenizer import storable

if TYPE_CHECKING:
    from cardwright.store.database import Database

ERROR_CHARACTERS: Final = 500
_C: Final = CATALOGS.c
# How the source of an agent from a catalogue begins; the rest is the key of the catalogue.
_SOURCE: Final = "catalog:"


@dataclass(frozen=True, slots=True)
class CatalogRecord:
    """A catalogue that a registry follows.

    Attributes:
        url: What was added: an origin, the URL of a catalogue or a `file:` URL.
        checked_at: When it was last read, in seconds since the epoch; None for never.
        next_at: When it is due.
        agents: How many agents it listed.
        error: Why it could not be read; "" if it was.
    """

    url: str
    checked_at: float | None
    next_at: float
    agents: int
    error: str


def source_of(url: str) -> str:
    """Return the `source` of agents from a catalogue."""
    return f"{_SOURCE}{url}"


class CatalogTable:
    """The catalogues of one database; all methods block and raise `StoreError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, url: str) -> None:
        """Add a catalogue, due at once; a known one stays as it is.

        Raises:
            BadArgument: If the URL is too long.
        """
        if not url or len(url) > URL_CHARACTERS or storable(url) != url:
            raise BadArgument("url", f"the URL of a catalogue must have 1 to {URL_CHARACTERS:,} characters")
        with self._database.writing() as connection:
            if connection.execute(select(_C.url).where(_C.url == url)).first() is None:
                row = {"url": url, "checked_at": None, "next_at": 0.0, "agents": 0, "error": ""}
                connection.execute(insert(CATALOGS), row)

    def remove(self, url: str) -> bool:
        """Remove a catalogue, but not its agents; return whether it was known."""
        with self._database.writing() as connection:
            return connection.execute(delete(CATALOGS).where(_C.url == storable(url))).rowcount > 0

    def all(self) -> list[CatalogRecord]:
        """Return all catalogues in the order of their URLs."""
        columns = (_C.url, _C.checked_at, _C.next_at, _C.agents, _C.error)
        with self._database.reading() as connection:
            rows = connection.execute(select(*columns).order_by(_C.url)).all()
        return [CatalogRecord(*row) for row in rows]

    def claim(self, url: str, *, next_at: float, until: float) -> bool:
        """Take a catalogue for one check; return whether no other process took it before.

        Args:
            url: The catalogue.
            next_at: When it was due, as it was read.
            until: When it is due again if the check does not end.
        """
        with self._database.writing() as connection:
            claimed = update(CATALOGS).where(_C.url == url, _C.next_at == next_at).values(next_at=until)
            return connection.execute(claimed).rowcount == 1

    def record(self, url: str, *, at: float, next_at: float, agents: int | None, error: str) -> None:
        """Store the result of a check.

        Args:
            url: The catalogue.
            at: The time of the check.
            next_at: When it is due again.
            agents: How many agents it listed; None to keep the number.
            error: Why it could not be read, or "".
        """
        values = {"checked_at": at, "next_at": next_at, "error": storable(error)[:ERROR_CHARACTERS]}
        if agents is not None:
            values["agents"] = agents
        with self._database.writing() as connection:
            connection.execute(update(CATALOGS).where(_C.url == url).values(**values))

    def agents_of(self, url: str) -> set[str]:
        """Return the URLs of the agents that came from a catalogue and are not removed."""
        statement = select(PEERS.c.url).where(~PEERS.c.removed, PEERS.c.source == source_of(url))
        with self._database.reading() as connection:
            return set(connection.execute(statement).scalars())

    def unknown(self, urls: list[str]) -> list[str]:
        """Return the URLs that no agent of the registry has, in their order."""
        known: set[str] = set()
        with self._database.reading() as connection:
            for at in range(0, len(urls), 500):
                chunk = PEERS.c.url.in_(urls[at : at + 500])
                known.update(connection.execute(select(PEERS.c.url).where(~PEERS.c.removed, chunk)).scalars())
        return [url for url in urls if url not in known]
