"""Tasks that nobody runs any more are taken over: the agent behind has them still, or they have failed."""

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
    from cardwright_gateway.tasks.retention import Lost, Sweeper
    from cardwright_gateway.tasks.store import Kept

_LOG: Final = logging.getLogger("cardwright_gateway")
# How long an agent's card may be missing before its tasks have failed: a host that starts again has its agents up
# within minutes, often after the gateway, and they have their tasks still (ours).
AWAY_SECONDS: Final = 300.0


class TakeOver:
    """Goes on with the tasks of processes that are gone.

    Args:
        kept: The stores.
        replicas: The processes, and this one among them.
        agents: The agents, as they are at any time.
        public: Where an agent is for everyone.
        sweeper: Finds such tasks, and ends them.
        lost_seconds: How long a process may be silent before it is gone.
        told: Is told of an event as a2a-sdk's push sender is.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        kept: Kept,
        replicas: Heartbeat,
        agents: Mapping[str, Agent],
        public: Callable[[str], str],
        sweeper: Sweeper,
        *,
        lost_seconds: float,
        told: Callable[[str, Any], Awaitable[None]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._kept = kept
        self._replicas = replicas
        self._agents = agents
        self._public = public
        self._sweeper = sweeper
        self._lost_seconds = lost_seconds
        self._told = told
        self._clock = clock
        self._resumed: dict[str, asyncio.Task[None]] = {}
        # Agents with tasks that nobody runs, whose card cannot be had; with since when.
        self._away: dict[str, float] = {}

    async def round(self) -> None:
        """Go on with the tasks that nobody runs any more, where the agent behind has them still; end the others.

        Raises:
            StoreError: If the database cannot be used.
        """
        alive = await self._replicas.alive(self._lost_seconds)
        running = {task_id for agent in list(self._agents.values()) for task_id in agent.running}
        running.update(self._resumed)
        of: dict[str, list[Lost]] = defaultdict(list)
        for lost in await self._sweeper.lost(alive, self._replicas.id, running):
            of[lost.agent_id].append(lost)
        self._away = {agent_id: since for agent_id, since in self._away.items() if agent_id in of}
        # An agent that does not answer keeps no other one waiting.
        done = await asyncio.gather(
            *(self._take(agent_id, all_) for agent_id, all_ in of.items()), return_exceptions=True
        )
        for error in done:
            if error is not None:
                raise error

    async def close(self) -> None:
        """Let go of them; the agents behind have them still."""
        going = list(self._resumed.values())
        for one in going:
            one.cancel()
        await asyncio.gather(*going, return_exceptions=True)

    async def _take(self, agent_id: str, all_: Sequence[Lost]) -> None:
        agent = self._agents.get(agent_id)
        known: list[Lost] = []
        for lost in all_:
            if agent is not None and await _is_known(agent, lost.task_id):
                known.append(lost)
            else:
                await self._sweeper.end(lost)
        if agent is None or not known:
            return
        try:
            backend = await self._behind(agent)
        except StoreError:
            raise
        except CardError as error:
            since = self._away.setdefault(agent_id, self._clock())
            if self._clock() - since < AWAY_SECONDS:
                _LOG.warning(
                    "agent %s: %d tasks go on when it is there again: %s", agent_id, len(known), error
                )
                return
            _LOG.warning("agent %s: it is away for too long, and its tasks have failed: %s", agent_id, error)
            backend = None
        else:
            self._away.pop(agent_id, None)
        for lost in known:
            if backend is None:
                await self._sweeper.end(lost)
            else:
                self._resume(backend, lost)

    async def _behind(self, agent: Agent) -> A2aBackend | None:
        """Return what asks the agent behind for tasks; None where it has become one that has none.

        Raises:
            CardError: If its card cannot be had.
        """
        made, _ = await agent.placed(self._public(agent.id))
        backend = agent.turns(made)
        return backend if isinstance(backend, A2aBackend) else None

    def _resume(self, backend: A2aBackend, lost: Lost) -> None:
        from cardwright_gateway.tasks.resumption import Resumed

        resumed = Resumed(self._kept.tasks, backend, lost.task_id, lost.owner, self._told)
        going = self._resumed[lost.task_id] = asyncio.create_task(resumed.run())
        going.add_done_callback(lambda done: self._went(lost.task_id, done))

    def _went(self, task_id: str, done: asyncio.Task[None]) -> None:
        self._resumed.pop(task_id, None)
        if not done.cancelled() and (error := done.exception()) is not None:
            _LOG.warning("task %s: it is gone on with later: %s", task_id, type(error).__name__)


async def _is_known(agent: Agent, task_id: str) -> bool:
    """Whether an agent behind has a task for one of the gateway."""
    return (
        agent.own is not None and agent.caller is not None and await agent.own.known.find(task_id) is not None
    )
