"""The agents of A2A as the registry of peers knows them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.errors import BadConfiguration
from cardwright.gateway.making import peer_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.discovery import AgentRegistry
    from cardwright.gateway.agent import Agent
    from cardwright.gateway.entries import AgentConfig


class Peering:
    """Keeps the registry of peers in step with the agents.

    Args:
        registry: The registry.
        agents: The agents, as they are at any time.
        source: The configuration file, for messages.
    """

    def __init__(self, registry: AgentRegistry, agents: Mapping[str, Agent], source: str) -> None:
        self._registry = registry
        self._agents = agents
        self._source = source

    def prune(self) -> None:
        """Have the registry forget the peers that are no agent's.

        Raises:
            StoreError: If the database cannot be used.
        """
        wanted = {str(peer_of(one.config)["url"]) for one in self._agents.values() if _is_a2a(one)}
        gone = [url for url in self._registry.store.urls() if url not in wanted]
        if gone:
            self._registry.remove(*gone)

    def peers(self, configs: list[AgentConfig]) -> dict[bool, list[dict[str, Any]]]:
        """Return the agents of A2A as the registry of peers takes them, by whether the file names them.

        Raises:
            BadConfiguration: If two would be one peer with other headers, or one of somebody else's.
        """
        peers: dict[bool, dict[str, dict[str, Any]]] = {True: {}, False: {}}
        changed = {config.id for config in configs}
        there = [one.config for one in self._agents.values() if _is_a2a(one) and one.id not in changed]
        known: dict[Any, tuple[Any, bool]] = {}
        for config in (*there, *configs):
            if config.protocol != "a2a":
                continue
            peer: dict[str, Any] = peer_of(config)
            told = peer["headers"], config.written
            # What is added over the network must not change what a peer of the file is sent, or may be dialled by.
            if known.setdefault(peer["url"], told) != told:
                raise BadConfiguration(
                    self._source,
                    f"/agents/{config.id}: another agent has the same card URL and other headers, or is not"
                    " of the configuration file as this one is: give each a card_url of its own",
                )
            if config.id in changed:
                peers[config.written].setdefault(peer["url"], peer)
        return {written: list(said.values()) for written, said in peers.items()}

    def enter(self, peers: dict[bool, list[dict[str, Any]]]) -> None:
        """Tell the registry of peers of them."""
        for written, said in peers.items():
            if said:
                self._registry.add(*said, configured=written)

    async def forget(self, old: Agent | None) -> None:
        """Have the registry of peers forget an agent of A2A, unless another one is the same peer."""
        if old is None or not _is_a2a(old):
            return
        url = peer_of(old.config)["url"]
        others = [one for one in self._agents.values() if one is not old and _is_a2a(one)]
        if not any(peer_of(one.config)["url"] == url for one in others):
            await asyncio.to_thread(self._registry.remove, str(url))


def _is_a2a(agent: Agent) -> bool:
    return agent.config.protocol == "a2a"
