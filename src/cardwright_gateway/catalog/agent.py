"""One agent of the gateway: its source, the card that is served of it, and what answers its calls."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from cardwright.extras import requires_extra
from cardwright.http.problem import refuse
from cardwright.outline import outline
from cardwright_gateway.a2a.problems import RATE_LIMITED
from cardwright_gateway.backends.a2a import A2aBackend
from cardwright_gateway.catalog.served_card import ServedCard, placed
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.settings.config import GatewayConfig
from cardwright_gateway.single_flight import shared

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

    from cardwright.card import Card
    from cardwright.outline import Outline
    from cardwright_gateway.a2a_server.endpoint import Bridge
    from cardwright_gateway.a2a_server.stores import TaskStores
    from cardwright_gateway.backends.a2a import Known
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.catalog.sources import Source, UpstreamCard
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.upstream.client import Caller

# How long calls that are ended may take to let go (ours).
_CLOSING_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Urls:
    """The public URLs of a gateway.

    Attributes:
        base: The public URL of the gateway; of several the first.
    """

    base: str

    def agent(self, agent_id: str, base: str | None = None) -> str:
        """Return the public URL of an agent, below `base` where a request came in by another one."""
        return f"{self.base if base is None else base}/agents/{agent_id}"


class Own(Protocol):
    """What an agent's tasks are kept in where they are the gateway's own."""

    @property
    def known(self) -> Known:
        """What remembers the tasks of the agent behind."""
        ...

    def keeping(self) -> TaskStores:
        """Return the stores."""
        ...


class Agent:
    """One agent.

    Attributes:
        config: What the operator says of it.
        source: Where its card comes from.
        caller: What calls it, where it speaks A2A itself.
        backend: What answers for it, where it speaks no A2A itself.
        settings: The gateway's settings.
        own: What its tasks are kept in, and what remembers the tasks behind them, where they are the gateway's.
        under_way: How many calls to it there are now.
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
        self.own: Own | None = None
        self._relay: A2aBackend | None = None
        self.under_way = 0
        self._placed: dict[str, ServedCard] = {}
        self._placing: dict[str, asyncio.Task[ServedCard]] = {}
        self._bridge: Bridge | None = None
        self._outline: tuple[str, Outline] | None = None
        self._calls: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def id(self) -> str:
        """What it is called in paths."""
        return self.config.id

    def placed_now(self, public: str) -> ServedCard | None:
        """Return the card that is served, if it is fresh and was made already."""
        sourced = self.source.now()
        known = self._placed.get(public)
        return (
            known if sourced is not None and known is not None and known.source.mark == sourced.mark else None
        )

    async def placed(self, public: str) -> tuple[ServedCard, UpstreamCard]:
        """Return the card that is served below a public URL, and what it was made of.

        Raises:
            CardError: If there is none.
        """
        sourced = self.source.now() or await self.source.card()
        return await self.made_of(sourced, public), sourced

    async def made_of(self, sourced: UpstreamCard, public: str) -> ServedCard:
        """Return what is served of a card.

        Raises:
            CardError: If it cannot be.
        """
        known = self._placed.get(public)
        if known is not None and known.source.mark == sourced.mark:
            return known
        return await self._made(public, sourced)

    def outlined(self, card: Card, mark: str) -> Outline:
        """Return the outline of its card, made once."""
        if self._outline is None or self._outline[0] != mark:
            self._outline = mark, outline(card)
        return self._outline[1]

    def known(self, public: str) -> ServedCard | None:
        """Return the card that was served last, fresh or not; nobody is asked."""
        return self._placed.get(public)

    async def _made(self, public: str, sourced: UpstreamCard) -> ServedCard:
        config = self.config
        making = self._placing.get(public)
        if making is None or making.done():
            making = asyncio.create_task(asyncio.to_thread(placed, config, sourced, public, self.settings))
            self._placing[public] = making
        made = await shared(making, UnknownAgent(self.id))
        if made.source.mark != sourced.mark or config is not self.config:
            # It became another while an older one was made, or is shown to others now.
            return await self._made(public, sourced)
        self._placed[public] = made
        if self._bridge is not None and made.answered:
            self._bridge.exchange(made.card, self._extended(made))
        return made

    def turns(self, made: ServedCard) -> Backend:
        """Return what answers turns for it, whatever it speaks."""
        if self.backend is not None:
            return self.backend
        if self._relay is None:
            assert self.caller is not None  # noqa: S101 - what has no backend is called
            self._relay = A2aBackend(self.id, self.caller, self.own.known if self.own else None)
        self._relay.exchange(made.routes, streams=made.streams)
        return self._relay

    def show_as(self, config: AgentConfig) -> None:
        """Be shown to others than before; calls that are under way go on.

        Args:
            config: What is said of it now: the same but for `visibility`.
        """
        self.config = config
        # Whoever waits for a card that is being made has it made anew.
        self._placed, self._placing = {}, {}

    def _extended(self, made: ServedCard) -> Card | None:
        return made.card if self.config.access == "keys" else None

    def bridge(self, made: ServedCard) -> Bridge:
        """Return what speaks A2A for it."""
        if self._bridge is None:
            with requires_extra("gateway"):
                # a2a-sdk's server weighs much: only gateways with managed agents import it.
                from cardwright_gateway.a2a_server.endpoint import Bridge
            self._bridge = Bridge(
                self.turns(made),
                made.card,
                agent_id=self.id,
                concurrency=self.config.concurrency,
                keeping=self.own.keeping if self.own is not None and self.config.tasks == "own" else None,
                extended=self._extended(made),
                messages=self.backend is None,
            )
        elif self.backend is None:
            # Where the agent behind is may have changed with its card.
            self.turns(made)
        return self._bridge

    @property
    def running(self) -> tuple[str, ...]:
        """The ids of the tasks of the gateway that run."""
        return () if self._bridge is None else self._bridge.running

    async def leave(self, task_ids: Collection[str]) -> None:
        """Let go of tasks that another process cancelled."""
        if self._bridge is not None:
            await self._bridge.leave(task_ids)

    @contextmanager
    def calling(self) -> Generator[None]:
        """Count a call while it is under way.

        Raises:
            HttpError: If there are as many already as there may be.
        """
        if self.under_way >= self.config.concurrency:
            message = f"{self.under_way} calls to this agent are under way, and no more are taken: come again"
            raise refuse(RATE_LIMITED, message, headers=((b"retry-after", b"1"),))
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a call is answered in a task
        self._calls.add(task)
        self.under_way += 1
        try:
            yield
        except asyncio.CancelledError:
            if not self._closed:
                raise
            # Not whoever asked left: the agent went.
            task.uncancel()
            raise UnknownAgent(self.id) from None
        finally:
            self.under_way -= 1
            self._calls.discard(task)

    async def close(self) -> None:
        """Let go of everything; calls that are under way are ended."""
        self._closed = True
        if self._relay is not None and self.config.tasks == "own":
            # Its tasks are kept: the agent's next process, or another one, goes on with them.
            self._relay.detached = True
        for call in self._calls:
            call.cancel()
        for making in self._placing.values():
            making.cancel()
        if self._bridge is not None:
            await self._bridge.close()
        # Whoever closes this lets go of the database next, and they are at it perhaps.
        left = {call for call in self._calls if call is not asyncio.current_task()}
        if left:
            await asyncio.wait(left, timeout=_CLOSING_SECONDS)
        await self.source.close()
        if self.backend is not None:
            await self.backend.close()
