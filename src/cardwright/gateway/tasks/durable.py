"""The gateway's own tasks: where they lie, who keeps order among them, and what is told of them by webhooks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError
from cardwright.gateway.engine import async_engine
from cardwright.gateway.replicas import BEAT_SECONDS, Replicas
from cardwright.gateway.tasks.known import UpstreamTasks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.gateway.agent import Agent
    from cardwright.gateway.bridge.keeping import Keeping
    from cardwright.gateway.bridge.relaying import A2aBackend
    from cardwright.gateway.platform import Platform
    from cardwright.gateway.tasks.store import Kept
    from cardwright.gateway.tasks.sweeping import Lost, Sweeper
    from cardwright.gateway.webhooks import Webhooks
    from cardwright.gateway.webhooks.records import Result
    from cardwright.store.database import Database
    from cardwright.store.files import FileStore

_LOG: Final = logging.getLogger("cardwright.gateway")
# How often tasks are looked for that another process cancelled (the seed's five seconds bound it).
_LOOK_SECONDS: Final = 1.0
# How long it is told what became of a webhook (ours).
_DELIVERIES_SECONDS: Final = 30 * 86_400.0
# How often tasks are looked for that nobody runs, and that are old enough to be forgotten (ours).
_SWEEP_SECONDS: Final = 5.0


def _nothing(_: Result) -> None:
    """Do nothing: nobody counts attempts."""


class Durable:
    """The tasks of all agents whose tasks are the gateway's own.

    Args:
        database: The database, up to date.
        place: Where it is.
        platform: What is said of tasks and webhooks.
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
        platform: Platform,
        agents: Mapping[str, Agent],
        *,
        public: Callable[[str], str],
        files: FileStore | None = None,
        on_attempt: Callable[[Result], None] = _nothing,
    ) -> None:
        self._database = database
        self._platform = platform
        self._agents = agents
        self._files = files
        self._public = public
        self._engine = async_engine(place)
        # Eight words of a process may get lost before it counts as gone.
        self._lost_seconds = platform.lost_seconds
        self.replicas = Replicas(database, beat_seconds=min(BEAT_SECONDS, platform.lost_seconds / 9))
        self.webhooks: Webhooks | None = None
        if platform.webhooks.enabled:
            # dbos weighs 60 MiB and a second: only those who deliver webhooks carry that.
            from cardwright.gateway.webhooks import Webhooks

            self.webhooks = Webhooks(
                database,
                self._engine,
                platform.webhooks,
                place=place,
                replica=self.replicas,
                on_attempt=on_attempt,
                lost_seconds=platform.lost_seconds,
            )
        self._kept: Kept | None = None
        self.sweeper: Sweeper | None = None
        self._sweeping: asyncio.Task[None] | None = None
        # The tasks of others that this process goes on with.
        self._resumed: dict[str, asyncio.Task[None]] = {}

    @property
    def kept(self) -> Kept:
        """The stores; a2a-sdk is imported when they are first wanted."""
        if self._kept is None:
            from cardwright.gateway.tasks.store import kept

            self._kept = kept(self._engine, self.replicas.id)
        return self._kept

    def of(self, agent_id: str) -> OfAgent:
        """Return what one agent's tasks are kept in."""
        return OfAgent(self, agent_id, UpstreamTasks(self._database, agent_id))

    def keeping(self, agent_id: str) -> Keeping:
        """Return the stores as one agent's endpoint takes them."""
        from cardwright.gateway.bridge.keeping import Keeping, SecretConfigs

        hooks = self.webhooks
        configs = None if hooks is None else SecretConfigs(agent_id, hooks.configs, hooks)
        return Keeping(self.kept.tasks, self.kept.stream, configs, None if hooks is None else hooks.sender)

    async def start(self) -> None:
        """Begin to deliver, and to keep order.

        Raises:
            CardError: If webhooks cannot be delivered as they are configured.
        """
        await self.replicas.start()
        if self.webhooks is not None:
            await self.webhooks.start()
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Let go of everything; what was accepted and not delivered is delivered after the next start."""
        going = [*([self._sweeping] if self._sweeping else ()), *self._resumed.values()]
        for one in going:
            one.cancel()
        await asyncio.gather(*going, return_exceptions=True)
        if self.webhooks is not None:
            await self.webhooks.close()
        await self.replicas.close()
        await self._engine.dispose()

    async def _sweep(self) -> None:
        from cardwright.gateway.tasks.sweeping import Sweeper

        sender = self.webhooks.sender if self.webhooks is not None else None
        sweeper = self.sweeper = Sweeper(
            self._database,
            self.kept,
            retention_seconds=self._platform.retention_seconds,
            told=sender.send_notification if sender is not None else None,
        )
        swept = float("-inf")
        while True:
            try:
                await self._look(sweeper)
                if time.monotonic() - swept > _SWEEP_SECONDS:
                    swept = time.monotonic()
                    await self._take_over(sweeper)
                    await sweeper.forget(time.time())
                    if self._files is not None:
                        await asyncio.to_thread(self._files.delete_expired)
                    if self.webhooks is not None:
                        await self.webhooks.purge(time.time() - _DELIVERIES_SECONDS)
            except (CardError, SQLAlchemyError) as error:
                _LOG.warning("the gateway's tasks cannot be looked after now: %s", error)
            except Exception:  # noqa: BLE001 - outermost frame: whatever goes wrong once, tasks are looked after again
                _LOG.exception("the gateway's tasks could not be looked after")
            await asyncio.sleep(_LOOK_SECONDS)

    async def _take_over(self, sweeper: Sweeper) -> None:
        """Go on with the tasks that nobody runs any more, where the agent behind has them still; end the others."""
        alive = await self.replicas.alive(self._lost_seconds)
        running = {task_id for agent in list(self._agents.values()) for task_id in agent.running}
        running.update(self._resumed)
        for lost in await sweeper.lost(alive, self.replicas.id, running):
            agent = self._agents.get(lost.agent_id)
            backend = None if agent is None or agent.own is None else await self._behind(agent, lost.task_id)
            if backend is None:
                await sweeper.end(lost)
            else:
                self._resume(backend, lost)

    async def _behind(self, agent: Agent, task_id: str) -> A2aBackend | None:
        """Return what asks the agent behind for a task; None where that knows nothing of it."""
        from cardwright.gateway.bridge.relaying import A2aBackend

        assert agent.own is not None  # noqa: S101 - of those alone tasks are taken over
        if agent.caller is None or await agent.own.known.find(task_id) is None:
            return None
        try:
            made, _ = await agent.placed(self._public(agent.id))
        except CardError as error:
            _LOG.warning("agent %s: a task cannot go on: %s", agent.id, error)
            return None
        backend = agent.turns(made)
        return backend if isinstance(backend, A2aBackend) else None

    def _resume(self, backend: A2aBackend, lost: Lost) -> None:
        from cardwright.gateway.tasks.resuming import Resumed

        told = self.webhooks.sender.send_notification if self.webhooks is not None else None
        resumed = Resumed(self.kept.tasks, backend, lost.task_id, lost.owner, told)
        going = self._resumed[lost.task_id] = asyncio.create_task(resumed.run())
        going.add_done_callback(lambda done: self._went(lost.task_id, done))

    def _went(self, task_id: str, done: asyncio.Task[None]) -> None:
        self._resumed.pop(task_id, None)
        if not done.cancelled() and (error := done.exception()) is not None:
            _LOG.warning("task %s: it is gone on with later: %s", task_id, type(error).__name__)

    async def _look(self, sweeper: Sweeper) -> None:
        """Let go of the tasks of this process that another one has cancelled."""
        if self.kept.stream is None:
            return
        for agent in list(self._agents.values()):
            running = agent.running
            gone = await sweeper.cancelled(running) if running else []
            if gone:
                with contextlib.suppress(CardError):
                    await agent.leave(gone)


@dataclass(frozen=True, slots=True)
class OfAgent:
    """What one agent's tasks are kept in."""

    durable: Durable
    agent_id: str
    known: UpstreamTasks

    def keeping(self) -> Any:
        """Return the stores."""
        return self.durable.keeping(self.agent_id)
