"""Open the resources of a gateway: its database, its signing key, its tracing and its gRPC server."""

from __future__ import annotations

from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cardwright.extras import requires_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.checks import Checks
    from cardwright.discovery import AgentRegistry
    from cardwright.guard import GuardedClient
    from cardwright.serve import Signing
    from cardwright.store.database import Database
    from cardwright_gateway.api.application import Application
    from cardwright_gateway.api.grpc.server import GrpcServer
    from cardwright_gateway.auth import Authenticator
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.database.agents import AddedAgents
    from cardwright_gateway.database.files import FileStore
    from cardwright_gateway.settings.config import GatewayConfig
    from cardwright_gateway.tasks.service import TaskService
    from cardwright_gateway.telemetry.tracing import Tracing
    from cardwright_gateway.webhooks.rows import Result


def database_folder(config: GatewayConfig) -> TemporaryDirectory[str] | None:
    """Return a temporary folder for an in-memory database that sync and async connections must share."""
    own = config.store == ":memory:" and stores_tasks(config)
    return TemporaryDirectory(prefix="cardwright-") if own else None


def stores_tasks(config: GatewayConfig) -> bool:
    """Return whether an agent has tasks that the gateway stores, or an owner may add one."""
    if config.owners or any(agent.tasks == "own" for agent in config.agents.values()):
        return True
    # The operator may add owners while the gateway runs. Without a key for webhooks it could not start.
    webhooks = config.webhooks
    needs_key = webhooks.enabled and webhooks.encryption_key is None and config.store.startswith("postgresql")
    return config.admin_token is not None and not needs_key


def card_checks(config: GatewayConfig) -> Checks:
    """Return the registries and rule sets that agents' cards are validated with.

    Raises:
        BadConfiguration: If the file of registries cannot be used.
    """
    from cardwright.checks import ADVISORY_CHECKS
    from cardwright.registries_file import read_registries

    if not config.registries:
        return ADVISORY_CHECKS
    return replace(ADVISORY_CHECKS, registries=read_registries(config.registries))


def open_registry(
    config: GatewayConfig, place: str, client: GuardedClient
) -> tuple[AgentRegistry, AddedAgents]:
    """Open the database, and return the registry of peers and the table of added agents.

    Args:
        config: The settings of the gateway.
        place: The database.
        client: The HTTP client for cards.

    Raises:
        BadConfiguration: If the file of registries cannot be used.
        StoreError: If the database cannot be used.
    """
    from cardwright.discovery import AgentRegistry
    from cardwright.discovery.configuration import keys_of
    from cardwright.signing import Policy
    from cardwright.store import CardStore
    from cardwright.store.permissions import make_private
    from cardwright_gateway.database.agents import AddedAgents
    from cardwright_gateway.database.tables import open_database

    checks = card_checks(config)
    # It contains the tokens of added agents.
    make_private(place)
    keys, policy = keys_of(config.keys), Policy(jku_origins=frozenset(config.jku))
    # It also contains keys, revocations and the audit log.
    store = CardStore(open_database(place, durable=True))
    registry = AgentRegistry(
        store=store,
        client=client,
        keys=keys,
        policy=policy,
        checks=checks,
        default_ttl_seconds=config.ttl_seconds,
    )
    return registry, AddedAgents(store.database)


def task_service(
    config: GatewayConfig,
    database: Database,
    place: str,
    agents: Mapping[str, Agent],
    on_attempt: Callable[[Result], None],
    public: Callable[[str], str],
    files: FileStore,
) -> TaskService | None:
    """Return the service for tasks that the gateway stores; None if no agent can have such tasks.

    Raises:
        BadConfiguration: If the key that encrypts the secrets of webhooks is missing.
    """
    if not stores_tasks(config):
        return None
    from cardwright_gateway.tasks.service import TaskService

    return TaskService(database, place, config, agents, public=public, files=files, on_attempt=on_attempt)


def tracing(config: GatewayConfig) -> Tracing | None:
    """Return the tracing of requests; None if no collector is configured.

    Raises:
        BadConfiguration: If the URL of the collector is invalid.
        MissingPackage: If OpenTelemetry is not installed.
    """
    if config.telemetry is None:
        return None
    from cardwright_gateway.telemetry.tracing import Tracing

    return Tracing(config.telemetry)


def signing(config: GatewayConfig) -> Signing | None:
    """Return how served cards are signed; None if they are not.

    Raises:
        BadConfiguration: If the key cannot be read.
    """
    from cardwright_gateway.catalog.signing import signing_of

    return None if config.signing is None else signing_of(config.signing)


def grpc_server(
    config: GatewayConfig, application: Application, authenticator: Authenticator
) -> GrpcServer | None:
    """Return the gRPC server; None if gRPC is off.

    Raises:
        BadConfiguration: If the certificate or its key cannot be read.
        MissingPackage: If grpcio is not installed.
    """
    if config.grpc is None:
        return None
    with requires_extra("grpc"):
        from cardwright_gateway.api.grpc.server import GrpcServer
    return GrpcServer(config.grpc, application.grpc, authenticator.name, application.bodies)
