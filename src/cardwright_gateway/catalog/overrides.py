"""The agents of the configuration file, with what their owners changed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.settings.overrides import check_overrides, overridden

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.settings.agents import AgentConfig

_LOG: Final = logging.getLogger("cardwright_gateway")


class Overrides:
    """The settings of agents as the file has them, and as their owners changed them.

    Args:
        states: What owners changed.
    """

    def __init__(self, states: AgentStates) -> None:
        self._states = states
        self._of_file: dict[str, AgentConfig] = {}

    def note(self, configs: Iterable[AgentConfig], gone: Iterable[str] = ()) -> None:
        """Note agents of the file, and the ids of those that it no longer has."""
        for config in configs:
            if self._of_file.get(config.id) != config:
                self._of_file[config.id] = config
        for agent_id in gone:
            self._of_file.pop(agent_id, None)

    def effective(self, config: AgentConfig) -> AgentConfig:
        """Return the settings of an agent of the file with its owner's changes; log those that are not applied."""
        effective, ignored = overridden(config, self._states.overrides(config.id, config.owner))
        for name, reason in ignored.items():
            _LOG.warning("agent %s: the owner's %s is not applied: %s", config.id, name, reason)
        return effective

    def store(self, agent_id: str, changes: Mapping[str, Any], *, actor: str) -> None:
        """Store changes of an agent of the file.

        Args:
            agent_id: The agent.
            changes: The new values; None for the value of the file.
            actor: Who does it, for the audit log.

        Raises:
            UnknownAgent: If the file has no such agent.
            BadConfiguration: If a value is not allowed.
            StoreError: If the database cannot be used; nothing changed.
        """
        config = self._of_file.get(agent_id)
        if config is None:
            raise UnknownAgent(agent_id)
        check_overrides(config, changes)
        self._states.override(agent_id, config.owner, changes, actor=actor)

    def outdated(self, current: Mapping[str, Agent]) -> list[AgentConfig]:
        """Return the effective settings of the agents that have others in this process.

        Args:
            current: The agents by id.
        """
        found: list[AgentConfig] = []
        for agent_id, config in self._of_file.items():
            agent, stored = current.get(agent_id), self._states.overrides(agent_id, config.owner)
            if agent is None or (agent.config is config and not stored):
                continue
            effective, _ = overridden(config, stored)
            if effective != agent.config:
                found.append(effective)
        return found
