"""Webhook service: push configurations, outbox, delivery and redelivery."""

from __future__ import annotations

import time
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Self

from a2a.server.owner_resolver import resolve_user_scope
from a2a.server.tasks.push_notification_sender import PushNotificationSender
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatusUpdateEvent

from cardwright.errors import BadArgument
from cardwright.guard import Guard, GuardedClient
from cardwright.http.problem import ErrorCode, refuse
from cardwright_gateway.database.audit import owned
from cardwright_gateway.settings.config import LOST_SECONDS
from cardwright_gateway.webhooks import configs as _configs
from cardwright_gateway.webhooks.acceptance import Acceptance
from cardwright_gateway.webhooks.attempts import Attempts, redelivery_id
from cardwright_gateway.webhooks.configs import Configs
from cardwright_gateway.webhooks.dispatcher import MAX_CONCURRENT, Dispatcher
from cardwright_gateway.webhooks.events import NOTIFIED_STATES
from cardwright_gateway.webhooks.keys import encryption_key
from cardwright_gateway.webhooks.outbox import Outbox
from cardwright_gateway.webhooks.rows import DELIVERED
from cardwright_gateway.webhooks.signatures import MAX_SECRETS, secret_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from a2a.server.context import ServerCallContext
    from a2a.server.tasks.push_notification_sender import PushNotificationEvent
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.guard.resolver import Resolver
    from cardwright.store.database import Database
    from cardwright_gateway.cluster.heartbeat import Heartbeat
    from cardwright_gateway.webhooks.acceptance import CheckSpace
    from cardwright_gateway.webhooks.rows import Delivery, Event, Result
    from cardwright_gateway_models.settings.gateway import WebhookSettings

DELIVERY_NOT_FOUND: Final = ErrorCode(404, "DELIVERY_NOT_FOUND")
NOT_REDELIVERABLE: Final = ErrorCode(409, "NOT_REDELIVERABLE", name="FAILED_PRECONDITION")
# An attempt begins at most two seconds after it is due (project decision).
POLL_SECONDS: Final = 1.0
_MAX_LISTED: Final = 200
_MAX_KEY: Final = 256
# The ports of http and https; the operator names others.
_PORTS: Final = frozenset({80, 443})


def _ignore(_: Result) -> None:
    """Ignore a result."""


def _no_owner(_: str) -> str:
    """Return "": the agent has no owner."""
    return ""


