"""A2A 1.0: the hub itself, but for what only the hub can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import extensions, interfaces, security
from cardwright.conversion.notes import below
from cardwright.conversion.tables import tables

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "a2a-1.0"
VERSION: Final = "1.0"


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an A2A 1.0 card, leftovers of older forms and drafts read too."""
    turn = tables(NAME, to_hub=True)
    hub = dict(turn.card(document, notes))
    _versions(document, hub, notes)
    _leftovers(hub, notes)
    hub = extensions.lift_schemas(security.merge(hub))
    turn.settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the A2A 1.0 card of a hub: one flow a scheme, the skills' schemas in an extension."""
    hub = extensions.sunk(security.split(hub, notes), notes)
    return dict(tables(NAME, to_hub=False).card(hub, notes))


def _versions(document: dict[str, Any], hub: dict[str, Any], notes: Notes) -> None:
    """Give an interface without a version the one that the card says, or this one (A2A 1.0 §4.4.6)."""
    given = hub.get("supportedInterfaces")
    if type(given) is not list:
        return
    drafts = document.get("protocolVersions")
    said = [document.get("protocolVersion"), *(drafts if type(drafts) is list else [])]
    known = [version for version in map(interfaces.major_minor, said) if version]
    assumed = known[0] if known else VERSION
    given = list(given)
    for index, item in enumerate(given):
        if type(item) is dict and "protocolVersion" not in item:
            given[index] = {**item, "protocolVersion": assumed}
            why = "the card says it of itself" if known else "the card has the form of A2A 1.0"
            at = below("/supportedInterfaces", index, "protocolVersion")
            notes.assume(at, assumed, f"the interface has no protocolVersion, and {why}")
    hub["supportedInterfaces"] = given


def _leftovers(hub: dict[str, Any], notes: Notes) -> None:
    """Read `security` (A2A 1.0 §8.5 still writes it) and `supportsExtendedAgentCard` (§A.2.2)."""
    if type(hub.get("security")) is list and "securityRequirements" not in hub:
        asked = hub.pop("security")
        bare = all(type(entry) is dict and "schemes" not in entry for entry in asked)
        hub["securityRequirements"] = security.requirements_to_hub(asked) if bare else asked
        notes.move("/securityRequirements", "/security")
        notes.doubt("/security", "A2A 1.0 says it as securityRequirements (§4.5.1)")
    capabilities = hub.get("capabilities")
    draft = hub.get("supportsExtendedAgentCard")
    if type(draft) is bool and type(capabilities) is dict and "extendedAgentCard" not in capabilities:
        hub["capabilities"] = {**capabilities, "extendedAgentCard": hub.pop("supportsExtendedAgentCard")}
        notes.move("/capabilities/extendedAgentCard", "/supportsExtendedAgentCard")
        notes.doubt(
            "/supportsExtendedAgentCard", "A2A 1.0 says it as capabilities.extendedAgentCard (§A.2.2)"
        )
