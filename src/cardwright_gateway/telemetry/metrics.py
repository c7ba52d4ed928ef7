"""Metrics in the Prometheus format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cardwright.extras import requires_extra
from cardwright_gateway.a2a.responses import body_response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright.http.response import Response

# Reasons for rejecting a request that may succeed at another time or with credentials.
Reason = Literal["limited", "busy", "unauthenticated"]


@dataclass(frozen=True, slots=True)
class Gauges:
    """Numbers of this process that are read at each scrape.

    Attributes:
        agents: The number of agents, by protocol and state of their card.
        calls_under_way: The number of running calls to agents.
        body_bytes: The size of the bodies of running requests and turns, in bytes.
        limits_degraded: Whether the rate-limit store is unavailable.
    """

    agents: Mapping[tuple[str, str], int]
    calls_under_way: int
    body_bytes: int
    limits_degraded: bool


@dataclass(frozen=True, slots=True)
class Replica:
    """A process that shares the database.

    Attributes:
        id: Its id.
        started_seconds: Seconds since it started.
        seen_seconds: Seconds since its last heartbeat, or since it stopped.
        alive: Whether its last heartbeat is recent.
    """

    id: str
    started_seconds: float
    seen_seconds: float
    alive: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """Numbers from the database.

    Attributes:
        tasks: The number of the gateway's own tasks by state, such as `completed`.
        events: The number of undelivered events: `waiting`, `unreadable` if their receivers cannot be decrypted with
            the current key, and `dead`.
        endpoints: The number of webhook receivers that are `failing` and `disabled`.
        attempts: The number of delivery attempts in the last hour, by outcome.
        replicas: The processes of the last day, live ones first.
        alive: The number of live processes.
    """

    tasks: Mapping[str, int]
    events: Mapping[str, int]
    endpoints: Mapping[str, int]
    attempts: Mapping[str, int]
    replicas: tuple[Replica, ...]
    alive: int


class Metrics:
    """Metrics of one gateway, in a registry of their own.

    Args:
        gauges: Returns the numbers that are read at each scrape.

    Raises:
        MissingPackage: If prometheus-client is not installed.
    """

    def __init__(self, gauges: Callable[[], Gauges]) -> None:
        with requires_extra("gateway"):
            from prometheus_client import CollectorRegistry, Counter, Histogram
        self._registry = CollectorRegistry(auto_describe=True)
        self._requests = Counter(
            "cardwright_gateway_requests",
            "Requests, by kind and status class.",
            ["kind", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "cardwright_gateway_request_seconds",
            "Duration of requests until the last byte, by kind.",
            ["kind"],
            registry=self._registry,
        )
        self._refusals = Counter(
            "cardwright_gateway_refused",
            "Rejected requests: limited (too many from one caller), busy (too many at once), unauthenticated.",
            ["reason"],
            registry=self._registry,
        )
        self._attempts = Counter(
            "cardwright_gateway_webhook_attempts",
            "Webhook delivery attempts of this process, by outcome.",
            ["outcome"],
            registry=self._registry,
        )
        self._refusal_counts: dict[str, int] = {"limited": 0, "busy": 0, "unauthenticated": 0}
        self._database_collector = _DatabaseCollector()
        self._registry.register(_ProcessCollector(gauges))
        self._registry.register(self._database_collector)
        # Cached, because a lookup by labels takes longer than counting.
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
        """Count a rejected request."""
        self._refusal_counts[reason] += 1
        self._refusals.labels(reason).inc()

    def attempted(self, outcome: str) -> None:
        """Count a webhook delivery attempt."""
        self._attempts.labels(outcome).inc()

    @property
    def refusals(self) -> Mapping[str, int]:
        """The number of requests that this process has rejected, by reason."""
        return dict(self._refusal_counts)

    def response(self, counted: Counted | None) -> Response:
        """Return all metrics as text (Prometheus exposition format 0.0.4).

        Args:
            counted: The numbers from the database; None if it is unavailable: then they are omitted.
        """
        from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

        fields = ((b"content-type", CONTENT_TYPE_PLAIN_0_0_4.encode()), (b"cache-control", b"no-store"))
        self._database_collector.counted = counted
        return body_response(200, generate_latest(self._registry), fields)


class _ProcessCollector:
    """Collector for the numbers of this process."""

    def __init__(self, gauges: Callable[[], Gauges]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterator[Any]:
        """Yield the gauges of this process."""
        from prometheus_client.core import GaugeMetricFamily

        gauges = self._gauges()
        agents = GaugeMetricFamily(
            "cardwright_gateway_agents",
            "Agents, by protocol and state of their card.",
            labels=["protocol", "state"],
        )
        for (protocol, state), count in sorted(gauges.agents.items()):
            agents.add_metric([protocol, state], count)
        yield agents
        yield GaugeMetricFamily(
            "cardwright_gateway_calls_under_way", "Running calls to agents.", value=gauges.calls_under_way
        )
        yield GaugeMetricFamily(
            "cardwright_gateway_body_bytes",
            "Size of the bodies of running requests and turns, which max_bodies_bytes limits.",
            value=gauges.body_bytes,
        )
        yield GaugeMetricFamily(
            "cardwright_gateway_limits_degraded",
            "1 while the rate-limit store is unavailable and each process admits its share, otherwise 0.",
            value=float(gauges.limits_degraded),
        )


class _DatabaseCollector:
    """Collector for the numbers from the database, which are the same in all its processes."""

    def __init__(self) -> None:
        self.counted: Counted | None = None

    def collect(self) -> Iterator[Any]:
        """Yield the gauges of tasks, events, receivers and processes."""
        from prometheus_client.core import GaugeMetricFamily

        counted = self.counted
        families = (
            ("tasks", "The gateway's own tasks, by state.", counted.tasks if counted else {}),
            (
                "webhook_events",
                "Webhook events that wait for delivery, and dead letters.",
                counted.events if counted else {},
            ),
            (
                "webhook_endpoints",
                "Webhook receivers that fail or are disabled.",
                counted.endpoints if counted else {},
            ),
        )
        for name, description, rows in families:
            family = GaugeMetricFamily(f"cardwright_gateway_{name}", description, labels=["state"])
            for state, count in sorted(rows.items()):
                family.add_metric([state], count)
            yield family
        alive = GaugeMetricFamily(
            "cardwright_gateway_replicas_alive", "Live processes that share the database.", labels=[]
        )
        if counted is not None:
            alive.add_metric([], counted.alive)
        yield alive
