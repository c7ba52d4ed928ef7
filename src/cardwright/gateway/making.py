"""From what the operator says of an agent to the agent itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.discovery.candidates import key_of
from cardwright.errors import BadConfiguration
from cardwright.gateway.agent import Agent
from cardwright.gateway.bridge import FunctionBackend, QueueBackend, SharedQueueBackend, load_function
from cardwright.gateway.bridge.queue_rows import QueueRows
from cardwright.gateway.entries import Code, Http, Stdio, Work
from cardwright.gateway.platform import Platform
from cardwright.gateway.sources.a2a import A2aSource
from cardwright.gateway.sources.managed import ManagedSource
from cardwright.gateway.upstream import Caller
from cardwright.guard import target_of

if TYPE_CHECKING:
    from cardwright.discovery import AgentRegistry
    from cardwright.gateway.backend import Backend
    from cardwright.gateway.entries import AgentConfig
    from cardwright.guard import GuardedClient
    from cardwright.store.database import Database


def peer_of(config: AgentConfig) -> dict[str, object]:
    """Return an agent of A2A as the registry of peers takes it."""
    assert isinstance(config.backend, Http)  # noqa: S101 - an agent of A2A has a URL
    url = key_of(config.card_url or config.backend.url)
    own = target_of(url).origin == target_of(config.backend.url).origin
    said: dict[str, object] = {
        "url": url,
        # A card that is kept elsewhere is asked for without what the agent itself is told.
        "headers": dict(config.backend.headers) if own else {},
        # What becomes of a card with errors is settled when it is served.
        "accept_invalid": True,
    }
    if config.card_url:
        said["exact"] = True
    if config.ttl_seconds is not None:
        said["ttl_seconds"] = config.ttl_seconds
    return said


def made(
    config: AgentConfig,
    registry: AgentRegistry,
    client: GuardedClient,
    *,
    since: float | None = None,
    platform: Platform | None = None,
) -> Agent:
    """Return the agent; nothing of it is started.

    Args:
        config: What the operator says of it.
        registry: The registry of peers, which has it already if it is of A2A.
        client: What dials.
        since: Before when what is kept of its card is of another configuration.
        platform: What is said of callers.

    Raises:
        BadConfiguration: If its card or its function cannot be had.
    """
    match config.protocol:
        case "a2a":
            agent = _a2a(config, registry, client, since=since)
        case "mcp":
            agent = _mcp(config, client)
        case "managed":
            agent = _managed(config, client, registry)
    agent.platform = platform or Platform()
    return agent


def _a2a(
    config: AgentConfig, registry: AgentRegistry, client: GuardedClient, *, since: float | None
) -> Agent:
    assert isinstance(config.backend, Http)  # noqa: S101 - an agent of A2A has a URL
    url = str(peer_of(config)["url"])
    source = A2aSource(config, url, registry, since=since)
    return Agent(config, source, caller=_caller(config, config.backend, client))


def _caller(config: AgentConfig, http: Http, client: GuardedClient) -> Caller:
    return Caller(client, http, config.timeout_seconds, config.id if config.owner else "")


def _mcp(config: AgentConfig, client: GuardedClient) -> Agent:
    # mcp weighs 30 MiB: only those who have servers of it carry that.
    from cardwright.gateway.mcp import HttpServer, McpBackend, McpSession, StdioServer
    from cardwright.gateway.sources.mcp import McpSource

    server: StdioServer | HttpServer
    if isinstance(config.backend, Stdio):
        one = config.backend
        server = StdioServer(one.command, one.args, one.env, one.cwd)
    elif isinstance(config.backend, Http):
        server = HttpServer(
            config.backend.url, config.backend.headers, config.backend.configured, config.backend.sse
        )
    else:
        raise BadConfiguration("", f"/agents/{config.id}: a server of MCP needs a command or a url")
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
    """Do nothing: a card that is another is seen when it is asked for."""


def _managed(config: AgentConfig, client: GuardedClient, registry: AgentRegistry) -> Agent:
    source = ManagedSource(config)
    if isinstance(config.backend, Http):
        return Agent(config, source, caller=_caller(config, config.backend, client))
    backend: Backend | None = None
    if isinstance(config.backend, Code):
        backend = FunctionBackend(load_function(config.backend.path))
    elif isinstance(config.backend, Work):
        backend = _queue(config.id, config.backend, registry.store.database)
    return Agent(config, source, backend=backend)


def _queue(agent_id: str, said: Work, database: Database) -> Backend:
    """Return a queue in the database where other processes may share that."""
    if database.engine.dialect.name == "sqlite":
        return QueueBackend(agent_id, lease_seconds=said.lease_seconds, waits=said.waits)
    rows = QueueRows(database, agent_id)
    return SharedQueueBackend(agent_id, rows, lease_seconds=said.lease_seconds, waits=said.waits)
