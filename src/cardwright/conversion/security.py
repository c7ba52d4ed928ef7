"""Security requirements and schemes: the two shapes of a requirement, and one flow per scheme in A2A 1.0."""

from __future__ import annotations

import itertools
from typing import Any, Final

from cardwright.conversion.notes import Notes, below
from cardwright.conversion.tables import NULL
from cardwright_runtime.checks import dig, mapping, objects

OAUTH2: Final = "oauth2SecurityScheme"
OPEN_ID: Final = "openIdConnectSecurityScheme"
# OAuth 2.0 and OpenID Connect send their tokens so (RFC 6750 §2.1).
BEARER: Final = {"httpAuthSecurityScheme": {"scheme": "Bearer"}}
# The order of flows: the first one keeps the scheme's name.
_FLOWS: Final = ("authorizationCode", "clientCredentials", "deviceCode", "implicit", "password")
# A requirement of several split schemes becomes one alternative for each combination of their flows.
MAX_ALTERNATIVES: Final = 64


def requirements_to_hub(value: Any) -> Any:
    """Return a 0.x list of requirements in the hub's form; other values are returned unchanged."""
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
        notes.doubt(at, "it is not a security requirement")
        return entry
    for name in entry.keys() - {"schemes"}:
        notes.lose(below(at, name), "a requirement of A2A 0.x has only names and scopes")
    older: dict[str, Any] = {}
    for name, scopes in entry.get("schemes", {}).items():
        if type(scopes) is dict:
            older[name] = scopes.get("list", [])
            for other in scopes.keys() - {"list"}:
                notes.lose(
                    below(at, "schemes", name, other), "a requirement of A2A 0.x has only names and scopes"
                )
        else:
            older[name] = scopes
    return older


def to_hub(document: dict[str, Any], hub: dict[str, Any], notes: Notes, *, on_skills: bool) -> None:
    """Write `security` of a 0.x card, and of its skills, into the hub."""
    _requirements_to_hub(document, hub, "", notes)
    for index, skill in objects(document.get("skills")) if on_skills else ():
        if "security" in skill:
            # The skill is a new object already, because the tables do not copy `security`.
            _requirements_to_hub(skill, hub["skills"][index], below("/skills", index), notes)


def _requirements_to_hub(source: dict[str, Any], target: dict[str, Any], at: str, notes: Notes) -> None:
    requirements = source.get("security")
    if requirements is not None:
        target["securityRequirements"] = requirements_to_hub(requirements)
        notes.move(below(at, "securityRequirements"), below(at, "security"))
    elif "security" in source:
        notes.lose(below(at, "security"), NULL)


def from_hub(hub: dict[str, Any], out: dict[str, Any], notes: Notes, *, on_skills: bool) -> None:
    """Write the hub's requirements, and those of its skills, into a 0.x card."""
    _requirements_from_hub(hub, out, "", notes)
    for index, skill in objects(hub.get("skills")) if on_skills else ():
        if "securityRequirements" in skill:
            _requirements_from_hub(skill, out["skills"][index], below("/skills", index), notes)


def _requirements_from_hub(hub: dict[str, Any], out: dict[str, Any], at: str, notes: Notes) -> None:
    if "securityRequirements" in hub:
        where = below(at, "securityRequirements")
        out["security"] = requirements_from_hub(hub["securityRequirements"], where, notes)
        notes.move(below(at, "security"), where)


