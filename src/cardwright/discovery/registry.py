"""Registry of peers: lookup by id, URL or name, refresh, search, calls."""

from __future__ import annotations

import asyncio
import inspect
import logging
import random as chance
import secrets
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.checks import ADVISORY_CHECKS, Checks
from cardwright.discovery.candidates import origin_of
from cardwright.discovery.card_cache import CardCache
from cardwright.discovery.catalog_sync import CatalogChanges, CatalogSync
from cardwright.discovery.configuration import entries, keys_of, read_agents_file
from cardwright.discovery.local_cards import peer_key
from cardwright.discovery.peer_check import PeerCheck
from cardwright.discovery.peer_index import PeerIndex
from cardwright.discovery.peer_settings import PeerSettingsTable
from cardwright.discovery.refreshing import Refresh, RefreshResult
from cardwright.discovery.signatures import Verifier
from cardwright.errors import BadArgument, BadConfiguration, StoreError
from cardwright.guard import Guard, GuardedClient
from cardwright.signing import KeySet, Policy
from cardwright.store import CardStore

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping

    from cardwright.discovery.calling import Message, Reply
    from cardwright.discovery.catalogs import CatalogReading
    from cardwright.discovery.configuration import PeerEntry
    from cardwright.discovery.events import Event
    from cardwright.discovery.peer import Peer
    from cardwright.discovery.protocol_support import ProtocolSupport

# Beach card seed, Caching. The floor keeps a card with a short lifetime from causing a stream of requests.
DEFAULT_TTL_SECONDS: Final = 3600.0
FLOOR_SECONDS: Final = 60.0
# The next check for peers that another process added meanwhile.
_MAX_SLEEP_SECONDS: Final = 30.0
# Causes that may disappear without action.
_TRANSIENT: Final = frozenset({"full", "locked", "unreachable"})
_LOG: Final = logging.getLogger(__name__)


