"""Security requirements and schemes: the two shapes of a requirement, and one flow a scheme in A2A 1.0."""

from __future__ import annotations

import itertools
from typing import Any, Final

from cardwright.conversion.notes import Notes, below

OAUTH2: Final = "oauth2SecurityScheme"
# Which of several flows keeps the scheme's name: the order of members says nothing.
_FLOWS: Final = ("authorizationCode", "clientCredentials", "deviceCode", "implicit", "password")
# A requirement that asks for several split schemes at once becomes every combination of their flows.
MOST_ALTERNATIVES: Final = 64


def requirements_to_hub(value: Any) -> Any:
    """Return a 0.x list of requirements as the hub says it; what is none of that is kept."""
    if type(value) is not list:
        return value
    return [
        {"schemes": {name: {"list": scopes} for name, scopes in entry.items()}}
        if type(entry) is dict
        else entry
        for entry in value
    ]


def requirements_from_hub(value: Any, at: str, notes: Notes) -> Any:
    """Return the hub's list of requirements in its 0.x form."""
    if type(value) is not list:
        return value
    return [_older(entry, below(at, index), notes) for index, entry in enumerate(value)]


def _older(entry: Any, at: str, notes: Notes) -> Any:
    if type(entry) is not dict or type(entry.get("schemes", {})) is not dict:
        notes.doubt(at, "it is no requirement")
        return entry
    for name in entry.keys() - {"schemes"}:
        notes.lose(below(at, name), "an older requirement is nothing but names and scopes")
    older: dict[str, Any] = {}
    for name, scopes in entry.get("schemes", {}).items():
        if type(scopes) is dict:
            older[name] = scopes.get("list", [])
            for other in scopes.keys() - {"list"}:
                notes.lose(
                    below(at, "schemes", name, other), "an older requirement is nothing but names and scopes"
                )
        else:
            older[name] = scopes
    return older


def to_hub(document: dict[str, Any], hub: dict[str, Any], notes: Notes, *, on_skills: bool) -> None:
    """Write `security` of a 0.x card, and of its skills, into the hub."""
    _asked(document, hub, "", notes)
    skills = document.get("skills")
    if not on_skills or type(skills) is not list:
        return
    for index, skill in enumerate(skills):
        if type(skill) is dict and "security" in skill:
            # The walk made this skill anew, since it leaves what is turned by hand.
            _asked(skill, hub["skills"][index], below("/skills", index), notes)


def _asked(source: dict[str, Any], target: dict[str, Any], at: str, notes: Notes) -> None:
    asked = source.get("security")
    if asked is not None:
        target["securityRequirements"] = requirements_to_hub(asked)
        notes.move(below(at, "securityRequirements"), below(at, "security"))
    elif "security" in source:
        notes.lose(below(at, "security"), "null says no more than the member's absence")


def from_hub(hub: dict[str, Any], out: dict[str, Any], notes: Notes, *, on_skills: bool) -> None:
    """Write the hub's requirements, and those of its skills, into a 0.x card."""
    _asked_for(hub, out, "", notes)
    skills = hub.get("skills")
    if not on_skills or type(skills) is not list:
        return
    for index, skill in enumerate(skills):
        if type(skill) is dict and "securityRequirements" in skill:
            _asked_for(skill, out["skills"][index], below("/skills", index), notes)


def _asked_for(hub: dict[str, Any], out: dict[str, Any], at: str, notes: Notes) -> None:
    if "securityRequirements" in hub:
        where = below(at, "securityRequirements")
        out["security"] = requirements_from_hub(hub["securityRequirements"], where, notes)
        notes.move(below(at, "security"), where)


