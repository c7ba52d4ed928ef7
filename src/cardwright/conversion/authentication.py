"""The `authentication` of A2A 0.1, which some later cards still have: scheme names, and credentials as text."""

from __future__ import annotations

import json
from typing import Any, Final

from cardwright.conversion import security
from cardwright.conversion.notes import Notes, below
from cardwright.view.older_security import BY_NAME, FLOW, HTTP, KEYS, bare, details_of, flows_of, scheme_for
from cardwright_runtime.checks import mapping, objects

DEFAULT_HEADER: Final = "X-API-Key"
_DETAILS: Final = "A2A 0.1 names a scheme by its kind, and has one text for details (§5.5.2)"
_LATER: Final = "since A2A 0.2, the card uses securitySchemes and security"


def to_hub(document: dict[str, Any], hub: dict[str, Any], notes: Notes) -> None:
    """Convert `authentication` to schemes with one alternative each, unless the card already has schemes."""
    field = document.get("authentication")
    if field is None:
        return
    names = field.get("schemes") if type(field) is dict else None
    if type(names) is not list:
        # No version defines this: kept like any unknown field.
        hub["authentication"] = field
        return
    if document.get("securitySchemes") or document.get("security"):
        hub.pop("authentication", None)
        _beside_newer(field, hub.get("securitySchemes"), notes)
        return
    hub.pop("authentication", None)
    notes.doubt("/authentication", _LATER)
    details = details_of(field.get("credentials"))
    schemes: dict[str, Any] = {}
    for index, name in enumerate(names):
        source = below("/authentication/schemes", index)
        if type(name) is not str or name in schemes:
            notes.lose(source, "it is not a scheme name, or a duplicate")
        elif bare(name) in ("none", "public", ""):
            notes.lose(source, "it means that no authentication is required, and there is no scheme for that")
        else:
            schemes[name] = _scheme(name, details, below("/securitySchemes", name), notes)
            notes.repeats[source] = ()
            notes.move(below("/securitySchemes", name), source)
    read = {name: value for scheme in schemes.values() for name, value in _credentials_of(scheme).items()}
    if field.get("credentials") is not None and (not details or any(n not in read for n in details)):
        notes.lose("/authentication/credentials", "the schemes since A2A 0.2 have no place for some of it")
    elif details and all(read[name] == value for name, value in details.items()):
        notes.repeats["/authentication/credentials"] = ("/authentication/schemes",)
    if schemes:
        hub["securitySchemes"] = schemes
        notes.move("/securitySchemes", "/authentication/schemes")
        hub["securityRequirements"] = [{"schemes": {name: {"list": []}}} for name in schemes]
        if len(schemes) > 1:
            why = "A2A 0.1 does not define whether one of the schemes suffices: alternatives are assumed"
            notes.assume("/securityRequirements", list(schemes), why)


def _beside_newer(field: dict[str, Any], schemes: Any, notes: Notes) -> None:
    """Note what the older field says beyond the schemes of the card, which take precedence."""
    known = (
        {bare(_name(key, scheme)): key for key, scheme in schemes.items()} if type(schemes) is dict else {}
    )
    for index, name in enumerate(field["schemes"]):
        key = known.get(bare(name)) if type(name) is str else None
        if key is None:
            notes.lose(below("/authentication/schemes", index), _LATER)
        else:
            notes.repeats[below("/authentication/schemes", index)] = (below("/securitySchemes", key),)
    for name in field.keys() - {"schemes"}:
        notes.lose(below("/authentication", name), _LATER)


