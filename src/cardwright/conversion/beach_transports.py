"""Beach transports and their authentication: interfaces, schemes and requirements of the hub."""

from __future__ import annotations

from typing import Any, Final

from cardwright.conversion.authentication import DEFAULT_HEADER
from cardwright.conversion.notes import Notes, below
from cardwright.conversion.security import ordered
from cardwright.view.interfaces import A2A_VERSION, major_minor
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT
from cardwright_runtime.checks import listed, objects

# RFC 9110 §11.6.2: an API key in this header is a bearer token.
AUTHORIZATION: Final = "Authorization"
# The authentication of a transport if the card's requirements cannot be read.
UNKNOWN: Final = "unknown"
# The closest kind of authentication for a scheme that Beach cannot express exactly.
_NEAREST: Final[dict[str, dict[str, Any]]] = {
    "apiKeySecurityScheme": {"type": "api-key"},
    "httpAuthSecurityScheme": {"type": "api-key"},
    "mtlsSecurityScheme": {"type": "mtls"},
    # Without a token endpoint there is no auth of type oauth2, but its tokens are bearer tokens.
    "oauth2SecurityScheme": {"type": "api-key", "header": AUTHORIZATION},
    "openIdConnectSecurityScheme": {"type": "api-key", "header": AUTHORIZATION},
}
_OWN: Final = frozenset({"protocol", "version", "endpoint", "auth", "requiredScopes", "transport", "tool"})
_MCP_ONLY: Final = "only an mcp transport has it (Beach Agent Card, Transport entry)"


def to_hub(document: dict[str, Any], hub: dict[str, Any], notes: Notes) -> list[Any]:
    """Write the A2A transports of a Beach card into the hub; return the transports that A2A cannot express."""
    others: list[Any] = []
    schemes: dict[str, Any] = {}
    alternatives: list[dict[str, Any]] = []
    interfaces: list[dict[str, Any]] = []
    for index, item in enumerate(notes.array(document.get("transports"), "/transports")):
        source = below("/transports", index)
        if type(item) is not dict:
            notes.lose(source, "it is not a transport")
        elif item.get("protocol") != "a2a" or type(item.get("endpoint")) is not str:
            others.append(item)
        else:
            at = below("/supportedInterfaces", len(interfaces))
            interfaces.append(_interface(item, at, source, notes))
            requirement = _requirement(item, schemes, source, notes)
            if requirement not in alternatives:
                alternatives.append(requirement)
    if interfaces:
        hub["supportedInterfaces"] = interfaces
    if schemes:
        hub["securitySchemes"] = schemes
        # An empty requirement comes last, because a caller uses the first alternative that it can satisfy.
        alternatives.sort(key=lambda requirement: not requirement["schemes"])
        hub["securityRequirements"] = alternatives
        if len(alternatives) > 1:
            why = "A2A has security for the whole card: the requirements of each transport apply to all"
            notes.assume("/securityRequirements", alternatives, why)
    _scopes(document, hub, schemes, notes)
    return others


def _interface(item: dict[str, Any], at: str, source: str, notes: Notes) -> dict[str, Any]:
    notes.move(at, source)
    notes.move(below(at, "url"), below(source, "endpoint"))
    notes.move(below(at, "protocolVersion"), below(source, "version"))
    version = major_minor(item.get("version"))
    if version is None:
        why = "the transport has no version of A2A"
        notes.assume(below(at, "protocolVersion"), A2A_VERSION, why)
    notes.doubt(below(source, "version"), "a version of A2A is Major.Minor (A2A 1.0 §3.6)")
    why = "a Beach transport does not name the binding of A2A: messages are sent to it by POST"
    notes.assume(below(at, "protocolBinding"), DEFAULT_TRANSPORT, why)
    entry = {
        "url": item["endpoint"],
        "protocolBinding": DEFAULT_TRANSPORT,
        "protocolVersion": version or A2A_VERSION,
    }
    for name, value in item.items():
        if name in ("transport", "tool"):
            notes.lose(below(source, name), _MCP_ONLY)
        elif name not in _OWN:
            if name in entry or name == "tenant":
                notes.lose(below(source, name), f"{name} has another meaning in A2A")
            else:
                entry[name] = value
    return entry


def _requirement(item: dict[str, Any], schemes: dict[str, Any], source: str, notes: Notes) -> dict[str, Any]:
    """Return the requirement of a transport, and add its scheme to those of the card."""
    auth = item.get("auth")
    notes.doubt(below(source, "auth"), "A2A has security for the whole card, as schemes")
    notes.doubt(
        below(source, "requiredScopes"),
        "A2A declares scopes per scheme for the whole card; Beach per transport",
    )
    if type(auth) is not dict or type(auth.get("type")) is not str:
        return {"schemes": {}}
    kind = auth["type"]
    at = below("/securitySchemes", kind)
    if kind == "none":
        return {"schemes": {}}
    scheme = _scheme(kind, auth, at, notes)
    name, number = kind, 2
    while name in schemes and schemes[name] != scheme:
        name, number = f"{kind}-{number}", number + 1
    schemes[name] = scheme
    notes.move(below("/securitySchemes", name), below(source, "auth"))
    scopes = auth["scope"].split() if kind == "oauth2" and type(auth.get("scope")) is str else []
    required = item.get("requiredScopes")
    scopes += [scope for scope in (required if type(required) is list else []) if scope not in scopes]
    return {"schemes": {name: {"list": scopes}}}


