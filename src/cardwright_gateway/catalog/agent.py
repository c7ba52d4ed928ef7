"""One agent of the gateway: its card source, its served card and its backend."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from cardwright.errors import StoreError
from cardwright.extras import requires_extra
from cardwright.http.problem import refuse
from cardwright.outline import outline
from cardwright_gateway.a2a.problems import RATE_LIMITED
from cardwright_gateway.auth.principal import anonymous_share
from cardwright_gateway.backends.a2a import A2aBackend
from cardwright_gateway.backends.backend import RespondsAlone
from cardwright_gateway.backends.queue import QueueBackend
from cardwright_gateway.catalog.agent_path import agent_path
from cardwright_gateway.catalog.served_card import ServedCard, served_card
from cardwright_gateway.database.deployment import Deployment
from cardwright_gateway.errors import AgentOffline, UnknownAgent
from cardwright_gateway.settings.config import GatewayConfig
from cardwright_gateway.single_flight import shielded
from cardwright_gateway.upstream.availability import Availability

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

    from cardwright.card import Card
    from cardwright.outline import Outline
    from cardwright_gateway.a2a_server.endpoint import A2aServer
    from cardwright_gateway.a2a_server.stores import TaskStores
    from cardwright_gateway.backends.a2a import Known
    from cardwright_gateway.backends.backend import Backend, ReportLimit
    from cardwright_gateway.catalog.sources import Source, SourceStatus, UpstreamCard
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.upstream.client import Caller

# How long cancelled calls may take to stop (project decision).
_CLOSING_SECONDS: Final = 5.0
# States that say nothing about the agent itself.
_MAY_BE_AWAY: Final = ("ok", "stale", "waiting")


@dataclass(frozen=True, slots=True)
class Urls:
    """The public URLs of a gateway.

    Attributes:
        base: The public URL of the gateway; the first one if there are several.
        short: Whether the URL of an agent is `/ID` below it, not `/agents/ID`.
    """

    base: str
    short: bool = False

    @classmethod
    def of(cls, config: GatewayConfig) -> Urls:
        """Return the URLs by the settings."""
        bases = config.proxies.base_urls if config.proxies else ()
        return cls(config.base_url or next(iter(bases), ""), config.short_urls)

    def agent(self, agent_id: str, base: str | None = None) -> str:
        """Return the public URL of an agent, below `base` if the request came to another public URL."""
        return f"{self.base if base is None else base}{agent_path(agent_id, short=self.short)}"


class Own(Protocol):
    """The storage of an agent's tasks, if the gateway stores them."""

    @property
    def known(self) -> Known:
        """The ids of the upstream agent's tasks."""
        ...

    def keeping(self) -> TaskStores:
        """Return the task stores."""
        ...

    @property
    def quota(self) -> ReportLimit:
        """The maximum sizes of tasks."""
        ...


