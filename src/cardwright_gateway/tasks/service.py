"""The gateway's own tasks: where they lie, who keeps order among them, and what is told of them by webhooks."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright_gateway.cluster.heartbeat import BEAT_SECONDS, Heartbeat
from cardwright_gateway.cluster.periodic import PeriodicTask
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.tasks.recovery import TakeOver
from cardwright_gateway.tasks.upstream_tasks import UpstreamTasks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.store.database import Database
    from cardwright_gateway.a2a_server.stores import TaskStores
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.database.files import FileStore
    from cardwright_gateway.settings.config import GatewayConfig
    from cardwright_gateway.tasks.retention import Sweeper
    from cardwright_gateway.tasks.store import Kept
    from cardwright_gateway.webhooks import Webhooks
    from cardwright_gateway.webhooks.rows import Result

# How often tasks are looked for that another process cancelled (the seed's five seconds bound it).
_LOOK_SECONDS: Final = 1.0
# How long it is told what became of a webhook, how much longer than its task is kept, and how often it is looked for
# what is older (ours).
_DELIVERIES_SECONDS: Final = 30 * 86_400.0
_LONGER_SECONDS: Final = 86_400.0
_PURGE_SECONDS: Final = 60.0
_PURGED_AT_ONCE: Final = 10_000
# How often tasks are looked for that nobody runs, and that are old enough to be forgotten (ours).
_SWEEP_SECONDS: Final = 5.0


def _nothing(_: Result) -> None:
    """Do nothing: nobody counts attempts."""


class TaskService:
    """The tasks of all agents whose tasks are the gateway's own.

    Args:
        database: The database, up to date.
        place: Where it is.
        settings: The gateway's settings.
        agents: The agents, as they are at any time.
        public: Where an agent is for everyone.
        files: Files that are forgotten when their time is over.
        on_attempt: Is told how each attempt to deliver a webhook ended.

    Raises:
        BadConfiguration: If webhooks have no key that their secrets are encrypted with.
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
        self._agents = agents
        self._files = files
        self._public = public
        self._engine = async_engine(place)
        # Eight words of a process may get lost before it counts as gone.
        self._lost_seconds = settings.tasks.lost_seconds
        self.replicas = Heartbeat(database, beat_seconds=min(BEAT_SECONDS, self._lost_seconds / 9))
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
            )
        self._kept: Kept | None = None
        self.sweeper: Sweeper | None = None
        self._take_over: TakeOver | None = None
        self._periodic = (
            PeriodicTask("the search for tasks that were cancelled elsewhere", _LOOK_SECONDS, self._look),
            PeriodicTask("the recovery and retention of tasks", _SWEEP_SECONDS, self._sweep),
            PeriodicTask("the retention of deliveries", _PURGE_SECONDS, self._purge),
        )

    @property
    def kept(self) -> Kept:
        """The stores; a2a-sdk is imported when they are first wanted."""
        if self._kept is None:
            from cardwright_gateway.tasks.store import kept

            on_save = None if self.webhooks is None else self.webhooks.accept
            self._kept = kept(self._engine, self.replicas.id, on_save)
        return self._kept

    def of(self, agent_id: str) -> OfAgent:
        """Return what one agent's tasks are kept in."""
        return OfAgent(self, agent_id, UpstreamTasks(self._database, agent_id))

    def keeping(self, agent_id: str) -> TaskStores:
        """Return the stores as one agent's endpoint takes them."""
        from cardwright_gateway.a2a_server.stores import TaskStores
        from cardwright_gateway.tasks.store import SecretConfigs

        hooks = self.webhooks
        configs = None if hooks is None else SecretConfigs(agent_id, hooks.configs, hooks)
        return TaskStores(self.kept.tasks, self.kept.stream, configs, None if hooks is None else hooks.sender)

    async def start(self) -> None:
        """Begin to deliver, and to keep order.

        Raises:
            CardError: If webhooks cannot be delivered as they are configured.
        """
        await self.replicas.start()
        if self.webhooks is not None:
            await self.webhooks.start()
        self._begin()

    async def close(self) -> None:
        """Let go of everything; what was accepted and not delivered is delivered after the next start."""
        async with contextlib.AsyncExitStack() as last:
            # The last of these comes first; each comes, whatever becomes of those before.
            last.push_async_callback(self._engine.dispose)
            last.push_async_callback(self.replicas.close)
            if self.webhooks is not None:
                last.push_async_callback(self.webhooks.close)
            if self._take_over is not None:
                last.push_async_callback(self._take_over.close)
            await asyncio.gather(*(one.close() for one in self._periodic))

    def _owner_of(self, agent_id: str) -> str:
        agent = self._agents.get(agent_id)
        return "" if agent is None else agent.config.owner

    def _begin(self) -> None:
        from cardwright_gateway.tasks.retention import Sweeper

        told = self.webhooks.sender.send_notification if self.webhooks is not None else None
        retention_seconds = self._retention_seconds
        self.sweeper = Sweeper(self._database, self.kept, retention_seconds=retention_seconds, told=told)
        self._take_over = TakeOver(
            self.kept,
            self.replicas,
            self._agents,
            self._public,
            self.sweeper,
            lost_seconds=self._lost_seconds,
            told=told,
        )
        for one in self._periodic:
            one.start()

    async def _sweep(self) -> None:
        """Go on with tasks that nobody runs, and forget what is old enough."""
        assert self.sweeper is not None  # noqa: S101 - `start` made them
        assert self._take_over is not None  # noqa: S101 - as above
        await self._take_over.round()
        await self.sweeper.forget(time.time())
        if self._files is not None:
            await asyncio.to_thread(self._files.delete_expired)

    async def _purge(self) -> None:
        """Forget what became of webhooks, but of no task that is kept: its end would be told anew."""
        # One process does it: two that take events of the same task would each leave its receivers to the other.
        if self.webhooks is not None and await self.replicas.leads(self._lost_seconds):
            kept = max(_DELIVERIES_SECONDS, self._retention_seconds + _LONGER_SECONDS)
            while await self.webhooks.purge(time.time() - kept, limit=_PURGED_AT_ONCE) == _PURGED_AT_ONCE:
                pass

    async def _look(self) -> None:
        """Let go of the tasks of this process that another one has cancelled."""
        if self.kept.stream is None or self.sweeper is None:
            return
        for agent in list(self._agents.values()):
            running = agent.running
            gone = await self.sweeper.cancelled(running) if running else []
            if gone:
                with contextlib.suppress(CardError):
                    await agent.leave(gone)


@dataclass(frozen=True, slots=True)
class OfAgent:
    """What one agent's tasks are kept in."""

    durable: TaskService
    agent_id: str
    known: UpstreamTasks

    def keeping(self) -> Any:
        """Return the stores."""
        return self.durable.keeping(self.agent_id)
