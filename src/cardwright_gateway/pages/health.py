"""The page that says how a gateway does: counts by state, and nothing that names who is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cardwright.page.render import rendered
from cardwright_gateway.pages.agents import STATES, duration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.page.facts import Link


@dataclass(frozen=True, slots=True)
class AgentsState:
    """How many agents are in one state, and how old the oldest card of those is that are listed."""

    state: str
    count: int
    oldest_seconds: float | None

    @property
    def oldest(self) -> str:
        """How old the oldest card is, in words; "" where there is none."""
        return "" if self.oldest_seconds is None else duration(self.oldest_seconds)


@dataclass(frozen=True, slots=True)
class Process:
    """A process of the gateway.

    Attributes:
        id: What tells it from others.
        alive: Whether it said lately that it lives.
        here: Whether it is the one that answers.
        started_seconds: How long ago it began.
        seen_seconds: How long ago it said last that it lives, or that it ends.
    """

    id: str
    alive: bool
    here: bool
    started_seconds: float
    seen_seconds: float

    @property
    def standing(self) -> str:
        """How it is, in words."""
        beat = f"last heartbeat {duration(self.seen_seconds)} ago"
        if not self.alive:
            return f"gone, {beat}"
        return f"alive, {beat}, began {duration(self.started_seconds)} ago"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFacts:
    """What is told of a gateway.

    Attributes:
        agents: All agents by the state of their cards.
        unlisted: How many of them not everybody may know.
        calls: How many calls to agents are under way.
        database: Whether the database can be asked.
        own_tasks: Whether any agent's tasks are the gateway's own.
        webhooks: Whether webhooks are delivered.
        tasks: Tasks by state.
        events: Events that wait to be delivered, or for another key, and dead letters.
        endpoints: Receivers that fail, and those that are disabled.
        attempts: Attempts of the last hour, by outcome.
        shared_limits: Whether several processes count together.
        degraded: Whether what they count in does not answer.
        refusals: Requests that the process which answers has refused, by reason.
        processes: The processes that share the database.
        links: Where else to go.
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
        """How many agents there are."""
        return sum(one.count for one in self.agents)

    @property
    def status(self) -> Literal["ok", "degraded"]:
        """Whether everything is as it should be, but for agents: these are others' affair."""
        return "degraded" if self.degraded or not self.database else "ok"


def health_page(facts: HealthFacts) -> bytes:
    """Return the page; send it with `CONTENT_SECURITY_POLICY`."""
    return rendered(
        "health.html.jinja",
        package="cardwright_gateway.pages",
        facts=facts,
        agents=sorted(facts.agents, key=lambda one: list[str](STATES).index(one.state)),
        links=[link.printable() for link in facts.links],
    )
