"""Checks that two places of a card agree: its interfaces (A2A 0.3 §5.6) and the halves of a hybrid.

A2A 1.0 clients read `supportedInterfaces` of a hybrid, A2A 0.x clients `url` and its companions. Each
difference between the two halves is a violation of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from cardwright_models.a2a_facts import DEFAULT_TRANSPORT
from cardwright_runtime.checks import listed, objects
from cardwright_runtime.violation import break_rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright_runtime.violation import Rule, Violation

    Requirement = frozenset[tuple[str, tuple[str, ...]]]

# A URL that is already in the normalized form; most are.
_PLAIN_URL: Final = re.compile(r"https?://[a-z0-9.-]+/[^#]*\Z")


def main_interface_agrees(violations: list[Violation], rule: Rule, document: dict[str, Any]) -> None:
    """Add a violation if `additionalInterfaces` has the main URL with other transports only (0.3 §5.6.4)."""
    url, preferred = document.get("url"), preferred_transport(document)
    at_main = [
        (index, item["transport"])
        for index, item in objects(document.get("additionalInterfaces"))
        if item.get("url") == url and type(item.get("transport")) is str
    ]
    if at_main and all(transport.casefold() != preferred.casefold() for _, transport in at_main):
        index, transport = at_main[0]
        violations.append(
            break_rule(rule, f"/additionalInterfaces/{index}/transport", transport, preferred=preferred)
        )


def main_interface_listed(violations: list[Violation], rule: Rule, document: dict[str, Any]) -> None:
    """Add a violation if `additionalInterfaces` is not empty and lacks the main URL (0.3 §5.6.4, SHOULD)."""
    url, entries = document.get("url"), listed(document.get("additionalInterfaces"))
    if entries and not any(type(item) is dict and item.get("url") == url for item in entries):
        violations.append(break_rule(rule, "/additionalInterfaces", url))


def halves_interfaces(violations: list[Violation], rule: Rule, document: dict[str, Any]) -> None:
    """Add a violation for each 0.x interface that only one half of a hybrid lists."""
    entries = list(objects(document.get("supportedInterfaces")))
    if not entries:
        return
    newer = {_interface(item, "protocolBinding") for _, item in entries}
    older: dict[tuple[str, str], str] = {}
    if type(document.get("url")) is str:
        older[_same_url(document["url"]), preferred_transport(document).casefold()] = "/url"
    for index, item in objects(document.get("additionalInterfaces")):
        older.setdefault(_interface(item, "transport"), f"/additionalInterfaces/{index}")
    for (url, transport), pointer in older.items():
        if (url, transport) not in newer:
            violations.append(break_rule(rule, pointer, url, half="supportedInterfaces", transport=transport))
    for index, item in entries:
        version, (url, transport) = item.get("protocolVersion"), _interface(item, "protocolBinding")
        if type(version) is str and version.startswith("0.") and (url, transport) not in older:
            half = "the older half (url, additionalInterfaces)"
            pointer = f"/supportedInterfaces/{index}"
            violations.append(break_rule(rule, pointer, url, half=half, transport=transport))


def halves_security(violations: list[Violation], rule: Rule, document: dict[str, Any]) -> None:
    """Add a violation if `security` and `securityRequirements` of the card or of a skill differ."""
    if "supportedInterfaces" not in document:
        return
    places = [
        ("", document),
        *((f"/skills/{index}", item) for index, item in objects(document.get("skills"))),
    ]
    for at, place in places:
        if "security" not in place and "securityRequirements" not in place:
            continue
        older = _alternatives(_requirement(item) for _, item in objects(place.get("security")))
        newer = _alternatives(
            _requirement(item.get("schemes")) for _, item in objects(place.get("securityRequirements"))
        )
        if older != newer:
            pointer = f"{at}/security" if "security" in place else f"{at}/securityRequirements"
            violations.append(break_rule(rule, pointer, None, older=_words(older), newer=_words(newer)))


def halves_extended(violations: list[Violation], rule: Rule, document: dict[str, Any]) -> None:
    """Add a violation if `supportsAuthenticatedExtendedCard` and `capabilities.extendedAgentCard` differ.

    An absent field is false.
    """
    if "supportedInterfaces" not in document:
        return
    capabilities = document.get("capabilities")
    newer = type(capabilities) is dict and capabilities.get("extendedAgentCard") is True
    older = document.get("supportsAuthenticatedExtendedCard") is True
    if newer != older:
        other = str(newer).lower()
        violations.append(break_rule(rule, "/supportsAuthenticatedExtendedCard", older, other=other))


def preferred_transport(document: dict[str, Any]) -> str:
    """Return the transport of the `url` of a 0.x card (A2A 0.3 §5.6.1)."""
    preferred = document.get("preferredTransport")
    return preferred if type(preferred) is str else DEFAULT_TRANSPORT


def _interface(item: dict[str, Any], transport: str) -> tuple[str, str]:
    return _same_url(str(item.get("url"))), str(item.get(transport)).casefold()


def _same_url(text: str) -> str:
    """Return a URL normalized by RFC 3986 §6.2.2 and §6.2.3: host in lower case, no default port, a path."""
    if _PLAIN_URL.match(text):
        return text
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return text
    if not parts.hostname:
        return text
    default = {"http": 80, "https": 443}.get(parts.scheme)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    authority = host if port in (None, default) else f"{host}:{port}"
    return urlunsplit((parts.scheme, authority, parts.path or "/", parts.query, ""))


def _alternatives(requirements: Iterable[Requirement]) -> set[Requirement]:
    """Return the alternatives of a list of requirements; a single empty requirement is the same as no list."""
    alternatives = set(requirements)
    return alternatives if alternatives != {frozenset()} else set()


def _requirement(value: Any) -> Requirement:
    if type(value) is not dict:
        return frozenset()
    entries = []
    for name, scopes in value.items():
        listed = scopes.get("list", []) if type(scopes) is dict else scopes
        entries.append((name, tuple(sorted(map(str, listed))) if type(listed) is list else ()))
    return frozenset(entries)


def _words(requirements: set[Requirement]) -> str:
    """Return a set of requirements as text: alternatives of schemes, in a fixed order."""
    texts = (" and ".join(sorted(name for name, _ in entry)) or "no scheme" for entry in requirements)
    return " or ".join(sorted(texts)) or "nothing"