def _scheme(kind: str, auth: dict[str, Any], at: str, notes: Notes) -> dict[str, Any]:
    if kind == "api-key":
        header = auth.get("header")
        if header == AUTHORIZATION:
            why = "a key in Authorization is a bearer token (RFC 9110 §11.6.2)"
            notes.assume(below(at, "httpAuthSecurityScheme", "scheme"), "Bearer", why)
            return {"httpAuthSecurityScheme": {"scheme": "Bearer"}}
        if type(header) is not str:
            notes.assume(
                below(at, "apiKeySecurityScheme", "name"), DEFAULT_HEADER, "the card does not name a header"
            )
            header = DEFAULT_HEADER
        return {"apiKeySecurityScheme": {"location": "header", "name": header}}
    if kind == "oauth2":
        scope = auth.get("scope")
        scopes = dict.fromkeys(scope.split(), "") if type(scope) is str else {}
        why = "a Beach card has a token endpoint and no flow: agents request a token of their own"
        notes.assume(below(at, "oauth2SecurityScheme", "flows"), "clientCredentials", why)
        flow = {"tokenUrl": auth["tokenEndpoint"]} if "tokenEndpoint" in auth else {}
        return {"oauth2SecurityScheme": {"flows": {"clientCredentials": {**flow, "scopes": scopes}}}}
    if kind == "mtls":
        return {"mtlsSecurityScheme": {}}
    why = (
        "A2A has no such kind of authentication: an HTTP scheme tells callers that authentication is required"
    )
    notes.assume(below(at, "httpAuthSecurityScheme", "scheme"), kind, why)
    return {"httpAuthSecurityScheme": {"scheme": kind}}


def _scopes(document: dict[str, Any], hub: dict[str, Any], schemes: dict[str, Any], notes: Notes) -> None:
    """Write the scopes of each capability as requirements for every scheme of the card."""
    for index, item in objects(document.get("capabilities")):
        scopes = item.get("requiredScopes")
        source = below("/capabilities", index, "requiredScopes")
        if type(scopes) is not list or not schemes:
            if "requiredScopes" in item and scopes != []:
                notes.lose(source, "no transport has a scheme with scopes")
            continue
        if scopes:
            requirements = [{"schemes": {name: {"list": scopes}}} for name in schemes]
            hub["skills"][index]["securityRequirements"] = requirements
            notes.move(below("/skills", index, "securityRequirements"), source)


def from_hub(hub: dict[str, Any], out: dict[str, Any], other_transports: Any, at: str, notes: Notes) -> None:
    """Write the hub's interfaces as A2A transports, followed by the transports that only Beach can express."""
    transports: list[Any] = []
    auth, scopes = _authentication(hub, notes)
    addresses: set[str] = set()
    for index, item in enumerate(notes.array(hub.get("supportedInterfaces"), "/supportedInterfaces")):
        source = below("/supportedInterfaces", index)
        if type(item) is not dict:
            notes.lose(source, "it is not an interface")
            continue
        entry = _transport(item, source, below("/transports", len(transports)), notes)
        if str(item.get("url")) in addresses:
            notes.doubt(
                source, "Beach has no binding, so that interfaces with the same URL cannot be distinguished"
            )
        addresses.add(str(item.get("url")))
        transports.append({**entry, **({"auth": auth} if auth else {}), "requiredScopes": scopes})
    if not transports:
        # Without transports, there are no assumptions about their authentication.
        for pointer in [place for place in notes.assumptions if place.startswith("/transports/")]:
            del notes.assumptions[pointer]
    for index, item in enumerate(notes.array(other_transports, below(at, "transports"))):
        notes.move(below("/transports", len(transports)), below(at, "transports", index))
        transports.append(item)
    if transports:
        out["transports"] = transports
    for index, skill in objects(hub.get("skills")):
        _required(skill, out["capabilities"], index, notes)


def _transport(item: dict[str, Any], source: str, to: str, notes: Notes) -> dict[str, Any]:
    """Return an interface of the hub as an A2A transport."""
    notes.move(to, source)
    version = item.get("protocolVersion")
    if "protocolVersion" in item and (version is None or major_minor(version) != version):
        notes.doubt(below(source, "protocolVersion"), "a version of A2A is Major.Minor (A2A 1.0 §3.6)")
    if type(item.get("url")) is not str:
        notes.doubt(source, "it has no URL")
    entry: dict[str, Any] = {"protocol": "a2a"}
    for own, name in (("version", "protocolVersion"), ("endpoint", "url")):
        if name in item:
            entry[own] = item[name]
            notes.move(below(to, own), below(source, name))
    for name, value in item.items():
        if name in ("tenant", "protocolBinding"):
            if value != DEFAULT_TRANSPORT:
                notes.lose(below(source, name), "a Beach transport has no tenant and no binding")
        elif name in _OWN:
            notes.lose(below(source, name), f"{name} has another meaning in Beach")
        elif name not in ("url", "protocolVersion"):
            entry[name] = value
    return entry


