"""Looking at agents by itself: who is due is asked, so that callers find a fresh card."""

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

# How many are asked at once; one that hangs holds a place for ten seconds (ours).
_AT_ONCE: Final = 32
_ROUND_SECONDS: Final = 1.0
_LOG: Final = logging.getLogger("cardwright_gateway")


class Refresher:
    """Looks at the agents of A2A that are due.

    Args:
        agents: The agents by their ids; they may change while it runs.
    """

    def __init__(self, agents: Mapping[str, Agent]) -> None:
        self._agents = agents
        # A round that waits for room among the looks would wait for them at the end, too.
        self._periodic = PeriodicTask(
            "the refreshing of cards", _ROUND_SECONDS, self._round, closing_seconds=0.0
        )
        self._looks: dict[A2aSource, asyncio.Task[None]] = {}

    def start(self) -> None:
        """Begin, unless it has begun."""
        self._periodic.start()

    async def close(self) -> None:
        """End."""
        await self._periodic.close()
        tasks = list(self._looks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _round(self) -> None:
        for agent in list(self._agents.values()):
            source = agent.source
            if len(self._looks) >= _AT_ONCE:
                await asyncio.wait(self._looks.values(), return_when=asyncio.FIRST_COMPLETED)
            if isinstance(source, A2aSource) and source not in self._looks and source.due_seconds() <= 0:
                look = asyncio.create_task(self._look(agent.id, source))
                self._looks[source] = look
                look.add_done_callback(partial(self._looked, source))

    def _looked(self, source: A2aSource, _: asyncio.Task[None]) -> None:
        self._looks.pop(source, None)

    async def _look(self, agent_id: str, source: A2aSource) -> None:
        try:
            await source.look()
        except CardError as error:
            _LOG.warning("agent %s could not be looked at: %s", agent_id, error)
        except Exception:  # noqa: BLE001 - outermost frame of one look: no agent stops the others
            _LOG.exception("agent %s could not be looked at", agent_id)
