"""Lookup of peers in the database, without requests to peers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.discovery.local_cards import peer_key
from cardwright.discovery.peer import Peer
from cardwright.errors import BadArgument, ConnectionDenied, UnknownPeer
from cardwright.store import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.card import Card
    from cardwright.discovery.card_cache import CardCache
    from cardwright.store import CardStore, Counts, Page, PeerRecord, VersionRecord
    from cardwright.store.catalogs import CatalogRecord


class PeerIndex:
    """Lookup of peers by id, URL and name, of their versions, and search.

    Args:
        store: The database.
        cards: The card cache.
        clock: Seconds since the epoch.
    """

    def __init__(self, store: CardStore, cards: CardCache, clock: Callable[[], float]) -> None:
        self.store = store
        self._cards = cards
        self._clock = clock

    def by_id(self, id: str, *, provider: str | None = None) -> Peer | None:  # noqa: A002 - the name in the Beach card seed
        """Return the peer with an id, or None; of several, the first added one, or that of the provider.

        Source: Beach card seed, Field reference (an id is unique per provider).

        Args:
            id: The id.
            provider: The name or the URL of the provider in the card.
        """
        if provider is None:
            return self._peer(self.store.by_id(id))
        peers = filter(None, map(self._peer, self.store.with_id(id)))
        return next((peer for peer in peers if provider in _provider_of(peer)), None)

    def by_url(self, url: str) -> Peer | None:
        """Return the peer that was added with a URL, or None."""
        try:
            record = self.store.peer(peer_key(url))
        except ConnectionDenied:
            return None
        return None if record is None or record.removed else self._peer(record)

    def by_name(self, name: str) -> Peer | None:
        """Return the peer whose card has a name, or None; the first added one of several, as a name proves nothing."""
        records = self.store.by_name(name)
        return self._peer(records[0]) if records else None

    def known(self, name: str, *, provider: str | None = None) -> Peer:
        """Return the peer with a URL, an id or a name, in this order: only the operator sets URLs.

        Args:
            name: The URL, id or name; only the id if there is a provider.
            provider: The name or the URL of the provider, where several peers share the id.

        Raises:
            UnknownPeer: If there is no such peer.
        """
        if provider is not None:
            peer = self.by_id(name, provider=provider)
            if peer is None:
                raise UnknownPeer(name, provider=provider)
            return peer
        match = (self.by_url(name) if "://" in name else None) or self.by_id(name)
        match = match or self.by_url(name) or self.by_name(name)
        if match is None:
            raise UnknownPeer(name)
        return match

    def all(self) -> Iterator[Peer]:
        """Return all peers in the order of their URLs, without requests to them."""
        return filter(None, map(self._peer, self.store.peers()))

    @property
    def conflicts(self) -> tuple[Peer, ...]:
        """Peers with an id that an earlier peer already has."""
        return tuple(filter(None, map(self._peer, self.store.conflicts())))

    def count(self) -> Counts:
        """Return the number of peers by state."""
        return self.store.count()

    def catalogs(self) -> list[CatalogRecord]:
        """Return the catalogues that the registry follows."""
        return self.store.catalogs.all()

    def versions(self, name: str) -> list[VersionRecord]:
        """Return all versions of a peer's card, newest first.

        Raises:
            UnknownPeer: If there is no such peer.
        """
        return self.store.versions(self.known(name).url)

    def search(self, query: Query | str = "", *, limit: int = 20, cursor: str | None = None) -> Page:
        """Return cards that match words or the filters of a `Query`, best first.

        Raises:
            BadArgument: If the limit is not 1 to 200, or the cursor belongs to another query.
        """
        query_ = Query(query) if isinstance(query, str) else query
        return self.store.search(query_, limit=limit, cursor=cursor)

    def card(self, name: str, version: int) -> Card:
        """Return the card of a version of a peer, such as one that waits for approval.

        Raises:
            UnknownPeer: If there is no such peer.
            BadArgument: If the peer has no such version.
        """
        if version not in (one.version for one in self.versions(name)):
            raise BadArgument("version", f"{name} has no version {version}")
        return self._cards.version(version)

    def _peer(self, record: PeerRecord | None) -> Peer | None:
        if record is None:
            return None
        return Peer(record, self._cards.card(record), self._clock(), lambda: self._cards.schemas(record))


def _provider_of(peer: Peer) -> tuple[str, ...]:
    """Return the name and the URL of the provider in a peer's card."""
    provider = None if peer.card is None else peer.card.view.provider
    return () if provider is None else tuple(text for text in (provider.name, provider.url) if text)
