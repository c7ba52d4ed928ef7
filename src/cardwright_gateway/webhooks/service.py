"""Webhooks of a gateway, put together: who is told, what is kept, what is delivered, and what it came to."""

from __future__ import annotations

import time
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Self

from a2a.server.owner_resolver import resolve_user_scope

from cardwright.errors import BadArgument
from cardwright.guard import Guard, GuardedClient
from cardwright.http.problem import ErrorCode, refuse
from cardwright_gateway.database.audit import owned
from cardwright_gateway.settings.config import LOST_SECONDS
from cardwright_gateway.webhooks import configs as _configs
from cardwright_gateway.webhooks.acceptance import Acceptance
from cardwright_gateway.webhooks.attempts import Attempts, redelivery_id
from cardwright_gateway.webhooks.configs import Configs
from cardwright_gateway.webhooks.dispatcher import MAX_UNDER_WAY, Dispatcher
from cardwright_gateway.webhooks.keys import encryption_key
from cardwright_gateway.webhooks.outbox import Outbox
from cardwright_gateway.webhooks.rows import DELIVERED
from cardwright_gateway.webhooks.sender import Sender
from cardwright_gateway.webhooks.signatures import MOST_SECRETS, secret_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from a2a.server.context import ServerCallContext
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.guard.resolver import Resolver
    from cardwright.store.database import Database
    from cardwright_gateway.cluster.heartbeat import Heartbeat
    from cardwright_gateway.webhooks.rows import Delivery, Event, Result
    from cardwright_models.settings.gateway import WebhookSettings

DELIVERY_NOT_FOUND: Final = ErrorCode(404, "DELIVERY_NOT_FOUND")
NOT_REDELIVERABLE: Final = ErrorCode(409, "NOT_REDELIVERABLE", name="FAILED_PRECONDITION")
# An attempt begins at most two seconds after it is due (reliability: webhooks).
POLL_SECONDS: Final = 1.0
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
        poll_seconds: How often the database is read for what other processes and the command line wrote.
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
        config: WebhookSettings,
        *,
        place: str | os.PathLike[str],
        replica: Heartbeat,
        clock: Callable[[], float] = time.time,
        owner_of: Callable[[ServerCallContext], str] = resolve_user_scope,
        version_of: Callable[[ServerCallContext], str] = _configs.version_of,
        on_attempt: Callable[[Result], None] = _nothing,
        agent_owner: Callable[[str], str] = _nobody,
        resolver: Resolver | None = None,
        poll_seconds: float = POLL_SECONDS,
        lost_seconds: float = LOST_SECONDS,
    ) -> None:
        guard = Guard(allow=tuple(config.allow), ports=_PORTS | frozenset(config.ports))
        self._clock = clock
        self._outbox = Outbox(database, replica.id)
        self.configs = Configs(
            engine,
            self._outbox,
            encryption_key(config.encryption_key, place),
            guard,
            owner_of=owner_of,
            version_of=version_of,
        )
        self._client = GuardedClient(
            guard,
            resolver=resolver,
            user_agent=f"cardwright/{version('cardwright')}",
            concurrency=MAX_UNDER_WAY,
            keep_alive=False,
        )
        self._attempts = Attempts(
            self._outbox,
            self.configs,
            self._client,
            config,
            clock=clock,
            on_attempt=on_attempt,
            agent_owner=agent_owner,
        )
        self._dispatcher = Dispatcher(
            self._outbox,
            replica,
            self._attempts.run,
            concurrency=config.concurrency,
            timeout_seconds=config.timeout_seconds,
            lost_seconds=lost_seconds,
            poll_seconds=poll_seconds,
            clock=clock,
        )
        self._acceptance = Acceptance(self.configs, clock)
        self.sender = Sender(self._dispatcher.wake)

    async def start(self) -> None:
        """Deliver what waits, and what is accepted from now on.

        Raises:
            BadConfiguration: If the key opens none of those that are kept.
            StoreError: If the database cannot be used.
        """
        await self.configs.check_key()
        self._dispatcher.start()

    async def close(self) -> None:
        """Let what is under way end, for some seconds; what waits is delivered after the next start."""
        try:
            await self._dispatcher.close()
        finally:
            await self._client.close()

    def accept(self, connection: Connection, row: Mapping[str, Any]) -> None:
        """Accept the events of a task in the transaction that writes its row: they are delivered if that is committed.

        Raises:
            SQLAlchemyError: If they cannot be written: the transaction fails as a whole.
        """
        self._acceptance.accept_task(connection, row)

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

        Of a task that has ended already, the event is accepted in the same transaction.

        Raises:
            BadArgument: If a secret is none; it does not stand in the message.
        """
        self.check(secrets)
        row = {
            "task_id": task_id, "config_id": config_id, "agent_id": agent_id, "owner": owner,
            "secrets": self.configs.sealed(secrets) if secrets else None,
        }  # fmt: skip
        await self._outbox.keep_secrets(
            row, lambda connection: self._acceptance.accept_stored_task(connection, task_id)
        )
        self._dispatcher.wake()

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
        return await self._outbox.deliveries(agent_id, task_id, config_id, most, before)

    async def known(self, agent_id: str, task_id: str, config_id: str) -> bool:
        """Whether there is such a configuration of an agent's now."""
        return await self._outbox.agent_of(task_id) == agent_id and bool(
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
            HttpError: 404 where there is no such attempt; 409 where it or its event was delivered, or still runs.
            BadArgument: If the key is longer than it may be.
            StoreError: If it cannot be written down.
        """
        if idempotency_key is not None and not 0 < len(idempotency_key) <= _MOST_KEY:
            raise BadArgument("idempotency_key", f"has 1 to {_MOST_KEY} characters")
        failed = await self._outbox.delivery(delivery_id)
        where = (agent_id, task_id, config_id)
        if failed is None or (failed.agent_id, failed.task_id, failed.config_id) != where:
            raise refuse(DELIVERY_NOT_FOUND, "there is no such delivery here")
        told = redelivery_id(failed.event_id, idempotency_key)
        if idempotency_key is not None and await self._is_known(failed.event_id, told):
            return told
        event = await self._redeliverable(failed)
        now = self._clock()
        change = {
            "at": now, "actor": actor, "action": "delivery.redeliver", "agent_id": agent_id,
            "subject": delivery_id, "detail": owned(owner_id),
        }  # fmt: skip
        done = await self._outbox.redeliver(event.id, told, now, change)
        if not done and not await self._is_known(event.id, told):
            raise refuse(
                NOT_REDELIVERABLE, "another delivery of this event has not ended: wait for its outcome"
            )
        self._dispatcher.wake()
        return told

    async def purge(self, before: float, *, limit: int = 10_000) -> int:
        """Forget events that ended before some time, and what is of no use without; return how many, at most `limit`."""
        return await self._outbox.purge(before, limit)

    async def _redeliverable(self, failed: Delivery) -> Event:
        found = await self._outbox.event(failed.event_id)
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

    async def _is_known(self, event_id: str, delivery_id: str) -> bool:
        """Return whether a redelivery has been asked for: it has begun, or its event says that it is to be made."""
        if await self._outbox.delivery(delivery_id) is not None:
            return True
        found = await self._outbox.event(event_id)
        return found is not None and found[0].redelivery == delivery_id
