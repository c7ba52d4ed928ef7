"""The A2A agents as peers of the registry."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.candidates import key_of
from cardwright.errors import BadConfiguration, CardError
from cardwright.guard import target_of
from cardwright_gateway.settings.agents import Http

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.discovery import AgentRegistry
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.settings.agents import AgentConfig

_LOG: Final = logging.getLogger("cardwright_gateway")


def peer_of(config: AgentConfig) -> dict[str, object]:
    """Return the settings of an A2A agent as a peer."""
    assert isinstance(config.connection, Http)  # noqa: S101 - an A2A agent has a URL
    url = key_of(config.card_url or config.connection.url)
    same_origin = target_of(url).origin == target_of(config.connection.url).origin
    peer: dict[str, object] = {
        "url": url,
        # A card at another origin is requested without the agent's credentials.
        "headers": dict(config.connection.headers) if same_origin else {},
        # Cards with errors are handled when they are served.
        "accept_invalid": True,
    }
    if config.card_url:
        peer["exact"] = True
    if config.ttl_seconds is not None:
        peer["ttl_seconds"] = config.ttl_seconds
    return peer


class Peering:
    """Synchronisation of the registry of peers with the agents.

    Args:
        registry: The registry.
        agents: The agents; the mapping changes.
        source: The configuration file, for messages.
    """

    def __init__(self, registry: AgentRegistry, agents: Mapping[str, Agent], source: str) -> None:
        self._registry = registry
        self._agents = agents
        self._source = source

    def prune(self) -> None:
        """Remove the peers without an agent from the registry, if the database belongs to one machine.

        In a shared database, a peer without an agent here may have one on another machine: the agent was just added,
        cannot be used here, or is in a version of the configuration file that this machine does not have.

        Raises:
            StoreError: If the database cannot be used.
        """
        if self._registry.store.database.engine.dialect.name != "sqlite":
            return
        wanted = {str(peer_of(agent.config)["url"]) for agent in self._agents.values() if _is_a2a(agent)}
        unused = [url for url in self._registry.store.urls() if url not in wanted]
        if unused:
            self._registry.remove(*unused)

    def peers(self, configs: list[AgentConfig]) -> dict[bool, list[dict[str, Any]]]:
        """Return the A2A agents as peers, by whether they are in the configuration file.

        Raises:
            BadConfiguration: If two agents have the same card URL but different headers, or only one is in the file.
        """
        peers: dict[bool, dict[str, dict[str, Any]]] = {True: {}, False: {}}
        changed = {config.id for config in configs}
        others = [
            agent.config for agent in self._agents.values() if _is_a2a(agent) and agent.id not in changed
        ]
        known: dict[Any, tuple[Any, bool]] = {}
        for config in (*others, *configs):
            if config.protocol != "a2a":
                continue
            peer: dict[str, Any] = peer_of(config)
            access = peer["headers"], config.from_file
            # An agent from the network must not change the headers or the allowed addresses of a peer in the file.
            if known.setdefault(peer["url"], access) != access:
                raise BadConfiguration(
                    self._source,
                    f"/agents/{config.id}: another agent has the same card URL but different headers, or only one of"
                    " the two is in the configuration file; use a different card_url",
                )
            if config.id in changed:
                peers[config.from_file].setdefault(peer["url"], peer)
        return {from_file: list(by_url.values()) for from_file, by_url in peers.items()}

    def enter(self, peers: dict[bool, list[dict[str, Any]]]) -> None:
        """Add peers to the registry; they replace earlier settings of the same peers, such as headers.

        Raises:
            StoreError: If the database cannot be used.
        """
        for from_file, added in peers.items():
            if added:
                self._registry.add(*added, configured=from_file, reset=True)

    async def restore(self, config: AgentConfig) -> None:
        """Restore the peer in the registry after a failed change of an agent."""
        known = self._agents.get(config.id)
        if known is not None:
            await self._tried(lambda: self.enter(self.peers([known.config])))
        await self.forget(config)

    async def forget(self, old: AgentConfig) -> None:
        """Remove the peer of old settings from the registry, unless another agent uses it.

        A database error is only logged: nothing uses a peer that stays.
        """
        if old.protocol != "a2a":
            return
        url = str(peer_of(old)["url"])
        if all(peer_of(agent.config)["url"] != url for agent in self._agents.values() if _is_a2a(agent)):
            await self._tried(lambda: self._registry.remove(url))

    async def _tried(self, work: Callable[[], None]) -> None:
        try:
            await asyncio.to_thread(work)
        except CardError as error:
            _LOG.warning("the registry of peers is not in sync with the agents: %s", error)


def _is_a2a(agent: Agent) -> bool:
    return agent.config.protocol == "a2a"
