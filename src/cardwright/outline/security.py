"""Security schemes and requirements as text, in the encodings of A2A 0.x and 1.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.outline.fields import text, words
from cardwright.outline.parts import Scheme
from cardwright.view.fields import entries
from cardwright.view.security import declared_schemes, scheme_of, security_of

if TYPE_CHECKING:
    from cardwright.view.security import RequiredScheme

_FLOWS: Final = {
    "authorizationCode": "authorization code",
    "clientCredentials": "client credentials",
    "deviceCode": "device code",
    "implicit": "implicit",
    "password": "password",
}


def schemes_of(document: Any) -> tuple[Scheme, ...]:
    """Return the declared schemes, without duplicates of a hybrid's two encodings."""
    return tuple(_scheme(name, scheme) for name, scheme in declared_schemes(document).items())


def requirements_of(holder: Any) -> tuple[str, ...]:
    """Return the alternative requirements of a card or a skill, as text."""
    return tuple(_all_of(alternative) for alternative in security_of(holder, holder))


def _scheme(name: str, scheme: Any) -> Scheme:
    kind, body = scheme_of(scheme)
    return Scheme(words(name), _kind(words(kind), body), text(body, "description"))


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


def _all_of(alternative: tuple[RequiredScheme, ...]) -> str:
    """Return one alternative as text: all its schemes."""
    return " and ".join(map(_with_scopes, alternative)) or "nothing"


def _with_scopes(scheme: RequiredScheme) -> str:
    scopes = ", ".join(map(words, scheme.scopes))
    return f"{words(scheme.name)} ({scopes})" if scopes else words(scheme.name)
