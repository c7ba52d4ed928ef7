"""Lookup of a gateway's agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.catalog.agent import Agent


class AgentLookup:
    """The agents of a gateway by id.

    Attributes:
        by_id: The agents by id.
    """

    def __init__(self) -> None:
        self.by_id: dict[str, Agent] = {}

    def get(self, agent_id: str) -> Agent | None:
        """Return an agent, or None."""
        return self.by_id.get(agent_id)

    def agent(self, agent_id: str) -> Agent:
        """Return an agent.

        Raises:
            UnknownAgent: If no agent has this id.
        """
        agent = self.by_id.get(agent_id)
        if agent is None:
            raise UnknownAgent(agent_id)
        return agent

    @property
    def listed(self) -> Mapping[str, Agent]:
        """The public agents."""
        return {name: agent for name, agent in self.by_id.items() if agent.config.visibility == "public"}

    def public_agent(self, agent_id: str) -> Agent:
        """Return a public agent.

        Raises:
            UnknownAgent: If no public agent has this id.
        """
        agent = self.agent(agent_id)
        if agent.config.visibility != "public":
            raise UnknownAgent(agent_id)
        return agent
