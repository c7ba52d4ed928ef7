"""A background task that checks whether agents can be reached, between their calls and the fetches of their cards."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from cardwright_gateway.cluster.periodic import PeriodicTask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright_gateway.catalog.agent import Agent

_LOG: Final = logging.getLogger("cardwright_gateway")
# How long what is known of an agent counts, and the maximum of checks in a second (project decisions): a gateway with
# very many agents checks each one less often.
FRESH_SECONDS: Final = 15.0
_PER_ROUND: Final = 20
_ROUND_SECONDS: Final = 1.0


class AvailabilityChecks:
    """Checks of the agents of which nothing was learned for some time: a connection that is opened and closed.

    An agent that becomes unavailable or available, by a check or a call, is logged.

    Args:
        agents: The agents by id; the mapping may change while this runs.
        clock: Seconds since the epoch.
    """

    def __init__(self, agents: Mapping[str, Agent], clock: Callable[[], float] = time.time) -> None:
        self._agents = agents
        self._clock = clock
        self._running: dict[str, asyncio.Task[None]] = {}
        self._unavailable: frozenset[str] = frozenset()
        self._periodic = PeriodicTask("the checks of agents", _ROUND_SECONDS, self.check, closing_seconds=0.0)

    def start(self) -> None:
        """Start, unless it is running."""
        self._periodic.start()

    async def close(self) -> None:
        """Stop."""
        await self._periodic.close()
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def check(self) -> None:
        """Begin to check the agents that are due, and wait for a round at most; see `_due`."""
        for name, agent in self._due():
            self._running[name] = asyncio.create_task(agent.check_availability())
        if self._running:
            await asyncio.wait(self._running.values(), timeout=_ROUND_SECONDS)
        self._running = {name: task for name, task in self._running.items() if not task.done()}
        self._log_changes()

    def _due(self) -> list[tuple[str, Agent]]:
        """Return the agents to check now, at most 20, the longest unchecked first.

        Of one owner's agents at most half are checked at one time: addresses that do not respond take the whole time.
        """
        now = self._clock()
        due = [
            (name, agent)
            for name, agent in list(self._agents.items())
            if agent.availability.at < now - FRESH_SECONDS and name not in self._running
        ]
        due.sort(key=lambda one: one[1].availability.at)
        owners = Counter(agent.config.owner for name in self._running if (agent := self._agents.get(name)))
        chosen: list[tuple[str, Agent]] = []
        for name, agent in due:
            if len(chosen) == _PER_ROUND:
                break
            owners[agent.config.owner] += 1
            if not agent.config.owner or owners[agent.config.owner] <= _PER_ROUND // 2:
                chosen.append((name, agent))
        return chosen

    def _log_changes(self) -> None:
        agents = dict(self._agents)
        unavailable = frozenset(name for name, agent in agents.items() if agent.availability.error)
        for name in sorted(unavailable - self._unavailable):
            _LOG.warning("agent %s is unavailable: %s", name, agents[name].availability.error)
        for name in sorted(self._unavailable - unavailable):
            if name in agents:
                _LOG.info("agent %s is available again", name)
        self._unavailable = unavailable