def _required(skill: dict[str, Any], capabilities: list[Any], index: int, notes: Notes) -> None:
    scopes: list[Any] = []
    for entry in listed(skill.get("securityRequirements")):
        for _, scopes_of_scheme in _scopes_by_scheme(entry):
            scopes += [scope for scope in scopes_of_scheme if scope not in scopes]
    at = below("/skills", index, "securityRequirements")
    if "securityRequirements" in skill:
        notes.doubt(at, "a Beach capability has scopes only; the schemes are those of the transports")
    capabilities[index] = {**capabilities[index], "requiredScopes": scopes}
    notes.move(below("/capabilities", index, "requiredScopes"), at)


def _authentication(hub: dict[str, Any], notes: Notes) -> tuple[dict[str, Any] | None, list[Any]]:
    """Return the authentication and scopes of every A2A transport: the first alternative that Beach can express."""
    schemes = hub.get("securitySchemes")
    for name in ("securitySchemes", "securityRequirements"):
        if name in hub:
            notes.doubt(below("", name), "a Beach transport has one kind of authentication")
    requirements = listed(hub.get("securityRequirements"))
    if not requirements:
        return None, []
    at = below("/transports", 0, "auth")
    # If every alternative requires several schemes, use one of them, so that the agent does not appear public.
    for maximum in (1, None):
        for entry in requirements:
            if entry in ({}, {"schemes": {}}):
                return None, []
            for name, scopes in (
                _scopes_by_scheme(entry)[:maximum]
                if maximum is None or len(_scopes_by_scheme(entry)) <= maximum
                else ()
            ):
                scheme = schemes.get(name) if type(schemes) is dict else None
                auth = _auth(scheme, scopes, at, notes)
                if auth:
                    return auth, [] if auth["type"] == "oauth2" else scopes
    name, scopes = next((pair for entry in requirements for pair in _scopes_by_scheme(entry)), (UNKNOWN, []))
    scheme = schemes.get(name) if type(schemes) is dict else None
    # The scheme may have unknown fields, in any order.
    known = (kind for kind in _NEAREST if type(scheme) is dict and kind in scheme)
    auth = _NEAREST.get(next(known, ""), {"type": name})
    why = "Beach cannot express this requirement: the closest kind tells callers that authentication is required"
    notes.assume(at, auth["type"], why)
    return auth, scopes


def _scopes_by_scheme(entry: Any) -> list[tuple[str, list[Any]]]:
    schemes = entry.get("schemes") if type(entry) is dict else None
    if type(schemes) is not dict:
        return []
    pairs = ((n, schemes[n].get("list") if type(schemes[n]) is dict else None) for n in sorted(schemes))
    return [(name, list(scopes) if type(scopes) is list else []) for name, scopes in pairs]


def _auth(scheme: Any, scopes: list[Any], at: str, notes: Notes) -> dict[str, Any] | None:
    if type(scheme) is not dict or len(scheme) != 1:
        return None
    wrapper, inner = next(iter(scheme.items()))
    if type(inner) is not dict:
        return None
    if wrapper == "apiKeySecurityScheme" and inner.get("location") == "header":
        return {"type": "api-key", "header": inner.get("name")}
    if wrapper == "mtlsSecurityScheme":
        return {"type": "mtls"}
    if wrapper == "httpAuthSecurityScheme" and type(inner.get("scheme")) is str:
        if inner["scheme"].casefold() != "bearer":
            return {"type": inner["scheme"]}
        why = "Beach has no bearer tokens: an API key in Authorization, with the prefix `Bearer `"
        notes.assume(below(at, "header"), AUTHORIZATION, why)
        return {"type": "api-key", "header": AUTHORIZATION}
    flows = inner.get("flows")
    if wrapper == "oauth2SecurityScheme" and type(flows) is dict:
        with_tokens = (flows[f] for f in ordered(flows) if type(flows[f]) is dict and "tokenUrl" in flows[f])
        flow: dict[str, Any] = next(with_tokens, {})
        words = [scope for scope in scopes if type(scope) is str]
        if not words and type(flow.get("scopes")) is dict and flow["scopes"]:
            words = list(flow["scopes"])
            why = "Beach requires a scope, and the card requires none: all scopes of the flow"
            notes.assume(below(at, "scope"), " ".join(words), why)
        scope_field = {"scope": " ".join(words)} if words else {}
        endpoint = {"tokenEndpoint": flow["tokenUrl"]} if flow.get("tokenUrl") else {}
        return {"type": "oauth2", **endpoint, **scope_field}
    return None
