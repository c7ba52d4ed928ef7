"""A2A 1.0: the hub, except for fields that only the hub has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import extensions, security
from cardwright.conversion.notes import below
from cardwright.conversion.tables import tables
from cardwright.view.interfaces import major_minor
from cardwright_runtime.checks import objects

if TYPE_CHECKING:
    from cardwright.conversion.notes import Notes

NAME: Final = "a2a-1.0"
VERSION: Final = "1.0"
# The version whose shapes many A2A 1.0 cards still have.
_SHAPE: Final = "a2a-0.3"
_REQUIREMENT_FIELDS: Final = frozenset({"security", "securityRequirements"})


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of an A2A 1.0 card, including leftovers of older versions and drafts."""
    converter = tables(NAME, to_hub=True)
    hub = dict(converter.card(document, notes))
    _versions(document, hub, notes)
    _leftovers(hub, notes)
    hub = extensions.lift_schemas(security.merge(hub, notes), notes)
    converter.settle(hub, notes)
    return hub


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the A2A 1.0 card of a hub: one flow per scheme, the skills' schemas in an extension."""
    hub = extensions.sunk(security.split(security.complete(hub, notes), notes), notes)
    return dict(tables(NAME, to_hub=False).card(hub, notes))


def _versions(document: dict[str, Any], hub: dict[str, Any], notes: Notes) -> None:
    """Add the card's version, or 1.0, to each interface without a version (A2A 1.0 §4.4.6)."""
    items = hub.get("supportedInterfaces")
    if type(items) is not list:
        return
    drafts = document.get("protocolVersions")
    drafted = drafts if type(drafts) is list and len(drafts) == 1 else ()
    candidates = (*drafted, document.get("protocolVersion"))
    known = [version for version in map(major_minor, candidates) if version]
    assumed = known[0] if known else VERSION
    items = list(items)
    for index, item in objects(items):
        if "protocolVersion" not in item:
            items[index] = {**item, "protocolVersion": assumed}
            why = "the card has this version" if known else "the card has the form of A2A 1.0"
            at = below("/supportedInterfaces", index, "protocolVersion")
            notes.assume(at, assumed, f"protocolVersion is missing; {why}")
    hub["supportedInterfaces"] = items


def _leftovers(hub: dict[str, Any], notes: Notes) -> None:
    """Convert `security` (still in A2A 1.0 §8.5), older schemes, and `supportsExtendedAgentCard` (§A.2.2)."""
    _convert_requirements(hub, "", notes)
    for index, skill in objects(hub.get("skills")):
        if not _REQUIREMENT_FIELDS.isdisjoint(skill):
            holder = dict(skill)
            _convert_requirements(holder, below("/skills", index), notes)
            if holder != skill:
                hub["skills"] = [*hub["skills"][:index], holder, *hub["skills"][index + 1 :]]
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
            "/supportsExtendedAgentCard", "in A2A 1.0 this is capabilities.extendedAgentCard (§A.2.2)"
        )


def _convert_requirements(holder: dict[str, Any], at: str, notes: Notes) -> None:
    """Convert requirements with the shape or the name of A2A 0.x, which A2A 1.0 clients would ignore."""
    name = "securityRequirements" if "securityRequirements" in holder else "security"
    requirements = holder.get(name)
    if type(requirements) is not list:
        return
    is_older = [
        type(entry) is dict and (bool(entry) or name == "security") and _lists(entry)
        for entry in requirements
    ]
    if name == "security":
        del holder[name]
        notes.move(below(at, "securityRequirements"), below(at, name))
    elif not any(is_older):
        return
    holder["securityRequirements"] = [
        security.requirements_to_hub([entry])[0] if is_old else entry
        for entry, is_old in zip(requirements, is_older, strict=True)
    ]
    for index, is_old in enumerate(is_older):
        if is_old and name != "security":
            notes.doubt(below(at, name, index), "it has the shape of A2A 0.x, and is read as in A2A 0.x")
    if name == "security":
        notes.doubt(below(at, name), "in A2A 1.0 this is securityRequirements (§4.5.1)")


def _lists(entry: dict[str, Any]) -> bool:
    """Return whether all values of an object are lists, as in a requirement of A2A 0.x."""
    return all(type(scopes) is list for scopes in entry.values())


def _older(scheme: Any) -> bool:
    """Return whether a scheme has a `type`, as in A2A 0.x."""
    return type(scheme) is dict and type(scheme.get("type")) is str


def _newer(scheme: dict[str, Any], at: str, notes: Notes) -> dict[str, Any]:
    """Return a scheme in the shape of A2A 1.0; of a scheme in both shapes, the A2A 1.0 part."""
    notes.doubt(at, "it has the shape of A2A 0.x, and is read as in A2A 0.x")
    wrappers = [name for name in scheme if name.endswith("SecurityScheme")]
    if len(wrappers) == 1:
        return {wrappers[0]: scheme[wrappers[0]]}
    newer = tables(_SHAPE, to_hub=True).object(scheme, "SecurityScheme", at, at, notes)
    return dict(newer)
