"""One attempt to deliver an event: from the row that says it began to the one that says how it ended."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cardwright.discovery.card_lookup import retry_after
from cardwright.errors import ConnectionDenied, PeerError
from cardwright.guard import Timeouts
from cardwright_gateway.webhooks.fairness import Shares
from cardwright_gateway.webhooks.outbox import new_delivery
from cardwright_gateway.webhooks.results import Ending
from cardwright_gateway.webhooks.rows import (
    DELIVERED,
    FAILED,
    REDELIVERY,
    REFUSED,
    SCHEDULE,
    WAITING,
    Result,
)
from cardwright_gateway.webhooks.schedule import wait_after
from cardwright_gateway.webhooks.signatures import signed_fields

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.guard import GuardedClient, Streamed
    from cardwright_gateway.webhooks.claims import Claim
    from cardwright_gateway.webhooks.configs import Configs, Receiver
    from cardwright_gateway.webhooks.outbox import Outbox
    from cardwright_gateway.webhooks.rows import Delivery, Event
    from cardwright_models.settings.gateway import WebhookSettings

LOG: Final = logging.getLogger("cardwright_gateway.webhooks")
# reliability.md 2c.
_MOST_ANSWER: Final = 16 * 1024
_CONNECT_SECONDS: Final = 3.0
# How soon what cannot be read is looked at again where there is no schedule (ours).
_UNREADABLE_SECONDS: Final = 60.0
# How many deliveries of one caller a process has under way, of 256 over all (ours).
MOST_OF_ONE_CALLER: Final = 32


class Attempts:
    """The attempts of one process.

    Args:
        outbox: The rows.
        configs: Where to send, and by what to sign.
        client: What dials.
        config: The operator's settings.
        clock: Seconds since 1970.
        on_attempt: Told how each ended.
        agent_owner: Whose an agent is, for the audit; "" where it is nobody's.
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
        self._shares = Shares(MOST_OF_ONE_CALLER)
        schedule = config.schedule_seconds
        self._unreadable_seconds = schedule[0] if schedule else _UNREADABLE_SECONDS
        self._told = False

    async def run(self, claim: Claim) -> None:
        """Make the attempt of an event that this process has leased, or put it off.

        Raises:
            CardError: If a row cannot be read or written: the attempt is made again.
        """
        found = await self._outbox.event(claim.event_id)
        if found is None:
            return
        event, body = found
        if event.redelivery is None and event.state != WAITING:
            await self._outbox.release([event.id], self._clock())
            return
        receivers = await self._configs.receivers(event.task_id, event.config_id)
        if not receivers:
            await self._outbox.abandon(event.id, self._clock())
            return
        if event.redelivery is None:
            await self._scheduled(event, receivers[0], body)
        else:
            await self._redelivered(event, event.redelivery, receivers[0], body)

    async def _scheduled(self, event: Event, receiver: Receiver, body: bytes) -> None:
        number = event.attempts + 1
        if not receiver.readable:
            # Until a process has the right key: another one, or this one one day.
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
            # What it asked for itself is over: its own wait was as long.
            await self._outbox.postpone(event.id, number, endpoint.slow_until)
            return
        with self._shares.taking(event.owner) as room:
            if not room:
                until = self._clock() + self._shares.wait(event.owner)
                await self._outbox.postpone(event.id, number, until)
                return
            delivery_id = f"dlv_{secrets.token_hex(12)}"
            delivery = new_delivery(event, delivery_id, number, SCHEDULE, self._clock())
            await self._deliver(delivery, event, receiver, body)

    async def _redelivered(self, event: Event, delivery_id: str, receiver: Receiver, body: bytes) -> None:
        """Keep what an owner was promised: as soon as that can be, or until the event is forgotten."""
        if not receiver.readable:
            self._warn()
            await self._outbox.release([event.id], self._clock() + self._unreadable_seconds)
            return
        with self._shares.taking(event.owner) as room:
            if not room:
                await self._outbox.release([event.id], self._clock() + self._shares.wait(event.owner))
                return
            delivery = new_delivery(event, delivery_id, event.attempts + 1, REDELIVERY, self._clock())
            await self._deliver(delivery, event, receiver, body)

    def _warn(self) -> None:
        if not self._told:
            self._told = True
            LOG.error(
                "webhooks wait that webhooks.encryption_key does not open: give every process the key that"
                " they were configured with; they are not lost"
            )

    async def _deliver(self, delivery: Delivery, event: Event, receiver: Receiver, body: bytes) -> None:
        await self._outbox.begin(delivery)
        result = await self._post(event, receiver, body)
        schedule = self._config.schedule_seconds
        ending = Ending(
            delivery,
            receiver.endpoint,
            result,
            self._clock(),
            wait_after(schedule, delivery.number, retry_after=result.retry_after),
            schedule[0] if schedule else 0.0,
            self._agent_owner(delivery.agent_id),
        )
        await self._outbox.finish(ending)
        self._on_attempt(result)

    async def _post(self, event: Event, receiver: Receiver, body: bytes) -> Result:
        """Send the body, and say how that went; of the answer only its class is kept."""
        began = time.monotonic()
        now = self._clock()
        seconds = self._config.timeout_seconds
        fields = {
            "Content-Type": event.media_type,
            **signed_fields(event.id, int(now), body, receiver.secrets),
        }
        status: int | None = None
        size, after, outcome = 0, None, FAILED
        try:
            async with (
                asyncio.timeout(seconds),
                self._client.stream(
                    "POST",
                    receiver.url,
                    headers=fields,
                    credentials=receiver.fields,
                    content=body,
                    max_bytes=_MOST_ANSWER,
                    timeouts=Timeouts(min(_CONNECT_SECONDS, seconds), seconds, seconds),
                ) as answer,
            ):
                status = answer.status
                after = retry_after(answer.headers, now)
                size = await _thrown_away(answer)
        except ConnectionDenied:
            outcome = REFUSED
        except (PeerError, TimeoutError):
            # Whatever came of the answer, its status counts.
            pass
        if status is not None and 200 <= status < 300:
            outcome = DELIVERED
        return Result(outcome, status, after, (time.monotonic() - began) * 1000, size)


async def _thrown_away(answer: Streamed) -> int:
    size = 0
    with suppress(PeerError):
        async for piece in answer.chunks():
            size += len(piece)
    return min(size, _MOST_ANSWER)


def redelivery_id(event_id: str, idempotency_key: str | None) -> str:
    """Return the id of a redelivery: the same for the same key."""
    if idempotency_key is None:
        return f"dlv_{secrets.token_hex(12)}"
    whole = f"{event_id}\n{REDELIVERY}\n{idempotency_key}".encode()
    return f"dlv_{hashlib.sha256(whole).hexdigest()[:24]}"
