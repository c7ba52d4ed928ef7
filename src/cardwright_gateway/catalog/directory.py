"""The agents of a gateway by id, and their changes by this process and by others."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cardwright.errors import BadConfiguration, CardError, StoreError
from cardwright_gateway.catalog.changes import (
    FileChange,
    check_submitted,
    differs_in_visibility_alone,
    file_changes,
    nothing_to_check,
    same_but_visibility,
)
from cardwright_gateway.catalog.lookup import AgentLookup
from cardwright_gateway.catalog.peers import Peering
from cardwright_gateway.errors import ChangedMeanwhile
from cardwright_gateway.settings.config import check_owner, network_agent, trusted_agent

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from cardwright.discovery import AgentRegistry
    from cardwright_gateway.catalog.agent import Agent, Own
    from cardwright_gateway.database.agents import AddedAgent, AddedAgents
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

_LOG: Final = logging.getLogger("cardwright_gateway")
# The maximum time until other processes have applied a change (reliability 2f).
_FOLLOWED_SECONDS: Final = 5.0
_T = TypeVar("_T")


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
        forget: Called with the id of an agent that was changed or removed.

    Attributes:
        by_id: The agents by id.
    """

    def __init__(
        self,
        config: GatewayConfig,
        registry: AgentRegistry,
        make: Callable[[AgentConfig, float | None], Agent],
        added: AddedAgents,
        forget: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._config = config
        self._registry = registry
        self._make = make
        self._added = added
        self._forget = forget
        self._peering = Peering(registry, self.by_id)
        self._own_tasks: Callable[[str], Own] | None = None
        # The revision (the time of its change) of each added agent that this process has applied.
        self._applied: dict[str, float] = {}
        self._changing = asyncio.Lock()
        # The event loop has only a weak reference to the task.
        self._change: asyncio.Task[Any] | None = None

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
            self.by_id[config.id] = self._create(config)
        for agent_id, stored in self._added.all().items():
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
            self._applied[agent_id] = stored.changed_at
        self._peering.prune()

    async def add(self, agent_id: str, settings: Mapping[str, Any] | AgentConfig) -> Agent:
        """Add an agent as the operator, or change its settings; see `Gateway.add`."""
        config = self._checked(
            trusted_agent(agent_id, dict(settings), self._config.defaults)
            if isinstance(settings, Mapping)
            else settings
        )

        async def change() -> Agent:
            known = self.by_id.get(agent_id)
            if not differs_in_visibility_alone(known, config):
                return await self._replace(config, None)
            self._set_visibility(known, config)
            return known

        return await self._run_change(change)

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
            await self._put(config, actor)
            self._set_visibility(known, config)
            return known

        return await self._run_change(change)

    async def remove(self, agent_id: str, *, actor: str) -> None:
        """Remove an agent; see `Gateway.remove`."""
        await self._run_change(partial(self._remove, agent_id, actor, nothing_to_check))

    async def withdraw(
        self, agent_id: str, *, actor: str, check: Callable[[Agent | None], None] | None = None
    ) -> None:
        """Remove an agent that was submitted; see `Gateway.withdraw`."""

        def may_be_withdrawn(agent: Agent) -> None:
            if check is not None:
                check(agent)
            check_submitted(agent, agent_id, "remove")

        await self._run_change(partial(self._remove, agent_id, actor, may_be_withdrawn))

    async def _remove(self, agent_id: str, actor: str, check: Callable[[Agent], None]) -> None:
        agent = self.agent(agent_id)
        check(agent)
        drop = partial(
            self._added.drop,
            agent_id,
            before=self._applied.get(agent_id),
            at=time.time(),
            actor=actor,
            owner_id=agent.config.owner,
        )
        await self._write(agent_id, drop)
        self._applied.pop(agent_id, None)
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
        return await self._run_change(partial(self._reload, configs))

    async def _reload(self, configs: Mapping[str, AgentConfig]) -> dict[str, FileChange]:
        of_file = {name: agent for name, agent in self.by_id.items() if agent.config.from_file}
        changed = [
            self._checked(config)
            for name, config in configs.items()
            if name not in of_file or of_file[name].config != config
        ]
        renewed = [one for one in changed if not differs_in_visibility_alone(of_file.get(one.id), one)]
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
        gone = [name for name in of_file if name not in configs]
        for name in gone:
            self.by_id.pop(name)
            self._forget(name)
            await self._peering.forget(of_file[name].config)
            await of_file[name].close()
            # An added agent that the file hid.
            self._applied.pop(name, None)
            await self._follow(name)
        return file_changes(of_file, [config.id for config in changed], gone)

    async def close(self) -> None:
        """Close all agents, after a running change."""
        async with self._changing:
            agents = list(self.by_id.values())
            closed = await asyncio.gather(*(agent.close() for agent in agents), return_exceptions=True)
            for agent, error in zip(agents, closed, strict=True):
                if error is not None:
                    _LOG.error("agent %s could not be closed", agent.id, exc_info=error)

    def outdated(self, changed: Mapping[str, float]) -> list[str]:
        """Return the agents whose revision here is not the current one, in the order to apply the changes.

        Removed agents come first, then the oldest change: an agent may need something that another agent gave up
        before.

        Args:
            changed: The time of the last change of each added agent.
        """
        removed = [agent_id for agent_id in self._applied if agent_id not in changed]
        others = [(at, agent_id) for agent_id, at in changed.items() if self._applied.get(agent_id) != at]
        return removed + [agent_id for _, agent_id in sorted(others)]

    async def follow(self, agent_id: str) -> None:
        """Apply the change that another process made to an agent.

        Raises:
            StoreError: If the database cannot be used; nothing changed.
            CardError: If the agent cannot be used here; its next change is applied again.
        """
        await self._run_change(partial(self._follow, agent_id))

    async def _run_change(self, change: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """Run changes one at a time; a change that has begun is completed even if the waiter is cancelled.

        Otherwise this process and the table could have different revisions of an agent.
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
        stored = await asyncio.to_thread(self._added.one, agent_id)
        at = None if stored is None else stored.changed_at
        if at == self._applied.get(agent_id):
            return
        known = self.by_id.get(agent_id)
        try:
            if known is None or not known.config.from_file:
                await self._apply(agent_id, stored)
        except StoreError:
            raise
        except CardError:
            # Another attempt would fail in the same way.
            self._set_revision(agent_id, at)
            raise
        self._set_revision(agent_id, at)

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
                await self._put(config, actor)
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

    async def _put(self, config: AgentConfig, actor: str) -> None:
        """Store the settings of an agent.

        Raises:
            ChangedMeanwhile: If the table has a newer revision; that one has been applied here now.
            StoreError: If they cannot be stored.
        """
        before = self._applied.get(config.id)
        put = partial(
            self._added.put, config.id, config.definition, before=before, at=time.time(), actor=actor
        )
        self._applied[config.id] = await self._write(config.id, put)

    async def _write(self, agent_id: str, write: Callable[[], _T]) -> _T:
        """Change the table; if another process changed the agent before, apply that change."""
        try:
            return await asyncio.to_thread(write)
        except ChangedMeanwhile:
            try:
                await self._follow(agent_id)
            except CardError as error:
                _LOG.error(
                    "agent %s was changed by another process and cannot be used here: %s", agent_id, error
                )
            raise

    def _set_revision(self, agent_id: str, at: float | None) -> None:
        if at is None:
            self._applied.pop(agent_id, None)
        else:
            self._applied[agent_id] = at

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
