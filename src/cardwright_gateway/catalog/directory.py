"""The agents of a gateway by their ids, and how they change: here, and as other processes have changed them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar

from cardwright.errors import BadConfiguration, CardError, StoreError
from cardwright_gateway.catalog.peers import Peering
from cardwright_gateway.errors import ChangedMeanwhile, UnknownAgent
from cardwright_gateway.settings.config import check_owner, network_agent, trusted_agent

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from cardwright.discovery import AgentRegistry
    from cardwright_gateway.catalog.agent import Agent, Own
    from cardwright_gateway.database.agents import AddedAgent, AddedAgents
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

_LOG: Final = logging.getLogger("cardwright_gateway")
# How long after a change others may not have followed it (reliability 2f).
_FOLLOWED_SECONDS: Final = 5.0
_OF_THE_FILE: Final = "the agent {!r} stands in the configuration file: {} it there"
_T = TypeVar("_T")


class AgentDirectory:
    """The agents of the configuration file, and those that were added.

    The table of the latter may be shared with other processes. Of each of its agents it is noted which state is held
    here: a change is made of that one alone, and another one is followed.

    Args:
        config: The configuration.
        registry: The registry of peers.
        make: Creates an agent from its settings; its second argument is the time before which what is kept of its
            card belongs to other settings.
        added: The table.
        forget: Called with the id of an agent that is another now, or gone.

    Attributes:
        held: The agents by their ids.
    """

    def __init__(
        self,
        config: GatewayConfig,
        registry: AgentRegistry,
        make: Callable[[AgentConfig, float | None], Agent],
        added: AddedAgents,
        forget: Callable[[str], None],
    ) -> None:
        self.held: dict[str, Agent] = {}
        self._config = config
        self._registry = registry
        self._make = make
        self._added = added
        self._forget = forget
        self._peering = Peering(registry, self.held, config.source)
        self._own_tasks: Callable[[str], Own] | None = None
        # When that was said of the agents of the table which is done here.
        self._done: dict[str, float] = {}
        self._changing = asyncio.Lock()
        # The event loop alone would not keep it alive.
        self._change: asyncio.Task[Any] | None = None

    def fill(self, own_tasks: Callable[[str], Own] | None) -> None:
        """Take in the agents of the file, and those that were added and kept.

        Args:
            own_tasks: Returns what keeps the tasks of an agent; None where the gateway keeps no tasks.

        Raises:
            BadConfiguration: If one of the file cannot be used.
            StoreError: If the database cannot be used.
        """
        self._own_tasks = own_tasks
        configs = self._config.agents
        self._peering.enter(self._peering.peers(list(configs.values())))
        for config in configs.values():
            self.held[config.id] = self._made(config)
        for agent_id, kept in self._added.all().items():
            try:
                if agent_id in configs:
                    _LOG.warning(
                        "agent %s stands in the configuration file now: what was added is passed over",
                        agent_id,
                    )
                else:
                    config = self._kept(agent_id, kept)
                    self._peering.enter(self._peering.peers([config]))
                    self.held[agent_id] = self._made(config)
            except CardError as error:
                _LOG.error("agent %s, which was added, cannot be used: %s", agent_id, error)
                if isinstance(error, StoreError):
                    continue
            self._done[agent_id] = kept.changed_at
        self._peering.prune()

    def get(self, agent_id: str) -> Agent | None:
        """Return an agent, or None."""
        return self.held.get(agent_id)

    def agent(self, agent_id: str) -> Agent:
        """Return an agent.

        Raises:
            UnknownAgent: If there is none of that id.
        """
        agent = self.held.get(agent_id)
        if agent is None:
            raise UnknownAgent(agent_id)
        return agent

    @property
    def listed(self) -> Mapping[str, Agent]:
        """The public agents."""
        return {name: agent for name, agent in self.held.items() if agent.config.visibility == "public"}

    def public_agent(self, agent_id: str) -> Agent:
        """Return a public agent.

        Raises:
            UnknownAgent: If there is none of that id, or it is not public.
        """
        agent = self.agent(agent_id)
        if agent.config.visibility != "public":
            raise UnknownAgent(agent_id)
        return agent

    async def add(self, agent_id: str, settings: Mapping[str, Any] | AgentConfig) -> Agent:
        """Add an agent as its operator configures it, or change its settings, as `Gateway.add` says."""
        config = self._checked(
            trusted_agent(agent_id, dict(settings), self._config.defaults)
            if isinstance(settings, Mapping)
            else settings
        )

        async def change() -> Agent:
            known = self.held.get(agent_id)
            if not _differs_in_visibility_alone(known, config):
                return await self._exchanged(config, None)
            self._show(known, config)
            return known

        return await self._whole(change)

    async def submit(
        self,
        agent_id: str,
        settings: Mapping[str, Any] | AgentConfig,
        *,
        actor: str,
        check: Callable[[Agent | None], None] | None = None,
    ) -> Agent:
        """Add an agent as somebody else than its operator describes it, or change its settings, as `Gateway.submit` says."""
        config = self._checked(
            network_agent(agent_id, dict(settings), self._config.defaults)
            if isinstance(settings, Mapping)
            else settings
        )

        async def change() -> Agent:
            known = self.held.get(agent_id)
            if check is not None:
                check(known)
            _check_submitted(known, agent_id, "change")
            if not _differs_in_visibility_alone(known, config):
                return await self._exchanged(config, actor)
            await self._put(config, actor)
            self._show(known, config)
            return known

        return await self._whole(change)

    async def remove(self, agent_id: str, *, actor: str) -> None:
        """Remove an agent, as `Gateway.remove` says."""
        await self._whole(partial(self._removed, agent_id, actor, _nothing_to_check))

    async def withdraw(
        self, agent_id: str, *, actor: str, check: Callable[[Agent | None], None] | None = None
    ) -> None:
        """Remove an agent that was submitted, as `Gateway.withdraw` says."""

        def may_be_withdrawn(agent: Agent) -> None:
            if check is not None:
                check(agent)
            _check_submitted(agent, agent_id, "remove")

        await self._whole(partial(self._removed, agent_id, actor, may_be_withdrawn))

    async def _removed(self, agent_id: str, actor: str, check: Callable[[Agent], None]) -> None:
        agent = self.agent(agent_id)
        check(agent)
        drop = partial(
            self._added.drop,
            agent_id,
            before=self._done.get(agent_id),
            at=time.time(),
            actor=actor,
            owner_id=agent.config.owner,
        )
        await self._written(agent_id, drop)
        self._done.pop(agent_id, None)
        del self.held[agent_id]
        self._forget(agent_id)
        await self._peering.forget(agent.config)
        await agent.close()

    async def close(self) -> None:
        """Close all agents, after a change that is under way."""
        async with self._changing:
            agents = list(self.held.values())
            closed = await asyncio.gather(*(agent.close() for agent in agents), return_exceptions=True)
            for agent, error in zip(agents, closed, strict=True):
                if error is not None:
                    _LOG.error("agent %s could not be closed", agent.id, exc_info=error)

    def behind(self, changed: Mapping[str, float]) -> list[str]:
        """Return the agents of the table of which another state is held here, in the order to follow them.

        Those that are gone come first, and then the oldest change: what one needs, such as a card URL, another one
        had to leave before.

        Args:
            changed: When each was changed last.
        """
        gone = [agent_id for agent_id in self._done if agent_id not in changed]
        others = [(at, agent_id) for agent_id, at in changed.items() if self._done.get(agent_id) != at]
        return gone + [agent_id for _, agent_id in sorted(others)]

    async def follow(self, agent_id: str) -> None:
        """Do as another process has done that shares the table: take an agent in, or let one go.

        Raises:
            StoreError: If the database cannot be used; all is as before.
            CardError: If it cannot be used here; it is followed again when it is another.
        """
        await self._whole(partial(self._follow, agent_id))

    async def _whole(self, change: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """Make one change after the other; one that has begun is made to its end, though whoever wants it leaves.

        Else the table would have one agent, and this process another.
        """
        await self._changing.acquire()
        try:
            self._change = asyncio.create_task(change())
        except BaseException:
            self._changing.release()
            raise
        self._change.add_done_callback(lambda _: self._changing.release())
        done: _T = await asyncio.shield(self._change)
        return done

    async def _follow(self, agent_id: str) -> None:
        kept = await asyncio.to_thread(self._added.one, agent_id)
        at = None if kept is None else kept.changed_at
        if at == self._done.get(agent_id):
            return
        known = self.held.get(agent_id)
        try:
            if known is None or not known.config.from_file:
                await self._become(agent_id, kept)
        except StoreError:
            raise
        except CardError:
            # Another try would find the same.
            self._note(agent_id, at)
            raise
        self._note(agent_id, at)

    async def _become(self, agent_id: str, kept: AddedAgent | None) -> None:
        known = self.held.get(agent_id)
        if kept is None:
            self.held.pop(agent_id, None)
        else:
            config = self._kept(agent_id, kept)
            if known is not None and _alike(known, config):
                self._show(known, config)
                return
            await asyncio.to_thread(self._peering.enter, self._peering.peers([config]))
            self.held[agent_id] = await asyncio.to_thread(self._made, config)
        self._forget(agent_id)
        if known is not None:
            await known.close()

    async def _exchanged(self, config: AgentConfig, actor: str | None) -> Agent:
        """Make an agent, let it take the place of the one before, and let that one go.

        What may be refused comes before the table says it: what stands there is done everywhere.
        """
        peers = self._peering.peers([config])
        # Until others have followed, they may ask as was said before.
        since = time.time() + (_FOLLOWED_SECONDS if config.id in self.held else 0.0)
        agent = await asyncio.to_thread(self._made, config, since=since)
        await asyncio.to_thread(self._peering.enter, peers)
        if actor is not None:
            try:
                await self._put(config, actor)
            except CardError:
                await self._peering.restore(config)
                raise
        known = self.held.get(config.id)
        self.held[config.id] = agent
        self._forget(config.id)
        if known is not None:
            await self._peering.forget(known.config)
            await known.close()
        return agent

    def _show(self, agent: Agent, config: AgentConfig) -> None:
        agent.show_as(config)
        self._forget(config.id)

    async def _put(self, config: AgentConfig, actor: str) -> None:
        """Write down what is said of an agent.

        Raises:
            ChangedMeanwhile: If the table has another state of it than was held here, and now is.
            StoreError: If it cannot be written.
        """
        before = self._done.get(config.id)
        put = partial(
            self._added.put, config.id, config.definition, before=before, at=time.time(), actor=actor
        )
        self._done[config.id] = await self._written(config.id, put)

    async def _written(self, agent_id: str, write: Callable[[], _T]) -> _T:
        """Change the table; where another process was before this one, do first as it has done."""
        try:
            return await asyncio.to_thread(write)
        except ChangedMeanwhile:
            try:
                await self._follow(agent_id)
            except CardError as error:
                _LOG.error(
                    "agent %s, which another process changed, cannot be used here: %s", agent_id, error
                )
            raise

    def _note(self, agent_id: str, at: float | None) -> None:
        if at is None:
            self._done.pop(agent_id, None)
        else:
            self._done[agent_id] = at

    def _made(self, config: AgentConfig, *, since: float | None = None) -> Agent:
        agent = self._make(config, since)
        if config.tasks == "own" and self._own_tasks is not None:
            agent.own = self._own_tasks(config.id)
        return agent

    def _kept(self, agent_id: str, kept: AddedAgent) -> AgentConfig:
        config = network_agent(agent_id, dict(kept.said), self._config.defaults)
        check_owner(config, self._config)
        return config

    def _checked(self, config: AgentConfig) -> AgentConfig:
        check_owner(config, self._config)
        if config.tasks == "own" and self._own_tasks is None:
            raise BadConfiguration(
                "", "its tasks would be the gateway's own: that takes an owner in the configuration file"
            )
        return config


def _nothing_to_check(_: Agent) -> None:
    """Allow the change."""


def _check_submitted(agent: Agent | None, agent_id: str, verb: str) -> None:
    """Check that the configuration file does not name an agent.

    Raises:
        BadConfiguration: If it does.
    """
    if agent is not None and agent.config.from_file:
        raise BadConfiguration("", _OF_THE_FILE.format(agent_id, verb))


def _differs_in_visibility_alone(agent: Agent | None, config: AgentConfig) -> TypeGuard[Agent]:
    return agent is not None and agent.config.visibility != config.visibility and _alike(agent, config)


def _alike(agent: Agent, config: AgentConfig) -> bool:
    """Return whether an agent is another only in who sees it, if at all."""
    changes = {"visibility": config.visibility, "definition": config.definition}
    return agent.config.model_copy(update=changes) == config
