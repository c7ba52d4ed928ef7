"""What the gateway counts, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter as Tally
from typing import TYPE_CHECKING, Any

from cardwright.errors import MissingPackage
from cardwright.gateway.answering import body_reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.gateway.answering import Reply
    from cardwright.gateway.gateway import Gateway


class Metrics:
    """Counters of one gateway; nothing of them is shared with others in the process.

    Args:
        gateway: The gateway, whose agents are counted when somebody asks.

    Raises:
        MissingPackage: If prometheus-client is not installed.
    """

    def __init__(self, gateway: Gateway) -> None:
        try:
            from prometheus_client import CollectorRegistry, Counter, Histogram
        except ImportError as error:
            raise MissingPackage(
                "prometheus-client is not installed: pip install cardwright[gateway]"
            ) from error
        self._gateway = gateway
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
        self._registry.register(_Agents(gateway))
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

    def reply(self) -> Reply:
        """Return everything as text (Prometheus exposition format 0.0.4)."""
        from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

        fields = ((b"content-type", CONTENT_TYPE_PLAIN_0_0_4.encode()), (b"cache-control", b"no-store"))
        return body_reply(200, generate_latest(self._registry), fields)


class _Agents:
    """Counts the agents when somebody asks."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def collect(self) -> Iterator[Any]:
        """Yield how many agents are in which state, and how many calls are under way."""
        from prometheus_client.core import GaugeMetricFamily

        agents = list(self._gateway.agents.values())
        states = Tally((agent.config.protocol, agent.source.standing().state) for agent in agents)
        told = GaugeMetricFamily(
            "cardwright_gateway_agents",
            "Agents, by protocol and state of their card.",
            labels=["protocol", "state"],
        )
        for (protocol, state), count in sorted(states.items()):
            told.add_metric([protocol, state], count)
        yield told
        yield GaugeMetricFamily(
            "cardwright_gateway_calls_under_way",
            "Calls to agents that are under way now.",
            value=sum(agent.under_way for agent in agents),
        )
