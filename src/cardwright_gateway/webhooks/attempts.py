"""Delivery attempts: each is recorded when it begins and when it ends."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import secrets
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from cardwright.discovery.card_lookup import retry_after
from cardwright.errors import ConnectionDenied, PeerError, PeerTimeout
from cardwright.guard import Timeouts
from cardwright_gateway.webhooks.fairness import CallerSlots
from cardwright_gateway.webhooks.outbox import new_delivery
from cardwright_gateway.webhooks.results import EndedAttempt
from cardwright_gateway.webhooks.rows import DELIVERED, FAILED, REDELIVERY, REFUSED, SCHEDULE, WAITING, Result
from cardwright_gateway.webhooks.signatures import signed_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from cardwright.guard import GuardedClient, Streamed
    from cardwright_gateway.webhooks.claims import Claim
    from cardwright_gateway.webhooks.configs import Configs, Receiver
    from cardwright_gateway.webhooks.outbox import Outbox
    from cardwright_gateway.webhooks.rows import Delivery, Event
    from cardwright_gateway_models.settings.gateway import WebhookSettings

LOG: Final = logging.getLogger("cardwright_gateway.webhooks")
# A receiver has nothing to say but a status, and connecting takes no longer than for a card (project decision).
_MAX_RESPONSE: Final = 16 * 1024
_CONNECT_SECONDS: Final = 3.0
# Retry interval for undecryptable receivers if the schedule is empty (project decision).
_UNREADABLE_SECONDS: Final = 60.0
# Maximum concurrent deliveries of one caller per process, of 256 in all (project decision).
MAX_PER_CALLER: Final = 32
# The same for all callers of one owner's agents: an owner gives out as many keys as it wants (project decision).
MAX_PER_OWNER: Final = 128
# Up to 10 % more, so that deliveries that failed together are not retried together.
_JITTER: Final = 0.1
_MAX_RETRY_AFTER: Final = 86400.0


class Attempts:
    """Runner of the delivery attempts of one process.

    Args:
        outbox: The rows.
        configs: The receivers: URLs and secrets.
        client: The guarded HTTP client.
        config: The operator's settings.
        clock: Seconds since 1970.
        on_attempt: Called with the result of each attempt.
        agent_owner: Returns the owner of an agent, for the audit log and the limit of its deliveries; "" for none.
    """

    def __init__(
        self,
        outbox: Outbox,
        configs: Configs,
        client: GuardedClient,
        config: WebhookSettings,
        *,
        clock: Callable[[], float],
        on_attempt: Callable[[Result], None],
        agent_owner: Callable[[str], str],
    ) -> None:
        self._outbox = outbox
        self._configs = configs
        self._client = client
        self._config = config
        self._clock = clock
        self._on_attempt = on_attempt
        self._agent_owner = agent_owner
        self._slots = CallerSlots(MAX_PER_CALLER)
        self._owner_slots = CallerSlots(MAX_PER_OWNER)
        schedule = config.schedule_seconds
        self._unreadable_seconds = schedule[0] if schedule else _UNREADABLE_SECONDS
        self._warned = False

    async def run(self, claim: Claim) -> None:
        """Attempt to deliver an event that this process has leased, or postpone it.

        Raises:
            CardError: If a row cannot be read or written: the attempt is repeated.
        """
        stored = await self._outbox.event(claim.event_id)
        if stored is None:
            return
        event, body = stored
        if event.redelivery is None and event.state != WAITING:
            await self._outbox.release([event.id], self._clock())
            return
        receivers = await self._configs.receivers(event.task_id, event.config_id)
        if not receivers:
            await self._outbox.abandon(event.id, self._clock())
            return
        if event.redelivery is None:
            await self._run_scheduled(event, receivers[0], body)
        else:
            await self._run_redelivery(event, event.redelivery, receivers[0], body)

    async def _run_scheduled(self, event: Event, receiver: Receiver, body: bytes) -> None:
        number = event.attempts + 1
        if not receiver.readable:
            # Wait until some process has the right key.
            self._warn()
            until = self._clock() + self._unreadable_seconds
            await self._outbox.postpone(event.id, number, until, unreadable=True)
            return
        now = self._clock()
        endpoint = await self._outbox.endpoint(receiver.endpoint)
        if endpoint.disabled_at is not None:
            await self._outbox.drop(event.id, now)
            return
        if endpoint.slow_until is not None and endpoint.slow_until > now:
            # The receiver asked for a pause in its response to another event.
            await self._outbox.postpone(event.id, number, endpoint.slow_until)
            return
        with self._slot(event) as wait:
            if wait is not None:
                await self._outbox.postpone(event.id, number, self._clock() + wait)
                return
            delivery_id = f"dlv_{secrets.token_hex(12)}"
            delivery = new_delivery(event, delivery_id, number, SCHEDULE, self._clock())
            await self._deliver(delivery, event, receiver, body)

    async def _run_redelivery(self, event: Event, delivery_id: str, receiver: Receiver, body: bytes) -> None:
        """Run a redelivery that an owner requested, as soon as possible."""
        if not receiver.readable:
            self._warn()
            await self._outbox.release([event.id], self._clock() + self._unreadable_seconds)
            return
        with self._slot(event) as wait:
            if wait is not None:
                await self._outbox.release([event.id], self._clock() + wait)
                return
            delivery = new_delivery(event, delivery_id, event.attempts + 1, REDELIVERY, self._clock())
            await self._deliver(delivery, event, receiver, body)

    @contextmanager
    def _slot(self, event: Event) -> Generator[float | None]:
        """Take a slot until the block ends; yields None, or the seconds to wait if all are taken."""
        owner = self._agent_owner(event.agent_id)
        with self._slots.acquire(event.owner) as room:
            if not room:
                yield self._slots.wait(event.owner)
                return
            with self._owner_slots.acquire(owner) as owner_room:
                yield None if owner_room else self._owner_slots.wait(owner)

    def _warn(self) -> None:
        if not self._warned:
            self._warned = True
            LOG.error(
                "some waiting webhooks cannot be decrypted with webhooks.encryption_key; they are not lost:"
                " give every process the key that they were configured with"
            )

    async def _deliver(self, delivery: Delivery, event: Event, receiver: Receiver, body: bytes) -> None:
        await self._outbox.begin(delivery)
        result = await self._post(event, receiver, body)
        schedule = self._config.schedule_seconds
        ended = EndedAttempt(
            delivery,
            receiver.endpoint,
            result,
            self._clock(),
            wait_after(schedule, delivery.number, retry_after=result.retry_after),
            schedule[0] if schedule else 0.0,
            self._agent_owner(delivery.agent_id),
        )
        await self._outbox.finish(ended)
        self._on_attempt(result)

    async def _post(self, event: Event, receiver: Receiver, body: bytes) -> Result:
        """Send the body, and return the result; the response body is discarded."""
        began = time.monotonic()
        now = self._clock()
        seconds = self._config.timeout_seconds
        fields = {
            "Content-Type": event.media_type,
            **signed_fields(event.id, int(now), body, receiver.secrets),
        }
        status: int | None = None
        size, after, outcome = 0, None, FAILED
        reason: str | None = None
        try:
            async with (
                asyncio.timeout(seconds),
                self._client.stream(
                    "POST",
                    receiver.url,
                    headers=fields,
                    credentials=receiver.fields,
                    content=body,
                    max_bytes=_MAX_RESPONSE,
                    timeouts=Timeouts(min(_CONNECT_SECONDS, seconds), seconds, seconds),
                ) as response,
            ):
                status = response.status
                after = retry_after(response.headers, now)
                size = await _discarded_bytes(response)
        except ConnectionDenied:
            outcome, reason = REFUSED, "the gateway may not connect to the address of the receiver"
        except (PeerTimeout, TimeoutError):
            reason = f"no response within {seconds:g} seconds"
        except PeerError:
            reason = "the connection failed"
        # If the status has arrived, it counts, whatever happened afterwards.
        if status is not None:
            delivered = 200 <= status < 300
            outcome, reason = (
                (DELIVERED, None) if delivered else (FAILED, f"the receiver responded with {status}")
            )
        return Result(outcome, status, after, (time.monotonic() - began) * 1000, size, reason)


async def _discarded_bytes(response: Streamed) -> int:
    size = 0
    with suppress(PeerError):
        async for chunk in response.chunks():
            size += len(chunk)
    return min(size, _MAX_RESPONSE)


def redelivery_id(event_id: str, idempotency_key: str | None) -> str:
    """Return the id of a redelivery; the same idempotency key gives the same id."""
    if idempotency_key is None:
        return f"dlv_{secrets.token_hex(12)}"
    content = f"{event_id}\n{REDELIVERY}\n{idempotency_key}".encode()
    return f"dlv_{hashlib.sha256(content).hexdigest()[:24]}"


def wait_after(
    schedule: Sequence[float],
    attempts: int,
    *,
    retry_after: float | None = None,
    spread: Callable[[], float] = random.random,
) -> float | None:
    """Return the seconds until the next attempt (BeeOS seed §7); None if that was the last one.

    Args:
        schedule: The wait after each failed attempt, in seconds.
        attempts: How many attempts have failed.
        retry_after: Seconds from the Retry-After header, at most a day; the longer wait counts.
        spread: Returns a number from 0 to 1, for the jitter.
    """
    if attempts > len(schedule):
        return None
    wait = schedule[attempts - 1] * (1 + _JITTER * spread())
    return max(wait, min(retry_after or 0.0, _MAX_RETRY_AFTER))
