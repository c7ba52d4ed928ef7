"""A background task that checks whether agents can be reached, between their calls and the fetches of their cards."""

from __future__ import annotations

import asyncio
import logging
import time
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
        self._unavailable: frozenset[str] = frozenset()
        self._periodic = PeriodicTask("the checks of agents", _ROUND_SECONDS, self.check, closing_seconds=0.0)

    def start(self) -> None:
        """Start, unless it is running."""
        self._periodic.start()

    async def close(self) -> None:
        """Stop."""
        await self._periodic.close()

    async def check(self) -> None:
        """Check the agents that are due, the longest unchecked first; at most 20."""
        now = self._clock()
        due = [agent for agent in list(self._agents.values()) if agent.availability.at < now - FRESH_SECONDS]
        due.sort(key=lambda agent: agent.availability.at)
        await asyncio.gather(*(agent.check_availability() for agent in due[:_PER_ROUND]))
        self._log_changes()

    def _log_changes(self) -> None:
        agents = dict(self._agents)
        unavailable = frozenset(name for name, agent in agents.items() if agent.availability.error)
        for name in sorted(unavailable - self._unavailable):
            _LOG.warning("agent %s is unavailable: %s", name, agents[name].availability.error)
        for name in sorted(self._unavailable - unavailable):
            if name in agents:
                _LOG.info("agent %s is available again", name)
        self._unavailable = unavailable
