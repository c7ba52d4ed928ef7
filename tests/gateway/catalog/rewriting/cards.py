"""Cards to rewrite: of every dialect, with internal hosts in many fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.properties.strategies import lifelike, mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

PUBLIC = "https://gw.example/agents/travel"
BACKENDS = (
    "http://10.1.2.3:8000",
    "http://internal-agent:8001/a2a",
    "https://agent.example.org/team/.well-known/agent-card.json",
)
# Values in place of URLs: internal hosts in many spellings, public ones, and neither.
PLANTS = (
    "http://10.1.2.3:8000/a2a", "http://10.1.2.3:8000", "http://internal-agent:8001/a2a",
    "http://INTERNAL-agent:8001/A2A/?x=1", "https://agent.example.org/team/a2a", "https://agent.example.org:443/team/",
    "http://localhost:9999/", "http://127.0.0.1:9999/a2a", "http://0.0.0.0:8080", "http://[::]:8080/rpc",
    "http://[::1]/", "http://169.254.169.254/latest/meta-data", "http://billing.svc.cluster.local/a2a",
    "https://user:secret@10.0.0.7/", "http://2130706433/", "http://0x7f.1/", "http:\\\\10.0.0.7\\a2a",
    "http:10.0.0.7/a2a", " http://10.0.0.7/a2a", "http://10.0.0.7/\r\nHost: x", "//10.0.0.7/a2a", "localhost:8080",
    "10.0.0.7:8080/a2a", "ws://10.0.0.7/socket", "slim://slim:46357/x", "nats://nats:4222/x", "grpc://10.0.0.7:50051",
    "stdio://agent --serve", "mailto:agent@localhost", "mailto:agent@example.com", "tel:+15550100",
    "https://other.example.net/a2a", "https://other.example.net/a/%2e%2e/b", "/api/a2a", "../../../../x",
    "https://gw.example/agents/travel", "https://GW.example:443/agents/travel/", "http://gw.example/agents/travel",
    "https://gw.example/agents/travelling", "not-a-url", "",
)  # fmt: skip
_NAMES = ("url", "endpoint", "iconUrl", "documentationUrl", "jku")


def _planted(draw: st.DrawFn, value: Any) -> Any:
    if type(value) is dict:
        return {
            name: draw(st.sampled_from(PLANTS))
            if name in _NAMES and type(inner) is str
            else _planted(draw, inner)
            for name, inner in value.items()
        }
    return [_planted(draw, inner) for inner in value] if type(value) is list else value


@st.composite
def planted(draw: st.DrawFn, dialect: str) -> dict[str, Any]:
    """Return documents of a dialect, valid or not, whose URLs are among the planted ones."""
    document: dict[str, Any] = _planted(draw, draw(lifelike(dialect) | mutants(dialect)))
    if draw(st.booleans()):
        document["agentCard"] = {"url": draw(st.sampled_from(PLANTS))}
    if draw(st.booleans()):
        document["metadata"] = {"agentCard": {"url": draw(st.sampled_from(PLANTS))}}
    if draw(st.booleans()):
        document["signatures"] = [{"header": {"jku": draw(st.sampled_from(PLANTS))}}]
    return document


# Independent of the code under test: every spelling of a host in the planted URLs.
INNER = re.compile(
    r"(?i)10\.0\.0\.7|10\.1\.2\.3|internal-agent|localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|169\.254\.|"
    r"cluster\.local|2130706433|0x7f|slim:|nats:"
)


def exposed(value: Any, *, at: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a card that may be followed as a URL, with its pointer."""
    if type(value) is not dict:
        return
    for name in ("url", "iconUrl", "documentationUrl"):
        yield from _texts(value.get(name), f"{at}/{name}")
    for name in ("additionalInterfaces", "supportedInterfaces", "transports"):
        items = value.get(name)
        for index, item in enumerate(items if type(items) is list else [items]):
            ways = [item.get("url"), item.get("endpoint")] if type(item) is dict else item
            yield from _texts(ways, f"{at}/{name}/{index}")
    for name in ("agentCard", "signatures"):
        yield from _texts(value.get(name), f"{at}/{name}")
    for name in ("provider", "metadata"):
        inner = value.get(name)
        if type(inner) is dict:
            yield from _texts(
                inner.get("url") if name == "provider" else inner.get("agentCard"), f"{at}/{name}"
            )


def _texts(value: Any, at: str) -> Iterator[tuple[str, str]]:
    if type(value) is str:
        yield at, value
    elif type(value) is dict or type(value) is list:
        for inner in value.values() if type(value) is dict else value:
            yield from _texts(inner, at)
