"""How the gateway does, for people and programs: counts, and nothing of agents that not everybody may know."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from cardwright.gateway.answering import body_reply
from cardwright.page import CONTENT_SECURITY_POLICY, Link
from cardwright.page.health import AgentsState, HealthFacts, Process, health_page
from cardwright.serve.negotiation import media_type
from cardwright.serve.representation import json_bytes
from cardwright.serve.requests import read_request

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.gateway.gateway import Gateway
    from cardwright.serve.requests import Scope, Send

# So long the same is told, however many ask (ours).
_KEPT_SECONDS: Final = 1.0
_HTML: Final = "text/html"


class Health:
    """Tells how a gateway does.

    Args:
        gateway: The gateway.
        clock: Seconds that only grow.
    """

    def __init__(self, gateway: Gateway, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._gateway = gateway
        self._clock = clock
        self._until = float("-inf")
        self._facts: HealthFacts | None = None
        self._bodies: dict[str, bytes] = {}

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
        counted = await self._gateway.census.now(_KEPT_SECONDS)
        gateway = self._gateway
        durable = gateway.durable
        self._facts = facts = HealthFacts(
            agents=_agents(gateway),
            unlisted=len(gateway.agents) - len(gateway.listed),
            calls=sum(agent.under_way for agent in gateway.agents.values()),
            database=counted is not None,
            own_tasks=durable is not None,
            webhooks=gateway.webhooks is not None,
            tasks=dict(sorted(counted.tasks.items())) if counted else {},
            events=counted.events if counted else {},
            endpoints=counted.endpoints if counted else {},
            attempts=dict(sorted(counted.attempts.items())) if counted else {},
            shared_limits=gateway.config.platform.limits.redis is not None,
            degraded=gateway.limiter.standing() == "degraded",
            refusals=gateway.metrics.refusals,
            processes=tuple(
                # The rest of an id tells of the machine.
                Process(
                    one.id.rpartition("-")[2],
                    one.alive,
                    durable is not None and one.id == durable.replicas.id,
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


async def answer_health(health: Health, scope: Scope, send: Send) -> None:
    """Answer with how the gateway does, as HTML or JSON by Accept; 200 whatever it is.

    Raises:
        Refused: If it is asked for as something else.
    """
    kind = media_type(read_request(scope).fields.get("accept"), ("application/json", _HTML))
    body = await health.body(kind)
    reply = body_reply(
        200,
        body,
        (
            (b"content-type", f"{kind}; charset=utf-8".encode()),
            (b"cache-control", b"no-store"),
            (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
            (b"referrer-policy", b"no-referrer"),
            (b"vary", b"Accept"),
        ),
    )
    await send({"type": "http.response.start", "status": 200, "headers": [*reply.headers]})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _agents(gateway: Gateway) -> tuple[AgentsState, ...]:
    """Return how many agents are in which state; how old their cards are, of those that are listed."""
    counts = Counter[str]()
    oldest: dict[str, float] = {}
    for agent in list(gateway.agents.values()):
        standing = agent.source.standing()
        counts[standing.state] += 1
        age = standing.sourced.age_seconds if standing.sourced else None
        if age is not None and agent.config.visibility == "public":
            oldest[standing.state] = max(age, oldest.get(standing.state, 0.0))
    return tuple(AgentsState(state, count, oldest.get(state)) for state, count in sorted(counts.items()))


def _json(facts: HealthFacts) -> dict[str, Any]:
    told: dict[str, Any] = {
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
        told["tasks"] = facts.tasks
        told["replicas"] = [
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
        told["deliveries"] = {**facts.events, "receivers": facts.endpoints, "lastHour": facts.attempts}
    return told
