"""Hybrid cards: one document with an A2A 1.0 card and the fields that a 0.3 client reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion import a2a_v0_1, a2a_v1_0, older, security
from cardwright.conversion.notes import Notes, below
from cardwright.dialect import older_half
from cardwright.view.interfaces import major_minor
from cardwright_models.a2a_facts import NEWER_FIELDS, OLDER_FIELDS
from cardwright_runtime.checks import objects

if TYPE_CHECKING:
    from collections.abc import Iterator

_NEWER_WINS: Final = "the 1.0 half has this information, and it takes precedence in a hybrid"
_ONLY_NEWER: Final = "only the 1.0 half of the hybrid has it, and the result is made from the 0.x half"
_ONLY_OLDER: Final = "only the 0.x half of the hybrid has it, and the result is made from the 1.0 half"
_OLDER_FIELD: Final = (
    "the card's version does not have this field, and in a hybrid it belongs to the older half"
)
_HALVES: Final[dict[str, Any]] = {"a2a-0.1": a2a_v0_1, "a2a-0.2": older.V0_2, "a2a-0.3": older.V0_3}


def older_to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of the older half, as A2A 0.x clients read it; of the hybrid if it has no such half."""
    if document.get("url") is None and document.get("additionalInterfaces") is None:
        return to_hub(document, notes)
    half = older_document(document)
    for pointer in _left_out(document, half):
        notes.doubt(pointer, _ONLY_NEWER)
    hub: dict[str, Any] = _HALVES[older_half(document)].to_hub(half, notes)
    return hub


def newer_to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of the newer half, as A2A 1.0 clients read it; of the hybrid if it has no such half."""
    if type(document.get("supportedInterfaces")) is not list:
        return to_hub(document, notes)
    half = _newer_document(document)
    for pointer in _left_out(document, half):
        notes.doubt(pointer, _ONLY_OLDER)
    interfaces = [item for item in half["supportedInterfaces"] if type(item) is dict]
    declared = {major_minor(item.get("protocolVersion", a2a_v1_0.VERSION)) for item in interfaces}
    if "protocolVersion" in document and major_minor(document["protocolVersion"]) not in declared:
        notes.lose("/protocolVersion", _ONLY_OLDER)
    return a2a_v1_0.to_hub(half, notes)


def older_document(document: dict[str, Any]) -> dict[str, Any]:
    """Return a hybrid without what only A2A 1.0 clients read."""
    half: dict[str, Any] = _without(document, NEWER_FIELDS)
    if type(half.get("skills")) is list:
        half["skills"] = [_without(skill, NEWER_FIELDS) for skill in half["skills"]]
    if "capabilities" in half:
        half["capabilities"] = _without(half["capabilities"], ("extendedAgentCard",))
    if type(half.get("securitySchemes")) is dict:
        half["securitySchemes"] = {name: _flat(scheme) for name, scheme in half["securitySchemes"].items()}
    return half


def _newer_document(document: dict[str, Any]) -> dict[str, Any]:
    """Return a hybrid without what only A2A 0.x clients read; a scheme with one encoding stays."""
    half: dict[str, Any] = _without(document, (*OLDER_FIELDS, "authentication"))
    if type(half.get("skills")) is list:
        half["skills"] = [_without(skill, ("security",)) for skill in half["skills"]]
    if type(half.get("securitySchemes")) is dict:
        half["securitySchemes"] = {
            name: _newer_scheme(scheme, below("/securitySchemes", name), Notes())
            for name, scheme in half["securitySchemes"].items()
        }
    return half


def _left_out(document: Any, half: Any, at: str = "") -> Iterator[str]:
    """Yield the pointer of each field that a half does not have."""
    if type(document) is dict and type(half) is dict and document is not half:
        for name, value in document.items():
            if name not in half:
                yield below(at, name)
            else:
                yield from _left_out(value, half[name], below(at, name))
    elif type(document) is list and type(half) is list and document is not half:
        for index, (value, other) in enumerate(zip(document, half, strict=True)):
            yield from _left_out(value, other, below(at, index))


def _flat(scheme: Any) -> Any:
    """Return the older encoding of a scheme that has both."""
    if type(scheme) is not dict or "type" not in scheme:
        return scheme
    return _without(scheme, tuple(name for name in scheme if name.endswith("SecurityScheme")))


def _without(value: Any, names: tuple[str, ...]) -> Any:
    if type(value) is not dict:
        return value
    return {name: inner for name, inner in value.items() if name not in names}


def to_hub(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub's form of a hybrid: its 1.0 half, with information that only the older half has."""
    if type(document.get("supportedInterfaces")) is not list:
        bare = _without(document, ("supportedInterfaces",))
        if len(bare) != len(document):
            notes.lose("/supportedInterfaces", "it is not an array")
        hub: dict[str, Any] = _HALVES[older_half(document)].to_hub(bare, notes)
        return hub
    newer = {name: value for name, value in document.items() if name not in OLDER_FIELDS}
    for name in document.keys() & set(OLDER_FIELDS):
        notes.doubt(below("", name), _NEWER_WINS)
    _security(document, newer, "", notes)
    capabilities = newer.get("capabilities")
    extended = document.get("supportsAuthenticatedExtendedCard")
    if extended is not None and type(capabilities) is dict and "extendedAgentCard" not in capabilities:
        newer["capabilities"] = {**capabilities, "extendedAgentCard": extended}
        notes.move("/capabilities/extendedAgentCard", "/supportsAuthenticatedExtendedCard")
    if type(newer.get("securitySchemes")) is dict:
        newer["securitySchemes"] = {
            name: _newer_scheme(scheme, below("/securitySchemes", name), notes)
            for name, scheme in newer["securitySchemes"].items()
        }
    if type(newer.get("skills")) is list:
        newer["skills"] = list(newer["skills"])
    for index, skill in objects(document.get("skills")):
        if "security" in skill:
            newer["skills"][index] = {name: value for name, value in skill.items() if name != "security"}
            _security(skill, newer["skills"][index], below("/skills", index), notes)
    return a2a_v1_0.to_hub(newer, notes)


