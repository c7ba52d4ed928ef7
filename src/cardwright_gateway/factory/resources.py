"""What a gateway opens before it answers: its database and what lies in it, its key, and its traces."""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.discovery import AgentRegistry
    from cardwright.serve import Signing
    from cardwright.store.database import Database
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.database.agents import AddedAgents
    from cardwright_gateway.database.files import FileStore
    from cardwright_gateway.settings.config import GatewayConfig
    from cardwright_gateway.tasks.service import TaskService
    from cardwright_gateway.telemetry.tracing import Tracing
    from cardwright_gateway.webhooks.rows import Result


def folder(config: GatewayConfig) -> TemporaryDirectory[str] | None:
    """Return a folder for the database where it is in memory and several kinds of connections need it."""
    own = config.owners or any(agent.tasks == "own" for agent in config.agents.values())
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
    from cardwright.store.permissions import make_private
    from cardwright_gateway.database.agents import AddedAgents
    from cardwright_gateway.database.tables import open_database

    # Tokens of agents that were added are in it.
    make_private(place)
    keys, policy = keys_of(config.keys), Policy(jku_origins=frozenset(config.jku))
    # Keys, revocations and the audit are, too.
    store = CardStore(open_database(place, survives_power_cut=True))
    registry = AgentRegistry(
        store=store,
        allow=config.allow,
        ports=config.ports,
        keys=keys,
        policy=policy,
        default_ttl_seconds=config.ttl_seconds,
    )
    return registry, AddedAgents(store.database)


def durable(
    config: GatewayConfig,
    database: Database,
    place: str,
    agents: Mapping[str, Agent],
    on_attempt: Callable[[Result], None],
    public: Callable[[str], str],
    files: FileStore,
) -> TaskService | None:
    """Return what keeps the gateway's own tasks; None where no agent can have any.

    Raises:
        BadConfiguration: If webhooks have no key that their secrets are encrypted with.
    """
    told = config.agents.values()
    if not config.owners and all(agent.tasks == "pass" for agent in told):
        return None
    from cardwright_gateway.tasks.service import TaskService

    return TaskService(database, place, config, agents, public=public, files=files, on_attempt=on_attempt)


def tracing(config: GatewayConfig) -> Tracing | None:
    """Return what traces requests, if a collector is named.

    Raises:
        BadConfiguration: If its URL is none.
        MissingPackage: If OpenTelemetry is not installed.
    """
    if config.telemetry is None:
        return None
    from cardwright_gateway.telemetry.tracing import Tracing

    return Tracing(config.telemetry)


def signing(config: GatewayConfig) -> Signing | None:
    """Return the key that cards are signed with, if there is one.

    Raises:
        BadConfiguration: If it cannot be read.
    """
    from cardwright_gateway.catalog.signing import signing_of

    return None if config.signing is None else signing_of(config.signing)
