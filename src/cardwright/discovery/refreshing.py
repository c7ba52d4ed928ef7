"""Refresh of many peers: claimed from the store, checked one per host, written in batches."""

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
from cardwright.discovery.local_cards import is_local
from cardwright.discovery.scheduling import HostQueue
from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from cardwright.discovery.configuration import PeerEntry
    from cardwright.discovery.events import Event
    from cardwright.discovery.peer_check import PeerCheck, PeerCheckResult
    from cardwright.store import CardStore, Outcome, PeerRecord

# The maximum of claimed peers, and the lease after which another process may take them over.
_MAX_CLAIMS: Final = 512
LEASE_SECONDS: Final = 120.0
# The size of a write batch; a smaller one is written after a delay.
_BATCH_SIZE: Final = 256
_LOG: Final = logging.getLogger(__name__)
_MAX_DELAY_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class RefreshResult:
    """Result of a refresh.

    Attributes:
        outcomes: The number of peers by outcome.
        events: The events, in the order in which they were stored.
        failures: The reasons for failed checks, by URL.
        elsewhere: The number of requested peers that another process is checking.
    """

    outcomes: Counter[Outcome]
    events: tuple[Event, ...]
    failures: dict[str, str]
    elsewhere: int = 0

    @property
    def total(self) -> int:
        """The number of checked peers."""
        return self.outcomes.total()