class Webhooks:
    """Push notifications of a gateway's own tasks, delivered even if its processes are killed.

    Args:
        database: The store.
        engine: The asynchronous engine of the same database, with the tables of tasks and configurations.
        config: The operator's settings.
        place: The database's path or URL.
        replica: The heartbeat of this process; started already.
        clock: Seconds since 1970.
        owner_of: Returns the owner of a call; by default the name of its user.
        version_of: Returns the A2A version of a call, `1.0` or `0.3`; its receiver gets events in the same version.
        on_attempt: Called with the result of each attempt.
        agent_owner: Returns the owner of an agent, for the audit log; "" for none.
        resolver: Resolves host names; by default the system's resolver.
        poll_seconds: How often to poll the database for changes by other processes and the command line.
        lost_seconds: How long another process may be silent before it counts as gone.
        check_space: Refuses events that have no space; see `Acceptance`.

    Attributes:
        configs: The push configurations, for a2a-sdk's request handler.
        sender: The push sender, for a2a-sdk's request handler.

    Raises:
        BadConfiguration: If there is no encryption key for secrets, and none can be created.
    """

    def __init__(  # noqa: PLR0913 - most have a default
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
        on_attempt: Callable[[Result], None] = _ignore,
        agent_owner: Callable[[str], str] = _no_owner,
        resolver: Resolver | None = None,
        poll_seconds: float = POLL_SECONDS,
        lost_seconds: float = LOST_SECONDS,
        check_space: CheckSpace | None = None,
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
            concurrency=MAX_CONCURRENT,
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
        self._acceptance = Acceptance(self.configs, clock, check_space)
        self._check_space = check_space
        self._agent_owner = agent_owner
        self.sender = Sender(self._dispatcher.wake)

    async def start(self) -> None:
        """Start delivering waiting and new events.

        Raises:
            BadConfiguration: If the key decrypts none of the stored webhooks.
            StoreError: If the database is unavailable.
        """
        await self.configs.check_key()
        self._dispatcher.start()

    async def close(self) -> None:
        """Wait some seconds for running deliveries, then stop; waiting events are delivered after the next start."""
        try:
            await self._dispatcher.close()
        finally:
            await self._client.close()

    def accept(self, connection: Connection, row: Mapping[str, Any]) -> None:
        """Accept the events of a task in the transaction that writes its row; they are delivered if it commits.

        Raises:
            SQLAlchemyError: If they cannot be written: the whole transaction fails.
        """
        if self._acceptance.accept_task(connection, row):
            self.sender.accepted.add(row["id"])

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close."""
        await self.close()

    def check(self, secrets: Sequence[str]) -> None:
        """Check that these are valid secrets of a receiver.

        Raises:
            BadArgument: If a secret is not valid; the message does not quote it.
        """
        if len(secrets) > MAX_SECRETS or not all(map(secret_of, secrets)):
            raise BadArgument(
                "secret",
                f"must be a secret or a list of up to {MAX_SECRETS}: each whsec_ followed by base64 of 24 to 64 bytes,"
                " or 8 to 256 visible ASCII characters without a space",
            )

    async def check_space(self, agent_id: str, owner: str, size: int) -> None:
        """Check that a configuration may be stored, before it is.

        Raises:
            TasksFull: If the stored tasks and webhooks of the owner would exceed a maximum.
            StoreError: If the database is unavailable.
        """
        if self._check_space is not None:
            await self._outbox.check(self._check_space, self._agent_owner(agent_id), owner, size)

    async def keep(
        self,
        task_id: str,
        config_id: str,
        *,
        agent_id: str,
        owner: str,
        secrets: Sequence[str] = (),
        size: int = 0,
    ) -> None:
        """Store what A2A's configuration has no field for: its agent and its secrets, replacing earlier ones.

        If the task has ended already, its event is accepted in the same transaction.

        Args:
            task_id: The task.
            config_id: The configuration.
            agent_id: The agent.
            owner: The caller that the configuration belongs to.
            secrets: The secrets.
            size: The bytes that count for the configuration.

        Raises:
            BadArgument: If a secret is not valid; the message does not quote it.
        """
        self.check(secrets)
        row = {
            "task_id": task_id, "config_id": config_id, "agent_id": agent_id, "owner": owner,
            "secrets": self.configs.encrypted(secrets) if secrets else None,
            "charged_to": self._agent_owner(agent_id), "size": size,
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
        limit: int = _MAX_LISTED,
        before: str | None = None,
    ) -> list[Delivery]:
        """Return the attempts of one configuration, newest first, starting after the attempt `before`."""
        limit = max(1, min(limit, _MAX_LISTED))
        return await self._outbox.deliveries(agent_id, task_id, config_id, limit, before)

    async def known(self, agent_id: str, task_id: str, config_id: str) -> bool:
        """Return whether an agent has such a configuration."""
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
        """Queue the event of a failed attempt for immediate redelivery, and return the id of the new attempt.

        Args:
            agent_id: The agent of the delivery.
            task_id: The task.
            config_id: The configuration.
            delivery_id: The failed attempt.
            actor: Who requests it, for the audit log.
            owner_id: The owner of the agent.
            idempotency_key: Requests with the same key cause one redelivery.

        Raises:
            HttpError: 404 if there is no such attempt; 409 if it or its event was delivered, or is still running.
            BadArgument: If the idempotency key is empty or too long.
            StoreError: If the database is unavailable.
        """
        if idempotency_key is not None and not 0 < len(idempotency_key) <= _MAX_KEY:
            raise BadArgument("idempotency_key", f"must have 1 to {_MAX_KEY} characters")
        failed = await self._outbox.delivery(delivery_id)
        where = (agent_id, task_id, config_id)
        if failed is None or (failed.agent_id, failed.task_id, failed.config_id) != where:
            raise refuse(DELIVERY_NOT_FOUND, "unknown delivery")
        redelivery = redelivery_id(failed.event_id, idempotency_key)
        if idempotency_key is not None and await self._is_known(failed.event_id, redelivery):
            return redelivery
        event = await self._redeliverable(failed)
        now = self._clock()
        change = {
            "at": now, "actor": actor, "action": "delivery.redeliver", "agent_id": agent_id,
            "subject": delivery_id, "detail": owned(owner_id),
        }  # fmt: skip
        queued = await self._outbox.redeliver(event.id, redelivery, now, change)
        if not queued and not await self._is_known(event.id, redelivery):
            raise refuse(
                NOT_REDELIVERABLE, "another delivery of this event is still running; wait for its outcome"
            )
        self._dispatcher.wake()
        return redelivery

    async def purge(self, before: float, *, limit: int = 10_000) -> int:
        """Delete at most `limit` events that ended before a time, with what belongs only to them; return how many."""
        return await self._outbox.purge(before, limit)

    async def _redeliverable(self, failed: Delivery) -> Event:
        stored = await self._outbox.event(failed.event_id)
        if stored is None:
            raise refuse(
                DELIVERY_NOT_FOUND, "the event of this delivery has been deleted; its retention is over"
            )
        if failed.outcome == DELIVERED:
            raise refuse(NOT_REDELIVERABLE, "this delivery succeeded; only a failed delivery can be repeated")
        if failed.ended_at is None and stored[0].attempts < failed.number:
            raise refuse(NOT_REDELIVERABLE, "this delivery is still running; wait for its outcome")
        if stored[0].state == DELIVERED:
            raise refuse(NOT_REDELIVERABLE, "another delivery of this event succeeded")
        receivers = await self.configs.receivers(failed.task_id, failed.config_id)
        if not receivers:
            raise refuse(NOT_REDELIVERABLE, "the push configuration of this delivery has been deleted")
        if not receivers[0].readable:
            message = "the push configuration cannot be decrypted with the gateway's key; ask the gateway's operator"
            raise refuse(NOT_REDELIVERABLE, message)
        return stored[0]

    async def _is_known(self, event_id: str, delivery_id: str) -> bool:
        """Return whether a redelivery was requested before: it has begun, or is pending at its event."""
        if await self._outbox.delivery(delivery_id) is not None:
            return True
        stored = await self._outbox.event(event_id)
        return stored is not None and stored[0].redelivery == delivery_id


class Sender(PushNotificationSender):
    """a2a-sdk's push sender. The event is in the outbox already; it only wakes the dispatcher.

    Args:
        wake: Makes the dispatcher check for due events.

    Attributes:
        accepted: The tasks whose events this process has put into the outbox, and does not deliver yet.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self.accepted: set[str] = set()
        self._wake = wake

    async def send_notification(self, task_id: str, event: PushNotificationEvent) -> None:
        """Deliver the events of a task at once, if it has ended or waits for its caller, and has a webhook."""
        if (
            isinstance(event, Task | TaskStatusUpdateEvent)
            and TaskState.Name(event.status.state) in NOTIFIED_STATES
            and task_id in self.accepted
        ):
            self.accepted.discard(task_id)
            self._wake()
