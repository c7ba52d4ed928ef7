"""What a card does not tell openly: credentials, and hosts that only their own network reaches (A2A 0.1 §5.4)."""

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

# Rules whose violations name a credential.
_CREDENTIALS: Final = ("secrets/", "url/userinfo")
# A command for this machine, and names that are no places.
_NO_HOST: Final = ("stdio", "urn", "data")
_CREDENTIAL: Final = "this looks like a credential"
_LOOPBACK: Final = "this machine itself"
# What a lenient reader takes as a URL: one slash or none, and backslashes, do for some.
_URL: Final = re.compile(
    r"(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,30}):(?://|\\\\|/(?=[^\s/])|(?<=http:)|(?<=https:))"
    r"([^\s<>\"'`)}/?#\\]*)([^\s<>\"'`)}]*)"
)
# A whole text that is an address, perhaps with a port, or begins as a URL without a scheme does.
_PLACE: Final = re.compile(r"(?://([^\s/?#\\]+)\S*|([0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::[0-9]{1,5})?(?:/\S*)?)")
# What a query calls a credential, and what only stands for one.
_KEYS: Final = re.compile(
    r"[?&;#](?:api[_-]?key|apikey|access[_-]?token|auth[_-]?token|token|secret|client[_-]?secret|password|passwd|pwd|sig)"
    r"=(?![{<$%*]|your|xxx|\.\.\.)[^&\s]{8,}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a card tells and should not.

    Attributes:
        pointer: Where (RFC 6901).
        why: What it is, without repeating it.
        internal_host: Whether it is a host, which on the same network harms nobody.
    """

    pointer: str
    why: str
    internal_host: bool = False


class SensitiveCard(CardError):
    """The card holds what is not published openly: take it out, hide it by a view, or say it shall be.

    Attributes:
        findings: All of it, sorted by pointer.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        told = "; ".join(f"{one.pointer or '(root)'}: {one.why}" for one in findings[:3])
        more = f"; and {len(findings) - 3} more" if len(findings) > 3 else ""
        super().__init__(
            f"not published openly: {told}{more}; take it out, let only those see it who authenticate"
            " (views), or publish it on purpose (publish_sensitive)"
        )
        self.findings = tuple(findings)


def sensitive(card: Card) -> list[Finding]:
    """Return what a card tells that should not be told to everyone, sorted by pointer."""
    found = {
        violation.pointer: Finding(violation.pointer, _CREDENTIAL)
        for violation in card.violations
        if is_credential(violation.rule)
    }
    for finding in _findings(card):
        found.setdefault(finding.pointer, finding)
    return [found[pointer] for pointer in sorted(found)]


def is_credential(rule: str) -> bool:
    """Whether a rule's violations name a credential, which makes a card invalid and not unreadable."""
    return rule.startswith(_CREDENTIALS)


def _findings(card: Card) -> Iterator[Finding]:
    # An endpoint may be a host without a scheme; a registered transport may have one of its own.
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
                # In prose, `http://localhost:3000` is an example and tells nothing of anyone's network.
                yield from (one for one in _of_host(pointer, authority) if whole or _LOOPBACK not in one.why)


def _of_host(pointer: str, authority: str) -> Iterator[Finding]:
    host = _host(authority)
    why = internal(host) if host else None
    if why:
        yield Finding(pointer, f"it names an internal host: {why}", internal_host=True)


def _texts(node: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str, str]]:
    """Yield every text of a value, names of members too, and where it stands."""
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
    """Return the host of an authority as lenient readers see it: decoded, and wide digits and dots as plain ones."""
    plain = normalize("NFKC", unquote(authority)).replace("\u3002", ".")
    try:
        return urlsplit(f"//{plain.rpartition('@')[2]}").hostname or ""
    except ValueError:
        return ""
