"""How the gateway does, for people and programs: counts, and nothing of agents that not everybody may know."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from cardwright.http.negotiation import media_type
from cardwright.http.representation import json_bytes
from cardwright.http.request import read_request
from cardwright.page import CONTENT_SECURITY_POLICY, Link
from cardwright_gateway.a2a.responses import body_response
from cardwright_gateway.pages.health import AgentsState, HealthFacts, Process, health_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.api.statistics import Statistics
    from cardwright_gateway.auth import Limiter
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.telemetry.metrics import Metrics

# How long the same facts are sent, however many requests there are (project decision).
_KEPT_SECONDS: Final = 1.0
# How old the counts of the database in the metrics may be (project decision).
_SCRAPED_SECONDS: Final = 5.0
_HTML: Final = "text/html"


class Health:
    """Tells how a gateway does.

    Args:
        agents: The agents.
        statistics: What the database counts.
        metrics: The counters of this process.
        limiter: Counts the requests of callers.
        shared_limits: Whether processes share the limits.
        replica_id: This process among those that share the database; None where the gateway keeps no tasks.
        webhooks: Whether webhooks are delivered.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        agents: AgentDirectory,
        statistics: Statistics,
        metrics: Metrics,
        limiter: Limiter,
        *,
        shared_limits: bool,
        replica_id: str | None,
        webhooks: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._agents = agents
        self._statistics = statistics
        self._metrics = metrics
        self._limiter = limiter
        self._shared_limits = shared_limits
        self._replica_id = replica_id
        self._webhooks = webhooks
        self._clock = clock
        self._until = float("-inf")
        self._facts: HealthFacts | None = None
        self._bodies: dict[str, bytes] = {}

    async def answer(self, exchange: Exchange) -> Response:
        """Answer with the state of the gateway, as HTML or JSON by Accept; 200 whatever it is.

        Raises:
            HttpError: If the request accepts neither.
        """
        kind = media_type(read_request(exchange.scope).fields.get("accept"), ("application/json", _HTML))
        fields = (
            (b"content-type", f"{kind}; charset=utf-8".encode()),
            (b"cache-control", b"no-store"),
            (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
            (b"referrer-policy", b"no-referrer"),
            (b"vary", b"Accept"),
        )
        return body_response(200, await self.body(kind), fields)

    async def metrics(self, _: Exchange) -> Response:
        """Answer with the metrics, as text for Prometheus."""
        return self._metrics.response(await self._statistics.now(_SCRAPED_SECONDS))

    async def body(self, kind: str) -> bytes:
        """Return it as HTML, or as JSON; made once a second at most."""
        facts = await self.facts()
        if kind not in self._bodies:
            made = health_page(facts) if kind == _HTML else json_bytes(_json(facts))
            if facts is not self._facts:
                return made
            self._bodies[kind] = made
        return self._bodies[kind]

    async def facts(self) -> HealthFacts:
        """Return what is told, at most a second old."""
        if self._facts is not None and self._clock() < self._until:
            return self._facts
        counted = await self._statistics.now(_KEPT_SECONDS)
        agents = list(self._agents.held.values())
        self._facts = facts = HealthFacts(
            agents=_agents(agents),
            unlisted=len(agents) - len(self._agents.listed),
            calls=sum(agent.under_way for agent in agents),
            database=counted is not None,
            own_tasks=self._replica_id is not None,
            webhooks=self._webhooks,
            tasks=dict(sorted(counted.tasks.items())) if counted else {},
            events=counted.events if counted else {},
            endpoints=counted.endpoints if counted else {},
            attempts=dict(sorted(counted.attempts.items())) if counted else {},
            shared_limits=self._shared_limits,
            degraded=self._limiter.standing() == "degraded",
            refusals=self._metrics.refusals,
            processes=tuple(
                # The rest of an id tells of the machine.
                Process(
                    one.id.rpartition("-")[2],
                    one.alive,
                    one.id == self._replica_id,
                    one.started_seconds,
                    one.seen_seconds,
                )
                for one in (counted.replicas if counted else ())
            ),
            links=(Link("All agents", "./"), Link("Metrics", "metrics")),
        )
        self._bodies = {}
        self._until = self._clock() + _KEPT_SECONDS
        return facts


def _agents(agents: Sequence[Agent]) -> tuple[AgentsState, ...]:
    """Return how many agents are in which state; how old their cards are, of those that are listed."""
    counts = Counter[str]()
    oldest: dict[str, float] = {}
    for agent in agents:
        standing = agent.source.standing()
        counts[standing.state] += 1
        age = standing.sourced.age_seconds if standing.sourced else None
        if age is not None and agent.config.visibility == "public":
            oldest[standing.state] = max(age, oldest.get(standing.state, 0.0))
    return tuple(AgentsState(state, count, oldest.get(state)) for state, count in sorted(counts.items()))


def _json(facts: HealthFacts) -> dict[str, Any]:
    state: dict[str, Any] = {
        "status": facts.status,
        "database": "ok" if facts.database else "unavailable",
        "agents": {
            "total": facts.total,
            "unlisted": facts.unlisted,
            "states": {one.state: one.count for one in facts.agents},
            "oldestCardSeconds": {
                one.state: round(one.oldest_seconds, 1)
                for one in facts.agents
                if one.oldest_seconds is not None
            },
            "callsUnderWay": facts.calls,
        },
        "limits": {
            "store": "shared" if facts.shared_limits else "memory",
            "standing": "degraded" if facts.degraded else "ok",
            "refused": facts.refusals,
        },
    }
    if facts.own_tasks and facts.database:
        state["tasks"] = facts.tasks
        state["replicas"] = [
            {
                "id": one.id,
                "alive": one.alive,
                "here": one.here,
                "startedSeconds": round(one.started_seconds, 1),
                "seenSeconds": round(one.seen_seconds, 1),
            }
            for one in facts.processes
        ]
    if facts.webhooks and facts.database:
        state["deliveries"] = {**facts.events, "receivers": facts.endpoints, "lastHour": facts.attempts}
    return state
