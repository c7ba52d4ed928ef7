"""A2A 0.1's `authentication`, which later cards still carry: names of schemes, and credentials as text."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from cardwright.conversion.notes import Notes, below

# A2A 0.1 §5.5.2 names schemes as OpenAPI does; what the wild writes beside that, without _ and -.
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
_DETAILS: Final = "A2A 0.1 names schemes and says nothing else of them (§5.5.2)"


def to_hub(document: dict[str, Any], hub: dict[str, Any], notes: Notes) -> None:
    """Turn `authentication` into schemes and one alternative each, unless the card has schemes already."""
    given = document.get("authentication")
    if given is None:
        return
    names = given.get("schemes") if type(given) is dict else None
    if type(names) is not list:
        # Nothing that any version defines: kept like any unknown member.
        hub["authentication"] = given
        return
    if document.get("securitySchemes") or document.get("security"):
        hub.pop("authentication", None)
        notes.lose("/authentication", "securitySchemes and security say it since A2A 0.2")
        return
    hub.pop("authentication", None)
    notes.doubt("/authentication", "securitySchemes and security say it since A2A 0.2")
    details = _details(given.get("credentials"))
    if given.get("credentials") is not None:
        notes.lose("/authentication/credentials", "since A2A 0.2 a card never carries credentials")
    schemes: dict[str, Any] = {}
    for index, name in enumerate(names):
        source = below("/authentication/schemes", index)
        if type(name) is not str or name in schemes:
            notes.lose(source, "it is no name of a scheme, or stands there already")
        elif _bare(name) in ("none", "public", ""):
            notes.lose(source, "no scheme says that none is asked for")
        else:
            schemes[name] = _scheme(name, details, below("/securitySchemes", name), notes)
            notes.move(below("/securitySchemes", name), source)
    if schemes:
        hub["securitySchemes"] = schemes
        hub["securityRequirements"] = [{"schemes": {name: {"list": []}}} for name in schemes]
        if len(schemes) > 1:
            why = "A2A 0.1 does not say whether one of its schemes suffices: it is taken to"
            notes.assume("/securityRequirements", list(schemes), why)


def from_hub(hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    """Name the hub's schemes as A2A 0.1 does; all that they say beyond their names is lost."""
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
    """Return the schemes as the requirements name them; the order of members says nothing."""
    asked = hub.get("securityRequirements")
    first: dict[str, None] = {}
    for entry in asked if type(asked) is list else []:
        named = entry.get("schemes") if type(entry) is dict else None
        if type(named) is dict:
            # One that is declared nowhere is asked for all the same.
            first |= dict.fromkeys(sorted(named))
    return list(first | dict.fromkeys(sorted(schemes)))


def _scheme(name: str, details: dict[str, Any], at: str, notes: Notes) -> dict[str, Any]:
    kind = _bare(name)
    if kind in ("apikey", "key", "token"):
        location, header = details.get("in"), details.get("name")
        if type(location) is str and type(header) is str:
            return {"apiKeySecurityScheme": {"location": location, "name": header}}
        why = "A2A 0.1 does not say where an API key goes"
        notes.assume(f"{at}/apiKeySecurityScheme/name", DEFAULT_HEADER, why)
        return {"apiKeySecurityScheme": {"location": "header", "name": DEFAULT_HEADER}}
    if kind in _BARE:
        wrapper = _BARE[kind][0]
        inner = {n: details[n] for n in ("flows", "openIdConnectUrl") if type(details.get(n)) in (dict, str)}
        if wrapper == "oauth2SecurityScheme":
            return {wrapper: {"flows": inner.get("flows", {})}}
        return {wrapper: {n: v for n, v in inner.items() if n == "openIdConnectUrl"}}
    if kind not in _HTTP:
        notes.assume(at, name, "a name that A2A 0.1 does not know is taken for an HTTP scheme")
    return {"httpAuthSecurityScheme": {"scheme": name}}


def _details(credentials: Any) -> dict[str, Any]:
    """Return what `credentials` says of the schemes where it holds JSON, as A2A 0.1 §5.5.2 allows."""
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
