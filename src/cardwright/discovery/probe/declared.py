"""What a card declares for one interface, as far as a probe can check it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.view.interfaces import Interface

# The challenge name of schemes that are not HTTP's own (RFC 6750 §3).
_BEARER: Final = frozenset({"oauth2", "openIdConnect", "oauth2SecurityScheme", "openIdConnectSecurityScheme"})
_HTTP: Final = frozenset({"http", "httpAuthSecurityScheme"})
_MUTUAL: Final = frozenset({"mutualTLS", "mtlsSecurityScheme", "mtls"})


@dataclass(frozen=True, slots=True)
class Declared:
    """What a card declares for an interface; None if the dialect has no field for it.

    Attributes:
        auth_required: Whether every caller must authenticate.
        schemes: The expected challenge names, lower case; empty if any is acceptable.
        certificate: Whether a client certificate is one option.
        has_schemes: Whether schemes are declared, even if none is required.
        streaming: Whether streaming is declared.
        push: Whether push notifications are declared.
        extended: Whether an extended card is declared.
        text: Whether plain text is accepted.
    """

    auth_required: bool | None
    schemes: frozenset[str] = frozenset()
    certificate: bool = False
    has_schemes: bool = False
    streaming: bool | None = None
    push: bool | None = None
    extended: bool | None = None
    text: bool = True


def declared_for(card: Card, interface: Interface) -> Declared:
    """Return what a card of any dialect declares for an interface; unreadable parts count as undeclared."""
    document = card.document
    if card.dialect.family == "beach":
        return _beach(document, interface)
    if card.dialect.family != "a2a":
        return Declared(None)
    view = card.view
    modes = document.get("defaultInputModes")
    auth_required, schemes, certificate = _security(document)
    return Declared(
        auth_required,
        schemes,
        certificate,
        bool(document.get("securitySchemes")),
        streaming=view.streaming,
        push=view.push_notifications,
        extended=view.extended_card,
        text=type(modes) is not list or any(str(mode).startswith(("text", "*/*")) for mode in modes),
    )


def _security(document: dict[str, Any]) -> tuple[bool, frozenset[str], bool]:
    """Return whether security is required, the challenge names, and whether a client certificate is an option."""
    old_schemes = _object(document.get("authentication")).get("schemes")
    if type(old_schemes) is list and old_schemes:
        names = frozenset(str(name).lower() for name in old_schemes)
        # One of them is enough, and "none" is how some cards say that none is needed.
        return "none" not in names, names - {"none"}, False
    requirements = document.get("securityRequirements") or document.get("security")
    entries = [
        _object(_object(entry).get("schemes", entry))
        for entry in (requirements if type(requirements) is list else ())
    ]
    schemes_by_name = _object(document.get("securitySchemes"))
    kinds = [_kind(_object(schemes_by_name.get(name))) for entry in entries for name in entry]
    known = frozenset(kind for kind in kinds if kind not in ("", "mtls"))
    return (
        bool(entries) and all(entries),
        known if "" not in kinds and "mtls" not in kinds else frozenset(),
        "mtls" in kinds,
    )


def _kind(scheme: dict[str, Any]) -> str:
    """Return the challenge name of a scheme; "" if any name is possible, `mtls` if there is no challenge."""
    name = scheme.get("type") or next((name for name in scheme if name.endswith("SecurityScheme")), "")
    if name in _HTTP:
        return str(_object(scheme.get(name, scheme)).get("scheme") or "").lower()
    return "bearer" if name in _BEARER else "mtls" if name in _MUTUAL else ""


def _beach(document: dict[str, Any], interface: Interface) -> Declared:
    entry: Any = document
    for step in steps_of(interface.pointer):
        entry = entry[int(step)] if type(entry) is list else entry[step]
    auth = _object(_object(entry).get("auth")).get("type")
    schemes = frozenset({"bearer"} if auth == "oauth2" else ())
    return Declared(auth not in (None, "none"), schemes, auth == "mtls")


def _object(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}
