"""What a card says of one of its interfaces, as far as asking can show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.discovery.interfaces import Interface

# How HTTP's challenge is called where a scheme is not HTTP's own (RFC 6750 §3).
_BEARER: Final = frozenset({"oauth2", "openIdConnect", "oauth2SecurityScheme", "openIdConnectSecurityScheme"})
_HTTP: Final = frozenset({"http", "httpAuthSecurityScheme"})
_MUTUAL: Final = frozenset({"mutualTLS", "mtlsSecurityScheme", "mtls"})


@dataclass(frozen=True, slots=True)
class Declared:
    """What is said; None where the dialect has no word for it.

    Attributes:
        demands: Whether every caller has to say who is asking.
        schemes: What a challenge may be called, lower case; empty where any may come.
        certificate: Whether a certificate of the caller's is one of the ways.
        named: Whether schemes are described, though none is required.
        streaming: Whether it streams.
        push: Whether it pushes.
        extended: Whether it has an extended card.
        text: Whether it takes plain text.
    """

    demands: bool | None
    schemes: frozenset[str] = frozenset()
    certificate: bool = False
    named: bool = False
    streaming: bool | None = None
    push: bool | None = None
    extended: bool | None = None
    text: bool = True


def claims_of(card: Card, one: Interface) -> Declared:
    """Return what a card of any dialect says of an interface; of what cannot be read, nothing."""
    document = card.document
    if card.dialect.family == "beach":
        return _beach(document, one)
    if card.dialect.family != "a2a":
        return Declared(None)
    capabilities = _object(document.get("capabilities"))
    # A card of one version may have interfaces of another: what it says by its own name holds for them, too.
    extended = (
        capabilities.get("extendedAgentCard") is True
        or document.get("supportsAuthenticatedExtendedCard") is True
    )
    modes = document.get("defaultInputModes")
    demands, schemes, certificate = _security(document)
    return Declared(
        demands,
        schemes,
        certificate,
        bool(document.get("securitySchemes")),
        streaming=capabilities.get("streaming") is True,
        push=capabilities.get("pushNotifications") is True,
        extended=extended,
        text=type(modes) is not list or any(str(mode).startswith(("text", "*/*")) for mode in modes),
    )


def _security(document: dict[str, Any]) -> tuple[bool, frozenset[str], bool]:
    """Return whether security is demanded, what its challenges are called, and whether a certificate is."""
    older = _object(document.get("authentication")).get("schemes")
    if type(older) is list and older:
        return True, frozenset(str(name).lower() for name in older), False
    wanted = document.get("securityRequirements") or document.get("security")
    entries = [
        _object(_object(entry).get("schemes", entry)) for entry in (wanted if type(wanted) is list else ())
    ]
    described = _object(document.get("securitySchemes"))
    kinds = [_kind(_object(described.get(name))) for entry in entries for name in entry]
    known = frozenset(kind for kind in kinds if kind not in ("", "mtls"))
    return (
        bool(entries) and all(entries),
        known if "" not in kinds and "mtls" not in kinds else frozenset(),
        "mtls" in kinds,
    )


def _kind(scheme: dict[str, Any]) -> str:
    """Return what the challenge of a scheme is called; "" where any name may come, `mtls` where none does."""
    name = scheme.get("type") or next((name for name in scheme if name.endswith("SecurityScheme")), "")
    if name in _HTTP:
        return str(_object(scheme.get(name, scheme)).get("scheme") or "").lower()
    return "bearer" if name in _BEARER else "mtls" if name in _MUTUAL else ""


def _beach(document: dict[str, Any], one: Interface) -> Declared:
    entry: Any = document
    for step in steps_of(one.pointer):
        entry = entry[int(step)] if type(entry) is list else entry[step]
    auth = _object(_object(entry).get("auth")).get("type")
    schemes = frozenset({"bearer"} if auth == "oauth2" else ())
    return Declared(auth not in (None, "none"), schemes, auth == "mtls")


def _object(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}