@dataclass(slots=True)
class Refresh:
    """One refresh, from the first claim to the last write.

    Attributes:
        check: Checks one peer.
        store: The database.
        owner: The owner of the claims, unique among all processes.
        entry_of: Returns the settings of a peer.
        concurrency: The maximum number of concurrent checks.
        on_progress: Called after each batch with the number of finished peers.
        on_event: Called with each event after it is stored.
    """

    check: PeerCheck
    store: CardStore
    owner: str
    entry_of: Callable[[PeerRecord], PeerEntry]
    concurrency: int
    on_progress: Callable[[int], None]
    on_event: Callable[[Event], None]
    _queue: HostQueue = field(default_factory=HostQueue)
    _results: list[PeerCheckResult] = field(default_factory=list["PeerCheckResult"])
    _events: list[Event] = field(default_factory=list["Event"])
    _outcomes: Counter[Outcome] = field(default_factory=Counter["Outcome"])
    _failures: dict[str, str] = field(default_factory=dict[str, str])
    _elsewhere: int = 0
    _held: set[str] = field(default_factory=set[str])
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _writer: asyncio.Task[None] | None = None
    _written_at: float = 0.0
    _renewed_at: float = 0.0

    async def run(self, *, urls: Collection[str] | None, force: bool) -> RefreshResult:
        """Check all due peers, or the given ones.

        Args:
            urls: The peers to check; None: all that are due.
            force: Whether to check peers that are not due.

        Raises:
            StoreError: If the database cannot be read or written; earlier writes stay.
        """
        # With `force` a checked peer could be claimed again: go through all names once.
        remaining = (
            iter(urls if urls is not None else self.store.urls()) if urls is not None or force else None
        )
        running: set[asyncio.Task[None]] = set()
        more = True
        self._written_at = self._renewed_at = monotonic()
        try:
            while True:
                if more and len(self._queue) + len(running) <= _MAX_CLAIMS // 2:
                    more = await self._claim(remaining, force=force)
                while len(running) < self.concurrency and (turn := self._queue.take()) is not None:
                    running.add(asyncio.create_task(self._check_one(*turn)))
                if not running:
                    if not more:
                        break
                    continue
                done, running = await asyncio.wait(
                    running, timeout=_MAX_DELAY_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    task.result()
                await self._write_and_renew()
            await self._end_writer()
            await self._write()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            # Results of a failed write are in the next batch again.
            with suppress(CardError):
                await self._end_writer()
            # Results are stored also if the refresh is cancelled.
            try:
                await asyncio.shield(self._write())
            finally:
                await asyncio.shield(self._release())
        return RefreshResult(self._outcomes, tuple(self._events), self._failures, self._elsewhere)

    async def _claim(self, urls: Iterator[str] | None, *, force: bool) -> bool:
        """Claim more peers; return whether there may be others."""
        batch = list(islice(urls, _MAX_CLAIMS)) if urls is not None else None
        if batch is not None and not batch:
            return False
        claiming = asyncio.ensure_future(
            asyncio.to_thread(
                self.store.claim,
                now=self.check.clock(),
                limit=_MAX_CLAIMS,
                owner=self.owner,
                lease_seconds=LEASE_SECONDS,
                urls=batch,
                force=force,
            )
        )
        try:
            claimed = await asyncio.shield(claiming)
        except asyncio.CancelledError:
            # The claim continues in its thread: release its peers with the rest.
            self._held.update(record.url for record in await claiming)
            raise
        if batch is not None and force:
            self._elsewhere += len(batch) - len(claimed)
        fresh = [record for record in claimed if record.url not in self._held]
        self._held.update(record.url for record in fresh)
        self._queue.add((_host(record), record) for record in fresh)
        return batch is not None or len(fresh) == _MAX_CLAIMS

    async def _release(self) -> None:
        """Release the claims of unchecked peers; otherwise the next refresh would wait for the lease."""
        if self._held:
            with suppress(CardError):
                now = self.check.clock()
                await asyncio.to_thread(self.store.release, list(self._held), owner=self.owner, now=now)

    async def _check_one(self, host: str, record: PeerRecord) -> None:
        try:
            result = await self.check.check(record, self.entry_of(record))
            # Fetch the list after the await: `_write` replaces it meanwhile.
            self._results.append(result)
        finally:
            self._queue.done(host)

    async def _write_and_renew(self) -> None:
        """Write full batches, and renew the claims of waiting peers."""
        now = monotonic()
        if self._writer is not None and (self._writer.done() or len(self._results) >= 2 * _BATCH_SIZE):
            await self._end_writer()
        full = len(self._results) >= _BATCH_SIZE or now - self._written_at > _MAX_DELAY_SECONDS
        if self._results and full and self._writer is None:
            # Checks continue during the write.
            self._writer = asyncio.create_task(self._write())
        if now - self._renewed_at > LEASE_SECONDS / 3 and self._held:
            self._renewed_at = now
            until = self.check.clock() + LEASE_SECONDS
            await asyncio.to_thread(self.store.renew, list(self._held), owner=self.owner, until=until)

    async def _end_writer(self) -> None:
        """Wait for the current write, which continues if the waiter is cancelled."""
        if self._writer is not None:
            await asyncio.wait([self._writer])
            writer, self._writer = self._writer, None
            writer.result()

    async def _write(self) -> None:
        async with self._writing:
            results, self._results = self._results, []
            self._written_at = monotonic()
            if not results:
                return
            try:
                versions = await asyncio.to_thread(
                    self.store.record, [result.observation for result in results], owner=self.owner
                )
            except CardError:
                self._results = results + self._results
                raise
        for result, version in zip(results, versions, strict=True):
            self._held.discard(result.observation.url)
            if version is None and result.observation.card is not None:
                # Another process took the peer over, or the database could not store the card.
                self._outcomes["failed"] += 1
                self._failures[result.observation.url] = (
                    "the card was not stored; see the stored state of the peer"
                )
                continue
            self._outcomes[result.observation.outcome] += 1
            if result.observation.outcome == "failed":
                self._failures[result.observation.url] = result.observation.error
            for event in result.events:
                stored_event = replace(event, version=version)
                self._events.append(stored_event)
                try:
                    self.on_event(stored_event)
                except Exception:  # noqa: BLE001 - an error in the application's function must not lose other events
                    _LOG.exception("on_event failed")
        self.on_progress(len(results))


def _host(record: PeerRecord) -> str:
    # One request per host: a file is a host of its own.
    return record.url if is_local(record.url) else given(record.url).host
