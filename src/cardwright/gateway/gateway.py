"""The gateway as an object and an ASGI application: cards of all its agents, and the calls to them."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.errors import BadConfiguration, UnknownAgent
from cardwright.gateway.agents import Agents
from cardwright.gateway.application import Application
from cardwright.gateway.census import Census
from cardwright.gateway.config import GatewayConfig
from cardwright.gateway.following import Follower
from cardwright.gateway.health import Health
from cardwright.gateway.identity import Identity
from cardwright.gateway.limiting import Limiter
from cardwright.gateway.metrics import Metrics
from cardwright.gateway.observing import attempted
from cardwright.gateway.opening import durable, folder, opened, signing, tracing
from cardwright.gateway.publishing import Publisher
from cardwright.gateway.refreshing import Refresher
from cardwright.guard import Guard, GuardedClient
from cardwright.store.audit import Audit
from cardwright.store.files import SqlFiles
from cardwright.store.keys import AgentKeys

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from cardwright.card import Card
    from cardwright.gateway.agent import Agent
    from cardwright.gateway.entries import AgentConfig
    from cardwright.gateway.webhooks import Webhooks
    from cardwright.serve.forms import Default
    from cardwright.serve.requests import Receive, Scope, Send

# Who changes agents by `admin_token`, or in a program, as the audit has it.
OPERATOR: Final = "operator"
# No bound for all agents together: those that hang would take the places of the others. Each has its own.
_CONNECTIONS: Final = 0


class Gateway:
    """One endpoint for agents of A2A and MCP (SuperX seed).

    It is an ASGI application, to be served or mounted, and an object to ask and change; an async context
    manager, where no server starts and ends it.

    Args:
        config: A `GatewayConfig`, or what its file would hold, as a mapping.
        local: Whether it can be reached from this machine alone: then requests that were meant for another
            host, or come from a page of one, are refused.
        start_servers: Whether servers of MCP are started when the gateway is, and not at their first use.

    >>> gateway = Gateway({"base_url": "https://agents.example.com", "agents": {"travel": {"url": "https://travel.example.com"}}})
    >>> sorted(gateway.agents), gateway.agents["travel"].config.protocol
    (['travel'], 'a2a')

    Raises:
        BadConfiguration: If the configuration contradicts itself, or what it names cannot be read.
        StoreError: If the database cannot be used.
        MissingPackage: If what the gateway is built on is not installed.
    """

    def __init__(
        self, config: GatewayConfig | Mapping[str, Any], *, local: bool = False, start_servers: bool = False
    ) -> None:
        self.config = config if isinstance(config, GatewayConfig) else GatewayConfig.from_value(config)
        if self.config.base_url is None and self.config.proxies is None:
            raise BadConfiguration(self.config.source, "say the base_url that the gateway is reached at")
        self.local = local
        self._start_servers = start_servers
        self._starting: asyncio.Future[Any] | None = None
        self.limiter = Limiter(self.config.platform.limits)
        self._client = GuardedClient(
            Guard(self.config.allow, frozenset({80, 443, *self.config.ports})), concurrency=_CONNECTIONS
        )
        # Where something is refused, what was opened before is closed again.
        with ExitStack() as opened_yet:
            self.tracing = tracing(self.config)
            if self.tracing is not None:
                opened_yet.callback(self.tracing.close)
            self._folder = folder(self.config)
            if self._folder is not None:
                opened_yet.callback(self._folder.cleanup)
            self._place = str(Path(self._folder.name) / "gateway.db") if self._folder else self.config.store
            self.registry, added = opened(self.config, self._place)
            opened_yet.callback(self.registry.store.close)
            self.publisher = Publisher(signing(self.config), self._card_version)
            self._table = Agents(self.config, self.registry, self._client, added, self.publisher.forget)
            self.metrics = Metrics(self)
            database = self.registry.store.database
            self.keys = AgentKeys(database)
            self.identity = Identity(self.config.platform, self.keys, self._client)
            self.audit = Audit(database)
            self.files = SqlFiles(database, **asdict(self.config.platform.files))
            told = attempted(self.metrics, self.tracing)
            self.durable = durable(
                self.config, database, self._place, self.agents, told, self.public, self.files
            )
            self._table.fill(self.durable)
            opened_yet.pop_all()
        self._refresher = Refresher(self.agents)
        self.follower = Follower(self._table, added, database)
        self.census = Census(database, lost_seconds=self.config.platform.lost_seconds)
        self.health = Health(self)
        self._application = Application(self)

    @property
    def agents(self) -> Mapping[str, Agent]:
        """The agents by their ids."""
        return self._table.held

    @property
    def base(self) -> str:
        """The public URL that the gateway is reached at; of several the first."""
        return self.config.base_url or (self.config.proxies.base_urls[0] if self.config.proxies else "")

    def agent(self, agent_id: str) -> Agent:
        """Return an agent.

        Raises:
            UnknownAgent: If there is none of that id.
        """
        found = self.agents.get(agent_id)
        if found is None:
            raise UnknownAgent(agent_id)
        return found

    @property
    def webhooks(self) -> Webhooks | None:
        """What delivers webhooks; None where nothing does."""
        return None if self.durable is None else self.durable.webhooks

    @property
    def listed(self) -> Mapping[str, Agent]:
        """The agents that everybody may know of."""
        return {name: agent for name, agent in self.agents.items() if agent.config.visibility == "public"}

    def shown(self, agent_id: str) -> Agent:
        """Return an agent that everybody may know of.

        Raises:
            UnknownAgent: If there is none of that id, or not for everybody.
        """
        agent = self.agent(agent_id)
        if agent.config.visibility != "public":
            raise UnknownAgent(agent_id)
        return agent

    def public(self, agent_id: str, base: str | None = None) -> str:
        """Return the URL at which everyone reaches an agent."""
        return f"{self.base if base is None else base}/agents/{agent_id}"

    async def card(self, agent_id: str, *, form: str | None = None) -> Card:
        """Return the card of an agent as the gateway serves it.

        Args:
            agent_id: The agent.
            form: `1.0`, `0.3`, `0.2`, `0.1`, `hybrid` or `as-written`; `mcp` for the seed's own form of a
                server of MCP; what is served without a version where not given.

        Raises:
            UnknownAgent: If there is no such agent.
            BadArgument: If its card has no such form.
            CardError: If it has no card now: as the gateway's status table tells it.
        """
        from cardwright.gateway.forms import form_of

        return await form_of(self, self.agent(agent_id), form)

    async def refresh(self, agent_id: str) -> Card:
        """Ask for the card of an agent anew, however fresh it is, and return it.

        Errors are those of `card`.
        """
        agent = self.agent(agent_id)
        await agent.source.refresh()
        return await self.card(agent_id)

    async def add(
        self,
        agent_id: str,
        said: Mapping[str, Any] | AgentConfig,
        *,
        trusted: bool = True,
        check: Callable[[Agent | None], None] | None = None,
        actor: str = OPERATOR,
    ) -> Agent:
        """Add an agent, or change what is said of one, while the gateway runs.

        Args:
            agent_id: Its id.
            said: As in the configuration file.
            trusted: Whether the operator says it. What others say starts no process, runs no code and reads
                no file, may be dialled only where anybody may, and is kept in the database.
            check: Called with the agent that there is, while nobody else changes it and before anything
                changes; what it raises is let through.
            actor: Who says it, for the audit.

        Raises:
            BadConfiguration: If it contradicts itself, or says what it may not.
            ChangedMeanwhile: If another process changed it, and this one did not know yet; now it does.
            StoreError: If it cannot be kept; it is as before.
        """
        return await self._table.add(agent_id, said, trusted=trusted, check=check, actor=actor)

    async def remove(
        self,
        agent_id: str,
        *,
        trusted: bool = True,
        check: Callable[[Agent | None], None] | None = None,
        actor: str = OPERATOR,
    ) -> None:
        """Remove an agent; calls that are under way are ended.

        `check` and `actor` are as for `add`.

        Raises:
            UnknownAgent: If there is none of that id.
            BadConfiguration: If it stands in the configuration file, and somebody else wants it gone.
            ChangedMeanwhile: If another process changed it, and this one did not know yet; now it does.
            StoreError: If that cannot be kept; it is as before.
        """
        await self._table.remove(agent_id, trusted=trusted, check=check, actor=actor)

    async def start(self) -> None:
        """Begin to look at agents by itself, and to deliver webhooks; no agent is waited for.

        Raises:
            CardError: If webhooks cannot be delivered as they are configured.
        """
        if self.durable is not None:
            await self.durable.start()
        self._refresher.start()
        self.follower.start()
        if self._start_servers and self._starting is None:
            sources = [one.source for one in self.agents.values() if one.config.protocol == "mcp"]
            self._starting = asyncio.gather(*(one.card() for one in sources), return_exceptions=True)

    async def close(self) -> None:
        """End every session, process and connection; one that cannot be ended leaves no other open."""
        async with AsyncExitStack() as last:
            # The last of these comes first.
            if self._folder is not None:
                last.callback(self._folder.cleanup)
            last.callback(self.registry.store.close)
            for one in (self.registry, self._client, self.limiter, self.identity):
                last.push_async_callback(one.close)
            if self.tracing is not None:
                last.push_async_callback(asyncio.to_thread, self.tracing.close)
            last.push_async_callback(self.census.close)
            if self.durable is not None:
                last.push_async_callback(self.durable.close)
            last.push_async_callback(self._table.close)
            if self._starting is not None:
                last.push_async_callback(_cancelled, self._starting)
            last.push_async_callback(self._refresher.close)
            last.push_async_callback(self.follower.close)

    async def __aenter__(self) -> Self:
        """Start it; where that cannot be, nothing is left open."""
        try:
            await self.start()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        await self.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI connection."""
        await self._application(scope, receive, send)

    def _card_version(self, agent_id: str) -> Default | None:
        agent = self.agents.get(agent_id)
        return None if agent is None else agent.config.card_version


async def _cancelled(work: asyncio.Future[Any]) -> None:
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
