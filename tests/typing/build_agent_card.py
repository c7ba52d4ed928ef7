# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
"""Right and wrong ways to call the builder: type-checked by `test_build_cards.py`, never run.

Each wrong line must be an error: its comment says which for mypy, and holds for pyright as well.
"""

from datetime import UTC, datetime
from typing import assert_type

from cardwright import Card, build_agent_card
from cardwright.builder import DescribedFunction, capability, skill
from cardwright_models.a2a_v1_0.models import AgentProvider, AgentSkill, APIKeySecurityScheme
from cardwright_models.beach_v1_0.models import BeachExtensionParams, Capability, Transport


def times(port: str, days: int = 1) -> list[str]:
    """Finds times."""
    return [port] * days


@skill(tags=["sea"], examples=["When is it high?"])
async def heights(port: str) -> float:
    """Finds heights."""
    return float(len(port))


@capability(required_scopes=["berths:write"])
def hold(berth: str) -> bool:
    """Holds a berth."""
    return bool(berth)


# A decorated function is typed as it was; a described one is called as it was.
assert_type(hold("B1"), bool)
assert_type(skill(times, tags=["sea"])("Oban", days=2), list[str])
described: DescribedFunction[[str], bool] = capability(hold)
hold(1)  # type: ignore[arg-type]
skill(times, tags=["sea"])("Oban", weeks=2)  # type: ignore[call-arg]
skill(times, tag="sea")  # type: ignore[call-overload]

a2a = build_agent_card(
    name="Harbour",
    description="Finds berths.",
    version="1.0.0",
    url="https://harbour.example/a2a",
    skills=[times, heights, skill(times, tags=["sea"]), AgentSkill(id="a", name="A", description="A.", tags=["a"]), {"id": "b"}],
    provider=AgentProvider(organization="Port", url="https://port.example"),
    security_schemes={"key": APIKeySecurityScheme(location="header", name="X-Key")},
    security=[{"key": []}],
    beach=BeachExtensionParams(envelope_parts=["domain-data"]),
    clock=lambda: datetime.now(UTC),
)  # fmt: skip
beach = build_agent_card(
    id="harbour",
    name="Harbour",
    description="Finds berths.",
    version="1.0.0",
    capabilities=[hold, times, Capability(id="a", description="A.")],
    transports=[Transport(protocol="a2a", endpoint="https://harbour.example/a2a"), {"protocol": "mcp"}],
)
assert_type(a2a, Card)
assert_type(beach, Card)

# What each kind of card requires, a word that neither has, and a mix of both.
build_agent_card(name="A", description="A.", version="1")  # type: ignore[call-overload]
build_agent_card(id="a", name="A", description="A.", version="1", capabilities=[])  # type: ignore[call-overload]
build_agent_card(name="A", description="A.", version="1", url="https://a.example", skils=[])  # type: ignore[call-overload]
build_agent_card(id="a", name="A", description="A.", version="1", url="https://a.example", skills=[])  # type: ignore[call-overload]

# Values of the wrong type.
build_agent_card(name="A", description="A.", version=1, url="https://a.example", skills=[])  # type: ignore[call-overload]
build_agent_card(name="A", description="A.", version="1", url="https://a.example", skills=[3])  # type: ignore[list-item]
build_agent_card(name="A", description="A.", version="1", url="https://a.example", skills=times)  # type: ignore[call-overload]
now = datetime.now(UTC)
build_agent_card(name="A", description="A.", version="1", url="https://a.example", skills=[], clock=now)  # type: ignore[call-overload]
