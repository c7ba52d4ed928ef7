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
# The version before, whose shapes stand in many a card of this one.
_SHAPE: Final = "a2a-0.3"
_ASKING: Final = frozenset({"security", "securityRequirements"})


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an A2A 1.0 card, leftovers of older forms and drafts read too."""
    turn = tables(NAME, to_hub=True)
    hub = dict(turn.card(document, notes))
    _versions(document, hub, notes)
    _leftovers(hub, notes)
    hub = extensions.lift_schemas(security.merge(hub, notes), notes)
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
    """Read `security` (A2A 1.0 §8.5 still writes it), older schemes, and `supportsExtendedAgentCard` (§A.2.2)."""
    _asked(hub, "", notes)
    skills = hub.get("skills")
    for index, skill in enumerate(skills if type(skills) is list else []):
        if type(skill) is dict and not _ASKING.isdisjoint(skill):
            asking = dict(skill)
            _asked(asking, below("/skills", index), notes)
            if asking != skill:
                hub["skills"] = [*hub["skills"][:index], asking, *hub["skills"][index + 1 :]]
    schemes = hub.get("securitySchemes")
    if type(schemes) is dict and any(_older(scheme) for scheme in schemes.values()):
        hub["securitySchemes"] = {
            name: _newer(scheme, below("/securitySchemes", name), notes) if _older(scheme) else scheme
            for name, scheme in schemes.items()
        }
    capabilities = hub.get("capabilities")
    draft = hub.get("supportsExtendedAgentCard")
    if type(draft) is bool and type(capabilities) is dict and "extendedAgentCard" not in capabilities:
        hub["capabilities"] = {**capabilities, "extendedAgentCard": hub.pop("supportsExtendedAgentCard")}
        notes.move("/capabilities/extendedAgentCard", "/supportsExtendedAgentCard")
        notes.doubt(
            "/supportsExtendedAgentCard", "A2A 1.0 says it as capabilities.extendedAgentCard (§A.2.2)"
        )


def _asked(holder: dict[str, Any], at: str, notes: Notes) -> None:
    """Let requirements in the shape or under the name of A2A 0.x be those of this version: else they ask for nothing."""
    name = "securityRequirements" if "securityRequirements" in holder else "security"
    asked = holder.get(name)
    if type(asked) is not list:
        return
    older = [type(entry) is dict and (bool(entry) or name == "security") and _lists(entry) for entry in asked]
    if name == "security":
        del holder[name]
        notes.move(below(at, "securityRequirements"), below(at, name))
    elif not any(older):
        return
    holder["securityRequirements"] = [
        security.requirements_to_hub([entry])[0] if old else entry
        for entry, old in zip(asked, older, strict=True)
    ]
    for index, old in enumerate(older):
        if old and name != "security":
            notes.doubt(below(at, name, index), "it has the shape of A2A 0.x, and is read as that means it")
    if name == "security":
        notes.doubt(below(at, name), "A2A 1.0 says it as securityRequirements (§4.5.1)")


def _lists(entry: dict[str, Any]) -> bool:
    """Whether all that an object holds is lists, as an older requirement does."""
    return all(type(scopes) is list for scopes in entry.values())


def _older(scheme: Any) -> bool:
    """Whether a scheme is told by its `type`, as in A2A 0.x."""
    return type(scheme) is dict and type(scheme.get("type")) is str


def _newer(scheme: dict[str, Any], at: str, notes: Notes) -> dict[str, Any]:
    """Return a scheme in the shape of this version; of one in both shapes what this version says."""
    notes.doubt(at, "it has the shape of A2A 0.x, and is read as that means it")
    wrappers = [name for name in scheme if name.endswith("SecurityScheme")]
    if len(wrappers) == 1:
        return {wrappers[0]: scheme[wrappers[0]]}
    newer = tables(_SHAPE, to_hub=True).object(scheme, "SecurityScheme", at, at, notes)
    return dict(newer)