def complete(hub: dict[str, Any], notes: Notes, lost_flows: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the hub with bearer tokens for schemes that do not tell where a token comes from.

    These are OAuth without a flow, and OpenID Connect without a URL. No version since 0.2 has a meaning for them, and
    without a scheme the agent would appear public.

    `lost_flows` are the flows that the target does not have.
    """
    schemes = hub.get("securitySchemes")
    if type(schemes) is not dict:
        return hub
    incomplete = [name for name, scheme in schemes.items() if _is_incomplete(scheme, lost_flows)]
    for name in incomplete:
        at = below("/securitySchemes", name)
        why = "the card does not tell where a token comes from: it is sent as a bearer token (RFC 6750 §2.1)"
        notes.doubt(at, why)
        notes.assume(at, "Bearer", why)
        for flow in _flows(schemes[name]):
            notes.lose(below(at, OAUTH2, "flows", flow), "the result has no such flow")
    return hub if not incomplete else {**hub, "securitySchemes": schemes | dict.fromkeys(incomplete, BEARER)}


def _is_incomplete(scheme: Any, lost_flows: frozenset[str]) -> bool:
    inner = scheme.get(OAUTH2) if type(scheme) is dict and len(scheme) == 1 else None
    if type(inner) is dict and type(inner.get("flows")) is dict:
        return lost_flows.issuperset(inner["flows"])
    return bool(scheme == {OPEN_ID: {}})


def split(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub with one flow per scheme (A2A 1.0 §4.5.5): further flows become schemes and alternatives.

    The first flow keeps the scheme's name; the others append their own, as in `login-clientCredentials`.
    """
    schemes = hub.get("securitySchemes")
    if type(schemes) is not dict:
        return hub
    parts = {name: _parts(name, scheme, schemes) for name, scheme in schemes.items() if _flows(scheme)}
    parts = {name: names for name, names in parts.items() if len(names) > 1}
    if not parts:
        return hub
    split_schemes: dict[str, Any] = {}
    for name, scheme in schemes.items():
        if name not in parts:
            split_schemes[name] = scheme
            continue
        for other, flow in parts[name].items():
            inner = scheme[OAUTH2]
            split_schemes[other] = {OAUTH2: {**inner, "flows": {flow: inner["flows"][flow]}}}
            at, where = below("/securitySchemes", other), below("/securitySchemes", name)
            notes.move(at, where)
            why = "A2A 1.0 has one flow per scheme (§4.5.5): each flow became a scheme and an alternative"
            notes.doubt(where, why)
            if other != name:
                notes.assume(at, other, why)
    result = {**hub, "securitySchemes": split_schemes}
    _split_alternatives(result, "", parts, notes)
    if type(hub.get("skills")) is list:
        result["skills"] = [dict(skill) if type(skill) is dict else skill for skill in hub["skills"]]
        for index, skill in objects(result["skills"]):
            _split_alternatives(skill, below("/skills", index), parts, notes)
    return result


def _flows(scheme: Any) -> dict[str, Any]:
    return mapping(dig(scheme, (OAUTH2, "flows"))) if len(mapping(scheme)) == 1 else {}


def ordered(flows: dict[str, Any]) -> list[str]:
    """Return the names of flows, the most common first."""
    return [name for name in _FLOWS if name in flows] + sorted(flows.keys() - set(_FLOWS))


def _parts(name: str, scheme: Any, schemes: dict[str, Any]) -> dict[str, str]:
    """Return the flow of each new scheme by name; empty if one of the names is in use."""
    flows = ordered(_flows(scheme))
    names = {name if index == 0 else f"{name}-{flow}": flow for index, flow in enumerate(flows)}
    return {} if any(other in schemes for other in list(names)[1:]) else names


def _split_alternatives(
    holder: dict[str, Any], at: str, parts: dict[str, dict[str, str]], notes: Notes
) -> None:
    """Replace every requirement of a split scheme by one alternative for each flow."""
    requirements = holder.get("securityRequirements")
    if type(requirements) is not list:
        return
    alternatives: list[Any] = []
    for index, entry in enumerate(requirements):
        schemes = entry.get("schemes") if type(entry) is dict else None
        split_names = [name for name in sorted(schemes) if name in parts] if type(schemes) is dict else []
        choices = list(
            itertools.islice(itertools.product(*(parts[name] for name in split_names)), MAX_ALTERNATIVES + 1)
        )
        if not split_names or type(schemes) is not dict or len(choices) > MAX_ALTERNATIVES:
            choices, split_names = [()], []
        where = below(at, "securityRequirements", index)
        for choice in choices:
            new = dict(zip(split_names, choice, strict=True))
            notes.move(below(at, "securityRequirements", len(alternatives)), where)
            renamed = {new.get(name, name): scopes for name, scopes in dict(schemes or {}).items()}
            alternatives.append({**entry, "schemes": renamed} if new else entry)
    holder["securityRequirements"] = alternatives


def merge(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub with split schemes merged, if splitting them again gives the same card."""
    schemes = hub.get("securitySchemes")
    if type(schemes) is not dict:
        return hub
    for name, scheme in schemes.items():
        if len(_flows(scheme)) > 1:
            notes.doubt(below("/securitySchemes", name), "A2A 1.0 has one flow per scheme (§4.5.5)")
            notes.doubt("/securityRequirements", "A2A 1.0 has one flow per scheme (§4.5.5)")
    joined: dict[str, list[str]] = {}
    for name, scheme in schemes.items():
        base, dash, flow = name.rpartition("-")
        if (
            dash
            and base in schemes
            and list(_flows(scheme)) == [flow]
            and _differ_in_flow_only(schemes[base], scheme)
        ):
            joined.setdefault(base, []).append(name)
    if not joined:
        return hub
    merged_names = {name for names in joined.values() for name in names}
    merged: dict[str, Any] = {}
    for name, scheme in schemes.items():
        if name in joined:
            flows = {**_flows(scheme)}
            for other in joined[name]:
                flows |= _flows(schemes[other])
            merged[name] = {OAUTH2: {**scheme[OAUTH2], "flows": flows}}
        elif name not in merged_names:
            merged[name] = scheme
    result = {**hub, "securitySchemes": merged}
    _remove_alternatives(result, merged_names)
    if type(hub.get("skills")) is list:
        result["skills"] = [dict(skill) if type(skill) is dict else skill for skill in hub["skills"]]
        for _, skill in objects(result["skills"]):
            _remove_alternatives(skill, merged_names)
    again = split(result, Notes())
    return result if again == hub else hub


def _differ_in_flow_only(base: Any, other: Any) -> bool:
    """Return whether two schemes with one flow each differ only in their flow."""
    if len(_flows(base)) != 1 or list(_flows(base)) == list(_flows(other)):
        return False
    return {**base[OAUTH2], "flows": None} == {**other[OAUTH2], "flows": None}


def _remove_alternatives(holder: dict[str, Any], merged_names: set[str]) -> None:
    requirements = holder.get("securityRequirements")
    if type(requirements) is list:
        holder["securityRequirements"] = [
            entry
            for entry in requirements
            if type(entry) is not dict
            or type(entry.get("schemes")) is not dict
            or not merged_names.intersection(entry["schemes"])
        ]
