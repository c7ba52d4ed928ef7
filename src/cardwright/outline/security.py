"""Security schemes and requirements as text, in the encodings of A2A 0.x and 1.0."""

from __future__ import annotations

from typing import Any, Final

from cardwright.outline.fields import entries, field_at, items, text, words
from cardwright.outline.parts import Scheme

# A2A 1.0 §4.5.1: the wrapper field for each `type` of 0.x.
_WRAPPERS: Final = {
    "apiKeySecurityScheme": "apiKey",
    "httpAuthSecurityScheme": "http",
    "oauth2SecurityScheme": "oauth2",
    "openIdConnectSecurityScheme": "openIdConnect",
    "mtlsSecurityScheme": "mutualTLS",
}
_FLOWS: Final = {
    "authorizationCode": "authorization code",
    "clientCredentials": "client credentials",
    "deviceCode": "device code",
    "implicit": "implicit",
    "password": "password",
}


def schemes_of(document: Any) -> tuple[Scheme, ...]:
    """Return the declared schemes, without duplicates of a hybrid's two encodings."""
    return tuple(_scheme(name, scheme) for name, scheme in entries(document, "securitySchemes").items())


def requirements_of(holder: Any) -> tuple[str, ...]:
    """Return the alternative requirements of a card or a skill, as text."""
    newer = items(holder, "securityRequirements")
    schemes = [_newer(item) for item in newer] or [_older(item) for item in items(holder, "security")]
    return tuple(schemes) or tuple(words(name) for name in items(holder, "authentication", "schemes"))


def _scheme(name: str, scheme: Any) -> Scheme:
    wrapper = next((wrapper for wrapper in _WRAPPERS if field_at(scheme, wrapper) is not None), None)
    kind, body = (
        (_WRAPPERS[wrapper], field_at(scheme, wrapper)) if wrapper else (text(scheme, "type"), scheme)
    )
    return Scheme(words(name), _kind(kind, body), text(body, "description"))


def _kind(kind: str, body: Any) -> str:
    match kind:
        case "apiKey":
            where = text(body, "location") or text(body, "in") or "request"
            return f"API key in the {where} {text(body, 'name')}".rstrip()
        case "http":
            bearer_format = text(body, "bearerFormat")
            http = f"HTTP {text(body, 'scheme') or 'authentication'}"
            return f"{http} ({bearer_format})" if bearer_format else http
        case "oauth2":
            return _oauth2(body)
        case "openIdConnect":
            return f"OpenID Connect {text(body, 'openIdConnectUrl')}".rstrip()
        case "mutualTLS":
            return "mutual TLS"
        case _:
            return kind or "unknown type"


def _oauth2(body: Any) -> str:
    """Return the flows as text, each with its authorization or token URL."""
    flows = [
        " ".join(
            filter(
                None,
                (_FLOWS.get(name, words(name)), text(flow, "authorizationUrl") or text(flow, "tokenUrl")),
            )
        )
        for name, flow in entries(body, "flows").items()
    ]
    return f"OAuth 2: {'; '.join(flows)}" if flows else "OAuth 2"


def _newer(requirement: Any) -> str:
    # The scopes are a `StringList` message (A2A 1.0 §4.5.9); some cards have an array instead.
    schemes = entries(requirement, "schemes")
    return _all_of({name: field_at(scopes, "list") or scopes for name, scopes in schemes.items()})


def _older(requirement: Any) -> str:
    return _all_of(entries({"it": requirement}, "it"))


def _all_of(schemes: dict[str, Any]) -> str:
    """Return one alternative as text: all its schemes."""
    return " and ".join(_with_scopes(name, scopes) for name, scopes in schemes.items()) or "nothing"


def _with_scopes(name: str, scopes: Any) -> str:
    scope_text = ", ".join(words(scope) for scope in scopes) if isinstance(scopes, list) else ""
    return f"{words(name)} ({scope_text})" if scope_text else words(name)
