"""The registry of peers: known by id, URL or name, kept fresh, searched."""

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

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.discovery.candidates import given, key_of
from cardwright.discovery.card_cache import CardCache
from cardwright.discovery.configuration import entries, keys_of, read_agents_file
from cardwright.discovery.peer_check import PeerCheck
from cardwright.discovery.peer_index import PeerIndex
from cardwright.discovery.peer_settings import PeerSettingsTable
from cardwright.discovery.refreshing import Refresh, Refreshed
from cardwright.discovery.signatures import Verifier
from cardwright.errors import BadArgument, BadConfiguration, StoreError
from cardwright.guard import Guard, GuardedClient, target_of
from cardwright.signing import KeySet, Policy
from cardwright.store import CardStore

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping

    from cardwright.discovery.calling import Message, Reply
    from cardwright.discovery.configuration import PeerEntry
    from cardwright.discovery.events import Event
    from cardwright.discovery.peer import Peer
    from cardwright.discovery.protocol_support import ProtocolSupport

# reliability.md 2c; Beach card seed, Caching.
DEFAULT_TTL_SECONDS: Final = 3600.0
FLOOR_SECONDS: Final = 60.0
# Another process may add a peer while nothing is due here.
_LONGEST_SLEEP_SECONDS: Final = 30.0
# What may be otherwise in a while.
_PASSING: Final = frozenset({"full", "locked", "unreachable"})
_LOG: Final = logging.getLogger(__name__)