def split(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub with one flow a scheme (A2A 1.0 §4.5.5): several become schemes and alternatives.

    The first flow keeps the scheme's name; the others add theirs to it, as in `login-clientCredentials`.
    """
    schemes = hub.get("securitySchemes")
    if type(schemes) is not dict:
        return hub
    parts = {name: _parts(name, scheme, schemes) for name, scheme in schemes.items() if _flows(scheme)}
    parts = {name: names for name, names in parts.items() if len(names) > 1}
    if not parts:
        return hub
    divided: dict[str, Any] = {}
    for name, scheme in schemes.items():
        if name not in parts:
            divided[name] = scheme
            continue
        for other, flow in parts[name].items():
            inner = scheme[OAUTH2]
            divided[other] = {OAUTH2: {**inner, "flows": {flow: inner["flows"][flow]}}}
            at, where = below("/securitySchemes", other), below("/securitySchemes", name)
            notes.move(at, where)
            why = "A2A 1.0 has one flow a scheme (§4.5.5): each flow became a scheme and an alternative"
            notes.doubt(where, why)
            if other != name:
                notes.assume(at, other, why)
    whole = {**hub, "securitySchemes": divided}
    _spread(whole, "", parts, notes)
    if type(hub.get("skills")) is list:
        whole["skills"] = [dict(skill) if type(skill) is dict else skill for skill in hub["skills"]]
        for index, skill in enumerate(whole["skills"]):
            if type(skill) is dict:
                _spread(skill, below("/skills", index), parts, notes)
    return whole


def _flows(scheme: Any) -> dict[str, Any]:
    inner = scheme.get(OAUTH2) if type(scheme) is dict and len(scheme) == 1 else None
    flows = inner.get("flows") if type(inner) is dict else None
    return flows if type(flows) is dict else {}


def ordered(flows: dict[str, Any]) -> list[str]:
    """Return the names of flows, the commonest first."""
    return [name for name in _FLOWS if name in flows] + sorted(flows.keys() - set(_FLOWS))


def _parts(name: str, scheme: Any, schemes: dict[str, Any]) -> dict[str, str]:
    """Return which flow each new scheme has; a name that is taken keeps the scheme whole."""
    flows = ordered(_flows(scheme))
    names = {name if index == 0 else f"{name}-{flow}": flow for index, flow in enumerate(flows)}
    return {} if any(other in schemes for other in list(names)[1:]) else names


def _spread(holder: dict[str, Any], at: str, parts: dict[str, dict[str, str]], notes: Notes) -> None:
    """Let every requirement that names a split scheme be one alternative a flow."""
    asked = holder.get("securityRequirements")
    if type(asked) is not list:
        return
    spread: list[Any] = []
    for index, entry in enumerate(asked):
        schemes = entry.get("schemes") if type(entry) is dict else None
        named = [name for name in sorted(schemes) if name in parts] if type(schemes) is dict else []
        choices = list(
            itertools.islice(itertools.product(*(parts[name] for name in named)), MOST_ALTERNATIVES + 1)
        )
        if not named or type(schemes) is not dict or len(choices) > MOST_ALTERNATIVES:
            choices, named = [()], []
        where = below(at, "securityRequirements", index)
        for choice in choices:
            new = dict(zip(named, choice, strict=True))
            notes.move(below(at, "securityRequirements", len(spread)), where)
            renamed = {new.get(name, name): scopes for name, scopes in dict(schemes or {}).items()}
            spread.append({**entry, "schemes": renamed} if new else entry)
    holder["securityRequirements"] = spread


def merge(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub with split schemes joined, wherever splitting them again gives the same card."""
    schemes = hub.get("securitySchemes")
    if type(schemes) is not dict:
        return hub
    for name, scheme in schemes.items():
        if len(_flows(scheme)) > 1:
            notes.doubt(below("/securitySchemes", name), "A2A 1.0 has one flow a scheme (§4.5.5)")
            notes.doubt("/securityRequirements", "A2A 1.0 has one flow a scheme (§4.5.5)")
    joined: dict[str, list[str]] = {}
    for name, scheme in schemes.items():
        base, dash, flow = name.rpartition("-")
        if dash and base in schemes and list(_flows(scheme)) == [flow] and _alike(schemes[base], scheme):
            joined.setdefault(base, []).append(name)
    if not joined:
        return hub
    gone = {name for names in joined.values() for name in names}
    merged: dict[str, Any] = {}
    for name, scheme in schemes.items():
        if name in joined:
            flows = {**_flows(scheme)}
            for other in joined[name]:
                flows |= _flows(schemes[other])
            merged[name] = {OAUTH2: {**scheme[OAUTH2], "flows": flows}}
        elif name not in gone:
            merged[name] = scheme
    whole = {**hub, "securitySchemes": merged}
    _gather(whole, gone)
    if type(hub.get("skills")) is list:
        whole["skills"] = [dict(skill) if type(skill) is dict else skill for skill in hub["skills"]]
        for skill in whole["skills"]:
            if type(skill) is dict:
                _gather(skill, gone)
    again = split(whole, Notes())
    return whole if again == hub else hub


def _alike(base: Any, other: Any) -> bool:
    """Whether two schemes of one flow each differ in their flow alone."""
    if len(_flows(base)) != 1 or list(_flows(base)) == list(_flows(other)):
        return False
    return {**base[OAUTH2], "flows": None} == {**other[OAUTH2], "flows": None}


def _gather(holder: dict[str, Any], gone: set[str]) -> None:
    asked = holder.get("securityRequirements")
    if type(asked) is list:
        holder["securityRequirements"] = [
            entry
            for entry in asked
            if type(entry) is not dict
            or type(entry.get("schemes")) is not dict
            or not gone.intersection(entry["schemes"])
        ]
