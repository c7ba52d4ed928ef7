"""Beach's transports and what they ask of a caller: interfaces, schemes and requirements of the hub."""

from __future__ import annotations

from typing import Any, Final

from cardwright.conversion.authentication import DEFAULT_HEADER
from cardwright.conversion.interfaces import DEFAULT_TRANSPORT, major_minor
from cardwright.conversion.notes import Notes, below
from cardwright.conversion.security import ordered

A2A_VERSION: Final = "1.0"
# RFC 9110 §11.6.2: a bearer token is what a key in this header is.
AUTHORIZATION: Final = "Authorization"
# What a transport asks for whose card asks for something past reading.
UNKNOWN: Final = "unknown"
# The kind of authentication that comes nearest to a scheme that Beach cannot say whole.
_NEAREST: Final = {
    "apiKeySecurityScheme": "api-key",
    "httpAuthSecurityScheme": "api-key",
    "mtlsSecurityScheme": "mtls",
    "oauth2SecurityScheme": "oauth2",
    "openIdConnectSecurityScheme": "oauth2",
}
_OWN: Final = frozenset({"protocol", "version", "endpoint", "auth", "requiredScopes", "transport", "tool"})
_MCP_ONLY: Final = "only an mcp transport has it (Beach Agent Card, Transport entry)"


def to_hub(document: dict[str, Any], hub: dict[str, Any], notes: Notes) -> list[Any]:
    """Write the A2A transports of a Beach card into the hub; return those that A2A cannot express."""
    transports = document.get("transports")
    others: list[Any] = []
    schemes: dict[str, Any] = {}
    alternatives: list[dict[str, Any]] = []
    interfaces: list[dict[str, Any]] = []
    if transports is not None and type(transports) is not list:
        notes.lose("/transports", "it is no array")
    for index, item in enumerate(transports if type(transports) is list else []):
        source = below("/transports", index)
        if type(item) is not dict:
            notes.lose(source, "it is no transport")
        elif item.get("protocol") != "a2a" or type(item.get("endpoint")) is not str:
            others.append(item)
        else:
            at = below("/supportedInterfaces", len(interfaces))
            interfaces.append(_interface(item, at, source, notes))
            asked = _asked(item, schemes, source, notes)
            if asked not in alternatives:
                alternatives.append(asked)
    if interfaces:
        hub["supportedInterfaces"] = interfaces
    if schemes:
        hub["securitySchemes"] = schemes
        # What asks for nothing comes last: a caller takes the first alternative that it can meet.
        alternatives.sort(key=lambda asked: not asked["schemes"])
        hub["securityRequirements"] = alternatives
        if len(alternatives) > 1:
            why = "A2A says security for the whole card: what one transport asks for is offered for each"
            notes.assume("/securityRequirements", alternatives, why)
    _scopes(document, hub, schemes, notes)
    return others


def _interface(item: dict[str, Any], at: str, source: str, notes: Notes) -> dict[str, Any]:
    notes.move(at, source)
    notes.move(below(at, "url"), below(source, "endpoint"))
    notes.move(below(at, "protocolVersion"), below(source, "version"))
    version = major_minor(item.get("version"))
    if version is None:
        why = "the transport names no version of A2A"
        notes.assume(below(at, "protocolVersion"), A2A_VERSION, why)
    notes.doubt(below(source, "version"), "a version of A2A is Major.Minor (A2A 1.0 §3.6)")
    why = "Beach does not say which binding of A2A a transport has: messages are posted to it"
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
                notes.lose(below(source, name), f"{name} means something else in A2A")
            else:
                entry[name] = value
    return entry


