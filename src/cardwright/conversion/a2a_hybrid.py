"""One document for two readers: A2A 1.0, and beside it what a 0.3 client reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import a2a_v0_1, a2a_v0_2, a2a_v0_3, a2a_v1_0, security
from cardwright.conversion.notes import Notes, below
from cardwright.dialect import older_half

if TYPE_CHECKING:
    from collections.abc import Iterator

# What only the older half says at its root; a newer reader skips it.
_OLDER: Final = (
    "url",
    "preferredTransport",
    "additionalInterfaces",
    "protocolVersion",
    "security",
    "supportsAuthenticatedExtendedCard",
)
_SAID: Final = "the 1.0 half says it, and a hybrid is read by that"
_MEANT: Final = "no version that the card is of has it, and in a hybrid it is the older half's"
_HALVES: Final[dict[str, Any]] = {"a2a-0.1": a2a_v0_1, "a2a-0.2": a2a_v0_2, "a2a-0.3": a2a_v0_3}


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of a hybrid: its 1.0 half, and the older one where that is silent."""
    if type(document.get("supportedInterfaces")) is not list:
        bare = {name: value for name, value in document.items() if name != "supportedInterfaces"}
        if len(bare) != len(document):
            notes.lose("/supportedInterfaces", "it is no array")
        older: dict[str, Any] = _HALVES[older_half(document)].to_hub(bare, notes)
        return older
    newer = {name: value for name, value in document.items() if name not in _OLDER}
    for name in document.keys() & set(_OLDER):
        notes.doubt(below("", name), _SAID)
    _security(document, newer, "", notes)
    capabilities = newer.get("capabilities")
    offered = document.get("supportsAuthenticatedExtendedCard")
    if offered is not None and type(capabilities) is dict and "extendedAgentCard" not in capabilities:
        newer["capabilities"] = {**capabilities, "extendedAgentCard": offered}
        notes.move("/capabilities/extendedAgentCard", "/supportsAuthenticatedExtendedCard")
    if type(newer.get("securitySchemes")) is dict:
        newer["securitySchemes"] = {
            name: _newer_scheme(scheme, below("/securitySchemes", name), notes)
            for name, scheme in newer["securitySchemes"].items()
        }
    if type(newer.get("skills")) is list:
        newer["skills"] = list(newer["skills"])
    for index, skill in _skills(document):
        if "security" in skill:
            newer["skills"][index] = {name: value for name, value in skill.items() if name != "security"}
            _security(skill, newer["skills"][index], below("/skills", index), notes)
    return a2a_v1_0.to_hub(newer, notes)


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hybrid of a hub: its A2A 1.0 card with the older members of the same facts beside it."""
    out = a2a_v1_0.from_hub(hub, notes)
    if type(out.get("supportedInterfaces")) is not list:
        notes.doubt("", "without supportedInterfaces a hybrid is read by its older half")
    for name in out.keys() & set(_OLDER):
        notes.doubt(below("", name), _MEANT)
    aside = Notes()
    older = a2a_v0_3.from_hub(out, aside, versions=("0.3", "0.2", "0.1"))
    for pointer, (value, why) in aside.assumptions.items():
        notes.assume(pointer, value, why)
    for name in _OLDER:
        if name in older:
            out[name] = older[name]
            notes.move(below("", name), aside.moves.get(below("", name), below("", name)))
    schemes = older.get("securitySchemes")
    if type(schemes) is dict:
        out["securitySchemes"] = {
            name: _both(schemes[name], scheme) if type(scheme) is type(schemes.get(name)) is dict else scheme
            for name, scheme in out["securitySchemes"].items()
        }
    if type(out.get("skills")) is list:
        out["skills"] = list(out["skills"])
    for index, skill in _skills(older):
        if "security" in out["skills"][index]:
            notes.doubt(below("/skills", index, "security"), _MEANT)
        if "security" in skill:
            out["skills"][index] = {**out["skills"][index], "security": skill["security"]}
    return _history(hub, out, notes)


def _security(source: dict[str, Any], target: dict[str, Any], at: str, notes: Notes) -> None:
    """Take the older half's requirements where the newer has none."""
    if "security" in source:
        notes.doubt(below(at, "security"), _SAID)
        if "securityRequirements" not in source:
            target["securityRequirements"] = security.requirements_to_hub(source["security"])
            notes.move(below(at, "securityRequirements"), below(at, "security"))


def _newer_scheme(scheme: Any, at: str, notes: Notes) -> Any:
    wrappers = [name for name in scheme if name.endswith("SecurityScheme")] if type(scheme) is dict else []
    if len(wrappers) != 1 or "type" not in scheme:
        return scheme
    notes.doubt(at, _SAID)
    return {wrappers[0]: scheme[wrappers[0]]}


def _both(older: dict[str, Any], newer: dict[str, Any]) -> dict[str, Any]:
    """Return a scheme in both encodings: where a 1.0 client reads the older one, it must miss nothing."""
    # a2a-sdk 1.3.0 (parse_agent_card) reads by `type` wherever there is one; a 0.3 client skips the rest.
    inner = newer.get(security.OAUTH2)
    flows = inner.get("flows") if type(inner) is dict else None
    whole = {"flows": flows} if type(flows) is type(older.get("flows")) is dict else {}
    return {**older, **whole, **newer}


def _skills(document: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    skills = document.get("skills")
    for index, skill in enumerate(skills if type(skills) is list else []):
        if type(skill) is dict:
            yield index, skill


def _history(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Keep what the older half alone can say of the agent's capabilities."""
    name = "stateTransitionHistory"
    capabilities, kept = hub.get("capabilities"), out.get("capabilities")
    if type(capabilities) is dict and name in capabilities and type(kept) is dict:
        out["capabilities"] = {**kept, name: capabilities[name]}
        notes.losses.pop(f"/capabilities/{name}", None)
    return out
