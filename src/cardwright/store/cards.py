"""The store of peers' cards: one object over one database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import func, select

from cardwright.errors import BadArgument, UnknownPeer
from cardwright.store import documents, registering
from cardwright.store.claims import claim, release, renew
from cardwright.store.database import Database
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
    """Peers, every version of their cards with where it came from, and a search over the good ones.

    The methods block and may be called from any thread; several processes may share one database.
    Every one of them raises `StoreError`, with its cause, where the database cannot be read or written.

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
        survives_power_cut: bool = False,
    ) -> Self:
        """Open a database, make it where there is none, and bring its tables up to date.

        Args:
            url: A path of an SQLite file, `:memory:`, `sqlite:///…`, or `postgresql://…`.
            clock: What tells the time, in seconds since 1970, by which a card counts as fresh.
            wait_seconds: How long to wait for another process that writes.
            survives_power_cut: Whether SQLite waits at each commit until the disk has it: cards are found again
                without, and what a gateway keeps beside them is not.

        Raises:
            BadArgument: If the URL is of no database that is known.
            MissingPackage: If it is PostgreSQL and its driver is not installed.
            StoreError: If the database cannot be used, or is of a newer version of this package.
        """
        database = Database.open(url, wait_seconds=wait_seconds, survives_power_cut=survives_power_cut)
        return cls(database, clock=clock)

    @property
    def database(self) -> Database:
        """The database, for what else is kept in it."""
        return self._database

    def close(self) -> None:
        """Close the connections. A database in memory is gone with them."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, peers: Iterable[PeerSettings]) -> None:
        """Add peers, due at once, or change what is said of known ones.

        A removed one comes back with its history, as the last that was added.

        Raises:
            BadArgument: If a URL or an id is empty or too long.
        """
        wanted = list(peers)
        # A database that another process writes can still be read, as long as there is nothing to write.
        with self._database.reading() as connection:
            if registering.known(connection, wanted):
                return
        with self._database.writing() as connection:
            registering.add(connection, wanted)

    def remove(self, urls: Iterable[str], *, purge: bool = False) -> None:
        """Remove peers; their history is kept unless it is purged. Unknown ones are passed over."""
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
        """Claim peers to look at: those that are due, the longest waiting first, and that nobody else holds.

        Until the lease ends or `record` says what came of it no other owner gets them; `next_at` is
        the lease's end meanwhile, so that a peer whose owner died is due again then.

        Args:
            now: The time.
            limit: How many at most.
            owner: Who claims, unique among all processes.
            lease_seconds: How long it takes at most.
            urls: Only these.
            force: Whether they are due or not.
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
        """Hold claims for longer; those that are not held any more are left alone."""
        with self._database.writing() as connection:
            renew(connection, owner=storable(owner), urls=urls, until=until)

    def release(self, urls: Collection[str], *, owner: str, now: float) -> None:
        """Give up claims on peers that were not looked at after all: they are due again."""
        with self._database.writing() as connection:
            release(connection, owner=storable(owner), urls=urls, now=now)

    def record(self, sightings: Sequence[Observation], *, owner: str | None = None) -> list[int | None]:
        """Write what was found, in one transaction, and release the claims.

        A card that the database cannot take is recorded as a failure of its peer (`store/row`) and costs no other.

        Args:
            sightings: What was found, best some hundreds at once.
            owner: Who claimed the peers; a peer that somebody else has claimed meanwhile is left alone.
                None writes whoever holds a claim, and ends it.

        Returns:
            For each the version that it brought or confirmed, or that stays good; None where it was dropped,
            because the claim was lost or the peer is gone, and where there is no card yet.

        Raises:
            BadArgument: If a card is said to be new and not given.
        """
        told = storable(owner) if owner is not None else None
        return record(self._database, sightings, owner=told, known=self._known)

    def approve(self, url: str, *, version: int | None = None) -> PeerRecord:
        """Make the waiting version of a peer its good one; name it to be sure that it is the one you saw.

        Raises:
            BadArgument: If none waits, or another.
            UnknownPeer: If there is no such peer.
        """
        with self._database.writing() as connection:
            registering.approve(connection, self._database.index, url, version)
        return self._known_peer(url)

    def refuse(self, url: str) -> PeerRecord:
        """Refuse the waiting version of a peer; the same bytes are not asked about again.

        Raises:
            BadArgument: If none waits.
            UnknownPeer: If there is no such peer.
        """
        with self._database.writing() as connection:
            registering.refuse(connection, url)
        return self._known_peer(url)

    def peer(self, url: str) -> PeerRecord | None:
        """Return the peer of a URL, a removed one too."""
        return self._first(_P.url == storable(url))

    def by_id(self, id: str) -> PeerRecord | None:  # noqa: A002 - the word of the wire
        """Return the peer that has an id; of several that claim it, the first (`rows.claim_to_id`)."""
        return self._first(~_P.removed, _P.agent_id == storable(id))

    def by_name(self, name: str) -> list[PeerRecord]:
        """Return the peers whose card has exactly a name, in the order of being added."""
        asked = select_peers().where(~_P.removed, _P.name == stored_name(name)).order_by(_P.place)
        with self._database.reading() as connection:
            return [peer_of(row) for row in connection.execute(asked)]

    def peers(self, *, after: str = "", limit: int | None = None) -> Iterator[PeerRecord]:
        """Return peers by the order of their URLs, those after one; some are read at a time."""
        left = limit if limit is not None else -1
        while left:
            count = _CHUNK if left < 0 else min(left, _CHUNK)
            asked = select_peers().where(~_P.removed, _P.url > storable(after)).order_by(_P.url).limit(count)
            with self._database.reading() as connection:
                found = [peer_of(row) for row in connection.execute(asked)]
            yield from found
            if len(found) < count:
                return
            after = found[-1].url
            left -= len(found) if left > 0 else 0

    def urls(self) -> Iterator[str]:
        """Return the URLs of all peers, in their order; some are read at a time."""
        after = ""
        while True:
            asked = select(_P.url).where(~_P.removed, _P.url > after).order_by(_P.url).limit(_CHUNK)
            with self._database.reading() as connection:
                found = [str(url) for url in connection.execute(asked).scalars()]
            yield from found
            if len(found) < _CHUNK:
                return
            after = found[-1]

    def conflicts(self) -> list[PeerRecord]:
        """Return the peers whose id another has, by the order of being added."""
        several = (
            select(_P.agent_id)
            .where(~_P.removed, _P.agent_id.is_not(None))
            .group_by(_P.agent_id)
            .having(func.count() > 1)
        )
        asked = select_peers().where(~_P.removed, _P.agent_id.in_(several)).order_by(_P.place)
        with self._database.reading() as connection:
            found = [peer_of(row) for row in connection.execute(asked)]
        return [peer for peer in found if peer.conflicts_with is not None]

    def body(self, version: int) -> bytes:
        """Return the exact bytes of a version.

        Raises:
            BadArgument: If there is no such version.
        """
        asked = select(VERSIONS.c.body).where(VERSIONS.c.version == version)
        with self._database.reading() as connection:
            body = connection.execute(asked).scalar()
        if body is None:
            raise BadArgument("version", f"there is no version {version}")
        return bytes(body)

    def put_off(self, url: str, body_digest: str) -> bool:
        """Return whether the bytes of a card wait to be approved, or were refused."""
        asked = (
            select(VERSIONS.c.version)
            .join(PEERS, _P.number == VERSIONS.c.peer)
            .where(_P.url == storable(url), VERSIONS.c.state.in_(("waiting", "refused")))
            .where(VERSIONS.c.body_digest == body_digest)
            .limit(1)
        )
        with self._database.reading() as connection:
            return connection.execute(asked).first() is not None

    def documents(self, peer: str, urls: Collection[str]) -> dict[str, bytes]:
        """Return those of some documents that the card of a peer refers to that are kept, by URL."""
        with self._database.reading() as connection:
            return documents.documents(connection, peer, urls)

    def keep_documents(self, peer: str, bodies: Mapping[str, bytes], *, at: float) -> None:
        """Keep documents that the card of a peer refers to, in the place of all that were kept for it."""
        with self._database.writing() as connection:
            documents.keep(connection, peer, bodies, at)

    def versions(self, url: str) -> list[VersionRecord]:
        """Return the versions of a peer's card, newest first; none where there is no such peer."""
        asked = select_versions().where(_P.url == storable(url)).order_by(VERSIONS.c.version.desc())
        with self._database.reading() as connection:
            return [version_of(row) for row in connection.execute(asked)]

    def next_due(self) -> float | None:
        """Return when the next peer is due; None where there is none."""
        asked = select(_P.next_at).where(~_P.removed).order_by(_P.next_at).limit(1)
        with self._database.reading() as connection:
            due = connection.execute(asked).scalar()
        return None if due is None else float(due)

    def due(self, now: float) -> int:
        """Return how many peers are due at a time."""
        asked = select(func.count()).select_from(PEERS).where(~_P.removed, _P.next_at <= now)
        with self._database.reading() as connection:
            return int(connection.execute(asked).scalar() or 0)

    def count(self) -> Counts:
        """Return how many peers there are, and how they do. It reads all of them."""
        with self._database.reading() as connection:
            return registering.counted(connection, self._clock())

    def search(self, query: Query, *, limit: int = 20, cursor: str | None = None) -> Page:
        """Return cards that a query describes; `cardwright.store.searching` says in which order.

        Args:
            query: What to look for; an empty one finds every card.
            limit: How many at once, 1 to 200.
            cursor: The last page's, with the same query.

        Raises:
            BadArgument: If the limit is another, or the cursor is none of this query.
        """
        with self._database.reading() as connection:
            return search(
                connection, self._database.index, query, limit=limit, cursor=cursor, now=self._clock()
            )

    def _first(self, *conditions: Any) -> PeerRecord | None:
        asked = select_peers().where(*conditions).order_by(*claim_to_id(PEERS)).limit(1)
        with self._database.reading() as connection:
            row = connection.execute(asked).first()
        return peer_of(row) if row is not None else None

    def _known_peer(self, url: str) -> PeerRecord:
        found = self.peer(url)
        if found is None:
            raise UnknownPeer(url)
        return found
