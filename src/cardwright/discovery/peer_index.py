"""What is known of peers, as the database has it: nobody is asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.discovery.candidates import key_of
from cardwright.discovery.peer import Peer
from cardwright.errors import BadArgument, ConnectionDenied, UnknownPeer
from cardwright.store import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.card import Card
    from cardwright.discovery.card_cache import CardCache
    from cardwright.store import CardStore, Counts, Page, PeerRecord, VersionRecord


class PeerIndex:
    """Peers by id, URL and name, their versions, and those that have words.

    Args:
        store: The database.
        shelf: Their cards.
        clock: Seconds since the epoch.
    """

    def __init__(self, store: CardStore, shelf: CardCache, clock: Callable[[], float]) -> None:
        self.store = store
        self._shelf = shelf
        self._clock = clock

    def by_id(self, id: str) -> Peer | None:  # noqa: A002 - the word of the seed
        """Return the peer that has an id; None where nobody has."""
        return self._seen(self.store.by_id(id))

    def by_url(self, url: str) -> Peer | None:
        """Return the peer that was added by a URL; None where none was."""
        try:
            found = self.store.peer(key_of(url))
        except ConnectionDenied:
            return None
        return None if found is None or found.removed else self._seen(found)

    def by_name(self, name: str) -> Peer | None:
        """Return the peer whose card has a name; of several the one that was added first: a name proves nothing."""
        found = self.store.by_name(name)
        return self._seen(found[0]) if found else None

    def known(self, name: str) -> Peer:
        """Return the peer of a URL, an id or a name, in this order: only the operator says URLs.

        Raises:
            UnknownPeer: If nobody is known by it.
        """
        found = (self.by_url(name) if "://" in name else None) or self.by_id(name)
        found = found or self.by_url(name) or self.by_name(name)
        if found is None:
            raise UnknownPeer(name)
        return found

    def all(self) -> Iterator[Peer]:
        """Go through all peers, by the order of their URLs; nobody is asked."""
        return filter(None, map(self._seen, self.store.peers()))

    @property
    def conflicts(self) -> tuple[Peer, ...]:
        """Peers whose id another had before."""
        return tuple(filter(None, map(self._seen, self.store.conflicts())))

    def count(self) -> Counts:
        """Return how many peers there are, and how they do."""
        return self.store.count()

    def versions(self, name: str) -> list[VersionRecord]:
        """Return all versions of a peer's card that were seen, newest first.

        Raises:
            UnknownPeer: If nobody is known by that name.
        """
        return self.store.versions(self.known(name).url)

    def search(self, query: Query | str = "", *, limit: int = 20, cursor: str | None = None) -> Page:
        """Return cards that have words, or fit the filters of a `Query`, best first.

        Raises:
            BadArgument: If the limit is not 1 to 200, or the cursor is none of this query.
        """
        asked = Query(query) if isinstance(query, str) else query
        return self.store.search(asked, limit=limit, cursor=cursor)

    def card(self, name: str, version: int) -> Card:
        """Return the card of a version of a peer, such as one that waits to be approved.

        Raises:
            UnknownPeer: If nobody is known by that name.
            BadArgument: If the peer has no such version.
        """
        if version not in (one.version for one in self.versions(name)):
            raise BadArgument("version", f"{version} is no version of {name}")
        return self._shelf.version(version)

    def _seen(self, record: PeerRecord | None) -> Peer | None:
        if record is None:
            return None
        return Peer(record, self._shelf.card(record), self._clock(), lambda: self._shelf.schemas(record))