def _asked(item: dict[str, Any], schemes: dict[str, Any], source: str, notes: Notes) -> dict[str, Any]:
    """Return the requirement that a transport makes, and add its scheme to those of the card."""
    auth = item.get("auth")
    notes.doubt(below(source, "auth"), "A2A says security for the whole card, by schemes")
    notes.doubt(below(source, "requiredScopes"), "A2A asks for scopes of a scheme, for the whole card")
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
                below(at, "apiKeySecurityScheme", "name"), DEFAULT_HEADER, "the card names no header"
            )
            header = DEFAULT_HEADER
        return {"apiKeySecurityScheme": {"location": "header", "name": header}}
    if kind == "oauth2":
        scope = auth.get("scope")
        scopes = dict.fromkeys(scope.split(), "") if type(scope) is str else {}
        why = "Beach names a token endpoint and no flow: an agent asks for a token of its own"
        notes.assume(below(at, "oauth2SecurityScheme", "flows"), "clientCredentials", why)
        flow = {"tokenUrl": auth["tokenEndpoint"]} if "tokenEndpoint" in auth else {}
        return {"oauth2SecurityScheme": {"flows": {"clientCredentials": {**flow, "scopes": scopes}}}}
    if kind == "mtls":
        return {"mtlsSecurityScheme": {}}
    why = (
        "A2A has no such kind of authentication: named as a scheme of HTTP, so that callers see there is one"
    )
    notes.assume(below(at, "httpAuthSecurityScheme", "scheme"), kind, why)
    return {"httpAuthSecurityScheme": {"scheme": kind}}


def _scopes(document: dict[str, Any], hub: dict[str, Any], schemes: dict[str, Any], notes: Notes) -> None:
    """Ask for a capability's scopes of every scheme that the card has."""
    capabilities = document.get("capabilities")
    for index, item in enumerate(capabilities if type(capabilities) is list else []):
        scopes = item.get("requiredScopes") if type(item) is dict else None
        source = below("/capabilities", index, "requiredScopes")
        if type(scopes) is not list or not schemes:
            if type(item) is dict and "requiredScopes" in item and scopes != []:
                notes.lose(source, "no transport has a scheme that these scopes could be asked of")
            continue
        if scopes:
            asked = [{"schemes": {name: {"list": scopes}}} for name in schemes]
            hub["skills"][index]["securityRequirements"] = asked
            notes.move(below("/skills", index, "securityRequirements"), source)


def from_hub(hub: dict[str, Any], out: dict[str, Any], kept: Any, at: str, notes: Notes) -> None:
    """Write the hub's interfaces as A2A transports, and after them those that only Beach can express."""
    interfaces = hub.get("supportedInterfaces")
    transports: list[Any] = []
    auth, scopes = _demanded(hub, notes)
    addresses: set[str] = set()
    if interfaces is not None and type(interfaces) is not list:
        notes.lose("/supportedInterfaces", "it is no array")
    for index, item in enumerate(interfaces if type(interfaces) is list else []):
        source = below("/supportedInterfaces", index)
        if type(item) is not dict:
            notes.lose(source, "it is no interface")
            continue
        entry = _transport(item, source, below("/transports", len(transports)), notes)
        if str(item.get("url")) in addresses:
            notes.doubt(source, "Beach names no binding, which tells interfaces of one address apart")
        addresses.add(str(item.get("url")))
        transports.append({**entry, **({"auth": auth} if auth else {}), "requiredScopes": scopes})
    if not transports:
        # Without an endpoint nothing is said of what it asks for.
        for pointer in [place for place in notes.assumptions if place.startswith("/transports/")]:
            del notes.assumptions[pointer]
    if type(kept) is list:
        for index, item in enumerate(kept):
            notes.move(below("/transports", len(transports)), below(at, "transports", index))
            transports.append(item)
    elif kept is not None:
        notes.lose(below(at, "transports"), "it is no array")
    if transports:
        out["transports"] = transports
    for index, skill in enumerate(hub["skills"] if type(hub.get("skills")) is list else []):
        if type(skill) is dict:
            _required(skill, out["capabilities"], index, notes)


