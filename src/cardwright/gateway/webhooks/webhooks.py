"""Webhooks of a gateway, put together: who is told, what is kept, what is delivered, and what it came to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Self

from a2a.server.owner_resolver import resolve_user_scope
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import BadArgument, CardError
from cardwright.gateway.platform import LOST_SECONDS
from cardwright.gateway.webhooks import configs as _configs
from cardwright.gateway.webhooks.attempts import Attempts, redelivery_id
from cardwright.gateway.webhooks.configs import Configs
from cardwright.gateway.webhooks.durable import MOST_AT_ONCE, Durable
from cardwright.gateway.webhooks.events import partition_of
from cardwright.gateway.webhooks.keys import encryption_key
from cardwright.gateway.webhooks.ledger import Ledger
from cardwright.gateway.webhooks.reconciling import Reconciling
from cardwright.gateway.webhooks.records import DELIVERED, REDELIVERY
from cardwright.gateway.webhooks.sender import Sender
from cardwright.gateway.webhooks.signatures import MOST_SECRETS, secret_of
from cardwright.guard import Guard, GuardedClient
from cardwright.serve.problems import Condition, refuse
from cardwright.store.audit import owned

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from a2a.server.context import ServerCallContext
    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.gateway.platform import WebhooksConfig
    from cardwright.gateway.replicas import Replicas
    from cardwright.gateway.webhooks.durable import Work
    from cardwright.gateway.webhooks.records import Delivery, Event, Result
    from cardwright.guard.resolver import Resolver
    from cardwright.store.database import Database

LOG: Final = logging.getLogger("cardwright.gateway.webhooks")
DELIVERY_NOT_FOUND: Final = Condition(404, "DELIVERY_NOT_FOUND")
NOT_REDELIVERABLE: Final = Condition(409, "NOT_REDELIVERABLE", name="FAILED_PRECONDITION")
_MOST_LISTED: Final = 200
_MOST_KEY: Final = 256
# The ports of http and https; the operator names others.
_PORTS: Final = frozenset({80, 443})


def _nothing(_: Result) -> None:
    """Do nothing with a result."""


def _nobody(_: str) -> str:
    """Say that an agent is nobody's."""
    return ""


