"""The agents of a gateway by id, and their changes by this process and by others."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration, CardError, StoreError
from cardwright_gateway.catalog.changes import (
    FileChange,
    OneAtATime,
    check_submitted,
    differs_in_visibility_alone,
    file_changes,
    nothing_to_check,
    same_but_visibility,
)
from cardwright_gateway.catalog.lookup import AgentLookup
from cardwright_gateway.catalog.overrides import Overrides
from cardwright_gateway.catalog.peers import Peering
from cardwright_gateway.catalog.revisions import Revisions
from cardwright_gateway.errors import ChangedMeanwhile
from cardwright_gateway.settings.config import check_owner, network_agent, trusted_agent

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from cardwright.discovery import AgentRegistry
    from cardwright_gateway.catalog.agent import Agent, Own
    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.database.agents import AddedAgent, AddedAgents
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

_LOG: Final = logging.getLogger("cardwright_gateway")
# The maximum time until other processes have applied a change (project decision).
_FOLLOWED_SECONDS: Final = 5.0


class AgentDirectory(AgentLookup):
    """The agents of the configuration file, and added agents.

    Several processes may share the table of added agents. Each process notes the revision that it has of every agent:
    a change requires the current revision, and newer revisions of other processes are applied here.

    Args:
        config: The settings of the gateway.
        registry: The registry of peers.
        make: Creates an agent from its settings; its second argument is the time before which stored cards belong to
            other settings.
        added: The table of added agents.
        states: What owners changed of agents of the file.
        forget: Called with the id of an agent that was changed or removed.

    Attributes:
        by_id: The agents by id.
        revisions: The revisions of added agents in this process.
    """

    def __init__(
        self,
        config: GatewayConfig,
        registry: AgentRegistry,
        make: Callable[[AgentConfig, float | None], Agent],
        added: AddedAgents,
        states: AgentStates,
        forget: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._config = config
        self._registry = registry
        self._make = make
        self.revisions = Revisions(added)
        self._overrides = Overrides(states)
        self._forget = forget
        self._peering = Peering(registry, self.by_id)
        self._own_tasks: Callable[[str], Own] | None = None
        self._changes = OneAtATime()

    def fill(self, own_tasks: Callable[[str], Own] | None) -> None:
        """Load the agents of the file and the added agents.

        Args:
            own_tasks: Returns the task storage of an agent; None if the gateway stores no tasks.

        Raises:
            BadConfiguration: If an agent of the file is invalid.
            StoreError: If the database cannot be used.
        """
        self._own_tasks = own_tasks
        configs = self._config.agents
        self._peering.enter(self._peering.peers(configs.values()))
        for config in configs.values():
            self.by_id[config.id] = self._create(self._overrides.effective(config))
        self._overrides.note(configs.values())
        for agent_id, stored in self.revisions.all().items():
            try:
                if agent_id in configs:
                    _LOG.warning(
                        "agent %s is in the configuration file now; the added agent with this id is ignored",
                        agent_id,
                    )
                else:
                    config = self._stored_config(agent_id, stored)
                    self._peering.enter(self._peering.peers([config]))
                    self.by_id[agent_id] = self._create(config)
            except CardError as error:
                _LOG.error("the added agent %s cannot be used: %s", agent_id, error)
                if isinstance(error, StoreError):
                    continue
            self.revisions.note(agent_id, stored)
        self._peering.prune()

    async def add(self, agent_id: str, settings: Mapping[str, Any] | AgentConfig) -> Agent:
        """Add an agent as the operator, or change its settings; see `Gateway.add`."""
        config = self._checked(
            trusted_agent(agent_id, dict(settings), self._config.defaults)
            if isinstance(settings, Mapping)
            else settings
        )

        async def change() -> Agent:
            known, effective = self.by_id.get(agent_id), self._overrides.effective(config)
            if not differs_in_visibility_alone(known, effective):
                known = await self._replace(effective, None)
            else:
                self._set_visibility(known, effective)
            self._overrides.note([config])
            return known

        return await self._changes.run(change)

    async def submit(
        self,
        agent_id: str,
        settings: Mapping[str, Any] | AgentConfig,
        *,
        actor: str,
        check: Callable[[Agent | None], None] | None = None,
    ) -> Agent:
        """Add an agent from an untrusted source, or change its settings; see `Gateway.submit`."""
        config = self._checked(
            network_agent(agent_id, dict(settings), self._config.defaults)
            if isinstance(settings, Mapping)
            else settings
        )

        async def change() -> Agent:
            known = self.by_id.get(agent_id)
            if check is not None:
                check(known)
            check_submitted(known, agent_id, "change")
            if not differs_in_visibility_alone(known, config):
                return await self._replace(config, actor)
            await self._written(agent_id, self.revisions.put(config, actor))
            self._set_visibility(known, config)
            return known

        return await self._changes.run(change)

    async def remove(self, agent_id: str, *, actor: str) -> None:
        """Remove an agent; see `Gateway.remove`."""
        await self._changes.run(partial(self._remove, agent_id, actor, nothing_to_check))

    async def withdraw(
        self, agent_id: str, *, actor: str, check: Callable[[Agent | None], None] | None = None
    ) -> None:
        """Remove an agent that was submitted; see `Gateway.withdraw`."""

        def may_be_withdrawn(agent: Agent) -> None:
            if check is not None:
                check(agent)
            check_submitted(agent, agent_id, "remove")

        await self._changes.run(partial(self._remove, agent_id, actor, may_be_withdrawn))

    async def _remove(self, agent_id: str, actor: str, check: Callable[[Agent], None]) -> None:
        agent = self.agent(agent_id)
        check(agent)
        await self._written(agent_id, self.revisions.drop(agent.config, actor))
        del self.by_id[agent_id]
        self._forget(agent_id)
        await self._peering.forget(agent.config)
        await agent.close()

    async def reload(self, configs: Mapping[str, AgentConfig]) -> dict[str, FileChange]:
        """Apply the agents of a changed configuration file, and return what changed: `{id: change}`.

        An agent with the same settings as before is not touched; of a changed or removed one, running calls are
        cancelled. Agents that were added over the network stay.

        Raises:
            BadConfiguration: If an agent is invalid or cannot be created; nothing changed.
            StoreError: If the database cannot be used.
        """
        return await self._changes.run(partial(self._reload, configs))

    async def _reload(self, configs: Mapping[str, AgentConfig]) -> dict[str, FileChange]:
        of_file = {name: agent for name, agent in self.by_id.items() if agent.config.from_file}
        effective = {name: self._overrides.effective(config) for name, config in configs.items()}
        changed = [
            self._checked(config)
            for name, config in effective.items()
            if name not in of_file or of_file[name].config != config
        ]
        await self._renew(changed)
        gone = [name for name in of_file if name not in configs]
        for name in gone:
            self.by_id.pop(name)
            self._forget(name)
            await self._peering.forget(of_file[name].config)
            await of_file[name].close()
            # An added agent that the file hid.
            self.revisions.note(name, None)
            await self._follow(name)
        self._overrides.note(configs.values(), gone)
        return file_changes(of_file, [config.id for config in changed], gone)

    async def override(
        self, agent_id: str, changes: Mapping[str, Any], *, check: Callable[[Agent], None], actor: str
    ) -> Agent:
        """Change settings of an agent of the configuration file, and store the changes.

        Args:
            agent_id: The agent.
            changes: The new values; None for the value of the file.
            check: Raises if the change is not allowed.
            actor: Who changes it, for the audit log.

        Raises:
            UnknownAgent: If the file has no such agent.
            BadConfiguration: If a value is not allowed.
            StoreError: If the database cannot be used; nothing changed.
        """

        async def change() -> Agent:
            check(self.agent(agent_id))
            await asyncio.to_thread(partial(self._overrides.store, agent_id, changes, actor=actor))
            await self._renew_outdated()
            return self.agent(agent_id)

        return await self._changes.run(change)

    async def follow_overrides(self) -> None:
        """Apply what owners changed of agents of the file in other processes; raises the errors of `override`."""
        if self._overrides.outdated(self.by_id):
            await self._changes.run(self._renew_outdated)

    async def _renew_outdated(self) -> None:
        await self._renew(self._overrides.outdated(self.by_id))

    async def _renew(self, changed: Sequence[AgentConfig]) -> None:
        """Give agents of the configuration file other settings; of an agent that is created again, calls are cancelled.

        Raises:
            CardError: If an agent cannot be created; nothing changed.
        """
        renewed = [one for one in changed if not differs_in_visibility_alone(self.by_id.get(one.id), one)]
        created: list[Agent] = []
        try:
            for config in renewed:
                agent = await asyncio.to_thread(self._create, config, since=self._since(config))
                created.append(agent)
            await asyncio.to_thread(self._peering.enter, self._peering.peers(renewed))
        except CardError:
            for agent in created:
                await agent.close()
            raise
        for agent in created:
            await self._swap(agent)
        for config in changed:
            self._set_visibility(self.by_id[config.id], config)

    async def close(self) -> None:
        """Close all agents, after a running change."""
        async with self._changes.lock:
            agents = list(self.by_id.values())
            closed = await asyncio.gather(*(agent.close() for agent in agents), return_exceptions=True)
            for agent, error in zip(agents, closed, strict=True):
                if error is not None:
                    _LOG.error("agent %s could not be closed", agent.id, exc_info=error)

    async def follow(self, agent_id: str) -> None:
        """Apply the change that another process made to an agent.

        Raises:
            StoreError: If the database cannot be used; nothing changed.
            CardError: If the agent cannot be used here; its next change is applied again.
        """
        await self._changes.run(partial(self._follow, agent_id))

    async def _follow(self, agent_id: str) -> None:
        stored = await self.revisions.stored(agent_id)
        if self.revisions.is_applied(agent_id, stored):
            return
        known = self.by_id.get(agent_id)
        try:
            if known is None or not known.config.from_file:
                await self._apply(agent_id, stored)
        except StoreError:
            raise
        except CardError:
            # Another attempt would fail in the same way.
            self.revisions.note(agent_id, stored)
            raise
        self.revisions.note(agent_id, stored)

    async def _apply(self, agent_id: str, stored: AddedAgent | None) -> None:
        known = self.by_id.get(agent_id)
        if stored is None:
            self.by_id.pop(agent_id, None)
        else:
            config = self._stored_config(agent_id, stored)
            if known is not None and same_but_visibility(known, config):
                self._set_visibility(known, config)
                return
            await asyncio.to_thread(self._peering.enter, self._peering.peers([config]))
            self.by_id[agent_id] = await asyncio.to_thread(self._create, config)
        self._forget(agent_id)
        if known is not None:
            await known.close()

    async def _replace(self, config: AgentConfig, actor: str | None) -> Agent:
        """Create an agent, replace the previous one, and close that one.

        Everything that can fail comes before the change of the table, because every process applies the table.
        """
        peers = self._peering.peers([config])
        agent = await asyncio.to_thread(self._create, config, since=self._since(config))
        await asyncio.to_thread(self._peering.enter, peers)
        if actor is not None:
            try:
                await self._written(config.id, self.revisions.put(config, actor))
            except CardError:
                await self._peering.restore(config)
                raise
        await self._swap(agent)
        return agent

    async def _swap(self, agent: Agent) -> None:
        """Put an agent in the place of the previous one, and close that one."""
        known = self.by_id.get(agent.id)
        self.by_id[agent.id] = agent
        self._forget(agent.id)
        if known is not None:
            await self._peering.forget(known.config)
            await known.close()

    def _since(self, config: AgentConfig) -> float:
        # Until other processes have applied the change, they may fetch cards with the old settings.
        return time.time() + (_FOLLOWED_SECONDS if config.id in self.by_id else 0.0)

    def _set_visibility(self, agent: Agent, config: AgentConfig) -> None:
        agent.set_visibility(config)
        self._forget(config.id)

    async def _written(self, agent_id: str, write: Coroutine[Any, Any, None]) -> None:
        """Change the table; if another process changed the agent before, apply that change.

        Raises:
            ChangedMeanwhile: If so.
            StoreError: If the database cannot be used.
        """
        try:
            await write
        except ChangedMeanwhile:
            try:
                await self._follow(agent_id)
            except CardError as error:
                _LOG.error(
                    "agent %s was changed by another process and cannot be used here: %s", agent_id, error
                )
            raise

    def _create(self, config: AgentConfig, *, since: float | None = None) -> Agent:
        agent = self._make(config, since)
        if config.tasks == "own" and self._own_tasks is not None:
            agent.store_tasks(self._own_tasks(config.id))
        return agent

    def _stored_config(self, agent_id: str, stored: AddedAgent) -> AgentConfig:
        config = network_agent(agent_id, dict(stored.settings), self._config.defaults, stored=True)
        check_owner(config, self._config)
        return config

    def _checked(self, config: AgentConfig) -> AgentConfig:
        check_owner(config, self._config)
        if config.tasks == "own" and self._own_tasks is None:
            raise BadConfiguration(
                "",
                "/tasks: the gateway stores no tasks, as it was started without owners; its operator has to start it again",
            )
        return config
