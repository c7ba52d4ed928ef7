"""The A2A agents as peers of the registry."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.candidates import key_of
from cardwright.errors import CardError
from cardwright.guard import target_of
from cardwright_gateway.settings.agents import Http

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.discovery import AgentRegistry
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.settings.agents import AgentConfig

_LOG: Final = logging.getLogger("cardwright_gateway")


def peer_of(config: AgentConfig) -> dict[str, Any]:
    """Return the settings of an A2A agent as a peer.

    Each agent is a peer of its own, with its id as the fragment of the URL, which is never sent. With a peer for each
    URL, one owner could take the URL of another, and learn by the refusal who uses it and with which headers.
    """
    assert isinstance(config.connection, Http)  # noqa: S101 - an A2A agent has a URL
    url = f"{key_of(config.card_url or config.connection.url).partition('#')[0]}#{config.id}"
    same_origin = target_of(url).origin == target_of(config.connection.url).origin
    peer: dict[str, Any] = {
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
    """

    def __init__(self, registry: AgentRegistry, agents: Mapping[str, Agent]) -> None:
        self._registry = registry
        self._agents = agents

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

    def peers(self, configs: Iterable[AgentConfig]) -> dict[bool, list[dict[str, Any]]]:
        """Return the A2A agents as peers, by whether they are in the configuration file."""
        peers: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        for config in configs:
            if config.protocol == "a2a":
                peers[config.from_file].append(peer_of(config))
        return peers

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
        """Remove the peer of old settings from the registry, unless the agent still has it.

        A database error is only logged: nothing uses a peer that stays.
        """
        if old.protocol != "a2a":
            return
        url = peer_of(old)["url"]
        known = self._agents.get(old.id)
        if known is None or not _is_a2a(known) or peer_of(known.config)["url"] != url:
            await self._tried(lambda: self._registry.remove(str(url)))

    async def _tried(self, work: Callable[[], None]) -> None:
        try:
            await asyncio.to_thread(work)
        except CardError as error:
            _LOG.warning("the registry of peers is not in sync with the agents: %s", error)


def _is_a2a(agent: Agent) -> bool:
    return agent.config.protocol == "a2a"
