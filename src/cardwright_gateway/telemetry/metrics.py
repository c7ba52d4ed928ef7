"""What the gateway counts, as Prometheus reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cardwright.extras import requires_extra
from cardwright_gateway.a2a.responses import body_response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright.http.response import Response

# Why a request is refused that another time would not be.
Reason = Literal["limited", "busy", "unauthenticated"]


@dataclass(frozen=True, slots=True)
class Gauges:
    """Numbers of this process that are read when somebody collects the metrics.

    Attributes:
        agents: How many agents there are, by protocol and state of their card.
        calls_under_way: How many calls to agents are under way.
        limits_degraded: Whether the store of the limits does not answer.
    """

    agents: Mapping[tuple[str, str], int]
    calls_under_way: int
    limits_degraded: bool


@dataclass(frozen=True, slots=True)
class Replica:
    """A process that shares the database.

    Attributes:
        id: Its id.
        started_seconds: How long ago it began.
        seen_seconds: How long ago it said last that it lives, or that it ends.
        alive: Whether it said so lately.
    """

    id: str
    started_seconds: float
    seen_seconds: float
    alive: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted.

    Attributes:
        tasks: The gateway's own tasks by state, such as `completed`.
        events: Events that are to be delivered, or never were: `waiting`, `unreadable` where they wait for the key
            that their receivers were encrypted with, and `dead`.
        endpoints: Receivers of webhooks: `failing` and `disabled`.
        attempts: Attempts to deliver of the last hour, by outcome.
        replicas: The processes of the last day, those that live first.
        alive: How many live.
    """

    tasks: Mapping[str, int]
    events: Mapping[str, int]
    endpoints: Mapping[str, int]
    attempts: Mapping[str, int]
    replicas: tuple[Replica, ...]
    alive: int


class Metrics:
    """Counters of one gateway; nothing of them is shared with others in the process.

    Args:
        gauges: Returns the numbers that are read when the metrics are collected.

    Raises:
        MissingPackage: If prometheus-client is not installed.
    """

    def __init__(self, gauges: Callable[[], Gauges]) -> None:
        with requires_extra("gateway"):
            from prometheus_client import CollectorRegistry, Counter, Histogram
        self._registry = CollectorRegistry(auto_describe=True)
        self._requests = Counter(
            "cardwright_gateway_requests",
            "Requests, by what was asked for and the class of the status.",
            ["kind", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "cardwright_gateway_request_seconds",
            "How long requests took, to the last byte, by what was asked for.",
            ["kind"],
            registry=self._registry,
        )
        self._refusals = Counter(
            "cardwright_gateway_refused",
            "Requests that were refused: limited (too many of one caller), busy (too many at once), unauthenticated.",
            ["reason"],
            registry=self._registry,
        )
        self._attempts = Counter(
            "cardwright_gateway_webhook_attempts",
            "Attempts of this process to deliver a webhook, by outcome.",
            ["outcome"],
            registry=self._registry,
        )
        self._tallies: dict[str, int] = {"limited": 0, "busy": 0, "unauthenticated": 0}
        self._collected = _Collected()
        self._registry.register(_Agents(gauges))
        self._registry.register(self._collected)
        # Looking a row up by its labels takes longer than counting.
        self._rows: dict[tuple[str, int], tuple[Any, Any]] = {}

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """Count a request."""
        row = self._rows.get((kind, status // 100))
        if row is None:
            row = (
                self._requests.labels(kind, f"{status // 100}xx" if status else "none"),
                self._seconds.labels(kind),
            )
            self._rows[kind, status // 100] = row
        row[0].inc()
        row[1].observe(seconds)

    def refused(self, reason: Reason) -> None:
        """Count a request that was refused."""
        self._tallies[reason] += 1
        self._refusals.labels(reason).inc()

    def attempted(self, outcome: str) -> None:
        """Count an attempt to deliver a webhook."""
        self._attempts.labels(outcome).inc()

    @property
    def refusals(self) -> Mapping[str, int]:
        """How many requests this process has refused, by reason."""
        return dict(self._tallies)

    def response(self, counted: Counted | None) -> Response:
        """Return everything as text (Prometheus exposition format 0.0.4).

        Args:
            counted: What the database counts; None where it cannot be asked: then it says nothing of it.
        """
        from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

        fields = ((b"content-type", CONTENT_TYPE_PLAIN_0_0_4.encode()), (b"cache-control", b"no-store"))
        self._collected.counted = counted
        return body_response(200, generate_latest(self._registry), fields)


class _Agents:
    """Counts the agents when somebody asks."""

    def __init__(self, gauges: Callable[[], Gauges]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator[Any]:
        """Yield how many agents are in which state, and how many calls are under way."""
        from prometheus_client.core import GaugeMetricFamily

        gauges = self._gauges()
        told = GaugeMetricFamily(
            "cardwright_gateway_agents",
            "Agents, by protocol and state of their card.",
            labels=["protocol", "state"],
        )
        for (protocol, state), count in sorted(gauges.agents.items()):
            told.add_metric([protocol, state], count)
        yield told
        yield GaugeMetricFamily(
            "cardwright_gateway_calls_under_way",
            "Calls to agents that are under way now.",
            value=gauges.calls_under_way,
        )
        yield GaugeMetricFamily(
            "cardwright_gateway_limits_degraded",
            "1 while the store of the limits does not answer, and each process admits its share.",
            value=float(gauges.limits_degraded),
        )


class _Collected:
    """Tells what the database counts: the same in all processes that share it."""

    def __init__(self) -> None:
        self.counted: Counted | None = None

    def collect(self) -> Iterator[Any]:
        """Yield tasks, what waits to be delivered, receivers, and processes."""
        from prometheus_client.core import GaugeMetricFamily

        counted = self.counted
        found = (
            ("tasks", "The gateway's own tasks, by state.", counted.tasks if counted else {}),
            (
                "webhook_events",
                "Events that wait to be delivered, and those that never were.",
                counted.events if counted else {},
            ),
            (
                "webhook_endpoints",
                "Receivers that fail or are disabled.",
                counted.endpoints if counted else {},
            ),
        )
        for name, told, rows in found:
            family = GaugeMetricFamily(f"cardwright_gateway_{name}", told, labels=["state"])
            for state, count in sorted(rows.items()):
                family.add_metric([state], count)
            yield family
        alive = GaugeMetricFamily(
            "cardwright_gateway_replicas_alive", "Processes that share the database and live.", labels=[]
        )
        if counted is not None:
            alive.add_metric([], counted.alive)
        yield alive