class Agent:
    """One agent.

    Attributes:
        config: Its settings.
        source: The source of its card.
        caller: Sends requests to it, if it supports A2A itself.
        backend: Executes its turns, if it does not support A2A itself.
        settings: The gateway's settings.
        deployment: What all processes of the gateway share.
        own: The storage of its tasks, if the gateway stores them.
        running_calls: The number of running calls.
        waiting_workers: The number of workers that wait for its work.
        availability: Whether it can be reached.
    """

    def __init__(
        self,
        config: AgentConfig,
        source: Source,
        *,
        caller: Caller | None = None,
        backend: Backend | None = None,
    ) -> None:
        self.config = config
        self.source = source
        self.caller = caller
        self.backend = backend
        self.settings = GatewayConfig(agents={})
        self.deployment = Deployment()
        self.own: Own | None = None
        self.availability = Availability() if caller is None else caller.availability
        self._relay: A2aBackend | None = None
        self.running_calls = 0
        self._anonymous_calls = 0
        self.waiting_workers = 0
        self._served: dict[str, ServedCard] = {}
        self._creating: dict[str, asyncio.Task[ServedCard]] = {}
        self._a2a_server: A2aServer | None = None
        self._outline: tuple[str, Outline] | None = None
        self._calls: set[asyncio.Task[Any]] = set()
        self._closed = False

    def store_tasks(self, own: Own) -> None:
        """Store its tasks, within their limits."""
        self.own = own
        if isinstance(self.backend, QueueBackend):
            self.backend.limit = own.quota

    @property
    def id(self) -> str:
        """The id of the agent; part of URL paths."""
        return self.config.id

    def status(self) -> SourceStatus:
        """Return the status of its card, or that it cannot be reached although the card is fresh."""
        status = self.source.status()
        error = self.availability.error
        if not error or status.state not in _MAY_BE_AWAY:
            return status
        age = status.upstream.age_seconds if status.upstream else None
        if age is not None and time.time() - age > self.availability.at:
            return status
        # The time of the next refresh is that of the card; whether the agent is available is checked sooner.
        return replace(status, state="failing", error=error, next_seconds=None)

    def note_denied(self) -> None:
        """Note at once if no connection to its address is allowed; a name is resolved by the next check."""
        if self.caller is not None:
            self.availability.note_denied(self.caller.client.guard, self.caller.http)

    async def check_availability(self) -> None:
        """Learn whether it can be reached, if that can be checked without a call."""
        availability = self.availability
        if self.caller is not None:
            await availability.check(self.caller.client, self.caller.http)
        elif isinstance(self.backend, QueueBackend):
            try:
                online = (await self.backend.workers()).online
            except StoreError:
                return
            availability.reached() if online else availability.failed(AgentOffline(self.id))
        else:
            availability.reached()

    def served_now(self, public: str) -> ServedCard | None:
        """Return the served card, if it is cached and fresh."""
        upstream = self.source.now()
        stored = self._served.get(public)
        return (
            stored
            if upstream is not None and stored is not None and stored.source.mark == upstream.mark
            else None
        )

    async def served_with_upstream(self, public: str) -> tuple[ServedCard, UpstreamCard]:
        """Return the served card for a public URL, and its upstream card.

        Raises:
            CardError: If the agent has no card.
        """
        upstream = self.source.now() or await self.source.card()
        return await self.served_from(upstream, public), upstream

    async def served_from(self, upstream: UpstreamCard, public: str) -> ServedCard:
        """Return the served card for an upstream card.

        Raises:
            CardError: If it cannot be served.
        """
        stored = self._served.get(public)
        if stored is not None and stored.source.mark == upstream.mark:
            return stored
        return await self._create(public, upstream)

    def outline_of(self, card: Card, mark: str) -> Outline:
        """Return the outline of its card; created once per card."""
        if self._outline is None or self._outline[0] != mark:
            self._outline = mark, outline(card)
        return self._outline[1]

    def last_served(self, public: str) -> ServedCard | None:
        """Return the last served card, fresh or not, without an upstream request."""
        return self._served.get(public)

    async def _create(self, public: str, upstream: UpstreamCard) -> ServedCard:
        config = self.config
        creating = self._creating.get(public)
        if creating is None or creating.done():
            creating = asyncio.create_task(
                asyncio.to_thread(served_card, config, upstream, public, self.settings)
            )
            self._creating[public] = creating
        made = await shielded(creating, UnknownAgent(self.id))
        if made.source.mark != upstream.mark or config is not self.config:
            # The upstream card or the visibility changed meanwhile.
            return await self._create(public, upstream)
        self._served[public] = made
        if self._a2a_server is not None and made.answered:
            self._a2a_server.exchange(made.card, self._extended(made))
        return made

    def turns(self, made: ServedCard) -> Backend:
        """Return the backend that executes its turns; for an A2A agent, one that calls it."""
        if self.backend is not None:
            return self.backend
        if self._relay is None:
            assert self.caller is not None  # noqa: S101 - an agent without a backend has a caller
            self._relay = A2aBackend(
                self.id, self.caller, self.own.known if self.own else None, deployment=self.deployment
            )
        self._relay.exchange(made.routes, streams=made.streams, output_modes=made.output_modes)
        return self._relay

    def set_visibility(self, config: AgentConfig) -> None:
        """Change the visibility; running calls continue.

        Args:
            config: The new settings, which differ only in `visibility`.
        """
        self.config = config
        # Waiters for a card that is being created have it created again.
        self._served, self._creating = {}, {}

    def _extended(self, made: ServedCard) -> Card | None:
        return made.card if self.config.access == "keys" else None

    def a2a_server(self, made: ServedCard) -> A2aServer:
        """Return the A2A server of the agent."""
        if self._a2a_server is None:
            with requires_extra("gateway"):
                # a2a-sdk's server needs much memory: only gateways that answer for agents import it.
                from cardwright_gateway.a2a_server.endpoint import A2aServer
            backend = self.turns(made)
            self._a2a_server = A2aServer(
                backend,
                made.card,
                agent_id=self.id,
                concurrency=self.config.concurrency,
                keeping=self.own.keeping if self.own is not None and self.config.tasks == "own" else None,
                extended=self._extended(made),
                messages=isinstance(backend, RespondsAlone) and backend.responds_alone,
                deployment=self.deployment,
            )
        elif self.backend is None:
            # The upstream URL may have changed with the card.
            self.turns(made)
        return self._a2a_server

    @property
    def running(self) -> tuple[str, ...]:
        """The ids of the running tasks."""
        return () if self._a2a_server is None else self._a2a_server.running

    async def leave(self, task_ids: Collection[str]) -> None:
        """Stop running tasks that another process cancelled."""
        if self._a2a_server is not None:
            await self._a2a_server.leave(task_ids)

    @contextmanager
    def calling(self, caller: str) -> Generator[None]:
        """Count a call while it runs.

        Args:
            caller: The name of the caller; "" without credentials. If other callers have keys, those without may
                make half of the concurrent calls.

        Raises:
            HttpError: If the limit of concurrent calls is reached.
        """
        anonymous = not caller and bool(self.config.owner)
        limit = self.config.concurrency
        if self.running_calls >= limit or (anonymous and self._anonymous_calls >= anonymous_share(limit)):
            message = (
                f"this agent has reached its limit of {self.running_calls} concurrent calls; try again later"
            )
            raise refuse(RATE_LIMITED, message, headers=((b"retry-after", b"1"),))
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a call is answered in a task
        self._calls.add(task)
        self.running_calls += 1
        self._anonymous_calls += anonymous
        try:
            yield
        except asyncio.CancelledError:
            if not self._closed:
                raise
            # The agent was removed; the caller did not disconnect.
            task.uncancel()
            raise UnknownAgent(self.id) from None
        finally:
            self.running_calls -= 1
            self._anonymous_calls -= anonymous
            self._calls.discard(task)

    @contextmanager
    def polling(self) -> Generator[None]:
        """Count a worker while it waits for work.

        Raises:
            HttpError: If as many workers wait as the agent may have concurrent calls: more cannot get work.
        """
        if self.waiting_workers >= self.config.concurrency:
            message = (
                f"{self.waiting_workers} workers wait for work of this agent, the maximum; try again later"
            )
            raise refuse(RATE_LIMITED, message, headers=((b"retry-after", b"1"),))
        self.waiting_workers += 1
        try:
            yield
        finally:
            self.waiting_workers -= 1

    async def close(self) -> None:
        """Close everything; running calls are cancelled."""
        self._closed = True
        if self._relay is not None and self.config.tasks == "own":
            # Its tasks are stored: the next process, or another one, continues them.
            self._relay.detached = True
        for call in self._calls:
            call.cancel()
        for creating in self._creating.values():
            creating.cancel()
        if self._a2a_server is not None:
            await self._a2a_server.close()
        # The database is closed next, and the calls may be using it.
        remaining = {call for call in self._calls if call is not asyncio.current_task()}
        if remaining:
            await asyncio.wait(remaining, timeout=_CLOSING_SECONDS)
        await self.source.close()
        if self.backend is not None:
            await self.backend.close()
