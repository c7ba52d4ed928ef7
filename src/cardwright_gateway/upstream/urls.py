"""URLs of upstream cards: which URL the gateway publishes instead, and where it sends the calls."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self
from unicodedata import normalize
from urllib.parse import unquote

from cardwright.errors import ConnectionDenied
from cardwright.guard.target import DEFAULT_PORTS, target_of
from cardwright.hosts import internal
from cardwright.rewrite import BadBaseURL, check_base_url

if TYPE_CHECKING:
    from cardwright.guard.target import Target

# Escapes that parsers treat differently, some decoding before they split segments and some after: slashes, dots
# escaped twice, control characters, and invalid escapes (RFC 3986 §2.1, §7.3).
_AMBIGUOUS: Final = re.compile(
    r"%(?![0-9A-Fa-f]{2})|%(?:2[Ff]|5[Cc]|[01][0-9A-Fa-f]|7[Ff]|25(?:2[EeFf]|5[Cc]))"
)
_RELATIVE: Final = re.compile(r"\.{0,2}/(?!/)")
_WELL_KNOWN: Final = "/.well-known/"
# Characters that browsers remove before they parse a URL (URL Standard §4.4).
_DROPPED: Final = re.compile(r"[\t\r\n]")
_ENDS: Final = "".join(map(chr, range(0x21)))
_AUTHORITY: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,}([^/?#\\]*)")
# Schemes that browsers also accept without slashes, and `host:port`, whose host looks like a scheme.
_SLASHLESS: Final = re.compile(r"(?i:https?|wss?|ftp):[/\\]*([^/?#\\]*)")
_BARE: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^/?#:@\\\[\]\s]+):[0-9]{1,5}(?:[/?#]|$)")
# URLs without a network host: mailboxes, telephone numbers, names (RFC 6068, 3966, 5724, 8141).
_HOSTLESS: Final = re.compile(r"(?i:mailto|tel|sms|urn|cron|whatsapp):[^/\\%]")
_MAIL_HOST: Final = re.compile(r"@([^@?&,;]+)")
_BACK: Final = "its URL points to this agent at the gateway, so the gateway sends no calls there"
_LOOP: Final = "its URL points to the gateway itself: calls sent there would loop"


@dataclass(frozen=True, slots=True)
class RewrittenInterface:
    """The result of rewriting an interface URL.

    Attributes:
        written: The URL in the served card; None if the interface is removed.
        sent: The URL that the gateway calls; "" if it calls none.
        why: The reason, as text; "" if nothing changed.
    """

    written: str | None
    sent: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Bases:
    """An agent's base URLs: `public`, where callers reach it at the gateway, and the configured `backend`.

    `gateway` is the public base URL of the gateway itself, or None if it is not known.
    """

    text: str
    public: Target
    backend: Target
    gateway: Target | None = None

    @classmethod
    def of(cls, public: str, backend: str, gateway: str | None = None) -> Self:
        """Parse the base URLs.

        Raises:
            BadBaseURL: If one of them is not a usable http or https URL.
        """
        text = check_base_url(public)
        try:
            gateway_target = None if gateway is None else read(check_base_url(gateway))
            return cls(text, read(text), target_of(backend), gateway_target)
        except ConnectionDenied as error:
            raise BadBaseURL(f"invalid base URL: {error.reason}") from error

    @property
    def origin(self) -> str:
        """The origin of the public base URL."""
        return self.public.origin

    def lead(self, url: str) -> RewrittenInterface:
        """Return how to rewrite the URL of a supported interface that is not at the public base."""
        relative = _RELATIVE.match(url) is not None
        try:
            target = self._opaque(self._resolved(url) if relative else target_of(url))
        except ConnectionDenied as error:
            # Do not quote the scheme: it may be a host, as in `internal:8080`.
            reason = "its scheme is neither http nor https" if error.rule == "guard/scheme" else error.reason
            return RewrittenInterface(None, why=f"the gateway cannot call its URL: {reason}")
        if self._returns(target):
            return RewrittenInterface(self.text, why=_BACK)
        if self._loops(target):
            return RewrittenInterface(None, why=_LOOP)
        if target.origin == self.backend.origin:
            sent = target.url if relative else url.partition("#")[0]
            return RewrittenInterface(
                self.text, sent, "it is served at the gateway, which forwards calls to the agent"
            )
        if internal(target.host) is None:
            why = (
                "it is served at the gateway, which forwards calls to another origin than the configured one"
            )
            return RewrittenInterface(self.text, url.partition("#")[0], why)
        rebased = self.lead(f"{self.backend.origin}{target.path}")
        if not rebased.sent:
            return rebased
        why = "its host is internal: the gateway forwards calls to its path at the configured origin"
        return replace(rebased, why=why)

    def is_public(self, url: str) -> bool:
        """Return whether a string is a URL at or below the public base, compared by path segments."""
        try:
            target = read(url)
        except ConnectionDenied:
            return False
        path, base = _path(target), _path(self.public).rstrip("/")
        return target.origin == self.origin and (path == base or path.startswith(f"{base}/"))

    def is_internal(self, url: str) -> bool:
        """Return whether a URL has an internal host, so that callers cannot or must not use it.

        Parsed as leniently as the most lenient client does. URLs at the public origin are never hidden.
        """
        return any(internal(host) is not None for host in hosts_in(url)) and not self._is_at_public_origin(
            url
        )

    def bypasses_gateway(self, url: str) -> bool:
        """Return whether a URL bypasses the gateway: its host is internal, or is the agent's configured host."""
        return self.is_internal(url) or (
            self.backend.host in hosts_in(url) and not self._is_at_public_origin(url)
        )

    def _is_at_public_origin(self, url: str) -> bool:
        try:
            return read(url).origin == self.origin
        except ConnectionDenied:
            return False

    def _returns(self, target: Target) -> bool:
        """Return whether a call sent there returns to this agent at the gateway."""
        return _is_below(target, self.public)

    def _loops(self, target: Target) -> bool:
        """Return whether a call sent there reaches the gateway: another agent, or this one by another path."""
        return self.gateway is not None and _is_below(target, self.gateway)

    def _opaque(self, target: Target) -> Target:
        """Return a URL of another host as it is: only that host knows what its escapes mean (RFC 3986 §2.2)."""
        own = any(base is not None and _is_same_host(target, base) for base in (self.public, self.gateway))
        return read(target.url) if own else target

    def _resolved(self, reference: str) -> Target:
        """Resolve a relative reference by segments: the last segment of the base is kept, with or without a slash."""
        path, mark, query = reference.partition("#")[0].partition("?")
        base = _path(self.backend).partition(_WELL_KNOWN)[0]
        steps = [] if path.startswith("/") else [step for step in base.split("/") if step]
        for step in path.split("/"):
            if step == "..":
                if not steps:
                    raise ConnectionDenied("guard/url", "the relative URL goes above the root")
                steps.pop()
            elif step not in ("", "."):
                steps.append(step)
        closing = "/" if steps and path.endswith(("/", "/.", "/..")) else ""
        return target_of(f"{self.backend.origin}/{'/'.join(steps)}{closing}{mark}{query}")


