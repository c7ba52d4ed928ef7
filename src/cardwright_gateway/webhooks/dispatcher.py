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
# How many deliveries one process has under way, over all receivers (project decision).
MAX_UNDER_WAY: Final = 256
# How much longer a lease is than an attempt may take: what a busy machine and a slow database add (project decision).
_LEASE_MARGIN_SECONDS: Final = 60.0
# How soon an attempt comes again whose rows could not be read or written (project decision).
_RETRY_SECONDS: Final = 1.0
_GRACE_SECONDS: Final = 5.0


class Dispatcher:
    """Delivers what is due, by this process or, where it is gone, by another.

    Args:
        outbox: The rows.
        replica: This process among those that share the database.
        run: Makes one attempt.
        concurrency: How many attempts of one receiver are under way at once, over all processes.
        timeout_seconds: How long one attempt takes at most.
        lost_seconds: How long a process may be silent before it is gone.
        poll_seconds: How often the database is read for what other processes and the command line wrote.
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
        # Events whose attempt ended without a word in the database: they are given back as soon as that can be.
        self._failed: set[str] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._periodic = PeriodicTask("the delivery of webhooks", poll_seconds, self.round)

    @property
    def running(self) -> frozenset[str]:
        """The events that this process delivers now."""
        return frozenset(self._running)

    def start(self) -> None:
        """Begin to deliver."""
        self._periodic.start()

    def wake(self) -> None:
        """Look at once for what is due: this process has accepted something."""
        self._periodic.wake()

    async def close(self, *, grace_seconds: float = _GRACE_SECONDS) -> None:
        """Claim no more, wait a while for what runs, and give the rest back to whichever process comes next."""
        try:
            await self._periodic.close()
            self._sleep()
            if self._running:
                await asyncio.wait(self._running.values(), timeout=grace_seconds)
        finally:
            left = dict(self._running)
            for task in left.values():
                task.cancel()
            await asyncio.gather(*left.values(), return_exceptions=True)
            if given_back := [*left, *self._failed]:
                self._failed.clear()
                # Where it cannot be written, the end of the lease says it.
                with contextlib.suppress(CardError, SQLAlchemyError):
                    await self._outbox.release(given_back, self._clock())

    async def round(self) -> None:
        """Claim what is due, and begin to deliver it.

        Raises:
            StoreError: If the database cannot be used now.
        """
        await self._give_back()
        outlook = await self._outbox.outlook()
        lost: frozenset[str] = frozenset()
        if outlook.lessees:
            lost = outlook.lessees - await self._replica.alive(self._lost_seconds)
        now, room = self._clock(), MAX_UNDER_WAY - len(self._running)
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
                LOG.warning("took over the deliveries of %d processes that are gone", len(lost))
            next_at = claims.next_at
            for claim in claims.claimed:
                self._begin(claim)
        elif room <= 0:
            # The end of any attempt is the next round.
            next_at = None
        self._sleep(next_at)

    def _begin(self, claim: Claim) -> None:
        task = asyncio.create_task(self._attempt(claim), name=f"cardwright webhook {claim.event_id}")
        self._running[claim.event_id] = task
        task.add_done_callback(partial(self._ended, claim.event_id))

    async def _attempt(self, claim: Claim) -> None:
        try:
            await self._run(claim)
        except (CardError, SQLAlchemyError) as error:
            self._failed.add(claim.event_id)
            LOG.warning("the event %s is delivered later: %s", claim.event_id, type(error).__name__)
        except Exception:
            # Outermost frame of one attempt.
            self._failed.add(claim.event_id)
            LOG.exception("the event %s is delivered later", claim.event_id)

    def _ended(self, event_id: str, _: asyncio.Task[None]) -> None:
        self._running.pop(event_id, None)
        # There is room for another, and its row says when its own next attempt is due.
        self.wake()

    async def _give_back(self) -> None:
        if self._failed:
            ids = list(self._failed)
            with contextlib.suppress(StoreError):
                await self._outbox.release(ids, self._clock() + _RETRY_SECONDS)
                self._failed.difference_update(ids)

    def _sleep(self, until: float | None = None) -> None:
        """Have the next round when the next event is due; those that other processes write are found by polling."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if until is not None:
            seconds = max(0.0, until - self._clock())
            self._alarm = asyncio.get_running_loop().call_later(seconds, self.wake)
