"""The agents of a registry that come from catalogues: added when they are listed, removed when they no longer are."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from cardwright.discovery.catalogs import read_catalogs
from cardwright.discovery.events import Event
from cardwright.discovery.local_cards import peer_key
from cardwright.discovery.scheduling import JITTER
from cardwright.errors import CardError
from cardwright.store import PeerSettings
from cardwright.store.catalogs import source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.checks import Checks
    from cardwright.discovery.catalogs import CatalogReading
    from cardwright.discovery.refreshing import RefreshResult
    from cardwright.guard import GuardedClient
    from cardwright.store import CardStore

# A catalogue whose check did not end, because its process died, is due again after this time (project decision).
_LEASE_SECONDS: Final = 180.0
_RETRY_SECONDS: Final = 300.0
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CatalogChanges:
    """What reading catalogues changed: the events, and the reasons of failures by URL."""

    events: list[Event] = field(default_factory=list[Event])
    failures: dict[str, str] = field(default_factory=dict[str, str])

    def report(self, on_event: Callable[[Event], None]) -> None:
        """Call the application's function with each event; an error in it must not lose the others."""
        for event in self.events:
            try:
                on_event(event)
            except Exception:  # noqa: BLE001 - code of the application
                _LOG.exception("on_event failed")

    def before(self, result: RefreshResult) -> RefreshResult:
        """Return the result of the refresh that followed, with these changes before its own."""
        failures = {**self.failures, **result.failures}
        return replace(result, events=(*self.events, *result.events), failures=failures)


@dataclass(frozen=True, slots=True)
class CatalogSync:
    """Reads the catalogues of a registry, and adds and removes their agents.

    Attributes:
        client: The guarded HTTP client.
        store: The database.
        checks: The registries and rule sets to validate catalogues with.
        period_seconds: The time between two readings of a catalogue.
        clock: Seconds since the epoch.
        random: Returns a number from 0 to 1, for jitter.
    """

    client: GuardedClient
    store: CardStore
    checks: Checks
    period_seconds: float
    clock: Callable[[], float]
    random: Callable[[], float]

    async def add(self, url: str, on_event: Callable[[Event], None]) -> CatalogReading:
        """Read a catalogue, follow it from now on, and add its agents; `on_event` gets what changed.

        Raises:
            CardError: As `read_catalogs`; then nothing is added.
        """
        key = peer_key(url)
        reading = await read_catalogs(key, self.client, checks=self.checks, clock=self.clock)
        await asyncio.to_thread(self.store.catalogs.add, key)
        CatalogChanges(await asyncio.to_thread(self._store, key, reading)).report(on_event)
        return reading

    async def refresh(self, *, force: bool) -> CatalogChanges:
        """Read all catalogues that are due; one failure stops no other."""
        changes = CatalogChanges()
        for record in await asyncio.to_thread(self.store.catalogs.all):
            now = self.clock()
            if not force and record.next_at > now:
                continue
            until = now + _LEASE_SECONDS
            if not await asyncio.to_thread(
                self.store.catalogs.claim, record.url, next_at=record.next_at, until=until
            ):
                continue
            try:
                reading = await read_catalogs(record.url, self.client, checks=self.checks, clock=self.clock)
            except CardError as error:
                at = self.clock()
                changes.failures[record.url] = str(error)
                await asyncio.to_thread(
                    self.store.catalogs.record,
                    record.url,
                    at=at,
                    next_at=at + min(_RETRY_SECONDS, self.period_seconds),
                    agents=None,
                    error=str(error),
                )
                if not record.error:
                    changes.events.append(Event("failed", record.url, at, detail=f"catalogue: {error}"))
                continue
            if record.error:
                changes.events.append(Event("back", record.url, self.clock(), detail="catalogue"))
            changes.events.extend(await asyncio.to_thread(self._store, record.url, reading))
        return changes

    def remove(self, url: str, *, purge: bool = False) -> list[str] | None:
        """Follow a catalogue no longer and remove its agents; return their URLs, or None if it was not followed."""
        key = peer_key(url)
        agents = sorted(self.store.catalogs.agents_of(key))
        if not self.store.catalogs.remove(key):
            return None
        self.store.remove(agents, purge=purge)
        return agents

    def _store(self, key: str, reading: CatalogReading) -> list[Event]:
        """Add the new agents of a reading, remove those that it no longer lists, and record it.

        An agent that is in the registry for another reason stays as it is: the catalogue does not own it.
        """
        listed = [agent.url for agent in reading.agents]
        new = self.store.catalogs.unknown(listed)
        if new:
            self.store.add(PeerSettings(url, source=source_of(key)) for url in new)
        gone: list[str] = []
        if reading.complete:
            gone = sorted(self.store.catalogs.agents_of(key) - set(listed))
            if gone:
                self.store.remove(gone)
        at = self.clock()
        next_at = at + self.period_seconds * (1 - JITTER * self.random())
        self.store.catalogs.record(key, at=at, next_at=next_at, agents=len(listed), error="")
        return [
            Event("unlisted", url, at, detail=f"the catalogue {key} no longer lists it: it was removed")
            for url in gone
        ]