def read(url: str) -> Target:
    """Parse a URL of the gateway itself: like `target_of`, and its path must be unambiguous to all parsers.

    Raises:
        ConnectionDenied: If it is not such a URL; the reason quotes at most its scheme.
    """
    target = target_of(url)
    path = target.path.partition("?")[0]
    if _AMBIGUOUS.search(path) or any(step in (".", "..") for step in unquote(path).split("/")):
        raise ConnectionDenied("guard/url", "the path of the URL has dot segments or ambiguous escapes")
    return target


def is_hostless(url: str) -> bool:
    """Return whether a URL names no internal host, such as a telephone number or a mailbox at a public host."""
    if not _HOSTLESS.match(url) or "//" in url or not url.isascii():
        return False
    return all(internal(host) is None for host in hosts_in(url))


def hosts_in(url: str) -> set[str]:
    """Return every host that some parser finds in a string, however it is written; empty if it is not a URL."""
    text = _DROPPED.sub("", normalize("NFKC", url)).strip(_ENDS)
    hosts = {_host(match[1]) for match in (_AUTHORITY.match(text), _SLASHLESS.match(text)) if match}
    if text.lower().startswith("mailto:"):
        hosts.update(_host(host) for host in _MAIL_HOST.findall(unquote(text)))
    host_and_port = _BARE.match(text)
    return (hosts | {host_and_port[1].lower()} if host_and_port else hosts) - {""}


def _host(authority: str) -> str:
    host = unquote(authority).rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0][1:].lower()
    return host.partition(":")[0].rstrip(".").lower()


def _is_below(target: Target, base: Target) -> bool:
    """Return whether a URL is at or below a base, compared by path segments, on either scheme."""
    prefix = _segments(base)
    return _is_same_host(target, base) and _segments(target)[: len(prefix)] == prefix


def _is_same_host(target: Target, base: Target) -> bool:
    """Return whether two URLs have one host and port, on either scheme; a final dot of a host means nothing (RFC 1034 §3.1)."""
    default = all(DEFAULT_PORTS[url.scheme] == url.port for url in (target, base))
    same_port = default or target.port == base.port
    return same_port and target.host.rstrip(".") == base.host.rstrip(".")


def _path(target: Target) -> str:
    return unquote(target.path.partition("?")[0])


def _segments(target: Target) -> list[str]:
    return [step for step in _path(target).split("/") if step]
