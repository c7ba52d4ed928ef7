"""Sensitive contents of a card: credentials, and internal hosts (A2A 0.1 §5.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from cardwright.errors import CardError
from cardwright.hosts import internal
from cardwright.rewrite import endpoints
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.card import Card

# Rules whose violations are about a credential.
_CREDENTIALS: Final = ("secrets/", "url/userinfo")
# A local command, and URI schemes without a host.
_NO_HOST: Final = ("stdio", "urn", "data")
_CREDENTIAL: Final = "this looks like a credential"
_LOOPBACK: Final = "this machine (localhost)"
# What a lenient parser accepts as a URL, for example with one slash or backslashes.
_URL: Final = re.compile(
    r"(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,30}):(?://|\\\\|/(?=[^\s/])|(?<=http:)|(?<=https:))"
    r"([^\s<>\"'`)}/?#\\]*)([^\s<>\"'`)}]*)"
)
# A text that is an IP address, with or without a port, or a URL without a scheme.
_PLACE: Final = re.compile(r"//([^\s/?#\\]++)\S*|([0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::[0-9]{1,5})?(?:/\S*)?")
# Query parameters with a credential; values that are placeholders are excluded.
_KEYS: Final = re.compile(
    r"[?&;#](?:api[_-]?key|apikey|access[_-]?token|auth[_-]?token|token|secret|client[_-]?secret|password|passwd|pwd|sig)"
    r"=(?![{<$%*]|your|xxx|\.\.\.)[^&\s]{8,}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a card should not publish.

    Attributes:
        pointer: Its location (RFC 6901).
        why: What it is, without repeating it.
        internal_host: Whether it is a host, which is harmless on the same network.
    """

    pointer: str
    why: str
    internal_host: bool = False


class SensitiveCard(CardError):
    """The public view of a card contains credentials or internal hosts.

    Attributes:
        findings: All findings, sorted by pointer.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        first = "; ".join(f"{finding.pointer or '(root)'}: {finding.why}" for finding in findings[:3])
        more = f"; and {len(findings) - 3} more" if len(findings) > 3 else ""
        super().__init__(
            f"not published, since it is sensitive: {first}{more}; remove it, hide it from the public with views, or"
            f' allow it with publish_sensitive="{"hosts" if all(one.internal_host for one in findings) else "all"}"'
        )
        self.findings = tuple(findings)


def sensitive(card: Card) -> list[Finding]:
    """Return the sensitive contents of a card, sorted by pointer."""
    by_pointer = {
        violation.pointer: Finding(violation.pointer, _CREDENTIAL)
        for violation in card.violations
        if is_credential(violation.rule)
    }
    for finding in _findings(card):
        by_pointer.setdefault(finding.pointer, finding)
    return [by_pointer[pointer] for pointer in sorted(by_pointer)]


def is_credential(rule: str) -> bool:
    """Return whether a rule's violations are about a credential."""
    return rule.startswith(_CREDENTIALS)


def _findings(card: Card) -> Iterator[Finding]:
    # An endpoint may be a host without a scheme, and a registered transport may have a scheme of its own.
    for pointer, url in endpoints(card):
        if "://" not in url and not url.startswith("/"):
            yield from _of_host(pointer, url.partition("/")[0])
    for pointer, text in _texts(card.document, ()):
        if _KEYS.search(text):
            yield Finding(pointer, _CREDENTIAL)
        place = _PLACE.fullmatch(text)
        if place:
            yield from _of_host(pointer, place[1] or place[2])
        for match in _URL.finditer(text) if ":" in text else ():
            scheme, authority, _ = match.groups()
            if "@" in authority and ":" in authority.rpartition("@")[0]:
                yield Finding(pointer, _CREDENTIAL)
            whole = match[0] == text
            if scheme.lower() not in _NO_HOST:
                # Inside a text, `http://localhost:3000` is an example and reveals nothing.
                yield from (
                    found for found in _of_host(pointer, authority) if whole or _LOOPBACK not in found.why
                )


def _of_host(pointer: str, authority: str) -> Iterator[Finding]:
    host = _host(authority)
    why = internal(host) if host else None
    if why:
        yield Finding(pointer, f"it names an internal host: {why}", internal_host=True)


def _texts(node: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str, str]]:
    """Yield the pointer and the text of every string in a value, including field names."""
    if type(node) is str:
        yield pointer_of(path), node
    elif type(node) is dict:
        for name, value in node.items():
            yield pointer_of((*path, name)), name
            yield from _texts(value, (*path, name))
    elif type(node) is list:
        for index, value in enumerate(node):
            yield from _texts(value, (*path, index))


def _host(authority: str) -> str:
    """Return the host of an authority as lenient parsers read it: decoded, full-width characters as ASCII."""
    plain = normalize("NFKC", unquote(authority)).replace("\u3002", ".")
    try:
        return urlsplit(f"//{plain.rpartition('@')[2]}").hostname or ""
    except ValueError:
        return ""
