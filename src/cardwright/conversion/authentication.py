"""The `authentication` of A2A 0.1, which some later cards still have: scheme names, and credentials as text."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from cardwright.conversion.notes import Notes, below

# A2A 0.1 §5.5.2 uses OpenAPI's names of schemes; other names in use, without _ and -.
_HTTP: Final = frozenset({"bearer", "basic", "digest", "negotiate", "hoba", "mutual"})
_BARE: Final = {
    "oauth2": ("oauth2SecurityScheme", "oauth2"),
    "oauth": ("oauth2SecurityScheme", "oauth2"),
    "openidconnect": ("openIdConnectSecurityScheme", "openIdConnect"),
    "oidc": ("openIdConnectSecurityScheme", "openIdConnect"),
    "mutualtls": ("mtlsSecurityScheme", "mutualTLS"),
    "mtls": ("mtlsSecurityScheme", "mutualTLS"),
}
DEFAULT_HEADER: Final = "X-API-Key"
_SEPARATORS: Final = re.compile(r"[_\s-]")
_DETAILS: Final = "A2A 0.1 has only the names of schemes (§5.5.2)"


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
        notes.lose("/authentication", "since A2A 0.2, the card uses securitySchemes and security")
        return
    hub.pop("authentication", None)
    notes.doubt("/authentication", "since A2A 0.2, cards use securitySchemes and security")
    details = _details(field.get("credentials"))
    if field.get("credentials") is not None:
        notes.lose("/authentication/credentials", "since A2A 0.2, cards do not have credentials")
    schemes: dict[str, Any] = {}
    for index, name in enumerate(names):
        source = below("/authentication/schemes", index)
        if type(name) is not str or name in schemes:
            notes.lose(source, "it is not a scheme name, or a duplicate")
        elif _bare(name) in ("none", "public", ""):
            notes.lose(source, "it means that no authentication is required, and there is no scheme for that")
        else:
            schemes[name] = _scheme(name, details, below("/securitySchemes", name), notes)
            notes.move(below("/securitySchemes", name), source)
    if schemes:
        hub["securitySchemes"] = schemes
        hub["securityRequirements"] = [{"schemes": {name: {"list": []}}} for name in schemes]
        if len(schemes) > 1:
            why = "A2A 0.1 does not define whether one of the schemes suffices: alternatives are assumed"
            notes.assume("/securityRequirements", list(schemes), why)


def from_hub(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    """Write the names of the hub's schemes as in A2A 0.1; their other fields are lost."""
    out.pop("securityRequirements", None)
    if "authentication" in hub:
        out["authentication"] = hub["authentication"]
        notes.losses.pop("/authentication", None)
    notes.doubt("/securityRequirements", _DETAILS)
    schemes = hub.get("securitySchemes", {})
    if type(schemes) is not dict:
        notes.lose("/securitySchemes", _DETAILS)
        schemes = {}
    notes.doubt("/securitySchemes", _DETAILS)
    names = [_name(key, schemes.get(key)) for key in _in_order(hub, schemes)]
    if names:
        out["authentication"] = {"schemes": list(dict.fromkeys(names))}
        notes.move("/authentication", "/securitySchemes")


def _in_order(hub: dict[str, Any], schemes: dict[str, Any]) -> list[str]:
    """Return the names of the schemes in the order of the requirements, then by name."""
    requirements = hub.get("securityRequirements")
    first: dict[str, None] = {}
    for entry in requirements if type(requirements) is list else []:
        required = entry.get("schemes") if type(entry) is dict else None
        if type(required) is dict:
            # A required scheme counts even if it is not declared.
            first |= dict.fromkeys(sorted(required))
    return list(first | dict.fromkeys(sorted(schemes)))


def _scheme(name: str, details: dict[str, Any], at: str, notes: Notes) -> dict[str, Any]:
    kind = _bare(name)
    if kind in ("apikey", "key", "token"):
        location, header = details.get("in"), details.get("name")
        if type(location) is str and type(header) is str:
            return {"apiKeySecurityScheme": {"location": location, "name": header}}
        why = "A2A 0.1 does not define where to send an API key"
        notes.assume(f"{at}/apiKeySecurityScheme/name", DEFAULT_HEADER, why)
        return {"apiKeySecurityScheme": {"location": "header", "name": DEFAULT_HEADER}}
    if kind in _BARE:
        wrapper = _BARE[kind][0]
        inner = {n: details[n] for n in ("flows", "openIdConnectUrl") if type(details.get(n)) in (dict, str)}
        if wrapper == "oauth2SecurityScheme":
            return {wrapper: {"flows": inner.get("flows", {})}}
        return {wrapper: {n: v for n, v in inner.items() if n == "openIdConnectUrl"}}
    if kind not in _HTTP:
        notes.assume(at, name, "A2A 0.1 does not define this name: an HTTP scheme is assumed")
    return {"httpAuthSecurityScheme": {"scheme": name}}


def _details(credentials: Any) -> dict[str, Any]:
    """Return the details of schemes in `credentials`, if it is JSON (A2A 0.1 §5.5.2)."""
    if type(credentials) is not str or not credentials.lstrip().startswith("{"):
        return {}
    try:
        value = json.loads(credentials)
    except (ValueError, RecursionError):
        return {}
    return value if type(value) is dict else {}


def _name(key: str, scheme: Any) -> str:
    wrapper = next(iter(scheme)) if type(scheme) is dict and len(scheme) == 1 else ""
    if wrapper == "httpAuthSecurityScheme" and type(scheme[wrapper]) is dict:
        word = str(scheme[wrapper].get("scheme", key))
    else:
        by_wrapper = {"apiKeySecurityScheme": "apiKey"} | dict(_BARE.values())
        word = by_wrapper.get(wrapper, key)
    return key if _bare(key) == _bare(word) else word


def _bare(name: str) -> str:
    return _SEPARATORS.sub("", name.casefold())
