"""Recovery of tasks whose process has stopped: resumed if the upstream agent still has them, failed otherwise."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError, StoreError
from cardwright_gateway.backends.a2a import A2aBackend

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.cluster.heartbeat import Heartbeat
    from cardwright_gateway.tasks.retention import LostTask, TaskCleaner
    from cardwright_gateway.tasks.store import TaskStorage

_LOG: Final = logging.getLogger("cardwright_gateway")
# How long an agent's card may be unavailable before its tasks fail: after a restart of the host, its agents are up
# again within minutes, often later than the gateway, and still have their tasks (project decision).
AWAY_SECONDS: Final = 300.0


class TaskRecovery:
    """Recovery of the tasks of stopped processes.

    Args:
        storage: The task stores.
        replicas: The heartbeat of this process, which also knows the other processes.
        agents: The current agents.
        public: Returns the public URL of an agent.
        cleaner: Finds lost tasks, and ends them.
        lost_seconds: How long a process may be silent before it counts as gone.
        notify: Called with events, like a2a-sdk's push sender.
        clock: A monotonic clock, in seconds.
    """

    def __init__(
        self,
        storage: TaskStorage,
        replicas: Heartbeat,
        agents: Mapping[str, Agent],
        public: Callable[[str], str],
        cleaner: TaskCleaner,
        *,
        lost_seconds: float,
        notify: Callable[[str, Any], Awaitable[None]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._storage = storage
        self._replicas = replicas
        self._agents = agents
        self._public = public
        self._cleaner = cleaner
        self._lost_seconds = lost_seconds
        self._notify = notify
        self._clock = clock
        self._running: dict[str, asyncio.Task[None]] = {}
        # Agents with lost tasks whose card is unavailable, and since when.
        self._unavailable: dict[str, float] = {}

    async def round(self) -> None:
        """Resume the lost tasks that an upstream agent still has, and end the others.

        Raises:
            StoreError: If the database is unavailable.
        """
        alive = await self._replicas.alive(self._lost_seconds)
        running = {task_id for agent in list(self._agents.values()) for task_id in agent.running}
        running.update(self._running)
        by_agent: dict[str, list[LostTask]] = defaultdict(list)
        for lost in await self._cleaner.lost(alive, self._replicas.id, running):
            by_agent[lost.agent_id].append(lost)
        self._unavailable = {
            agent_id: since for agent_id, since in self._unavailable.items() if agent_id in by_agent
        }
        # In parallel, so that an agent that does not respond does not delay the others.
        results = await asyncio.gather(
            *(self._recover_agent(agent_id, tasks) for agent_id, tasks in by_agent.items()),
            return_exceptions=True,
        )
        for error in results:
            if error is not None:
                raise error

    async def close(self) -> None:
        """Stop resuming tasks here; the upstream agents continue them."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _recover_agent(self, agent_id: str, tasks: Sequence[LostTask]) -> None:
        agent = self._agents.get(agent_id)
        known: list[LostTask] = []
        for lost in tasks:
            if agent is not None and await _is_known(agent, lost.task_id):
                known.append(lost)
            else:
                await self._cleaner.end(lost)
        if agent is None or not known:
            return
        try:
            backend = await self._a2a_backend(agent)
        except StoreError:
            raise
        except CardError as error:
            since = self._unavailable.setdefault(agent_id, self._clock())
            if self._clock() - since < AWAY_SECONDS:
                _LOG.warning(
                    "agent %s is unavailable; its %d tasks resume when it is back: %s",
                    agent_id,
                    len(known),
                    error,
                )
                return
            _LOG.warning("agent %s was unavailable for too long; its tasks have failed: %s", agent_id, error)
            backend = None
        else:
            self._unavailable.pop(agent_id, None)
        for lost in known:
            if backend is None:
                await self._cleaner.end(lost)
            else:
                self._resume(backend, lost)

    async def _a2a_backend(self, agent: Agent) -> A2aBackend | None:
        """Return the A2A backend of an agent; None if it is no longer an A2A agent.

        Raises:
            CardError: If its card is unavailable.
        """
        card, _ = await agent.served_with_upstream(self._public(agent.id))
        backend = agent.turns(card)
        return backend if isinstance(backend, A2aBackend) else None

    def _resume(self, backend: A2aBackend, lost: LostTask) -> None:
        from cardwright_gateway.tasks.resumption import ResumedTask

        resumed = ResumedTask(self._storage.tasks, backend, lost.task_id, lost.owner, self._notify)
        running = self._running[lost.task_id] = asyncio.create_task(resumed.run())
        running.add_done_callback(lambda done: self._ended(lost.task_id, done))

    def _ended(self, task_id: str, done: asyncio.Task[None]) -> None:
        self._running.pop(task_id, None)
        if not done.cancelled() and (error := done.exception()) is not None:
            _LOG.warning(
                "task %s could not be resumed and will be retried: %s", task_id, type(error).__name__
            )


async def _is_known(agent: Agent, task_id: str) -> bool:
    """Return whether an upstream task id is stored for a task of the gateway."""
    return (
        agent.own is not None and agent.caller is not None and await agent.own.known.find(task_id) is not None
    )
