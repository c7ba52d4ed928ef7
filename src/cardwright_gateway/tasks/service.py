"""Task service: storage, recovery, retention and webhooks of the gateway's own tasks."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright_gateway.cluster.heartbeat import HEARTBEAT_SECONDS, Heartbeat
from cardwright_gateway.cluster.periodic import PeriodicTask
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.tasks.quota import TaskQuota
from cardwright_gateway.tasks.recovery import TaskRecovery
from cardwright_gateway.tasks.upstream_tasks import UpstreamTasks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from a2a.types.a2a_pb2 import Message

    from cardwright.store.database import Database
    from cardwright_gateway.a2a_server.stores import TaskStores
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.database.files import FileStore
    from cardwright_gateway.settings.config import GatewayConfig
    from cardwright_gateway.tasks.retention import TaskCleaner
    from cardwright_gateway.tasks.store import TaskStorage
    from cardwright_gateway.webhooks import Webhooks
    from cardwright_gateway.webhooks.rows import Result

# How often to look for tasks that another process cancelled (BeeOS seed §4 allows five seconds).
_LOOK_SECONDS: Final = 1.0
# Retention of deliveries, how much longer than their tasks they are kept at least, and how often older ones are
# deleted (project decision).
_DELIVERIES_SECONDS: Final = 30 * 86_400.0
_LONGER_SECONDS: Final = 86_400.0
_PURGE_SECONDS: Final = 60.0
_PURGED_AT_ONCE: Final = 10_000
# How often to look for lost tasks and for expired ones (project decision).
_SWEEP_SECONDS: Final = 5.0


def _nothing(_: Result) -> None:
    """Ignore the result of an attempt."""


class TaskService:
    """The tasks of all agents whose tasks the gateway manages.

    Args:
        database: The database, with current tables.
        place: The database's path or URL.
        settings: The gateway's settings.
        agents: The current agents.
        public: Returns the public URL of an agent.
        files: The file store, whose expired files are deleted.
        on_attempt: Called with the result of each attempt to deliver a webhook.

    Raises:
        BadConfiguration: If webhooks have no encryption key for their secrets.
    """

    def __init__(
        self,
        database: Database,
        place: str,
        settings: GatewayConfig,
        agents: Mapping[str, Agent],
        *,
        public: Callable[[str], str],
        files: FileStore | None = None,
        on_attempt: Callable[[Result], None] = _nothing,
    ) -> None:
        self._database = database
        self._retention_seconds = settings.tasks.retention_seconds
        self._blocking_seconds = settings.tasks.blocking_seconds
        self.quota = TaskQuota(database, settings.tasks.owner_bytes)
        self._agents = agents
        self._files = files
        self._public = public
        self._engine = async_engine(place)
        # A process counts as gone after eight lost heartbeats.
        self._lost_seconds = settings.tasks.lost_seconds
        self.replicas = Heartbeat(database, interval_seconds=min(HEARTBEAT_SECONDS, self._lost_seconds / 9))
        self.webhooks: Webhooks | None = None
        if settings.webhooks.enabled:
            from cardwright_gateway.webhooks import Webhooks

            self.webhooks = Webhooks(
                database,
                self._engine,
                settings.webhooks,
                place=place,
                replica=self.replicas,
                on_attempt=on_attempt,
                agent_owner=self._owner_of,
                lost_seconds=self._lost_seconds,
                check_space=self.quota.check_space,
            )
        self._storage: TaskStorage | None = None
        self.cleaner: TaskCleaner | None = None
        self._recovery: TaskRecovery | None = None
        self._periodic = (
            PeriodicTask(
                "the search for tasks that were cancelled elsewhere", _LOOK_SECONDS, self._stop_cancelled
            ),
            PeriodicTask("the recovery and retention of tasks", _SWEEP_SECONDS, self._clean),
            PeriodicTask("the retention of deliveries", _PURGE_SECONDS, self._purge),
        )

    @property
    def storage(self) -> TaskStorage:
        """The task stores; imports a2a-sdk on first use."""
        if self._storage is None:
            from cardwright_gateway.tasks.store import task_storage

            on_save = None if self.webhooks is None else self.webhooks.accept
            self._storage = task_storage(
                self._engine, self._database, self.replicas.id, on_save, self._charged, self.quota
            )
        return self._storage

    def of(self, agent_id: str) -> AgentTasks:
        """Return the task storage of one agent."""
        return AgentTasks(self, agent_id, UpstreamTasks(self._database, agent_id))

    def keeping(self, agent_id: str) -> TaskStores:
        """Return the stores for one agent's endpoint."""
        from cardwright_gateway.a2a_server.stores import TaskStores
        from cardwright_gateway.tasks.store import SecretConfigs

        webhooks = self.webhooks
        configs = None if webhooks is None else SecretConfigs(agent_id, webhooks.configs, webhooks)

        async def check_size(caller: str, message: Message) -> None:
            await self.quota.check(self._owner_of(agent_id), message, caller=caller)

        return TaskStores(
            self.storage.tasks,
            self.storage.stream,
            configs,
            None if webhooks is None else webhooks.sender,
            check_size,
            self._blocking_seconds,
        )

    async def start(self) -> None:
        """Start heartbeats, webhooks, recovery and retention.

        Raises:
            CardError: If the webhook settings or the stored webhooks cannot be used.
        """
        await self.replicas.start()
        if self.webhooks is not None:
            await self.webhooks.start()
        self._start_periodic()

    async def close(self) -> None:
        """Stop everything. Accepted events that are not delivered yet are delivered after the next start."""
        async with contextlib.AsyncExitStack() as stack:
            # Run in reverse order; each runs even if an earlier one fails.
            stack.push_async_callback(self._engine.dispose)
            if self._storage is not None:
                stack.push_async_callback(self._storage.flush)
            stack.push_async_callback(self.replicas.close)
            if self.webhooks is not None:
                stack.push_async_callback(self.webhooks.close)
            if self._recovery is not None:
                stack.push_async_callback(self._recovery.close)
            await asyncio.gather(*(periodic.close() for periodic in self._periodic))

    def _owner_of(self, agent_id: str) -> str:
        agent = self._agents.get(agent_id)
        return "" if agent is None else agent.config.owner

    def _charged(self, agent_id: str) -> str | None:
        """Return the owner for whom the tasks of an agent count; None if it was removed."""
        return self._owner_of(agent_id) if agent_id in self._agents else None

    def _start_periodic(self) -> None:
        from cardwright_gateway.tasks.retention import TaskCleaner

        notify = self.webhooks.sender.send_notification if self.webhooks is not None else None
        retention_seconds = self._retention_seconds
        self.cleaner = TaskCleaner(
            self._database, self.storage, retention_seconds=retention_seconds, notify=notify
        )
        self._recovery = TaskRecovery(
            self.storage,
            self.replicas,
            self._agents,
            self._public,
            self.cleaner,
            lost_seconds=self._lost_seconds,
            notify=notify,
        )
        for periodic in self._periodic:
            periodic.start()

    async def _clean(self) -> None:
        """Recover lost tasks, and delete expired tasks and files."""
        assert self.cleaner is not None  # noqa: S101 - set by `start`
        assert self._recovery is not None  # noqa: S101 - as above
        await self._recovery.round()
        await self.cleaner.delete_expired(time.time())
        if self._files is not None:
            await asyncio.to_thread(self._files.delete_expired)

    async def _purge(self) -> None:
        """Delete old deliveries, but not those of a stored task: its end would be delivered again."""
        # Only the leader does it: if two processes deleted events of one task, neither would delete its configurations.
        if self.webhooks is not None and await self.replicas.leads(self._lost_seconds):
            retention = max(_DELIVERIES_SECONDS, self._retention_seconds + _LONGER_SECONDS)
            while (
                await self.webhooks.purge(time.time() - retention, limit=_PURGED_AT_ONCE) == _PURGED_AT_ONCE
            ):
                pass

    async def _stop_cancelled(self) -> None:
        """Stop the tasks of this process that another process has cancelled."""
        if self.storage.stream is None or self.cleaner is None:
            return
        for agent in list(self._agents.values()):
            running = agent.running
            cancelled = await self.cleaner.cancelled(running) if running else []
            if cancelled:
                with contextlib.suppress(CardError):
                    await agent.leave(cancelled)


@dataclass(frozen=True, slots=True)
class AgentTasks:
    """The task storage of one agent."""

    service: TaskService
    agent_id: str
    known: UpstreamTasks

    @property
    def quota(self) -> TaskQuota:
        """The maximum sizes of tasks."""
        return self.service.quota

    def keeping(self) -> Any:
        """Return the stores for the agent's endpoint."""
        return self.service.keeping(self.agent_id)
