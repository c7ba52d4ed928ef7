"""Create agents from their settings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardwright.builder.described import DescribedFunction
from cardwright.errors import BadConfiguration
from cardwright_gateway.backends.function import FunctionBackend, load_function
from cardwright_gateway.backends.queue import ALONE_ROUND_SECONDS, ROUND_SECONDS, QueueBackend
from cardwright_gateway.backends.queue_rows import QueueRows
from cardwright_gateway.catalog.agent import Agent, Urls
from cardwright_gateway.catalog.function_card import function_card
from cardwright_gateway.catalog.peers import peer_of
from cardwright_gateway.catalog.sources.a2a import A2aSource
from cardwright_gateway.catalog.sources.managed import ManagedSource
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.settings.agents import Function, Http, Stdio
from cardwright_gateway.settings.config import GatewayConfig
from cardwright_gateway.upstream.client import Caller
from cardwright_gateway_models.settings.gateway import Queue

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.discovery import AgentRegistry
    from cardwright.guard import GuardedClient
    from cardwright.guard.answer_memory import AnswerMemory, HeldAnswer
    from cardwright.store.database import Database
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.settings.agents import AgentConfig

    Hold = Callable[[], HeldAnswer]


def create_agent(
    config: AgentConfig,
    registry: AgentRegistry,
    client: GuardedClient,
    *,
    since: float | None = None,
    settings: GatewayConfig | None = None,
    deployment: Deployment | None = None,
    answers: AnswerMemory | None = None,
) -> Agent:
    """Return the agent; nothing of it is started.

    Args:
        config: The settings of the agent.
        registry: The registry of peers; it already has an A2A agent.
        client: The HTTP client for upstream requests.
        since: Cards that were stored before this time belong to other settings, and are not used.
        settings: The gateway's settings.
        deployment: What all processes of the gateway share. Default: read from the registry's database.
        answers: The memory that the answers of all agents share. Default: no limit.

    Raises:
        BadConfiguration: If its card or its function cannot be loaded.
    """
    deployment = deployment or Deployment.of(registry.store.database)
    hold = None if answers is None else partial(answers.hold, config.owner)
    match config.protocol:
        case "a2a":
            agent = _a2a(config, registry, client, hold, since=since)
        case "mcp":
            agent = _mcp(config, client, hold)
        case "managed":
            agent = _managed(config, client, registry, deployment, hold, settings)
    agent.settings = settings or GatewayConfig(agents={})
    agent.deployment = deployment
    return agent


def _a2a(
    config: AgentConfig,
    registry: AgentRegistry,
    client: GuardedClient,
    hold: Hold | None,
    *,
    since: float | None,
) -> Agent:
    assert isinstance(config.connection, Http)  # noqa: S101 - an A2A agent has a URL
    url = str(peer_of(config)["url"])
    source = A2aSource(config, url, registry, since=since)
    return Agent(config, source, caller=_caller(config, config.connection, client, hold))


def _caller(config: AgentConfig, http: Http, client: GuardedClient, hold: Hold | None) -> Caller:
    return Caller(client, http, config.timeout_seconds, config.id if config.owner else "", hold)


def _mcp(config: AgentConfig, client: GuardedClient, hold: Hold | None) -> Agent:
    # mcp needs 30 MiB of memory: only gateways with MCP servers import it.
    from cardwright_gateway.backends.mcp import McpBackend
    from cardwright_gateway.catalog.sources.mcp import McpSource
    from cardwright_gateway.upstream.mcp import HttpServer, McpSession, StdioServer

    server: StdioServer | HttpServer
    if isinstance(config.connection, Stdio):
        stdio = config.connection
        server = StdioServer(stdio.command, stdio.args, stdio.env, stdio.cwd)
    elif isinstance(config.connection, Http):
        server = HttpServer(
            config.connection.url,
            config.connection.headers,
            config.connection.configured,
            config.connection.sse,
            hold,
        )
    else:
        raise BadConfiguration("", f"/agents/{config.id}: an MCP server needs a command or a url")
    session = McpSession(
        config.id,
        server,
        client=client,
        start_seconds=config.start_seconds,
        call_seconds=config.timeout_seconds,
        on_change=_nothing,
    )
    return Agent(config, McpSource(config, session), backend=McpBackend(session))


def _nothing() -> None:
    """Do nothing: a changed card is noticed at the next request."""


def _managed(
    config: AgentConfig,
    client: GuardedClient,
    registry: AgentRegistry,
    deployment: Deployment,
    hold: Hold | None,
    settings: GatewayConfig | None,
) -> Agent:
    registries = registry.checks.registries
    if isinstance(config.connection, Function):
        function = load_function(config.connection.path)
        called = function.function if isinstance(function, DescribedFunction) else function
        backend = FunctionBackend(called)
        derived = None
        if config.card is None:
            derived = function_card(config, function, _public(config, settings))
        return Agent(config, ManagedSource(config, derived, registries=registries), backend=backend)
    source = ManagedSource(config, registries=registries)
    if isinstance(config.connection, Http):
        return Agent(config, source, caller=_caller(config, config.connection, client, hold))
    queue: Backend | None = None
    if isinstance(config.connection, Queue):
        queue = _queue(config.id, config.connection, registry.store.database, deployment)
    return Agent(config, source, backend=queue)


def _public(config: AgentConfig, settings: GatewayConfig | None) -> str:
    """Return the URL of an agent at the gateway; without settings, at a name that resolves to nothing (RFC 6761)."""
    base = settings.base_url if settings else None
    if base is None and settings is not None and settings.proxies is not None:
        base = settings.proxies.base_urls[0]
    return Urls(base or "https://gateway.invalid").agent(config.id)


def _queue(agent_id: str, settings: Queue, database: Database, deployment: Deployment) -> QueueBackend:
    rows = QueueRows(database, agent_id)
    # Only one process uses an SQLite database: the rounds find nothing but expired leases.
    alone = database.engine.dialect.name == "sqlite"
    return QueueBackend(
        agent_id,
        rows,
        lease_seconds=settings.lease_seconds,
        waits=settings.offline == "wait",
        deployment=deployment,
        round_seconds=ALONE_ROUND_SECONDS if alone else ROUND_SECONDS,
    )