def from_hub(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hybrid of a hub: its A2A 1.0 card with the fields of the older half added."""
    out = a2a_v1_0.from_hub(hub, notes)
    if type(out.get("supportedInterfaces")) is not list:
        notes.doubt("", "without supportedInterfaces, a hybrid is read by its older half")
    for name in out.keys() & set(OLDER_FIELDS):
        notes.doubt(below("", name), _OLDER_FIELD)
    older_notes = Notes()
    # With flows that A2A 0.3 does not have: `_both` gives them to 1.0 clients that read the older encoding.
    half = older.from_hub(out, older_notes, versions=("0.3", "0.2", "0.1"), on_skills=True)
    for pointer, (value, why) in older_notes.assumptions.items():
        notes.assume(pointer, value, why)
    for name in OLDER_FIELDS:
        if name in half:
            out[name] = half[name]
            notes.move(below("", name), older_notes.moves.get(below("", name), below("", name)))
    schemes = half.get("securitySchemes")
    if type(schemes) is dict:
        out["securitySchemes"] = {
            name: _both(schemes[name], scheme) if type(scheme) is type(schemes.get(name)) is dict else scheme
            for name, scheme in out["securitySchemes"].items()
        }
    if type(out.get("skills")) is list:
        out["skills"] = list(out["skills"])
    for index, skill in objects(half.get("skills")):
        if "security" in out["skills"][index]:
            notes.doubt(below("/skills", index, "security"), _OLDER_FIELD)
        if "security" in skill:
            out["skills"][index] = {**out["skills"][index], "security": skill["security"]}
    return _history(hub, out, notes)


def _security(source: dict[str, Any], target: dict[str, Any], at: str, notes: Notes) -> None:
    """Copy the older half's requirements if the newer half has none."""
    if "security" in source:
        notes.doubt(below(at, "security"), _NEWER_WINS)
        if "securityRequirements" not in source:
            target["securityRequirements"] = security.requirements_to_hub(source["security"])
            notes.move(below(at, "securityRequirements"), below(at, "security"))


def _newer_scheme(scheme: Any, at: str, notes: Notes) -> Any:
    wrappers = [name for name in scheme if name.endswith("SecurityScheme")] if type(scheme) is dict else []
    if len(wrappers) != 1 or "type" not in scheme:
        return scheme
    notes.doubt(at, _NEWER_WINS)
    return {wrappers[0]: scheme[wrappers[0]]}


def _both(older_scheme: dict[str, Any], newer: dict[str, Any]) -> dict[str, Any]:
    """Return a scheme in both encodings; the older one is complete, because some 1.0 clients read it."""
    # a2a-sdk 1.3.0 (parse_agent_card) reads the older encoding if there is a `type`; a 0.3 client ignores the rest.
    inner = newer.get(security.OAUTH2)
    flows = inner.get("flows") if type(inner) is dict else None
    all_flows = {"flows": flows} if type(flows) is type(older_scheme.get("flows")) is dict else {}
    return {**older_scheme, **all_flows, **newer}


def _history(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Keep `stateTransitionHistory`, which only the older half has."""
    name = "stateTransitionHistory"
    capabilities, out_capabilities = hub.get("capabilities"), out.get("capabilities")
    if type(capabilities) is dict and name in capabilities and type(out_capabilities) is dict:
        out["capabilities"] = {**out_capabilities, name: capabilities[name]}
        notes.losses.pop(f"/capabilities/{name}", None)
    return out