def from_hub(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    """Write the kinds of the hub's schemes and their details as in A2A 0.1."""
    out.pop("securityRequirements", None)
    if "authentication" in hub:
        notes.lose("/authentication", "it does not have the shape of A2A 0.1 (§5.5.2)")
    notes.doubt("/securityRequirements", _DETAILS)
    schemes = hub.get("securitySchemes", {})
    if type(schemes) is not dict:
        notes.lose("/securitySchemes", _DETAILS)
        schemes = {}
    notes.doubt("/securitySchemes", _DETAILS)
    keys = _in_order(hub, schemes)
    if not keys:
        return
    declared: dict[str, Any] = {"schemes": list(dict.fromkeys(_name(key, schemes.get(key)) for key in keys))}
    out["authentication"] = declared
    details: dict[str, Any] = {}
    for key in keys:
        more = _credentials_of(schemes.get(key))
        # One text for all schemes: what two of them would mean differently is reported of the first one only.
        if more.keys().isdisjoint(details):
            details |= more
    if details:
        declared["credentials"] = json.dumps(details, ensure_ascii=False)
    notes.move("/authentication", "/securitySchemes")


def _in_order(hub: dict[str, Any], schemes: dict[str, Any]) -> list[str]:
    """Return the names of the schemes in the order of the requirements, then by name."""
    first: dict[str, None] = {}
    for _, entry in objects(hub.get("securityRequirements")):
        # A required scheme counts even if it is not declared.
        first |= dict.fromkeys(sorted(mapping(entry.get("schemes"))))
    return list(first | dict.fromkeys(sorted(schemes)))


def _scheme(name: str, details: dict[str, Any], at: str, notes: Notes) -> dict[str, Any]:
    """Return the hub's scheme for a name and the details of `credentials`, with what A2A 1.0 requires."""
    scheme = scheme_for(name, details)
    if scheme == {"apiKeySecurityScheme": {}}:
        why = "A2A 0.1 does not define where to send an API key"
        notes.assume(f"{at}/apiKeySecurityScheme/name", DEFAULT_HEADER, why)
        return {"apiKeySecurityScheme": {"location": "header", "name": DEFAULT_HEADER}}
    if "httpAuthSecurityScheme" in scheme and bare(name) not in HTTP:
        notes.assume(at, name, "A2A 0.1 does not define this name: an HTTP scheme is assumed")
    return scheme


def same_details(one: Any, other: Any) -> bool:
    """Return whether two `credentials` have the same details, in any layout of their JSON."""
    return bool(details_of(one)) and details_of(one) == details_of(other)


def _credentials_of(scheme: Any) -> dict[str, Any]:
    """Return what `credentials` of A2A 0.1 tell of a hub's scheme: the reverse of `_scheme`."""
    wrapper, inner = next(iter(scheme.items())) if type(scheme) is dict and len(scheme) == 1 else ("", None)
    if type(inner) is not dict:
        return {}
    if wrapper == "apiKeySecurityScheme":
        return {own: inner[name] for own, name in (("in", "location"), ("name", "name")) if name in inner}
    if wrapper == security.OAUTH2:
        flows = inner.get("flows")
        only = next(iter(flows.values())) if type(flows) is dict and len(flows) == 1 else None
        plain = {name: only[name] for name in FLOW if name in only} if type(only) is dict else {}
        return plain if plain and flows_of(plain) == flows else {"flows": flows} if flows else {}
    return {name: inner[name] for name in ("openIdConnectUrl", "bearerFormat") if name in inner}


def _name(key: str, scheme: Any) -> str:
    """Return the name of a scheme in A2A 0.1: its key if that is a name of its kind."""
    wrapper = next(iter(scheme)) if type(scheme) is dict and len(scheme) == 1 else ""
    kind = bare(key)
    if wrapper == "httpAuthSecurityScheme" and type(scheme[wrapper]) is dict:
        name = str(scheme[wrapper].get("scheme", key))
        return key if kind == bare(name) or (scheme == security.BEARER and kind in BY_NAME) else name
    if wrapper == "apiKeySecurityScheme":
        return key if kind in KEYS else "apiKey"
    return key if BY_NAME.get(kind, ("",))[0] == wrapper else dict(BY_NAME.values()).get(wrapper, key)
