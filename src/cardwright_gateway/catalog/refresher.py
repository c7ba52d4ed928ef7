"""A background task that refreshes the cards of A2A agents before they expire."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright_gateway.catalog.sources.a2a import A2aSource
from cardwright_gateway.cluster.periodic import PeriodicTask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.catalog.agent import Agent

# The maximum number of concurrent refreshes; an agent that hangs blocks one for ten seconds (project decision).
_MAX_CONCURRENT: Final = 32
_ROUND_SECONDS: Final = 1.0
_LOG: Final = logging.getLogger("cardwright_gateway")


class Refresher:
    """Background refresh of the cards of A2A agents that are due.

    Args:
        agents: The agents by id; the mapping may change while this runs.
    """

    def __init__(self, agents: Mapping[str, Agent]) -> None:
        self._agents = agents
        # A round may wait for running refreshes, so closing does not wait for the round.
        self._periodic = PeriodicTask(
            "the refreshing of cards", _ROUND_SECONDS, self._round, closing_seconds=0.0
        )
        self._refreshes: dict[A2aSource, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Start, unless it is running."""
        self._periodic.start()

    async def close(self) -> None:
        """Stop."""
        await self._periodic.close()
        tasks = list(self._refreshes.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _round(self) -> None:
        for agent in list(self._agents.values()):
            source = agent.source
            if len(self._refreshes) >= _MAX_CONCURRENT:
                await asyncio.wait(self._refreshes.values(), return_when=asyncio.FIRST_COMPLETED)
            if isinstance(source, A2aSource) and source not in self._refreshes and source.due_seconds() <= 0:
                refresh = asyncio.create_task(self._refresh(agent.id, source))
                self._refreshes[source] = refresh
                refresh.add_done_callback(partial(self._refreshed, source))

    def _refreshed(self, source: A2aSource, _: asyncio.Task[None]) -> None:
        self._refreshes.pop(source, None)

    async def _refresh(self, agent_id: str, source: A2aSource) -> None:
        try:
            await source.fetch()
        except CardError as error:
            _LOG.warning("agent %s: the card could not be refreshed: %s", agent_id, error)
        except Exception:  # noqa: BLE001 - outermost frame of one refresh: no agent stops the others
            _LOG.exception("agent %s: the card could not be refreshed", agent_id)
