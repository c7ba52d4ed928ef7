"""The cards of managed agents that are files: which files these are, and reading them again."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.catalog.agent import Agent

_LOG: Final = logging.getLogger("cardwright_gateway")


def card_files(agents: Mapping[str, Agent]) -> list[Path]:
    """Return the files that are the cards of agents."""
    return [Path(agent.config.card) for agent in agents.values() if isinstance(agent.config.card, str)]


async def reread_cards(agents: Mapping[str, Agent]) -> list[str]:
    """Read the files again, and return the ids of the agents whose card changed.

    If a file cannot be read or is not a card, this is logged, and the agent keeps the card that it has.
    """
    changed = []
    for agent in list(agents.values()):
        if not isinstance(agent.config.card, str):
            continue
        before = agent.source.now()
        try:
            now = await agent.source.refresh()
        except BadConfiguration as error:
            _LOG.error("the changed card is not used, the previous one stays: %s", error)
        else:
            if before is None or before.mark != now.mark:
                changed.append(agent.id)
    return changed
