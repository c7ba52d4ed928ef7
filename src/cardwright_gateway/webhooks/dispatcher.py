"""The dispatcher: claims due events from the outbox, and runs their attempts."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError, StoreError
from cardwright_gateway.cluster.periodic import PeriodicTask
from cardwright_gateway.webhooks.claims import ClaimRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright_gateway.cluster.heartbeat import Heartbeat
    from cardwright_gateway.webhooks.claims import Claim
    from cardwright_gateway.webhooks.outbox import Outbox

LOG: Final = logging.getLogger("cardwright_gateway.webhooks")
# Maximum concurrent deliveries of one process, over all receivers (project decision).
MAX_CONCURRENT: Final = 256
# How much longer a lease is than the timeout of an attempt, for a busy machine and a slow database (project decision).
_LEASE_MARGIN_SECONDS: Final = 60.0
# Delay before an attempt is repeated whose rows could not be read or written (project decision).
_RETRY_SECONDS: Final = 1.0
_GRACE_SECONDS: Final = 5.0


class Dispatcher:
    """Dispatcher of due events; another process takes over the events of a stopped one.

    Args:
        outbox: The rows.
        replica: The heartbeat of this process, which also knows the other processes.
        run: Runs one attempt.
        concurrency: Maximum concurrent attempts of one receiver, over all processes.
        timeout_seconds: Timeout of one attempt.
        lost_seconds: How long a process may be silent before it counts as gone.
        poll_seconds: How often to poll the database for changes by other processes and the command line.
        clock: Seconds since 1970.
    """

    def __init__(
        self,
        outbox: Outbox,
        replica: Heartbeat,
        run: Callable[[Claim], Awaitable[None]],
        *,
        concurrency: int,
        timeout_seconds: float,
        lost_seconds: float,
        poll_seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self._outbox = outbox
        self._replica = replica
        self._run = run
        self._concurrency = concurrency
        self._lease_seconds = timeout_seconds + _LEASE_MARGIN_SECONDS
        self._lost_seconds = lost_seconds
        self._clock = clock
        self._running: dict[str, asyncio.Task[None]] = {}
        # Events whose attempt could not be recorded: they are released as soon as possible.
        self._failed: set[str] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._periodic = PeriodicTask("the delivery of webhooks", poll_seconds, self.round)

    @property
    def running(self) -> frozenset[str]:
        """The events that this process delivers now."""
        return frozenset(self._running)

    def start(self) -> None:
        """Start delivering."""
        self._periodic.start()

    def wake(self) -> None:
        """Check for due events at once; called when this process has accepted an event."""
        self._periodic.wake()

    async def close(self, *, grace_seconds: float = _GRACE_SECONDS) -> None:
        """Stop claiming, wait a short time for running attempts, and release the rest for other processes."""
        try:
            await self._periodic.close()
            self._schedule()
            if self._running:
                await asyncio.wait(self._running.values(), timeout=grace_seconds)
        finally:
            unfinished = dict(self._running)
            for task in unfinished.values():
                task.cancel()
            await asyncio.gather(*unfinished.values(), return_exceptions=True)
            if leased := [*unfinished, *self._failed]:
                self._failed.clear()
                # If that fails, the leases expire.
                with contextlib.suppress(CardError, SQLAlchemyError):
                    await self._outbox.release(leased, self._clock())

    async def round(self) -> None:
        """Claim due events, and start their attempts.

        Raises:
            StoreError: If the database is unavailable.
        """
        await self._release_failed()
        outlook = await self._outbox.outlook()
        lost: frozenset[str] = frozenset()
        if outlook.lessees:
            lost = outlook.lessees - await self._replica.alive(self._lost_seconds)
        now, room = self._clock(), MAX_CONCURRENT - len(self._running)
        next_at = outlook.next_at
        if lost or (next_at is not None and next_at <= now and room > 0):
            claims = await self._outbox.claim(
                ClaimRequest(
                    self._replica.id,
                    now,
                    now + self._lease_seconds,
                    max(room, 0),
                    self._concurrency,
                    self.running,
                    lost,
                )
            )
            if lost:
                LOG.warning("took over the deliveries of %d stopped processes", len(lost))
            next_at = claims.next_at
            for claim in claims.claimed:
                self._start_attempt(claim)
        elif room <= 0:
            # The end of any attempt starts the next round.
            next_at = None
        self._schedule(next_at)

    def _start_attempt(self, claim: Claim) -> None:
        task = asyncio.create_task(self._attempt(claim), name=f"cardwright webhook {claim.event_id}")
        self._running[claim.event_id] = task
        task.add_done_callback(partial(self._ended, claim.event_id))

    async def _attempt(self, claim: Claim) -> None:
        try:
            await self._run(claim)
        except (CardError, SQLAlchemyError) as error:
            self._failed.add(claim.event_id)
            LOG.warning(
                "could not deliver the event %s now, retrying later: %s", claim.event_id, type(error).__name__
            )
        except Exception:
            # Outermost frame of one attempt.
            self._failed.add(claim.event_id)
            LOG.exception("could not deliver the event %s now, retrying later", claim.event_id)

    def _ended(self, event_id: str, _: asyncio.Task[None]) -> None:
        self._running.pop(event_id, None)
        # There is room for another event, and this one may have a new due time.
        self.wake()

    async def _release_failed(self) -> None:
        if self._failed:
            ids = list(self._failed)
            with contextlib.suppress(StoreError):
                await self._outbox.release(ids, self._clock() + _RETRY_SECONDS)
                self._failed.difference_update(ids)

    def _schedule(self, until: float | None = None) -> None:
        """Schedule the next round for when the next event is due; polling finds events of other processes."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if until is not None:
            seconds = max(0.0, until - self._clock())
            self._alarm = asyncio.get_running_loop().call_later(seconds, self.wake)
