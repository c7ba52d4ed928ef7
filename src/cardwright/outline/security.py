"""Security schemes and requirements in words, in the 0.x and in the 1.0 encoding."""

from __future__ import annotations

from typing import Any, Final

from cardwright.outline.members import entries, items, member, text, words
from cardwright.outline.parts import Scheme

# A2A 1.0 §4.5.1 wraps what 0.x tells apart by `type`.
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
    """Return the declared schemes; a hybrid's double encoding is read once."""
    return tuple(_scheme(name, scheme) for name, scheme in entries(document, "securitySchemes").items())


def requirements_of(holder: Any) -> tuple[str, ...]:
    """Return the alternatives that a card or a skill asks for, in words."""
    newer = items(holder, "securityRequirements")
    asked = [_newer(one) for one in newer] or [_older(one) for one in items(holder, "security")]
    return tuple(asked) or tuple(words(name) for name in items(holder, "authentication", "schemes"))


def _scheme(name: str, scheme: Any) -> Scheme:
    wrapper = next((wrapper for wrapper in _WRAPPERS if member(scheme, wrapper) is not None), None)
    kind, body = (_WRAPPERS[wrapper], member(scheme, wrapper)) if wrapper else (text(scheme, "type"), scheme)
    return Scheme(words(name), _kind(kind, body), text(body, "description"))


def _kind(kind: str, body: Any) -> str:
    match kind:
        case "apiKey":
            where = text(body, "location") or text(body, "in") or "request"
            return f"API key in the {where} {text(body, 'name')}".rstrip()
        case "http":
            bearer_format = text(body, "bearerFormat")
            told = f"HTTP {text(body, 'scheme') or 'authentication'}"
            return f"{told} ({bearer_format})" if bearer_format else told
        case "oauth2":
            return _oauth2(body)
        case "openIdConnect":
            return f"OpenID Connect {text(body, 'openIdConnectUrl')}".rstrip()
        case "mutualTLS":
            return "mutual TLS"
        case _:
            return kind or "of no known kind"


def _oauth2(body: Any) -> str:
    """Name the flows with where each begins."""
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
    # The scopes are a `StringList` message on the wire (A2A 1.0 §4.5.9); a bare array is seen, too.
    asked = entries(requirement, "schemes")
    return _together({name: member(scopes, "list") or scopes for name, scopes in asked.items()})


def _older(requirement: Any) -> str:
    return _together(entries({"it": requirement}, "it"))


def _together(asked: dict[str, Any]) -> str:
    """Say what one alternative asks for: all of these."""
    return " and ".join(_with_scopes(name, scopes) for name, scopes in asked.items()) or "nothing"


def _with_scopes(name: str, scopes: Any) -> str:
    told = ", ".join(words(scope) for scope in scopes) if isinstance(scopes, list) else ""
    return f"{words(name)} ({told})" if told else words(name)
