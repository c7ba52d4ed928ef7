"""What a gateway opens before it answers: its database, the registry of peers on it, and its key."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.discovery import AgentRegistry
    from cardwright.gateway.config import GatewayConfig
    from cardwright.serve import Signing
    from cardwright.store.agents import AddedAgents


def folder(config: GatewayConfig) -> TemporaryDirectory[str] | None:
    """Return a folder for the database where it is in memory and several kinds of connections need it."""
    own = config.platform.owners or any(agent.tasks == "own" for agent in config.agents.values())
    return TemporaryDirectory(prefix="cardwright-") if config.store == ":memory:" and own else None


def opened(config: GatewayConfig, place: str) -> tuple[AgentRegistry, AddedAgents]:
    """Return the registry of peers on the database at a place, and the agents that were added.

    Raises:
        StoreError: If it cannot be used.
    """
    from cardwright.discovery import AgentRegistry
    from cardwright.discovery.configuration import keys_of
    from cardwright.signing import Policy
    from cardwright.store import CardStore
    from cardwright.store.agents import AddedAgents
    from cardwright.store.private import make_private

    if "://" not in place and place != ":memory:":
        # Tokens of agents that were added are in it.
        make_private(Path(place))
    store = CardStore.open(place)
    registry = AgentRegistry(
        store=store,
        allow=config.allow,
        ports=config.ports,
        keys=keys_of(config.keys),
        policy=Policy(jku_origins=frozenset(config.jku)),
        default_ttl_seconds=config.ttl_seconds,
    )
    return registry, AddedAgents(store.database)


def signing(config: GatewayConfig) -> Signing | None:
    """Return the key that cards are signed with, if there is one.

    Raises:
        BadConfiguration: If it cannot be read.
    """
    from cardwright.gateway.signing import signing_of

    return None if config.signing is None else signing_of(config.signing)
