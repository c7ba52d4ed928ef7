"""What a card does not tell openly: credentials, and hosts that only their own network reaches (A2A 0.1 §5.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright.errors import CardError
from cardwright.hosts import internal
from cardwright.rewrite import endpoints
from cardwright_models.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.card import Card

# Rules whose violations name a credential.
_CREDENTIALS: Final = ("secrets/", "url/userinfo")
# A command for this machine, and names that are no places.
_NO_HOST: Final = ("stdio", "urn", "data")
_LOOPBACK: Final = "this machine itself"
_URL: Final = re.compile(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s<>\"'`)\]}]+(?:\][^\s<>\"'`)\]}]*)?"
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
        violation.pointer: Finding(violation.pointer, "this looks like a credential")
        for violation in card.violations
        if violation.rule.startswith(_CREDENTIALS)
    }
    # An endpoint may be a host without a scheme; a registered transport may have one of its own.
    hosts = [(pointer, url) for pointer, url in endpoints(card) if "://" not in url]
    for pointer, host in [*_hosts(card.document, ()), *((at, _bare(url)) for at, url in hosts)]:
        why = internal(host) if host else None
        if why and pointer not in found:
            found[pointer] = Finding(pointer, f"it names an internal host: {why}", internal_host=True)
    return [found[pointer] for pointer in sorted(found)]


def is_credential(rule: str) -> bool:
    """Whether a rule's violations name a credential, which makes a card invalid and not unreadable."""
    return rule.startswith(_CREDENTIALS)


def _hosts(node: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str, str]]:
    """Yield every host of a URL in any text of a value, and where it stands."""
    if type(node) is str:
        if "://" in node:
            pointer = pointer_of(path)
            for match in _URL.findall(node):
                host = _host(match)
                # In prose, `http://localhost:3000` is an example and tells nothing of anyone's network.
                if match == node or internal(host) != _LOOPBACK:
                    yield pointer, host
    elif type(node) is dict:
        for name, value in node.items():
            yield from _hosts(value, (*path, name))
    elif type(node) is list:
        for index, value in enumerate(node):
            yield from _hosts(value, (*path, index))


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return "" if parts.scheme in _NO_HOST else parts.hostname or ""


def _bare(text: str) -> str:
    return _host(f"//{text}") if not text.startswith("/") else ""
