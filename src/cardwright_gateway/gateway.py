"""The gateway as an object and an ASGI application: the composition root.

Longer than other modules, because everything that a gateway consists of is created and closed here, and nowhere else.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.errors import BadConfiguration
from cardwright.guard import Guard, GuardedClient
from cardwright.playground import Playground
from cardwright_gateway.api.application import Application
from cardwright_gateway.api.bodies import RequestBodies
from cardwright_gateway.api.calls import AgentCalls
from cardwright_gateway.api.cards import AgentCards
from cardwright_gateway.api.catalogue import Catalogue
from cardwright_gateway.api.endpoints import Endpoints
from cardwright_gateway.api.health import Health
from cardwright_gateway.api.owner.services import OwnerServices
from cardwright_gateway.api.pages import Pages
from cardwright_gateway.api.readiness import Readiness
from cardwright_gateway.api.response_cache import ResponseCache
from cardwright_gateway.api.rpc import RpcEndpoint
from cardwright_gateway.api.search import Search
from cardwright_gateway.api.statistics import Statistics
from cardwright_gateway.api.trying import TryPages
from cardwright_gateway.auth import Authenticator, Limiter
from cardwright_gateway.auth.access import AccessControl
from cardwright_gateway.auth.access_tokens import AccessTokens
from cardwright_gateway.catalog.agent import Urls
from cardwright_gateway.catalog.availability_checks import AvailabilityChecks
from cardwright_gateway.catalog.directory import AgentDirectory
from cardwright_gateway.catalog.publisher import CardPublisher
from cardwright_gateway.catalog.refresher import Refresher
from cardwright_gateway.catalog.sync import AgentSync
from cardwright_gateway.cluster.accounts import Accounts
from cardwright_gateway.database.audit import OPERATOR, Audit
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.database.files import SqlFiles
from cardwright_gateway.factory.agents import create_agent
from cardwright_gateway.factory.resources import (
    database_folder,
    grpc_server,
    open_registry,
    signing,
    task_service,
    tracing,
)
from cardwright_gateway.pages.agents import LIST, agent_links
from cardwright_gateway.settings.config import GatewayConfig
from cardwright_gateway.tasks.caller_tasks import CallerTasks
from cardwright_gateway.telemetry.metrics import Gauges, Metrics
from cardwright_gateway.upstream.loops import Loops

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from cardwright.card import Card
    from cardwright.http.request import Receive, Scope, Send
    from cardwright.serve.forms import Default
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.webhooks import Webhooks
    from cardwright_gateway.webhooks.rows import Result

# No limit for all agents together: agents that hang would block the others. Each agent has its own limit.
_CONNECTIONS: Final = 0


class Gateway:
    """One endpoint for A2A agents, MCP servers and Python functions (SuperX seed).

    It is an ASGI application to serve or mount, with methods to read and change its agents. Without a server
    that sends lifespan events, use it as an async context manager.

    Args:
        config: A `GatewayConfig`, or the content of a settings file as a mapping.
        local: Whether only this machine can reach the gateway: then requests whose Host or Origin names
            another host are refused.
        start_servers: Whether MCP servers are started with the gateway, not at their first use.

    >>> gateway = Gateway({"base_url": "https://agents.example.com", "agents": {"travel": {"url": "https://travel.example.com"}}})
    >>> sorted(gateway.agents), gateway.agents["travel"].config.protocol
    (['travel'], 'a2a')

    Raises:
        BadConfiguration: If the settings are invalid, or a file that they name cannot be read.
        StoreError: If the database cannot be used.
        MissingPackage: If the gateway's dependencies are not installed.
    """

    def __init__(
        self, config: GatewayConfig | Mapping[str, Any], *, local: bool = False, start_servers: bool = False
    ) -> None:
        self.config = config if isinstance(config, GatewayConfig) else GatewayConfig.from_value(config)
        if self.config.base_url is None and self.config.proxies is None:
            raise BadConfiguration(
                self.config.source, "base_url is missing; set it to the public URL of the gateway"
            )
        self.local = local
        self._start_servers = start_servers
        self._starting: asyncio.Future[Any] | None = None
        self.limiter = Limiter(self.config.limits)
        self._client = GuardedClient(
            Guard(tuple(self.config.allow), frozenset({80, 443, *self.config.ports})),
            concurrency=_CONNECTIONS,
            fields=lambda: self.loops.fields(),  # noqa: PLW0108 - set below, from the database
        )
        # If one of the resources cannot be opened, those opened before are closed again.
        with ExitStack() as resources:
            self.tracing = tracing(self.config)
            if self.tracing is not None:
                resources.callback(self.tracing.close)
            self._folder = database_folder(self.config)
            if self._folder is not None:
                resources.callback(self._folder.cleanup)
            self._place = str(Path(self._folder.name) / "gateway.db") if self._folder else self.config.store
            self.registry, added = open_registry(self.config, self._place, self._client)
            resources.callback(self.registry.store.close)
            self.deployment = Deployment.of(self.registry.store.database)
            self.loops = Loops(self.deployment.id)
            self.urls = Urls.of(self.config)
            links = partial(agent_links, tries=self.config.pages.try_)
            self.publisher = CardPublisher(signing(self.config), self._card_version, links)
            self._bodies = RequestBodies.of(self.config)
            database = self.registry.store.database
            self.accounts = Accounts(self.config.owners, database)
            self.keys = self.accounts.keys
            settings = self.config.model_copy(update={"owners": self.accounts.owners})
            tokens, used = self.accounts.tokens, self.accounts.last_use.note
            self.identity = Authenticator(settings, self.keys, self._client, tokens=tokens, used=used)
            make = partial(self._create_agent, settings)
            states, forget = self.accounts.states, self.publisher.forget
            self.directory = AgentDirectory(settings, self.registry, make, added, states, forget)
            self.metrics = Metrics(self._gauges)
            self.audit = Audit(database)
            self.files = SqlFiles(database, **self.config.files.to_wire())
            self.task_service = task_service(
                settings, database, self._place, self.agents, self.on_attempt, self.urls.agent, self.files
            )
            self.directory.fill(None if self.task_service is None else self.task_service.of)
            self.agent_sync = AgentSync(self.directory, added, database)
            checks = AvailabilityChecks(self.agents)
            self._background = (self.accounts, self.agent_sync, Refresher(self.agents), checks)
            self.statistics = Statistics(database, lost_seconds=self.config.tasks.lost_seconds)
            self.application = Application(
                self.config, self._endpoints(), self._bodies, local=local, start=self.start, close=self.close
            )
            self._grpc = grpc_server(self.config, self.application, self.identity)
            resources.pop_all()

    def _endpoints(self) -> Endpoints:
        pages = self.config.pages
        anonymous, states = self.config.limits.anonymous, self.accounts.states
        access = AccessControl(self.identity, self.limiter, limits_anonymous=anonymous, states=states)
        catalogue = Catalogue(self.directory, self.publisher, self.urls)
        self.health = Health(
            self.directory,
            self.statistics,
            self.metrics,
            self.limiter,
            shared_limits=self.config.limits.redis is not None,
            replica_id=None if self.task_service is None else self.task_service.replicas.id,
            webhooks=self.webhooks is not None,
        )
        # The header fields of trusted proxies are not part of the cache key.
        responses = ResponseCache()
        stored = None if self.config.proxies else responses
        calls = AgentCalls(self.directory, access, self.publisher, self.urls, self.files)
        return Endpoints(
            agents=self.directory,
            urls=self.urls,
            calls=calls,
            cards=AgentCards(self.directory, self.publisher, access, stored),
            pages=Pages(self.directory, self.urls, tries=pages.try_, playground=pages.playground),
            trying=TryPages(self.directory, calls) if pages.try_ else None,
            playground=Playground(LIST) if pages.playground else None,
            catalogue=catalogue,
            search=Search(catalogue),
            rpc=RpcEndpoint(self.directory, catalogue, self.urls, self.config.admin_token),
            owner=OwnerServices(
                agents=self.directory,
                urls=self.urls,
                authenticator=self.identity,
                limiter=self.limiter,
                keys=self.keys,
                accounts=self.accounts,
                admin_token=self.config.admin_token,
                webhooks=self.webhooks,
                audit=self.audit,
                files=self.files,
                tasks=CallerTasks(self.registry.store.database),
                compat=self.config.compat is not None,
            ),
            readiness=Readiness(self.directory, self.registry.store),
            health=self.health,
            metrics=self.metrics,
            responses=responses,
            tracing=self.tracing,
            loops=self.loops,
            access_tokens=AccessTokens(self.deployment),
        )

    @property
    def agents(self) -> Mapping[str, Agent]:
        """The agents by id."""
        return self.directory.by_id

    @property
    def base(self) -> str:
        """The public URL of the gateway; the first one if there are several."""
        return self.urls.base

    def agent(self, agent_id: str) -> Agent:
        """Return an agent.

        Raises:
            UnknownAgent: If no agent has this id.
        """
        return self.directory.agent(agent_id)

    @property
    def webhooks(self) -> Webhooks | None:
        """The webhook service; None if webhooks are off."""
        return None if self.task_service is None else self.task_service.webhooks

    async def card(self, agent_id: str, *, form: str | None = None) -> Card:
        """Return the card of an agent as the gateway serves it.

        Args:
            agent_id: The agent.
            form: `1.0`, `0.3`, `0.2`, `0.1`, `hybrid` or `as-written`; `mcp` for the seed's form of an MCP
                server. Default: the form served without a version.

        Raises:
            UnknownAgent: If there is no such agent.
            BadArgument: If its card has no such form.
            CardError: If it has no card now.
        """
        return await self.publisher.form_of(self.urls, self.agent(agent_id), form)

    async def refresh(self, agent_id: str) -> Card:
        """Fetch the card of an agent again, even if it is fresh, and return it; raises the errors of `card`."""
        await self.agent(agent_id).source.refresh()
        return await self.card(agent_id)

    async def add(self, agent_id: str, settings: Mapping[str, Any] | AgentConfig) -> Agent:
        """Add an agent, or change its settings, as the operator.

        The change is kept in memory only: the next start reads the configuration file.

        Args:
            agent_id: The agent.
            settings: As in the configuration file.

        Raises:
            BadConfiguration: If the settings are invalid.
        """
        return await self.directory.add(agent_id, settings)

    async def submit(
        self, agent_id: str, settings: Mapping[str, Any] | AgentConfig, *, actor: str = OPERATOR
    ) -> Agent:
        """Add an agent, or change its settings, from an untrusted source.

        Such an agent starts no process, runs no code, reads no file and gets no private network addresses; it is
        stored in the database.

        Args:
            agent_id: The agent.
            settings: As in the configuration file.
            actor: Who submits it, for the audit.

        Raises:
            BadConfiguration: If the settings are invalid or not allowed, or the configuration file has the agent.
            ChangedMeanwhile: If another process changed the agent meanwhile; this process has read that change now.
            StoreError: If it cannot be stored; nothing changed.
        """
        return await self.directory.submit(agent_id, settings, actor=actor)

    async def remove(self, agent_id: str, *, actor: str = OPERATOR) -> None:
        """Remove an agent as the operator; running calls are cancelled.

        Args:
            agent_id: The agent.
            actor: Who removes it, for the audit.

        Raises:
            UnknownAgent: If no agent has this id.
            ChangedMeanwhile: If another process changed the agent meanwhile; this process has read that change now.
            StoreError: If the change cannot be stored; nothing changed.
        """
        await self.directory.remove(agent_id, actor=actor)

    async def withdraw(self, agent_id: str, *, actor: str = OPERATOR) -> None:
        """Remove an agent that was submitted; running calls are cancelled.

        Args:
            agent_id: The agent.
            actor: Who removes it, for the audit.

        Raises:
            UnknownAgent: If no agent has this id.
            BadConfiguration: If the configuration file has the agent.
            ChangedMeanwhile: If another process changed the agent meanwhile; this process has read that change now.
            StoreError: If the change cannot be stored; nothing changed.
        """
        await self.directory.withdraw(agent_id, actor=actor)

    async def start(self) -> None:
        """Start refreshing cards and delivering webhooks; this waits for no agent.

        Raises:
            CardError: If webhooks cannot be delivered as they are configured, or gRPC cannot listen.
        """
        if self.task_service is not None:
            await self.task_service.start()
        for task in self._background:
            task.start()
        if self._grpc is not None:
            await self._grpc.start()
        if self._start_servers and self._starting is None:
            sources = [agent.source for agent in self.agents.values() if agent.config.protocol == "mcp"]
            self._starting = asyncio.gather(*(agent.card() for agent in sources), return_exceptions=True)

    async def close(self) -> None:
        """Close every session, process and connection, even if closing one of them fails."""
        async with AsyncExitStack() as stack:
            # Closed in reverse order.
            if self._folder is not None:
                stack.callback(self._folder.cleanup)
            stack.callback(self.registry.store.close)
            for resource in (self.registry, self._client, self.limiter, self.identity):
                stack.push_async_callback(resource.close)
            if self.tracing is not None:
                stack.push_async_callback(asyncio.to_thread, self.tracing.close)
            stack.push_async_callback(self.statistics.close)
            if self.task_service is not None:
                stack.push_async_callback(self.task_service.close)
            stack.push_async_callback(self.directory.close)
            if self._starting is not None:
                stack.push_async_callback(_cancelled, self._starting)
            for task in self._background:
                stack.push_async_callback(task.close)
            if self._grpc is not None:
                stack.push_async_callback(self._grpc.close)

    async def __aenter__(self) -> Self:
        """Start the gateway; if that fails, close everything."""
        try:
            await self.start()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the gateway."""
        await self.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI connection."""
        await self.application(scope, receive, send)

    def _create_agent(self, settings: GatewayConfig, config: AgentConfig, since: float | None) -> Agent:
        return create_agent(
            config,
            self.registry,
            self._client,
            since=since,
            settings=settings,
            deployment=self.deployment,
            answers=self._bodies.answers,
        )

    def _gauges(self) -> Gauges:
        return Gauges(
            agents=Counter((one.config.protocol, one.status().state) for one in self.agents.values()),
            calls_under_way=sum(one.running_calls for one in self.agents.values()),
            body_bytes=self._bodies.taken,
            limits_degraded=self.limiter.status() == "degraded",
        )

    def on_attempt(self, result: Result) -> None:
        """Count and trace an attempt to deliver a webhook."""
        self.metrics.attempted(result.outcome)
        tracing, outcome = self.tracing, result.outcome
        if tracing is not None:
            tracing.delivered(outcome=outcome, status=result.status, duration_ms=result.duration_ms)

    def _card_version(self, agent_id: str) -> Default | None:
        agent = self.agents.get(agent_id)
        return None if agent is None else agent.config.card_version


async def _cancelled(task: asyncio.Future[Any]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
