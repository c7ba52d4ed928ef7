"""Refreshing many peers: claimed from the store, looked at one per host, written in batches."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Final

from cardwright.discovery.candidates import given
from cardwright.discovery.scheduling import Turns
from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from cardwright.discovery.configuration import PeerEntry
    from cardwright.discovery.events import Event
    from cardwright.discovery.peer_check import PeerCheck, PeerCheckResult
    from cardwright.store import CardStore, Outcome, PeerRecord

# How many peers are held at once, and for how long before another process may take them over.
_CLAIMED: Final = 512
LEASE_SECONDS: Final = 120.0
# So many are written in one transaction, or what there is after so long.
_BATCH: Final = 256
_LOG: Final = logging.getLogger(__name__)
_PATIENCE_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh came to.

    Attributes:
        outcomes: How many peers there were of each outcome.
        events: What happened, in the order in which it was written down.
        failures: Why a peer could not be looked at, by its URL.
        elsewhere: How many that were to be looked at anyhow another process is looking at.
    """

    outcomes: Counter[Outcome]
    events: tuple[Event, ...]
    failures: dict[str, str]
    elsewhere: int = 0

    @property
    def total(self) -> int:
        """How many peers were looked at."""
        return self.outcomes.total()


@dataclass(slots=True)
class Refresh:
    """One refresh, from the first claim to the last row.

    Attributes:
        looking: What looks at one peer.
        store: Where peers are claimed from and sightings written to.
        owner: Who claims, unique among all processes.
        entry_of: What the operator says of a peer.
        concurrency: How many peers are looked at at once.
        told: Called after each batch with how many peers are done.
        happened: Called with each event once it is written down.
    """

    looking: PeerCheck
    store: CardStore
    owner: str
    entry_of: Callable[[PeerRecord], PeerEntry]
    concurrency: int
    told: Callable[[int], None]
    happened: Callable[[Event], None]
    _turns: Turns = field(default_factory=Turns)
    _looks: list[PeerCheckResult] = field(default_factory=list["PeerCheckResult"])
    _events: list[Event] = field(default_factory=list["Event"])
    _outcomes: Counter[Outcome] = field(default_factory=Counter["Outcome"])
    _failures: dict[str, str] = field(default_factory=dict[str, str])
    _elsewhere: int = 0
    _held: set[str] = field(default_factory=set[str])
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _writer: asyncio.Task[None] | None = None
    _written_at: float = 0.0
    _renewed_at: float = 0.0

    async def run(self, *, urls: Collection[str] | None, force: bool) -> Refreshed:
        """Look at every peer that is due, or at those that are named.

        Args:
            urls: Only these.
            force: Whether they are due or not.

        Raises:
            StoreError: If the database cannot be read or written; what was written before stays.
        """
        # Who was looked at is claimed again if it need not be due: so all are gone through once, by name.
        left = iter(urls if urls is not None else self.store.urls()) if urls is not None or force else None
        running: set[asyncio.Task[None]] = set()
        more = True
        self._written_at = self._renewed_at = monotonic()
        try:
            while True:
                if more and len(self._turns) + len(running) <= _CLAIMED // 2:
                    more = await self._claim(left, force=force)
                while len(running) < self.concurrency and (turn := self._turns.take()) is not None:
                    running.add(asyncio.create_task(self._one(*turn)))
                if not running:
                    if not more:
                        break
                    continue
                done, running = await asyncio.wait(
                    running, timeout=_PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    task.result()
                await self._keep_up()
            await self._end_writer()
            await self._write()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            # What it could not write is with the rest again.
            with suppress(CardError):
                await self._end_writer()
            # What was seen is written down even when somebody stops the refresh.
            try:
                await asyncio.shield(self._write())
            finally:
                await asyncio.shield(self._release())
        return Refreshed(self._outcomes, tuple(self._events), self._failures, self._elsewhere)

    async def _claim(self, urls: Iterator[str] | None, *, force: bool) -> bool:
        """Claim more peers; whether there may be others still."""
        named = list(islice(urls, _CLAIMED)) if urls is not None else None
        if named is not None and not named:
            return False
        claiming = asyncio.ensure_future(
            asyncio.to_thread(
                self.store.claim,
                now=self.looking.clock(),
                limit=_CLAIMED,
                owner=self.owner,
                lease_seconds=LEASE_SECONDS,
                urls=named,
                force=force,
            )
        )
        try:
            found = await asyncio.shield(claiming)
        except asyncio.CancelledError:
            # The claim goes on in its thread: what it brings is given up with the rest.
            self._held.update(record.url for record in await claiming)
            raise
        if named is not None and force:
            self._elsewhere += len(named) - len(found)
        fresh = [record for record in found if record.url not in self._held]
        self._held.update(record.url for record in fresh)
        self._turns.add((_host(record), record) for record in fresh)
        return named is not None or len(fresh) == _CLAIMED

    async def _release(self) -> None:
        """Give up the claims of those that nobody came to look at, or the next refresh would wait for them."""
        if self._held:
            with suppress(CardError):
                now = self.looking.clock()
                await asyncio.to_thread(self.store.release, list(self._held), owner=self.owner, now=now)

    async def _one(self, host: str, record: PeerRecord) -> None:
        try:
            look = await self.looking.look(record, self.entry_of(record))
            # Only now: what has gathered is taken away while this one waits.
            self._looks.append(look)
        finally:
            self._turns.done(host)

    async def _keep_up(self) -> None:
        """Write what has gathered, and keep the claims of what waits."""
        now = monotonic()
        if self._writer is not None and (self._writer.done() or len(self._looks) >= 2 * _BATCH):
            await self._end_writer()
        full = len(self._looks) >= _BATCH or now - self._written_at > _PATIENCE_SECONDS
        if self._looks and full and self._writer is None:
            # Meanwhile others are looked at.
            self._writer = asyncio.create_task(self._write())
        if now - self._renewed_at > LEASE_SECONDS / 3 and self._held:
            self._renewed_at = now
            until = self.looking.clock() + LEASE_SECONDS
            await asyncio.to_thread(self.store.renew, list(self._held), owner=self.owner, until=until)

    async def _end_writer(self) -> None:
        """Wait for what is being written, which goes on though whoever waits is cancelled."""
        if self._writer is not None:
            await asyncio.wait([self._writer])
            writer, self._writer = self._writer, None
            writer.result()

    async def _write(self) -> None:
        async with self._writing:
            looks, self._looks = self._looks, []
            self._written_at = monotonic()
            if not looks:
                return
            try:
                versions = await asyncio.to_thread(
                    self.store.record, [look.sighting for look in looks], owner=self.owner
                )
            except CardError:
                self._looks = looks + self._looks
                raise
        for look, version in zip(looks, versions, strict=True):
            self._held.discard(look.sighting.url)
            if version is None and look.sighting.card is not None:
                # Somebody else had taken the peer over, or the database could not take the card.
                self._outcomes["failed"] += 1
                self._failures[look.sighting.url] = "its card was not written: see what is stored of it"
                continue
            self._outcomes[look.sighting.outcome] += 1
            if look.sighting.outcome == "failed":
                self._failures[look.sighting.url] = look.sighting.error
            for event in look.events:
                told = replace(event, version=version)
                self._events.append(told)
                try:
                    self.happened(told)
                except Exception:  # noqa: BLE001 - the application's own function is no reason to lose the rest
                    _LOG.exception("on_event failed")
        self.told(len(looks))


def _host(record: PeerRecord) -> str:
    return given(record.url).host
