# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
"""Right and wrong ways to build a model: type-checked by `test_build_cards.py`, never run.

Each wrong line must be an error: its comment says which for mypy, and holds for pyright as well.
An ignore that ignores nothing is an error in both.
"""

from typing import assert_type

from cardwright_models.a2a_v0_1.models import AgentCard as AgentCard01
from cardwright_models.a2a_v1_0.models import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentProvider,
    AgentSkill,
)
from cardwright_models.beach_v1_0.models import Transport

skill = AgentSkill(id="berths", name="Berths", description="Finds a berth.", tags=["harbour"])
interface = AgentInterface(
    url="https://harbour.example/a2a", protocol_binding="JSONRPC", protocol_version="1.0"
)
card = AgentCard(
    name="Harbour",
    description="Finds and holds berths.",
    version="1.0.0",
    supported_interfaces=[interface],
    capabilities=AgentCapabilities(streaming=True),
    default_input_modes=["text/plain"],
    default_output_modes=["text/plain"],
    skills=[skill],
    icon_url="https://harbour.example/icon.png",
)

# The type of a field: an optional field is its type or None.
assert_type(card.name, str)
assert_type(card.icon_url, str | None)
if card.icon_url:
    card.icon_url.upper()
for extension in card.capabilities.extensions or []:
    assert_type(extension.uri, str | None)
card.icon_url = None
card.icon_ulr = ""  # type: ignore[attr-defined]
assert_type(AgentCard.from_wire({}), AgentCard)

# Wire names are not Python names.
Transport(protocol="a2a", endpoint="https://harbour.example/a2a", required_scopes=["berths"])
Transport(protocol="a2a", endpoint="https://harbour.example/a2a", requiredScopes=["berths"])  # type: ignore[call-arg]
AgentProvider(organization="Port", url="https://harbour.example", iconUrl="x")  # type: ignore[call-arg]

# A misspelt keyword, and one that another dialect has.
AgentSkill(id="a", name="A", description="A.", tags=[], tag="x")  # type: ignore[call-arg]
AgentInterface(url="https://h.example", protocol_binding="GRPC", protocol_version="1.0", transport="GRPC")  # type: ignore[call-arg]

# What the schema requires.
AgentSkill(id="a", name="A", description="A.")  # type: ignore[call-arg]
Transport(protocol="a2a")  # type: ignore[call-arg]

# None is absent, and what is required is never None.
AgentCapabilities(streaming=None)
AgentSkill(id=None, name="A", description="A.", tags=[])  # type: ignore[arg-type]
assert_type(AgentCard01.from_wire({}).description, str | None)

# Another type, by position, or from the wire of something else.
AgentCapabilities(streaming="yes")  # type: ignore[arg-type]
AgentSkill(id="a", name="A", description="A.", tags="x")  # type: ignore[arg-type]
AgentSkill("a", "A", "A.", [])  # type: ignore[call-arg]
unknown = AgentSkill.from_wire({}).no_such_field  # type: ignore[attr-defined]
