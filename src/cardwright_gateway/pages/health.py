"""The health page of a gateway: counts by state, without names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cardwright.page.render import rendered
from cardwright_gateway.pages.agents import LIST, STATES, duration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.page.facts import Link


@dataclass(frozen=True, slots=True)
class AgentsState:
    """The number of agents in one state, and the age of the oldest card of the listed ones."""

    state: str
    count: int
    oldest_seconds: float | None

    @property
    def oldest(self) -> str:
        """The age of the oldest card, in words; "" without cards."""
        return "" if self.oldest_seconds is None else duration(self.oldest_seconds)


@dataclass(frozen=True, slots=True)
class Process:
    """A replica of the gateway.

    Attributes:
        id: A unique id.
        alive: Whether it sent a heartbeat recently.
        here: Whether it is the one that sends this response.
        started_seconds: Seconds since its start.
        seen_seconds: Seconds since its last heartbeat, or its shutdown.
    """

    id: str
    alive: bool
    here: bool
    started_seconds: float
    seen_seconds: float

    @property
    def status_text(self) -> str:
        """Text of the replica's status, with the times of its heartbeat and its start."""
        heartbeat = f"last heartbeat {duration(self.seen_seconds)} ago"
        if not self.alive:
            return f"stopped, {heartbeat}"
        return f"alive, {heartbeat}, started {duration(self.started_seconds)} ago"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFacts:
    """The content of the health page.

    Attributes:
        agents: All agents by the state of their cards.
        unlisted: The number of agents that are not public.
        calls: The number of running calls to agents.
        database: Whether the database is available.
        own_tasks: Whether the gateway stores tasks of any agent.
        webhooks: Whether webhooks are delivered.
        tasks: Tasks by state.
        events: Events that wait for delivery or for a key, and dead letters.
        endpoints: Receivers that fail, and disabled receivers.
        attempts: Attempts of the last hour, by outcome.
        shared_limits: Whether several processes share the rate limits.
        degraded: Whether the store of the shared limits is unavailable.
        refusals: Requests that this process refused for their rate, by reason.
        processes: The replicas that share the database.
        links: Links to other pages.
    """

    agents: tuple[AgentsState, ...]
    unlisted: int
    calls: int
    database: bool
    own_tasks: bool
    webhooks: bool
    tasks: Mapping[str, int]
    events: Mapping[str, int]
    endpoints: Mapping[str, int]
    attempts: Mapping[str, int]
    shared_limits: bool
    degraded: bool
    refusals: Mapping[str, int]
    processes: tuple[Process, ...]
    links: tuple[Link, ...] = ()

    @property
    def total(self) -> int:
        """The number of agents."""
        return sum(state.count for state in self.agents)

    @property
    def status(self) -> Literal["ok", "degraded"]:
        """Whether the gateway itself works; the states of agents do not count."""
        return "degraded" if self.degraded or not self.database else "ok"


def health_page(facts: HealthFacts) -> bytes:
    """Return the health page; send it with `CONTENT_SECURITY_POLICY`."""
    return rendered(
        "health.html.jinja",
        package="cardwright_gateway.pages",
        home=LIST,
        facts=facts,
        agents=sorted(facts.agents, key=lambda row: list[str](STATES).index(row.state)),
        links=[link.printable() for link in facts.links],
    )