class Webhooks:
    """Push notifications of a gateway's own tasks, delivered whatever becomes of its processes.

    Args:
        database: The store.
        engine: The asynchronous engine of the same database, with the tables of tasks and configurations.
        config: What the operator says.
        place: Where the store is.
        replica: This process among those that share the store; started already.
        clock: Seconds since 1970.
        owner_of: Whose a call is; the name of its user where not given.
        version_of: Which version of A2A a call speaks, `1.0` or `0.3`: its receiver is told in the same.
        on_attempt: Told how each attempt ended.
        agent_owner: Whose an agent is, for the audit; "" where it is nobody's.
        resolver: What looks names up; the machine's own where not given.
        reconcile_seconds: How often what others left undone is looked for.
        lost_seconds: After how long without a heartbeat another process is gone.

    Attributes:
        configs: The push configurations, for a2a-sdk's request handler.
        sender: The push sender, for the same.

    Raises:
        BadConfiguration: If there is no key to encrypt secrets with, and none can be made.
    """

    def __init__(  # noqa: PLR0913 - most have a default that few change
        self,
        database: Database,
        engine: AsyncEngine,
        config: WebhooksConfig,
        *,
        place: str | os.PathLike[str],
        replica: Replicas,
        clock: Callable[[], float] = time.time,
        owner_of: Callable[[ServerCallContext], str] = resolve_user_scope,
        version_of: Callable[[ServerCallContext], str] = _configs.version_of,
        on_attempt: Callable[[Result], None] = _nothing,
        agent_owner: Callable[[str], str] = _nobody,
        resolver: Resolver | None = None,
        reconcile_seconds: float = 5.0,
        lost_seconds: float = LOST_SECONDS,
    ) -> None:
        guard = Guard(allow=config.allow, ports=_PORTS | frozenset(config.ports))
        self._clock = clock
        self._reconcile_seconds = reconcile_seconds
        self._ledger = Ledger(database)
        self.configs = Configs(
            engine,
            self._ledger,
            encryption_key(config.encryption_key, place),
            guard,
            owner_of=owner_of,
            version_of=version_of,
        )
        self._client = GuardedClient(
            guard,
            resolver=resolver,
            user_agent=f"cardwright/{version('cardwright')}",
            concurrency=MOST_AT_ONCE,
            keep_alive=False,
        )
        self._attempts = Attempts(
            self._ledger,
            self.configs,
            self._client,
            config,
            clock=clock,
            on_attempt=on_attempt,
            agent_owner=agent_owner,
        )
        self._durable = Durable(place, replica.id, concurrency=config.concurrency, run=self._run)
        self.sender = Sender(engine, self._ledger, self.configs, self._durable.enqueue, clock=clock)
        self._reconciling = Reconciling(
            engine,
            self._ledger,
            self.sender,
            self._durable,
            replica,
            clock=clock,
            lost_seconds=lost_seconds,
            overdue_seconds=2 * reconcile_seconds,
        )
        self._mending: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Deliver what waits, and what is accepted from now on.

        Raises:
            BadConfiguration: If other webhooks are open in this process, or the key opens none of those that are
                kept.
            StoreError: If the database cannot be used.
        """
        await self.configs.check_key()
        await self._durable.start()
        await self._mended()
        self._mending = asyncio.create_task(self._mend(), name="cardwright-webhooks")

    async def close(self) -> None:
        """Let what is under way end, for some seconds; what waits is delivered after the next start."""
        async with contextlib.AsyncExitStack() as last:
            # The last of these comes first; each comes, whatever becomes of those before.
            last.push_async_callback(self._client.close)
            last.push_async_callback(self._durable.close)
            if self._mending is not None:
                self._mending.cancel()
                await asyncio.gather(self._mending, return_exceptions=True)
                self._mending = None

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close."""
        await self.close()

    def check(self, secrets: Sequence[str]) -> None:
        """Return if these may be a receiver's secrets.

        Raises:
            BadArgument: If a secret is none; it does not stand in the message.
        """
        if len(secrets) > MOST_SECRETS or not all(map(secret_of, secrets)):
            raise BadArgument(
                "secret",
                f"is one, or a list of up to {MOST_SECRETS}: each whsec_ and base64 of 24 to 64 bytes,"
                " or 8 to 256 visible ASCII characters without a space",
            )

    async def keep(
        self, task_id: str, config_id: str, *, agent_id: str, owner: str, secrets: Sequence[str] = ()
    ) -> None:
        """Keep what a configuration of A2A has no place for: its agent, and secrets, in the place of older ones.

        Raises:
            BadArgument: If a secret is none; it does not stand in the message.
        """
        self.check(secrets)
        await self._ledger.keep_secrets({
            "task_id": task_id, "config_id": config_id, "agent_id": agent_id, "owner": owner,
            "secrets": self.configs.sealed(secrets) if secrets else None,
        })  # fmt: skip

    async def reconcile(self) -> None:
        """Do once what is done every few seconds: mend what a killed process left undone.

        Raises:
            StoreError: If the database cannot be used now.
        """
        await self._reconciling.round()

    async def deliveries(
        self,
        agent_id: str,
        task_id: str,
        config_id: str,
        *,
        limit: int = _MOST_LISTED,
        before: str | None = None,
    ) -> list[Delivery]:
        """Return the attempts of one configuration, newest first; `before` is the id of the last one seen."""
        most = max(1, min(limit, _MOST_LISTED))
        return await self._ledger.deliveries(agent_id, task_id, config_id, most, before)

    async def known(self, agent_id: str, task_id: str, config_id: str) -> bool:
        """Whether there is such a configuration of an agent's now."""
        return await self._ledger.agent_of(task_id) == agent_id and bool(
            await self.configs.receivers(task_id, config_id)
        )

    async def redeliver(
        self,
        agent_id: str,
        task_id: str,
        config_id: str,
        delivery_id: str,
        *,
        actor: str,
        owner_id: str = "",
        idempotency_key: str | None = None,
    ) -> str:
        """Have the event of a failed attempt sent again at once, and return the id of the new attempt.

        Args:
            agent_id: Whose the delivery is.
            task_id: Of which task.
            config_id: Of which configuration.
            delivery_id: The failed attempt.
            actor: Who asks, for the audit.
            owner_id: Whose agent it is.
            idempotency_key: Asked twice with the same one, it is sent again once.

        Raises:
            Refused: 404 where there is no such attempt; 409 where it or its event was delivered, or still runs.
            BadArgument: If the key is longer than it may be.
            StoreError: If it cannot be written down.
        """
        if idempotency_key is not None and not 0 < len(idempotency_key) <= _MOST_KEY:
            raise BadArgument("idempotency_key", f"has 1 to {_MOST_KEY} characters")
        failed = await self._ledger.delivery(delivery_id)
        where = (agent_id, task_id, config_id)
        if failed is None or (failed.agent_id, failed.task_id, failed.config_id) != where:
            raise refuse(DELIVERY_NOT_FOUND, "there is no such delivery here")
        told = redelivery_id(failed.event_id, idempotency_key)
        key = f"{failed.event_id}:{told}"
        if idempotency_key is not None and await self._is_known(told, key):
            return told
        event = await self._redeliverable(failed)
        work: Work = (event.id, event.attempts + 1, REDELIVERY, told)
        # First, since the queue is another database: nothing is sent again that nobody is said to have asked for.
        await self._ledger.note(
            at=self._clock(),
            actor=actor,
            action="delivery.redeliver",
            agent_id=agent_id,
            subject=delivery_id,
            detail=owned(owner_id),
        )
        await self._durable.enqueue(work, partition=partition_of(event.endpoint), key=key)
        return told

    async def purge(self, before: float, *, limit: int = 10_000) -> int:
        """Forget events that ended before some time, and what is of no use without; return how many, at most `limit`."""
        return await self._ledger.purge(before, limit)

    async def _redeliverable(self, failed: Delivery) -> Event:
        found = await self._ledger.event(failed.event_id)
        if found is None:
            raise refuse(DELIVERY_NOT_FOUND, "the event of this delivery is forgotten")
        if failed.outcome == DELIVERED:
            raise refuse(NOT_REDELIVERABLE, "this delivery succeeded: only failed ones are sent again")
        if failed.ended_at is None and found[0].attempts < failed.number:
            raise refuse(NOT_REDELIVERABLE, "this delivery has not ended: wait for what becomes of it")
        if found[0].state == DELIVERED:
            raise refuse(NOT_REDELIVERABLE, "another delivery of this event succeeded")
        receivers = await self.configs.receivers(failed.task_id, failed.config_id)
        if not receivers:
            raise refuse(NOT_REDELIVERABLE, "the configuration is deleted: nobody is left to send it to")
        if not receivers[0].readable:
            told = "the configuration cannot be read with the gateway's present key: have its operator look"
            raise refuse(NOT_REDELIVERABLE, told)
        return found[0]

    async def _is_known(self, told: str, key: str) -> bool:
        if await self._ledger.delivery(told) is not None:
            return True
        waiting, ended = await self._durable.queued([key])
        # Its first try, or a later one.
        return bool(waiting or ended)

    async def _run(self, work: Work) -> None:
        await self._attempts.run(work, self._durable.enqueue)

    async def _mend(self) -> None:
        while True:
            await asyncio.sleep(self._reconcile_seconds)
            await self._mended()

    async def _mended(self) -> None:
        try:
            await self._reconciling.round()
        except (CardError, SQLAlchemyError) as error:
            LOG.warning("webhooks are looked after again in a moment: %s", type(error).__name__)
        except Exception:
            # Outermost frame of one look: whatever goes wrong once, webhooks are looked after again.
            LOG.exception("webhooks could not be looked after")
