"""The card source of an A2A agent: fetched by discovery, stored and refreshed in the registry of peers."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from cardwright.errors import UnknownPeer
from cardwright_gateway.a2a.problems import SourceFailed, fetch_message
from cardwright_gateway.catalog.sources.source import SourceStatus, State, UpstreamCard
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.single_flight import shared_task, shielded

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.discovery import AgentRegistry, Peer
    from cardwright.errors import CardError
    from cardwright_gateway.settings.agents import AgentConfig

# After a failed fetch, requests fail for this time without another fetch (project decision).
_BACKOFF_SECONDS: Final = 5.0
# Any caller may force a refresh, so the minimum interval between forced fetches is limited (project decision).
_FORCED_SECONDS: Final = 1.0
# Polling for the result of another process that is fetching the card.
_ELSEWHERE_SECONDS: Final = 0.1
_ELSEWHERE_TRIES: Final = 150
# The minimum interval between database reads for an expired card, which another process may have refreshed.
_REREAD_SECONDS: Final = 1.0


class A2aSource:
    """The card source of an A2A agent.

    Args:
        config: The settings of the agent.
        url: Its URL in the registry.
        registry: The registry of peers, which already has the agent.
        since: Cards stored before this time belong to other settings and are not used; in seconds since the epoch.
            None if all may be used.
        clock: The registry's clock, in seconds since the epoch.
    """

    def __init__(
        self,
        config: AgentConfig,
        url: str,
        registry: AgentRegistry,
        *,
        since: float | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._config = config
        self.url = url
        self._registry = registry
        self._clock = clock
        self._since = since
        self._peer: Peer | None = None
        self._upstream: UpstreamCard | None = None
        self._read_at = float("-inf")
        self._fetching: asyncio.Task[None] | None = None

    def now(self) -> UpstreamCard | None:
        """Return the card if it is fresh."""
        peer = self._peer
        fresh = peer is not None and peer.record.fresh(self._clock())
        return self._upstream if fresh and self._since is None else None

    async def card(self) -> UpstreamCard:
        """Return the card; fetch it if it is not fresh.

        Raises:
            SourceFailed: If there is no usable card.
        """
        if self._since is not None:
            # Another process that applied the change may have fetched the card already.
            await self._read()
            if not self._checked_within(self._clock() - self._since):
                await self.fetch(force=True)
            self._since = None
        upstream = self.now() or await self._known()
        if upstream is not None and not upstream.stale:
            return upstream
        if not self._backs_off():
            await self.fetch()
            upstream = await self._known()
        if upstream is not None and not upstream.stale:
            return upstream
        return self._stale_card(upstream)

    async def refresh(self) -> UpstreamCard:
        """Fetch the card even if it is fresh, with a conditional request.

        Raises:
            SourceFailed: If it cannot be fetched.
        """
        if not self._checked_within(_FORCED_SECONDS):
            await self.fetch(force=True)
        upstream = await self._known()
        record = self._peer.record if self._peer else None
        if upstream is None or (record is not None and record.failures):
            raise self._failed()
        return upstream

    async def fetch(self, *, force: bool = False) -> None:
        """Refresh the card; concurrent callers share one refresh.

        Raises:
            StoreError: If the database cannot be used.
        """
        if self._fetching is None or self._fetching.done():
            self._fetching = shared_task(self._fetch(force=force))
        await shielded(self._fetching, UnknownAgent(self._config.id))

    async def _fetch(self, *, force: bool) -> None:
        if self._peer is None:
            # Another process that shares the database may have fetched it, or this one before a restart.
            await self._read()
        try:
            elsewhere = await self._fetch_if_due(force=force)
        except UnknownPeer:
            # The agent is being replaced; the new one fetches its own card.
            raise UnknownAgent(self._config.id) from None
        self._since = None
        for _ in range(_ELSEWHERE_TRIES if elsewhere else 0):
            await asyncio.sleep(_ELSEWHERE_SECONDS)
            await self._read()
            if self._peer is not None and self._peer.record.fresh(self._clock()):
                return
        await self._read()

    async def _fetch_if_due(self, *, force: bool) -> bool:
        """Fetch the card if it is due; return whether another process is fetching it now."""
        if not force:
            if not self._due() and self.due_seconds() > 0:
                return False
            if (await self._registry.refresh(self.url)).total:
                return False
            await self._read()
            if not self._due():
                # Another process has just fetched it.
                return False
            if self._peer is not None and not self._peer.record.failures:
                # Not due here and not fresh: another process holds the lease and will store the result.
                return True
        return (await self._registry.refresh(self.url, force=True)).elsewhere > 0

    async def reread(self) -> None:
        """Read the card again, which another process may have stored.

        Raises:
            StoreError: If the database cannot be used.
        """
        await self._read()

    def due_seconds(self) -> float:
        """Return the seconds until the next refresh; negative if it is overdue."""
        return (self._peer.record.next_at if self._peer else 0.0) - self._clock()

    def status(self) -> SourceStatus:
        """Return the status of the source."""
        peer = self._peer
        if peer is None:
            return SourceStatus("waiting")
        record, upstream = peer.record, self._upstream_card()
        remaining = max(0.0, record.next_at - self._clock())
        error = fetch_message(record.error_rule) if record.failures else ""
        if upstream is None:
            return SourceStatus("failing" if error else "waiting", None, error, remaining)
        state: State = "ok" if not upstream.stale else "failing" if error else "stale"
        return SourceStatus(state, upstream, error, remaining)

    async def close(self) -> None:
        """Cancel a running refresh."""
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)

    def _due(self) -> bool:
        return self._peer is None or not self._peer.record.fresh(self._clock())

    async def _known(self) -> UpstreamCard | None:
        """Return the card in the database, read again if it may have changed."""
        now = self._clock()
        if self._peer is None or (self._due() and now - self._read_at > _REREAD_SECONDS):
            await self._read()
        return self._upstream_card()

    async def _read(self) -> None:
        self._read_at = self._clock()
        # Validating a card of the maximum size takes a second, so use a thread.
        self._peer = await asyncio.to_thread(self._registry.by_url, self.url)
        self._upstream = self._upstream_card()

    def _upstream_card(self) -> UpstreamCard | None:
        peer = self._peer
        if peer is None or peer.card is None:
            return None
        now = self._clock()
        answer = peer.provenance
        seen = peer.record.last_ok_at
        return UpstreamCard(
            peer.card,
            peer.record.body_digest or "",
            stale=not peer.record.fresh(now),
            age_seconds=None if seen is None else max(0.0, now - seen),
            signature=answer.signature if answer else "",
            signed_by=answer.signed_by if answer else "",
        )

    def _backs_off(self) -> bool:
        """Whether the last fetch failed so recently that it is not repeated."""
        record = self._peer.record if self._peer else None
        return record is not None and bool(record.failures) and self._checked_within(_BACKOFF_SECONDS)

    def _checked_within(self, seconds: float) -> bool:
        """Whether the last fetch was within these seconds."""
        record = self._peer.record if self._peer else None
        checked = record.last_checked_at if record else None
        old = checked is None or (self._since is not None and checked < self._since)
        return checked is not None and not old and self._clock() - checked < seconds

    def _stale_card(self, upstream: UpstreamCard | None) -> UpstreamCard:
        """Return an expired card if it may still be served.

        Raises:
            SourceFailed: If there is no card, or `stale_seconds` are over.
        """
        record = self._peer.record if self._peer else None
        if upstream is None or record is None:
            raise self._failed()
        expired_seconds = self._clock() - (record.fresh_until or 0.0)
        if expired_seconds > self._config.stale_seconds:
            raise self._failed()
        return upstream

    def _failed(self) -> CardError:
        record = self._peer.record if self._peer else None
        if record is None or not record.error_rule:
            return SourceFailed("fetch/unreachable", retry_after=_BACKOFF_SECONDS)
        since = self._clock() - (record.last_checked_at or 0.0)
        return SourceFailed(record.error_rule, retry_after=max(1.0, _BACKOFF_SECONDS - since))
