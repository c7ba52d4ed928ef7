"""The security schemes that A2A 0.1 names in `authentication`, with details as JSON text in `credentials` (§5.5.3)."""

from __future__ import annotations

import re
from typing import Any, Final

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright_runtime.checks import mapping

# A2A 0.1 §5.5.3 uses OpenAPI's names of schemes; other names in use, without _ and -. The wrapper of A2A 1.0 and the name
# of each.
BY_NAME: Final = {
    "oauth2": ("oauth2SecurityScheme", "oauth2"),
    "oauth": ("oauth2SecurityScheme", "oauth2"),
    "openidconnect": ("openIdConnectSecurityScheme", "openIdConnect"),
    "oidc": ("openIdConnectSecurityScheme", "openIdConnect"),
    "mutualtls": ("mtlsSecurityScheme", "mutualTLS"),
    "mtls": ("mtlsSecurityScheme", "mutualTLS"),
}
HTTP: Final = frozenset({"bearer", "basic", "digest", "negotiate", "hoba", "mutual"})
KEYS: Final = frozenset({"apikey", "key", "token"})
# The fields of an OAuth flow in `credentials`, in the order of the specification's example.
FLOW: Final = {"authorizationUrl": str, "tokenUrl": str, "refreshUrl": str, "scopes": dict}
_SEPARATORS: Final = re.compile(r"[_\s-]")


def bare(name: str) -> str:
    """Return the name of a scheme without case and separators."""
    return _SEPARATORS.sub("", name.casefold())


def details_of(credentials: Any) -> dict[str, Any]:
    """Return the details of schemes in `credentials`, if it is a JSON object as text; otherwise {}."""
    if type(credentials) is not str or not credentials.lstrip().startswith("{"):
        return {}
    try:
        return mapping(decode(credentials.encode(errors="surrogatepass")))
    except MalformedDocument:
        return {}


def flows_of(details: dict[str, Any]) -> dict[str, Any]:
    """Return the OAuth flows in the details: `flows`, or the one whose URLs they have."""
    if type(details.get("flows")) is dict:
        flows: dict[str, Any] = details["flows"]
        return flows
    flow = {name: details[name] for name, kind in FLOW.items() if type(details.get(name)) is kind}
    if "authorizationUrl" in flow:
        return {"authorizationCode" if "tokenUrl" in flow else "implicit": {"scopes": {}} | flow}
    return {"clientCredentials": {"scopes": {}} | flow} if "tokenUrl" in flow else {}


def scheme_for(name: str, details: dict[str, Any]) -> dict[str, Any]:
    """Return the scheme of A2A 1.0 for a name and the details; without what these do not say.

    >>> scheme_for("ApiKey", {"in": "header", "name": "X-Key"})
    {'apiKeySecurityScheme': {'location': 'header', 'name': 'X-Key'}}
    """
    kind = bare(name)
    if kind in KEYS:
        location, header = details.get("in"), details.get("name")
        known = type(location) is str and type(header) is str
        return {"apiKeySecurityScheme": {"location": location, "name": header} if known else {}}
    wrapper = BY_NAME.get(kind, ("", ""))[0]
    if wrapper == "oauth2SecurityScheme":
        return {wrapper: {"flows": flows_of(details)}}
    if wrapper == "openIdConnectSecurityScheme":
        url = details.get("openIdConnectUrl")
        return {wrapper: {"openIdConnectUrl": url} if type(url) is str else {}}
    if wrapper:
        return {wrapper: {}}
    token_format = details.get("bearerFormat")
    more = {"bearerFormat": token_format} if type(token_format) is str and kind == "bearer" else {}
    return {"httpAuthSecurityScheme": {"scheme": name, **more}}