def _transport(item: dict[str, Any], source: str, to: str, notes: Notes) -> dict[str, Any]:
    """Return an interface of the hub as an A2A transport."""
    notes.move(to, source)
    spoken = item.get("protocolVersion")
    if "protocolVersion" in item and (spoken is None or major_minor(spoken) != spoken):
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
                notes.lose(below(source, name), "a Beach transport has no tenant and names no binding")
        elif name in _OWN:
            notes.lose(below(source, name), f"{name} means something else in Beach")
        elif name not in ("url", "protocolVersion"):
            entry[name] = value
    return entry


def _required(skill: dict[str, Any], capabilities: list[Any], index: int, notes: Notes) -> None:
    asked = skill.get("securityRequirements")
    scopes: list[Any] = []
    for entry in asked if type(asked) is list else []:
        for _, wanted in _named(entry):
            scopes += [scope for scope in wanted if scope not in scopes]
    at = below("/skills", index, "securityRequirements")
    if "securityRequirements" in skill:
        notes.doubt(at, "a Beach capability asks for scopes, and leaves the scheme to its transports")
    capabilities[index] = {**capabilities[index], "requiredScopes": scopes}
    notes.move(below("/capabilities", index, "requiredScopes"), at)


def _demanded(hub: dict[str, Any], notes: Notes) -> tuple[dict[str, Any] | None, list[Any]]:
    """Return the authentication of every A2A transport, and its scopes: the first alternative that Beach can say."""
    schemes = hub.get("securitySchemes")
    for name in ("securitySchemes", "securityRequirements"):
        if name in hub:
            notes.doubt(below("", name), "a Beach transport asks for one kind of authentication")
    given = hub.get("securityRequirements")
    asked = given if type(given) is list else []
    if not asked:
        return None, []
    at = below("/transports", 0, "auth")
    # Of what asks for several at once one is better than nothing: a caller must not take the agent for open.
    for most in (1, None):
        for entry in asked:
            if entry in ({}, {"schemes": {}}):
                return None, []
            for name, scopes in _named(entry)[:most] if most is None or len(_named(entry)) <= most else ():
                scheme = schemes.get(name) if type(schemes) is dict else None
                auth = _auth(scheme, scopes, at, notes)
                if auth:
                    return auth, [] if auth["type"] == "oauth2" else scopes
    name, scopes = next((pair for entry in asked for pair in _named(entry)), (UNKNOWN, []))
    scheme = schemes.get(name) if type(schemes) is dict else None
    # A member that is not known may stand first, and the order of members says nothing.
    known = (kind for kind in _NEAREST if type(scheme) is dict and kind in scheme)
    kind = _NEAREST.get(next(known, ""), name)
    why = (
        "Beach cannot say what is asked for: the nearest that it has, so that callers see there is something"
    )
    notes.assume(at, kind, why)
    return {"type": kind}, [] if kind == "oauth2" else scopes


def _named(entry: Any) -> list[tuple[str, list[Any]]]:
    named = entry.get("schemes") if type(entry) is dict else None
    if type(named) is not dict:
        return []
    pairs = ((n, named[n].get("list") if type(named[n]) is dict else None) for n in sorted(named))
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
        why = "Beach has no bearer token: a key in Authorization, with `Bearer ` before it"
        notes.assume(below(at, "header"), AUTHORIZATION, why)
        return {"type": "api-key", "header": AUTHORIZATION}
    flows = inner.get("flows")
    if wrapper == "oauth2SecurityScheme" and type(flows) is dict:
        endpoint = next(
            (
                flows[f]["tokenUrl"]
                for f in ordered(flows)
                if type(flows[f]) is dict and "tokenUrl" in flows[f]
            ),
            None,
        )
        words = [scope for scope in scopes if type(scope) is str]
        said = {"scope": " ".join(words)} if words else {}
        return {"type": "oauth2", **({"tokenEndpoint": endpoint} if endpoint else {}), **said}
    return None
