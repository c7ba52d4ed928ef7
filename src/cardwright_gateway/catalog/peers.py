"""The agents of A2A as the registry of peers knows them."""

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
    """Return an agent of A2A as the registry of peers takes it."""
    assert isinstance(config.connection, Http)  # noqa: S101 - an agent of A2A has a URL
    url = key_of(config.card_url or config.connection.url)
    own = target_of(url).origin == target_of(config.connection.url).origin
    said: dict[str, object] = {
        "url": url,
        # A card that is kept elsewhere is asked for without what the agent itself is told.
        "headers": dict(config.connection.headers) if own else {},
        # What becomes of a card with errors is settled when it is served.
        "accept_invalid": True,
    }
    if config.card_url:
        said["exact"] = True
    if config.ttl_seconds is not None:
        said["ttl_seconds"] = config.ttl_seconds
    return said


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
        """Have the registry forget the peers that are no agent's, in a database of one machine.

        Where several share it, a peer that is no agent's here may be one at another machine: its agent was added
        just now, cannot be used here, or stands in the file that this machine has not yet, or no longer.

        Raises:
            StoreError: If the database cannot be used.
        """
        if self._registry.store.database.engine.dialect.name != "sqlite":
            return
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
            told = peer["headers"], config.from_file
            # What is added over the network must not change what a peer of the file is sent, or may be dialled by.
            if known.setdefault(peer["url"], told) != told:
                raise BadConfiguration(
                    self._source,
                    f"/agents/{config.id}: another agent has the same card URL and other headers, or is not"
                    " of the configuration file as this one is: give each a card_url of its own",
                )
            if config.id in changed:
                peers[config.from_file].setdefault(peer["url"], peer)
        return {written: list(said.values()) for written, said in peers.items()}

    def enter(self, peers: dict[bool, list[dict[str, Any]]]) -> None:
        """Tell the registry of peers of them; what it was told before of these, such as headers, is over.

        Raises:
            StoreError: If the database cannot be used.
        """
        for written, said in peers.items():
            if said:
                self._registry.add(*said, configured=written, anew=True)

    async def restore(self, config: AgentConfig) -> None:
        """Have the registry know again what it knew before a change of an agent that came to nothing."""
        known = self._agents.get(config.id)
        if known is not None:
            await self._tried(lambda: self.enter(self.peers([known.config])))
        await self.forget(config)

    async def forget(self, old: AgentConfig) -> None:
        """Have the registry forget what is the peer of no agent any more.

        A database that cannot be used is logged: a peer that stays is asked by nobody.
        """
        if old.protocol != "a2a":
            return
        url = str(peer_of(old)["url"])
        if all(peer_of(one.config)["url"] != url for one in self._agents.values() if _is_a2a(one)):
            await self._tried(lambda: self._registry.remove(url))

    async def _tried(self, work: Callable[[], None]) -> None:
        try:
            await asyncio.to_thread(work)
        except CardError as error:
            _LOG.warning("the registry of peers is not in step with the agents: %s", error)


def _is_a2a(agent: Agent) -> bool:
    return agent.config.protocol == "a2a"