class AgentRegistry(PeerIndex):
    """Known peers and their cards, from a list, a file or a database (Beach card seed, Discovering a peer).

    Without `store` the cards are in memory. Several processes may share a database: each peer is then checked by
    one process in each period. Lookups read the database and send no requests; `refresh` requests due cards.

    Args:
        peers: URLs of cards or agents, or mappings `{url, id?, headers?, ttl_seconds?, pin?,
            accept_invalid?, exact?}`. Instead of `url`, `file` is the path of a card and `card` the card itself.
        store: The path of an SQLite file, a database URL, or a `CardStore` that the caller closes.
        allow: Networks in CIDR form, such as `127.0.0.0/8`, to allow although they are not public.
        ports: Ports to allow at public addresses, besides 80 and 443.
        client: The guarded HTTP client to use instead of one with `allow` and `ports`.
        keys: Keys to verify signatures with.
        policy: The accepted signatures.
        checks: The registries, limits and rule sets to validate cards with; the rule set `text` is in the
            default.
        default_ttl_seconds: The lifetime of a card whose response states none.
        floor_seconds: The minimum time between two requests to a peer.
        concurrency: The maximum number of concurrent requests; one per host.
        on_event: Called with each event, after it is stored.
        clock: Seconds since the epoch.
        random: Returns a number from 0 to 1, for jitter.

    Raises:
        BadArgument: If a peer, a network or a port is invalid.
        StoreError: If the database cannot be used.

    >>> registry = AgentRegistry(peers=["https://travel.example.com/.well-known/agent-card.json"])
    >>> registry.by_id("example-travel-agent") is None
    True
    >>> [peer.url for peer in registry.all()]
    ['https://travel.example.com/.well-known/agent-card.json']
    """

    def __init__(  # noqa: PLR0913 - each argument is an independent option
        self,
        peers: Iterable[str | Mapping[str, Any]] = (),
        *,
        store: CardStore | str | os.PathLike[str] = ":memory:",
        allow: Iterable[str] = (),
        ports: Iterable[int] = (),
        client: GuardedClient | None = None,
        keys: KeySet | None = None,
        policy: Policy | None = None,
        checks: Checks = ADVISORY_CHECKS,
        default_ttl_seconds: float = DEFAULT_TTL_SECONDS,
        floor_seconds: float = FLOOR_SECONDS,
        concurrency: int = 64,
        on_event: Callable[[Event], None] | None = None,
        clock: Callable[[], float] = time.time,
        random: Callable[[], float] = chance.random,
    ) -> None:
        if concurrency < 1:
            raise BadArgument("concurrency", "must be at least 1")
        if inspect.iscoroutinefunction(on_event):
            raise BadArgument(
                "on_event", "must be a plain function, not a coroutine function: it is not awaited"
            )
        peer_entries = entries(peers)
        guard = Guard(allow=tuple(allow), ports=frozenset({80, 443, *ports}))
        self._client = client or GuardedClient(guard, concurrency=concurrency, keep_alive=False)
        self.guard = self._client.guard
        self._closes = (client is None, not isinstance(store, CardStore))
        opened = store if isinstance(store, CardStore) else CardStore.open(store, clock=clock)
        super().__init__(opened, CardCache(opened, checks), clock)
        self.checks = checks
        self._settings = PeerSettingsTable()
        self._concurrency = concurrency
        self._on_event = on_event or _ignore
        self._users = 0
        self._owners: list[str] = []
        self._check = PeerCheck(
            self._client,
            self.store,
            Verifier(self._client, keys=keys, policy=policy or Policy(), clock=time.monotonic),
            checks,
            default_ttl_seconds,
            floor_seconds,
            clock,
            random,
        )
        self._catalogs = CatalogSync(self._client, self.store, checks, default_ttl_seconds, clock, random)
        self._add(peer_entries)

    @classmethod
    def from_file(  # noqa: PLR0913 - each argument is an independent option
        cls,
        path: str | os.PathLike[str],
        *,
        store: CardStore | str | os.PathLike[str] | None = None,
        allow: Iterable[str] = (),
        ports: Iterable[int] = (),
        keys: KeySet | None = None,
        checks: Checks = ADVISORY_CHECKS,
        environ: Mapping[str, str] | None = None,
        will_fetch: bool = True,
        found: bool = False,
        concurrency: int = 64,
        on_event: Callable[[Event], None] | None = None,
        default_store: str | os.PathLike[str] = ":memory:",
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Return a registry with the settings of `agents.yml` or `agents.json`; the file's `allow` is added to `allow`.

        Connections to a peer's origin in the file are allowed at any address; connections to its redirect targets
        are not. With `will_fetch=False` no requests may be sent, and headers are not filled from `environ`.
        A file that was `found`, not named by the user, may not use `${NAME}`.

        Raises:
            BadConfiguration: If the file cannot be used.
            ConnectionDenied: If requests to a URL in the file are never allowed.
            StoreError: If the database cannot be used.
        """
        file, peers = read_agents_file(path, environ=environ, will_fetch=will_fetch, found=found)
        try:
            registry = cls(
                store=store if store is not None else file.get("store", default_store),
                allow=(*file.get("allow", ()), *allow),
                ports=(*file.get("ports", ()), *ports),
                keys=keys_of(file.get("keys", ())).merged([keys] if keys is not None else []),
                policy=Policy(jku_origins=frozenset(file.get("jku", ()))),
                checks=checks,
                default_ttl_seconds=file.get("ttl_seconds", DEFAULT_TTL_SECONDS),
                concurrency=concurrency,
                on_event=on_event,
                clock=clock,
            )
        except (BadArgument, ValueError) as error:
            raise BadConfiguration(str(path), str(error)) from None
        registry._add(peers)
        return registry

    async def __aenter__(self) -> Self:
        """Return the registry."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close what the registry opened."""
        await self.close()

    async def close(self) -> None:
        """Close connections, and the database if the registry opened it."""
        if self._closes[0]:
            await self._client.close()
        if self._closes[1]:
            self.store.close()

    def add(self, *peers: str | Mapping[str, Any], configured: bool = False, reset: bool = False) -> None:
        """Add peers, or change the settings of known ones; the next refresh checks them.

        Args:
            peers: As the constructor takes them.
            configured: Whether the operator wrote them down: connections to each one's own origin are then allowed
                at any address, as for a peer in a file.
            reset: Whether to replace earlier settings of this process, also headers and permissions that are missing
                now.

        Raises:
            BadArgument: If a peer is invalid.
        """
        peer_entries = entries(peers)
        if configured:
            peer_entries = tuple(replace(one, configured=origin_of(one.settings.url)) for one in peer_entries)
        self._add(peer_entries, reset=reset)

    def remove(self, *urls: str, purge: bool = False) -> None:
        """Remove peers; the versions of their cards stay unless `purge` is set."""
        keys = [peer_key(url) for url in urls]
        self.store.remove(keys, purge=purge)
        for url in keys:
            self._settings.remove(url)

    async def add_catalog(self, url: str) -> CatalogReading:
        """Add all agents that the catalogues of an origin, or one at a URL or in a file, list; and follow them.

        A refresh without names reads those that are due, adds new agents and removes those that are no longer listed (event
        `unlisted`), but none that was added in another way.

        Raises:
            CardError: `not-found` if there is no catalogue; or it cannot be read. Then nothing is added.
        """
        async with self._connected():
            return await self._catalogs.add(url, self._on_event)

    def remove_catalog(self, url: str, *, purge: bool = False) -> list[str] | None:
        """Follow a catalogue no longer, and remove its agents; return their URLs, or None if it was not followed."""
        return self._catalogs.remove(url, purge=purge)

    async def refresh(
        self, *names: str, force: bool = False, on_progress: Callable[[int], None] | None = None
    ) -> RefreshResult:
        """Check all due peers: new ones, and those whose card is past its time; before them the catalogues that are due.

        A failed peer does not affect others; it keeps its last accepted card.

        Args:
            names: Ids, URLs or names of peers; only these are checked.
            force: Whether to check them although their cards are fresh; unchanged cards are still not sent again.
            on_progress: Called with the number of newly finished peers, for a progress bar.

        Raises:
            UnknownPeer: If there is no peer with one of the names.
            StoreError: If the database cannot be used; earlier writes stay.
        """
        urls = [self.known(name).url for name in names] if names else None
        # Concurrent refreshes have different owners, as in two processes; consecutive ones share the owner's claims.
        owner = self._owners.pop() if self._owners else secrets.token_hex(16)
        refresh = Refresh(
            self._check,
            self.store,
            owner,
            self._settings.of,
            self._concurrency,
            on_progress or _ignore,
            self._on_event,
        )
        try:
            async with self._connected():
                changes = CatalogChanges() if names else await self._catalogs.refresh(force=force)
                changes.report(self._on_event)
                return changes.before(await refresh.run(urls=urls, force=force))
        finally:
            self._owners.append(owner)

    async def run(self) -> None:
        """Refresh until cancelled: each peer is checked when it is due.

        Waits and retries while the database is locked, full or unreachable.

        Raises:
            StoreError: If the database cannot be used for another reason.
        """
        while True:
            try:
                await self.refresh()
                due = await asyncio.to_thread(self.store.next_due)
            except StoreError as error:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    # A failed last write must not hide the cancellation.
                    raise asyncio.CancelledError from error
                if error.cause not in _TRANSIENT:
                    raise
                _LOG.warning("%s", error)
                await asyncio.sleep(_MAX_SLEEP_SECONDS)
                continue
            delay = _MAX_SLEEP_SECONDS if due is None else due - self._clock()
            await asyncio.sleep(min(max(delay, 0.1), _MAX_SLEEP_SECONDS))

    def due(self, *, force: bool = False) -> int:
        """Return about how many peers the next refresh checks: another process may check some of them."""
        return self.count().peers if force else self.store.due(self._clock())

    def is_configured(self, url: str) -> bool:
        """Whether a peer is in the file of the registry."""
        return self._settings.is_in_file(url)

    async def call(  # noqa: PLR0913 - each argument is an independent option
        self,
        name: str,
        message: Message,
        *,
        provider: str | None = None,
        timeout_seconds: float = 60.0,
        supported: Iterable[ProtocolSupport | str] | None = None,
        downgrade: bool = True,
        context_id: str | None = None,
        task_id: str | None = None,
        tool: str | None = None,
        stream: bool | None = None,
    ) -> Reply:
        """Send a message to a peer, as `call_agent` does; its configured headers go only to its origin.

        `name` is its id, URL or name, and `provider` the name or the URL of its provider, where several peers share the
        id; the other arguments are those of `call_agent`.

        Raises:
            UnknownPeer: If there is no such peer, or it has no card yet.
            CardError: As `call_agent`.
        """
        from cardwright.discovery.calling import call_agent

        peer = self.known(name, provider=provider)
        entry = self._settings.of(peer.record)
        async with self._connected():
            return await call_agent(
                peer,
                message,
                client=self._client,
                timeout_seconds=timeout_seconds,
                supported=supported,
                downgrade=downgrade,
                credentials={origin: entry.headers} if (origin := origin_of(peer.url)) else {},
                context_id=context_id,
                task_id=task_id,
                tool=tool,
                stream=stream,
                # A card from another origin, after a redirect, does not have this origin's permission.
                configured=entry.configured if _origin_of(peer) == entry.configured else None,
            )

    def approve(self, name: str, *, version: int | None = None) -> Peer:
        """Approve the waiting card: it becomes the current one.

        Raises:
            UnknownPeer: If there is no such peer.
            BadArgument: If no card waits, or another version does.
        """
        self.store.approve(self.known(name).url, version=version)
        return self.known(name)

    def refuse(self, name: str) -> Peer:
        """Refuse the waiting card; the same bytes do not wait again.

        Raises:
            UnknownPeer: If there is no such peer.
            BadArgument: If no card waits.
        """
        self.store.refuse(self.known(name).url)
        return self.known(name)

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[None]:
        """Close connections after the last use: they belong to this event loop, the next one may be another."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if self._closes[0] and not self._users:
                await self._client.close()

    def _add(self, peer_entries: Iterable[PeerEntry], *, reset: bool = False) -> None:
        by_url = {one.settings.url: one for one in peer_entries}
        self.store.add(one.settings for one in by_url.values())
        self._settings.add(by_url.values(), reset=reset)


def _origin_of(peer: Peer) -> str | None:
    return origin_of(peer.provenance.url) if peer.provenance else None


def _ignore(_: object) -> None:
    """Ignore an event or a progress report."""
