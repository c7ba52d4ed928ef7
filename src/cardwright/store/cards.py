"""Store of peers' cards, in one database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import func, select

from cardwright.errors import BadArgument, UnknownPeer
from cardwright.store import documents, registering
from cardwright.store.catalogs import CatalogTable
from cardwright.store.claims import claim, release, renew
from cardwright.store.database import Database
from cardwright.store.permissions import make_private
from cardwright.store.recording import record, stored_name
from cardwright.store.rows import claim_to_id, peer_of, select_peers, select_versions, version_of
from cardwright.store.searching import search
from cardwright.store.tables import PEERS, VERSIONS
from cardwright.store.tokenizer import storable

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from cardwright.store.records import (
        Counts,
        Observation,
        Page,
        PeerRecord,
        PeerSettings,
        Query,
        VersionRecord,
    )

_CHUNK: Final = 500
_P: Final = PEERS.c


class CardStore:
    """Peers, all versions of their cards with provenance, and a search over the current ones.

    All methods block and may be called from any thread; shared_ids processes may share a database. All of them raise
    `StoreError` with its cause if the database cannot be read or written.

    >>> from cardwright.store import PeerSettings
    >>> with CardStore.open() as store:
    ...     store.add([PeerSettings("https://agent.example.com", id="agent")])
    ...     store.by_id("agent").url
    'https://agent.example.com'
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._known: set[str] = set()

    @classmethod
    def open(
        cls,
        url: str | os.PathLike[str] = ":memory:",
        *,
        clock: Callable[[], float] = time.time,
        wait_seconds: float = 5.0,
        durable: bool = False,
    ) -> Self:
        """Open a database, and create it and its tables if they are missing; only its owner can read a new file.

        Args:
            url: A path of an SQLite file, `:memory:`, `sqlite:///…`, or `postgresql://…`.
            clock: Returns the time in seconds since 1970, for freshness.
            wait_seconds: How long to wait for another process that writes.
            durable: Whether SQLite waits at each commit for the disk. Cards do not need it, since they are
                fetched again; a gateway's other data does.

        Raises:
            BadArgument: If the URL is not one of a supported database.
            MissingPackage: If the driver for PostgreSQL is not installed.
            StoreError: If the database cannot be used, or belongs to a newer version of this package.
        """
        make_private(url)
        database = Database.open(url, wait_seconds=wait_seconds, durable=durable)
        return cls(database, clock=clock)

    @property
    def catalogs(self) -> CatalogTable:
        """The catalogues that the registry follows."""
        return CatalogTable(self._database)

    @property
    def database(self) -> Database:
        """The database, for other tables in it."""
        return self._database

    def close(self) -> None:
        """Close the connections. A database in memory is deleted."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, peers: Iterable[PeerSettings]) -> None:
        """Add peers, due at once, or change the settings of known ones.

        A removed peer comes back with its history, as the last one added.

        Raises:
            BadArgument: If a URL or an id is empty or too long.
        """
        settings = list(peers)
        # Without changes only read, which works even while another process writes.
        with self._database.reading() as connection:
            if registering.are_stored(connection, settings):
                return
        with self._database.writing() as connection:
            registering.add(connection, settings)

    def remove(self, urls: Iterable[str], *, purge: bool = False) -> None:
        """Remove peers; their history stays unless `purge` is set. Unknown ones are ignored."""
        with self._database.writing() as connection:
            registering.remove(connection, self._database.index, urls, purge=purge)

    def claim(
        self,
        *,
        now: float,
        limit: int,
        owner: str,
        lease_seconds: float,
        urls: Collection[str] | None = None,
        force: bool = False,
    ) -> list[PeerRecord]:
        """Claim due peers without another owner, the longest waiting first.

        No other owner gets them until the lease ends or `record` is called. Meanwhile `next_at` is the end of the
        lease, so that a peer whose owner died becomes due again.

        Args:
            now: The current time.
            limit: The maximum number of peers.
            owner: The owner, unique among all processes.
            lease_seconds: The duration of the lease.
            urls: Only these peers.
            force: Whether to claim peers that are not due.
        """
        with self._database.writing() as connection:
            return claim(
                connection,
                now=now,
                limit=limit,
                owner=storable(owner),
                until=now + lease_seconds,
                urls=urls,
                force=force,
            )

    def renew(self, urls: Collection[str], *, owner: str, until: float) -> None:
        """Extend leases; those that the owner has lost are ignored."""
        with self._database.writing() as connection:
            renew(connection, owner=storable(owner), urls=urls, until=until)

    def release(self, urls: Collection[str], *, owner: str, now: float) -> None:
        """Release claims on unchecked peers: they are due again."""
        with self._database.writing() as connection:
            release(connection, owner=storable(owner), urls=urls, now=now)

    def record(self, observations: Sequence[Observation], *, owner: str | None = None) -> list[int | None]:
        """Store results of checks in one transaction, and release the claims.

        A card that the database cannot store is recorded as a failure of its peer (`store/row`) and affects no other.

        Args:
            observations: The results, at best some hundreds at once.
            owner: The owner of the claims; a peer that another owner claimed meanwhile is ignored. None ignores
                claims, and ends them.

        Returns:
            For each result the version that it brought or confirmed, or the version that stays current; None if the
            result was ignored, because the claim was lost or the peer removed, or if there is no card yet.

        Raises:
            BadArgument: If a result is `new`, `changed` or `quarantined` without a card.
        """
        stored_owner = storable(owner) if owner is not None else None
        return record(self._database, observations, owner=stored_owner, known=self._known)

    def approve(self, url: str, *, version: int | None = None) -> PeerRecord:
        """Make the waiting version of a peer current; pass `version` to be sure that it is the one you checked.

        Raises:
            BadArgument: If no version waits, or another one does.
            UnknownPeer: If there is no such peer.
        """
        with self._database.writing() as connection:
            registering.approve(connection, self._database.index, url, version)
        return self._known_peer(url)

    def refuse(self, url: str) -> PeerRecord:
        """Refuse the waiting version of a peer; the same bytes do not wait again.

        Raises:
            BadArgument: If no version waits.
            UnknownPeer: If there is no such peer.
        """
        with self._database.writing() as connection:
            registering.refuse(connection, url)
        return self._known_peer(url)

    def peer(self, url: str) -> PeerRecord | None:
        """Return the peer with a URL, also a removed one, or None."""
        return self._first(_P.url == storable(url))

    def by_id(self, id: str) -> PeerRecord | None:  # noqa: A002 - the field name in cards
        """Return the peer with an id; of several, the one with precedence (`rows.claim_to_id`)."""
        return self._first(~_P.removed, _P.agent_id == storable(id))

    def with_id(self, id: str) -> list[PeerRecord]:  # noqa: A002 - the field name in cards
        """Return all peers with an id; the one with precedence first (`rows.claim_to_id`)."""
        statement = (
            select_peers().where(~_P.removed, _P.agent_id == storable(id)).order_by(*claim_to_id(PEERS))
        )
        with self._database.reading() as connection:
            return [peer_of(row) for row in connection.execute(statement)]

    def by_name(self, name: str) -> list[PeerRecord]:
        """Return the peers whose card has exactly this name, in the order in which they were added."""
        statement = select_peers().where(~_P.removed, _P.name == stored_name(name)).order_by(_P.place)
        with self._database.reading() as connection:
            return [peer_of(row) for row in connection.execute(statement)]

    def peers(self, *, after: str = "", limit: int | None = None) -> Iterator[PeerRecord]:
        """Yield peers in the order of their URLs, after a URL; read in chunks."""
        remaining = limit if limit is not None else -1
        while remaining:
            count = _CHUNK if remaining < 0 else min(remaining, _CHUNK)
            statement = (
                select_peers().where(~_P.removed, _P.url > storable(after)).order_by(_P.url).limit(count)
            )
            with self._database.reading() as connection:
                page = [peer_of(row) for row in connection.execute(statement)]
            yield from page
            if len(page) < count:
                return
            after = page[-1].url
            remaining -= len(page) if remaining > 0 else 0

    def listed(self, *, by_name: bool, descending: bool, offset: int, limit: int) -> list[PeerRecord]:
        """Return a page of the peers that have a card, by the name in it or by their URL."""
        columns = (_P.name, _P.url) if by_name else (_P.url,)
        statement = select_peers().where(~_P.removed, _P.version.is_not(None))
        statement = statement.order_by(*(one.desc() if descending else one for one in columns))
        with self._database.reading() as connection:
            return [peer_of(row) for row in connection.execute(statement.offset(offset).limit(limit))]

    def urls(self) -> Iterator[str]:
        """Yield the URLs of all peers, in their order; read in chunks."""
        after = ""
        while True:
            statement = select(_P.url).where(~_P.removed, _P.url > after).order_by(_P.url).limit(_CHUNK)
            with self._database.reading() as connection:
                page = [str(url) for url in connection.execute(statement).scalars()]
            yield from page
            if len(page) < _CHUNK:
                return
            after = page[-1]

    def conflicts(self) -> list[PeerRecord]:
        """Return the peers whose id another peer has with precedence, in the order in which they were added."""
        shared_ids = (
            select(_P.agent_id)
            .where(~_P.removed, _P.agent_id.is_not(None))
            .group_by(_P.agent_id)
            .having(func.count() > 1)
        )
        statement = select_peers().where(~_P.removed, _P.agent_id.in_(shared_ids)).order_by(_P.place)
        with self._database.reading() as connection:
            candidates = [peer_of(row) for row in connection.execute(statement)]
        return [peer for peer in candidates if peer.conflicts_with is not None]

    def body(self, version: int) -> bytes:
        """Return the exact bytes of a version.

        Raises:
            BadArgument: If there is no such version.
        """
        statement = select(VERSIONS.c.body).where(VERSIONS.c.version == version)
        with self._database.reading() as connection:
            body = connection.execute(statement).scalar()
        if body is None:
            raise BadArgument("version", f"there is no version {version}")
        return bytes(body)

    def is_held(self, url: str, body_digest: str) -> bool:
        """Whether the bytes of a card wait for approval or were refused."""
        statement = (
            select(VERSIONS.c.version)
            .join(PEERS, _P.number == VERSIONS.c.peer)
            .where(_P.url == storable(url), VERSIONS.c.state.in_(("waiting", "refused")))
            .where(VERSIONS.c.body_digest == body_digest)
            .limit(1)
        )
        with self._database.reading() as connection:
            return connection.execute(statement).first() is not None

    def documents(self, peer: str, urls: Collection[str]) -> dict[str, bytes]:
        """Return the stored ones of some documents that a peer's card refers to, by URL."""
        with self._database.reading() as connection:
            return documents.documents(connection, peer, urls)

    def store_documents(self, peer: str, bodies: Mapping[str, bytes], *, at: float) -> None:
        """Replace the stored documents of a peer."""
        with self._database.writing() as connection:
            documents.replace(connection, peer, bodies, at)

    def versions(self, url: str) -> list[VersionRecord]:
        """Return the versions of a peer's card, newest first; none for an unknown peer."""
        statement = select_versions().where(_P.url == storable(url)).order_by(VERSIONS.c.version.desc())
        with self._database.reading() as connection:
            return [version_of(row) for row in connection.execute(statement)]

    def next_due(self) -> float | None:
        """Return the time when the next peer or catalogue is due; None without either."""
        statement = select(_P.next_at).where(~_P.removed).order_by(_P.next_at).limit(1)
        with self._database.reading() as connection:
            due = connection.execute(statement).scalar()
        times = [record.next_at for record in self.catalogs.all()]
        return min([*times, *([] if due is None else [float(due)])], default=None)

    def due(self, now: float) -> int:
        """Return the number of peers that are due at a time."""
        statement = select(func.count()).select_from(PEERS).where(~_P.removed, _P.next_at <= now)
        with self._database.reading() as connection:
            return int(connection.execute(statement).scalar() or 0)

    def count(self) -> Counts:
        """Return the number of peers by state. It reads all of them."""
        with self._database.reading() as connection:
            return registering.counted(connection, self._clock())

    def search(self, query: Query, *, limit: int = 20, cursor: str | None = None) -> Page:
        """Return cards that match a query; `cardwright.store.searching` describes the order.

        Args:
            query: The conditions; an empty query matches every card.
            limit: The maximum number of results, 1 to 200.
            cursor: The cursor of the last page of the same query.

        Raises:
            BadArgument: If the limit is out of range, or the cursor belongs to another query.
        """
        with self._database.reading() as connection:
            return search(
                connection, self._database.index, query, limit=limit, cursor=cursor, now=self._clock()
            )

    def _first(self, *conditions: Any) -> PeerRecord | None:
        statement = select_peers().where(*conditions).order_by(*claim_to_id(PEERS)).limit(1)
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return peer_of(row) if row is not None else None

    def _known_peer(self, url: str) -> PeerRecord:
        record = self.peer(url)
        if record is None:
            raise UnknownPeer(url)
        return record
