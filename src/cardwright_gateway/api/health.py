"""The health endpoint, as HTML and JSON: counts only, without the names of unlisted agents."""

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

# How long the response is cached (project decision).
_CACHE_SECONDS: Final = 1.0
# The maximum age of the database counts in the metrics (project decision).
_METRICS_SECONDS: Final = 5.0
_HTML: Final = "text/html"


class Health:
    """The health of a gateway.

    Args:
        agents: The agents.
        statistics: The counts in the database.
        metrics: The counters of this process.
        limiter: The rate limiter.
        shared_limits: Whether processes share the limits.
        replica_id: The id of this replica; None if the gateway stores no tasks.
        webhooks: Whether webhooks are delivered.
        clock: A monotonic clock, in seconds.
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
        """Return the state of the gateway, as HTML or JSON by Accept; the status is always 200.

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
        """Return the metrics in the text format of Prometheus."""
        return self._metrics.response(await self._statistics.now(_METRICS_SECONDS))

    async def body(self, kind: str) -> bytes:
        """Return the state as HTML or JSON; rendered at most once per second."""
        facts = await self.facts()
        if kind not in self._bodies:
            body = health_page(facts) if kind == _HTML else json_bytes(_json(facts))
            if facts is not self._facts:
                return body
            self._bodies[kind] = body
        return self._bodies[kind]

    async def facts(self) -> HealthFacts:
        """Return the facts, at most a second old."""
        if self._facts is not None and self._clock() < self._until:
            return self._facts
        counts = await self._statistics.now(_CACHE_SECONDS)
        agents = list(self._agents.by_id.values())
        self._facts = facts = HealthFacts(
            agents=_agents(agents),
            unlisted=len(agents) - len(self._agents.listed),
            calls=sum(agent.running_calls for agent in agents),
            database=counts is not None,
            own_tasks=self._replica_id is not None,
            webhooks=self._webhooks,
            tasks=dict(sorted(counts.tasks.items())) if counts else {},
            events=counts.events if counts else {},
            endpoints=counts.endpoints if counts else {},
            attempts=dict(sorted(counts.attempts.items())) if counts else {},
            shared_limits=self._shared_limits,
            degraded=self._limiter.status() == "degraded",
            refusals=self._metrics.refusals,
            processes=tuple(
                # The first part of the id contains the host name.
                Process(
                    replica.id.rpartition("-")[2],
                    replica.alive,
                    replica.id == self._replica_id,
                    replica.started_seconds,
                    replica.seen_seconds,
                )
                for replica in (counts.replicas if counts else ())
            ),
            links=(Link("All agents", "./"), Link("Metrics", "metrics")),
        )
        self._bodies = {}
        self._until = self._clock() + _CACHE_SECONDS
        return facts


def _agents(agents: Sequence[Agent]) -> tuple[AgentsState, ...]:
    """Return the number of agents in each state, and the age of the oldest card of the listed ones."""
    counts = Counter[str]()
    oldest: dict[str, float] = {}
    for agent in agents:
        status = agent.status()
        counts[status.state] += 1
        age = status.upstream.age_seconds if status.upstream else None
        if age is not None and agent.config.visibility == "public":
            oldest[status.state] = max(age, oldest.get(status.state, 0.0))
    return tuple(AgentsState(state, count, oldest.get(state)) for state, count in sorted(counts.items()))


def _json(facts: HealthFacts) -> dict[str, Any]:
    state: dict[str, Any] = {
        "status": facts.status,
        "database": "ok" if facts.database else "unavailable",
        "agents": {
            "total": facts.total,
            "unlisted": facts.unlisted,
            "states": {entry.state: entry.count for entry in facts.agents},
            "oldestCardSeconds": {
                entry.state: round(entry.oldest_seconds, 1)
                for entry in facts.agents
                if entry.oldest_seconds is not None
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
                "id": entry.id,
                "alive": entry.alive,
                "here": entry.here,
                "startedSeconds": round(entry.started_seconds, 1),
                "seenSeconds": round(entry.seen_seconds, 1),
            }
            for entry in facts.processes
        ]
    if facts.webhooks and facts.database:
        state["deliveries"] = {**facts.events, "receivers": facts.endpoints, "lastHour": facts.attempts}
    return state
