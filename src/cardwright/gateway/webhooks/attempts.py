"""One attempt to deliver an event: from the row that says it began to the one that says how it ended."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from sqlalchemy.exc import SQLAlchemyError

from cardwright.discovery.finding import retry_after
from cardwright.errors import CardError, PeerError, Refused, StoreError
from cardwright.gateway.webhooks.events import partition_of
from cardwright.gateway.webhooks.finishing import Ending
from cardwright.gateway.webhooks.ledger import new_delivery
from cardwright.gateway.webhooks.records import (
    DELIVERED,
    FAILED,
    REDELIVERY,
    REFUSED,
    SCHEDULE,
    WAITING,
    Result,
)
from cardwright.gateway.webhooks.schedule import wait_after
from cardwright.gateway.webhooks.sharing import Shares
from cardwright.gateway.webhooks.signatures import signed_fields
from cardwright.guard import Timeouts

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.gateway.platform import WebhooksConfig
    from cardwright.gateway.webhooks.configs import Configs, Receiver
    from cardwright.gateway.webhooks.durable import Work
    from cardwright.gateway.webhooks.ledger import Ledger
    from cardwright.gateway.webhooks.records import Delivery, Event
    from cardwright.guard import GuardedClient, Streamed

LOG: Final = logging.getLogger("cardwright.gateway.webhooks")
# reliability.md 2c.
_MOST_ANSWER: Final = 16 * 1024
_CONNECT_SECONDS: Final = 3.0
# How soon what cannot be read is looked at again where there is no schedule (ours).
_UNREADABLE_SECONDS: Final = 60.0
# How soon the queue is asked again that could not be used (ours).
_QUEUE_SECONDS: Final = 1.0
# How many deliveries of one caller a process has under way, of 256 over all (ours).
MOST_OF_ONE_CALLER: Final = 32


class Enqueue(Protocol):
    """What takes work; `Durable.enqueue`."""

    async def __call__(self, work: Work, *, partition: str, key: str, delay_seconds: float = 0.0) -> None:
        """Have work done after a while."""


class Attempts:
    """What the queue runs.

    Args:
        ledger: The rows.
        configs: Where to send, and by what to sign.
        client: What dials.
        config: The operator's settings.
        clock: Seconds since 1970.
        on_attempt: Told how each ended.
        agent_owner: Whose an agent is, for the audit; "" where it is nobody's.
    """

    def __init__(
        self,
        ledger: Ledger,
        configs: Configs,
        client: GuardedClient,
        config: WebhooksConfig,
        *,
        clock: Callable[[], float],
        on_attempt: Callable[[Result], None],
        agent_owner: Callable[[str], str],
    ) -> None:
        self._ledger = ledger
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

    async def run(self, work: Work, enqueue: Enqueue) -> None:
        """Do one attempt, and have the next one done; done twice, it is done once.

        What an owner was promised is sent again as soon as that can be, or until its event is forgotten.

        Raises:
            StoreError: If a row cannot be written: whoever reconciles has the attempt done again.
        """
        if work[2] == SCHEDULE:
            await self._scheduled(work, enqueue)
            return
        try:
            done = await self._redelivered(work, enqueue)
        except (CardError, SQLAlchemyError) as error:
            LOG.warning("the redelivery %s is tried again: %s", work[3], type(error).__name__)
            done = False
        if not done:
            await self._keep_promise(work, enqueue)

    async def _scheduled(self, work: Work, enqueue: Enqueue) -> None:
        event_id, number, cause, _ = work
        found = await self._ledger.event(event_id)
        if found is None or found[0].state != WAITING:
            return
        event, body = found
        if event.attempts >= number:
            # A process ended between the end of the attempt and the queue.
            await enqueue_next(event, event.next_at or 0.0, self._clock(), enqueue)
            return
        receiver = await self._receiver(event)
        if receiver is None:
            return
        if not receiver.readable:
            await self._hold(event, number, enqueue)
            return
        if not await self._may_go(event, number, receiver, enqueue):
            return
        with self._shares.taking(event.owner) as room:
            if not room:
                until = self._clock() + self._shares.wait(event.owner)
                await self._put_off(event, number, until, enqueue)
                return
            told = f"dlv_{secrets.token_hex(12)}"
            delivery = new_delivery(event, told, number, cause, self._clock())
            await self._deliver(delivery, event, receiver, body, enqueue)

    async def _redelivered(self, work: Work, enqueue: Enqueue) -> bool:
        """Return whether there is nothing more to do."""
        event_id, number, cause, delivery_id = work
        found = await self._ledger.event(event_id)
        if found is None:
            return True
        event, body = found
        receiver = await self._receiver(event)
        if receiver is None:
            return True
        if not receiver.readable:
            self._warn()
            return False
        with self._shares.taking(event.owner) as room:
            if room:
                delivery = new_delivery(event, delivery_id, number, cause, self._clock())
                await self._deliver(delivery, event, receiver, body, enqueue)
        return room

    async def _keep_promise(self, work: Work, enqueue: Enqueue) -> None:
        """Have a redelivery done again after a while: no row says that it is to be, so the queue has to."""
        event_id, _, _, delivery_id = work
        key = f"{event_id}:{delivery_id}:{secrets.token_hex(4)}"
        while True:
            try:
                # A partition of its own: where it goes may be what could not be read.
                delay = self._unreadable_seconds
                return await enqueue(work, partition=event_id, key=key, delay_seconds=delay)
            except StoreError:
                await asyncio.sleep(_QUEUE_SECONDS)

    async def _receiver(self, event: Event) -> Receiver | None:
        """Return where an event goes; where that is deleted, it is dropped."""
        receivers = await self._configs.receivers(event.task_id, event.config_id)
        if not receivers:
            await self._ledger.drop(event.id, self._clock())
        return receivers[0] if receivers else None

    async def _may_go(self, event: Event, number: int, receiver: Receiver, enqueue: Enqueue) -> bool:
        """Return whether a receiver may be asked now; where it is slow, the attempt is put off."""
        now = self._clock()
        endpoint = await self._ledger.endpoint(receiver.endpoint)
        if endpoint.disabled_at is not None:
            await self._ledger.drop(event.id, now)
            return False
        # What it asked for itself is over: its own wait was as long.
        if endpoint.slow_until is None or endpoint.slow_until <= now:
            return True
        await self._put_off(event, number, endpoint.slow_until, enqueue)
        return False

    async def _hold(self, event: Event, number: int, enqueue: Enqueue) -> None:
        """Put an attempt off until whoever has the right key does it: another process, or this one one day."""
        self._warn()
        until = self._clock() + self._unreadable_seconds
        await self._put_off(event, number, until, enqueue, unreadable=True)

    async def _put_off(
        self, event: Event, number: int, until: float, enqueue: Enqueue, *, unreadable: bool = False
    ) -> None:
        await self._ledger.postpone(event.id, number, until, unreadable=unreadable)
        await enqueue(
            (event.id, number, SCHEDULE, ""),
            partition=partition_of(event.endpoint),
            key=f"{attempt_key(event.id, number)}:{int(until * 1000)}",
            delay_seconds=until - self._clock(),
        )

    def _warn(self) -> None:
        if not self._told:
            self._told = True
            LOG.error(
                "webhooks wait that webhooks.encryption_key does not open: give every process the key that"
                " they were configured with; they are not lost"
            )

    async def _deliver(
        self, delivery: Delivery, event: Event, receiver: Receiver, body: bytes, enqueue: Enqueue
    ) -> None:
        if not await self._ledger.begin(delivery):
            return
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
        due = await self._ledger.finish(ending)
        self._on_attempt(result)
        if due is not None:
            await enqueue_next(event, due, self._clock(), enqueue, number=delivery.number + 1)

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
        except Refused:
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


async def enqueue_next(
    event: Event, due: float, now: float, enqueue: Enqueue, *, number: int | None = None
) -> None:
    """Have an event's next attempt done when it is due; enqueued twice, it is done once."""
    which = event.attempts + 1 if number is None else number
    await enqueue(
        (event.id, which, SCHEDULE, ""),
        partition=partition_of(event.endpoint),
        key=attempt_key(event.id, which),
        delay_seconds=max(0.0, due - now),
    )


def attempt_key(event_id: str, number: int) -> str:
    """Return the key that an attempt has in the queue."""
    return f"{event_id}:{number}"


def is_redelivery(key: str) -> bool:
    """Whether a key in the queue is that of a redelivery, tried for the first time or again."""
    return key.partition(":")[2].startswith("dlv_")


def redelivery_id(event_id: str, idempotency_key: str | None) -> str:
    """Return the id of a redelivery: the same for the same key."""
    if idempotency_key is None:
        return f"dlv_{secrets.token_hex(12)}"
    whole = f"{event_id}\n{REDELIVERY}\n{idempotency_key}".encode()
    return f"dlv_{hashlib.sha256(whole).hexdigest()[:24]}"