class AgentRegistry(PeerIndex):
    """Known peers and their cards, from a list, a file or a database (Beach card seed, Discovering a peer).

    Without `store` the cards live in memory. A database may be shared: each peer is then looked at by
    one process a period. Look-ups read the database and ask nobody; `refresh` asks whoever is due.

    Args:
        peers: URLs of cards or agents, or mappings `{url, id?, headers?, ttl_seconds?, pin?,
            accept_invalid?, exact?}`.
        store: A path of an SQLite file, a URL of a database, or a `CardStore` that the caller closes.
        allow: Networks, as CIDR such as `127.0.0.0/8`, that may be dialled though they are not public.
        ports: Ports that may be dialled at public addresses, beside 80 and 443.
        client: What to ask by, instead of one that is guarded by `allow` and `ports`.
        keys: Keys that signatures are verified by.
        policy: Which signatures are accepted.
        checks: The registries, limits and rule sets to validate cards with. The rule set `text` takes half
            of the time of a validation.
        default_ttl_seconds: How long a card is fresh whose answer does not say.
        floor_seconds: No peer is asked more often than this.
        concurrency: How many peers are asked at once; one at a time of each host.
        on_event: Called with each event, once it is written down.
        clock: Seconds since the epoch.
        random: Gives a number from 0 to 1, for jitter.

    Raises:
        BadArgument: If a peer, a network or a port is none.
        StoreError: If the database cannot be used.

    >>> registry = AgentRegistry(peers=["https://travel.example.com/.well-known/agent-card.json"])
    >>> registry.by_id("example-travel-agent") is None
    True
    >>> [peer.url for peer in registry.all()]
    ['https://travel.example.com/.well-known/agent-card.json']
    """

    def __init__(  # noqa: PLR0913 - each is a choice of its own
        self,
        peers: Iterable[str | Mapping[str, Any]] = (),
        *,
        store: CardStore | str | os.PathLike[str] = ":memory:",
        allow: Iterable[str] = (),
        ports: Iterable[int] = (),
        client: GuardedClient | None = None,
        keys: KeySet | None = None,
        policy: Policy | None = None,
        checks: Checks = DEFAULT_CHECKS,
        default_ttl_seconds: float = DEFAULT_TTL_SECONDS,
        floor_seconds: float = FLOOR_SECONDS,
        concurrency: int = 64,
        on_event: Callable[[Event], None] | None = None,
        clock: Callable[[], float] = time.time,
        random: Callable[[], float] = chance.random,
    ) -> None:
        if concurrency < 1:
            raise BadArgument("concurrency", "at least one peer is asked at once")
        if inspect.iscoroutinefunction(on_event):
            raise BadArgument("on_event", "it is called and not awaited: give a plain function")
        known = entries(peers)
        guard = Guard(allow=tuple(allow), ports=frozenset({80, 443, *ports}))
        self._client = client or GuardedClient(guard, concurrency=concurrency, keep_alive=False)
        self.guard = self._client.guard
        self._owns = (client is None, not isinstance(store, CardStore))
        opened = store if isinstance(store, CardStore) else CardStore.open(store, clock=clock)
        super().__init__(opened, CardCache(opened, checks), clock)
        self._roster = PeerSettingsTable()
        self._concurrency = concurrency
        self._on_event = on_event
        self._users = 0
        self._owners: list[str] = []
        self._looking = PeerCheck(
            self._client,
            self.store,
            Verifier(self._client, keys=keys, policy=policy or Policy(), clock=time.monotonic),
            checks,
            default_ttl_seconds,
            floor_seconds,
            clock,
            random,
        )
        self._add(known)

    @classmethod
    def from_file(  # noqa: PLR0913 - each is a choice of its own
        cls,
        path: str | os.PathLike[str],
        *,
        store: CardStore | str | os.PathLike[str] | None = None,
        allow: Iterable[str] = (),
        ports: Iterable[int] = (),
        keys: KeySet | None = None,
        checks: Checks = DEFAULT_CHECKS,
        environ: Mapping[str, str] | None = None,
        asks: bool = True,
        concurrency: int = 64,
        on_event: Callable[[Event], None] | None = None,
        default_store: str | os.PathLike[str] = ":memory:",
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Make a registry by `agents.yml` or `agents.json`; what the file allows is allowed besides.

        A peer's origin that stands in the file may be dialled wherever it is; where it redirects to may
        not. With `asks=False` nobody is to be asked, and headers are not filled from `environ`.

        Raises:
            BadConfiguration: If the file cannot be used.
            ConnectionDenied: If it names a URL that is never dialled.
            StoreError: If the database cannot be used.
        """
        file, peers = read_agents_file(path, environ=environ, asks=asks)
        try:
            made = cls(
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
        made._add(peers)
        return made

    async def __aenter__(self) -> Self:
        """Return the registry."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close what the registry opened."""
        await self.close()

    async def close(self) -> None:
        """Close connections, and the database if it was not given opened."""
        if self._owns[0]:
            await self._client.close()
        if self._owns[1]:
            self.store.close()

    def add(self, *peers: str | Mapping[str, Any], configured: bool = False, anew: bool = False) -> None:
        """Add peers, or change what is said of known ones; the next refresh looks at them.

        Args:
            peers: As the constructor takes them.
            configured: Whether the operator wrote them down: then each one's own origin may be dialled
                wherever it is, as that of a peer in a file.
            anew: Whether what was said before of one in this process is over: its headers and its leave do
                not stay where nothing new is said.

        Raises:
            BadArgument: If one is no peer.
        """
        known = entries(peers)
        if configured:
            known = tuple(replace(one, configured=target_of(one.settings.url).origin) for one in known)
        self._add(known, anew=anew)

    def remove(self, *urls: str, purge: bool = False) -> None:
        """Remove peers; the versions of their cards are kept unless they are purged."""
        known = [key_of(url) for url in urls]
        self.store.remove(known, purge=purge)
        for url in known:
            self._roster.remove(url)

    async def refresh(
        self,
        *names: str,
        force: bool = False,
        told: Callable[[int], None] | None = None,
    ) -> Refreshed:
        """Look at every peer that is due: new ones, and those whose card's time is over.

        One peer's failure touches no other; what cannot be had keeps its last good card.

        Args:
            names: Ids, URLs or names of the only ones to look at.
            force: Look at them though their cards are fresh; what did not change is still not sent again.
            told: Called with how many more peers are done, for a progress bar.

        Raises:
            UnknownPeer: If a name is no peer's.
            StoreError: If the database cannot be used; what was written before stays.
        """
        urls = [self.known(name).url for name in names] if names else None
        # Two refreshes at once are two, as those of two processes are; one after another has its claims still.
        owner = self._owners.pop() if self._owners else secrets.token_hex(16)
        refresh = Refresh(
            self._looking,
            self.store,
            owner,
            self._roster.of,
            self._concurrency,
            told or _nobody,
            self._on_event or _nobody,
        )
        try:
            async with self._connected():
                return await refresh.run(urls=urls, force=force)
        finally:
            self._owners.append(owner)

    async def run(self) -> None:
        """Keep refreshing until cancelled: whoever is due is looked at, and nobody more often.

        A database that is locked, full or away for a while is waited for.

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
                    # What could not be written at the end hides that there is one.
                    raise asyncio.CancelledError from error
                if error.cause not in _PASSING:
                    raise
                _LOG.warning("%s", error)
                await asyncio.sleep(_LONGEST_SLEEP_SECONDS)
                continue
            waits = _LONGEST_SLEEP_SECONDS if due is None else due - self._clock()
            await asyncio.sleep(min(max(waits, 0.1), _LONGEST_SLEEP_SECONDS))

    def due(self, *, force: bool = False) -> int:
        """Return how many peers the next refresh looks at, about: somebody else may look at some of them."""
        return self.count().peers if force else self.store.due(self._clock())

    def is_configured(self, url: str) -> bool:
        """Return whether a peer stands in the file that the registry was made by."""
        return self._roster.in_a_file(url)

    async def call(  # noqa: PLR0913 - each is a choice of its own
        self,
        name: str,
        message: Message,
        *,
        timeout_seconds: float = 60.0,
        supported: Iterable[ProtocolSupport | str] | None = None,
        downgrade: bool = True,
        context_id: str | None = None,
        task_id: str | None = None,
        tool: str | None = None,
        stream: bool | None = None,
    ) -> Reply:
        """Send a message to a peer, as `call_agent` does; its configured headers go to its origin alone.

        `name` is its id, URL or name; all else is as `call_agent` says.

        Raises:
            UnknownPeer: If nobody is known by that name, or no card of it was seen yet.
            CardError: As `call_agent`.
        """
        from cardwright.discovery.calling import call_agent

        peer = self.known(name)
        entry = self._roster.of(peer.record)
        async with self._connected():
            return await call_agent(
                peer,
                message,
                client=self._client,
                timeout_seconds=timeout_seconds,
                supported=supported,
                downgrade=downgrade,
                credentials={given(peer.url).origin: entry.headers},
                context_id=context_id,
                task_id=task_id,
                tool=tool,
                stream=stream,
                # A card that came from elsewhere, after a redirect, has no leave of this origin's.
                configured=entry.configured if _origin_of(peer) == entry.configured else None,
            )

    def approve(self, name: str, *, version: int | None = None) -> Peer:
        """Let the card that waits become the good one.

        Raises:
            UnknownPeer: If nobody is known by that name.
            BadArgument: If no card waits, or another version.
        """
        self.store.approve(self.known(name).url, version=version)
        return self.known(name)

    def refuse(self, name: str) -> Peer:
        """Refuse the card that waits; the same bytes are not asked about again.

        Raises:
            UnknownPeer: If nobody is known by that name.
            BadArgument: If no card waits.
        """
        self.store.refuse(self.known(name).url)
        return self.known(name)

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[None]:
        """Close connections behind the last user: they belong to this event loop, the next may run in another."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if self._owns[0] and not self._users:
                await self._client.close()

    def _add(self, known: Iterable[PeerEntry], *, anew: bool = False) -> None:
        found = {one.settings.url: one for one in known}
        self.store.add(one.settings for one in found.values())
        self._roster.add(found.values(), anew=anew)


def _origin_of(peer: Peer) -> str | None:
    return target_of(peer.provenance.url).origin if peer.provenance else None


def _nobody(_: object) -> None:
    """Tell nobody."""
