"""Where a URL of a card leads, seen from a gateway: what callers are told instead, and where calls go."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self
from unicodedata import normalize
from urllib.parse import unquote

from cardwright.errors import ConnectionDenied
from cardwright.guard.target import DEFAULT_PORTS, target_of
from cardwright.hosts import internal
from cardwright.rewrite import BadBaseURL, check_base_url

if TYPE_CHECKING:
    from cardwright.guard.target import Target

# Escapes that one reader decodes before it looks for segments and another after: slashes, dots escaped
# twice, control characters, and what is no escape at all (RFC 3986 §2.1, §7.3).
_TRICK: Final = re.compile(r"%(?![0-9A-Fa-f]{2})|%(?:2[Ff]|5[Cc]|[01][0-9A-Fa-f]|7[Ff]|25(?:2[EeFf]|5[Cc]))")
_RELATIVE: Final = re.compile(r"\.{0,2}/(?!/)")
_WELL_KNOWN: Final = "/.well-known/"
# What browsers drop from a URL before they read it (URL Standard §4.4).
_DROPPED: Final = re.compile(r"[\t\r\n]|^[\x00-\x20]+|[\x00-\x20]+$")
_AUTHORITY: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\]{2,}([^/?#\\]*)")
# Schemes that browsers read without slashes too, and a name before a port, which reads like a scheme.
_SLASHLESS: Final = re.compile(r"(?i:https?|wss?|ftp):[/\\]*([^/?#\\]*)")
_BARE: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^/?#:@\\\[\]\s]+):[0-9]{1,5}(?:[/?#]|$)")
# Addresses that name no host of a network: a mailbox, a telephone, a name (RFC 6068, 3966, 5724, 8141).
_HOSTLESS: Final = re.compile(r"(?i:mailto|tel|sms|urn|cron|whatsapp):[^/\\%]")
_MAIL_HOST: Final = re.compile(r"@([^@?&,;]+)")
_BACK: Final = "it leads back to the gateway, so no call is sent there"
_ROUND: Final = "it leads to the gateway itself, and a call sent there would go round"


@dataclass(frozen=True, slots=True)
class Leading:
    """Where an interface leads.

    Attributes:
        written: What the card says of it instead; None where the interface goes.
        sent: Where the gateway sends its calls; "" where it sends none.
        why: What happened to it, in words; "" where nothing did.
    """

    written: str | None
    sent: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Bases:
    """An agent's places: `public`, where callers find it at the gateway, and the configured `backend`.

    `gateway` is the public base of the gateway itself, or None where nobody says it.
    """

    text: str
    public: Target
    backend: Target
    gateway: Target | None = None

    @classmethod
    def of(cls, public: str, backend: str, gateway: str | None = None) -> Self:
        """Read them.

        Raises:
            BadBaseURL: If one of them is no http or https URL that can be dialled.
        """
        text = check_base_url(public)
        try:
            home = None if gateway is None else read(check_base_url(gateway))
            return cls(text, read(text), read(backend), home)
        except ConnectionDenied as error:
            raise BadBaseURL(f"a base URL cannot be read: {error.reason}") from error

    @property
    def origin(self) -> str:
        """The origin of the public base."""
        return self.public.origin

    def lead(self, url: str) -> Leading:
        """Return where an interface leads that the gateway carries, and that is not at the public base."""
        relative = _RELATIVE.match(url) is not None
        try:
            target = self._resolved(url) if relative else read(url)
        except ConnectionDenied as error:
            # What stands in the place of a scheme may be a host: `internal:8080`.
            told = "its scheme is neither http nor https" if error.rule == "guard/scheme" else error.reason
            return Leading(None, why=f"its URL is none that the gateway calls: {told}")
        if self._leads_back(target):
            return Leading(self.text, why=_BACK)
        if self._leads_round(target):
            return Leading(None, why=_ROUND)
        if target.origin == self.backend.origin:
            sent = target.url if relative else url.partition("#")[0]
            return Leading(self.text, sent, "it is served at the gateway, and calls go to the agent")
        if internal(target.host) is None:
            why = "it is served at the gateway, and calls go to another origin than the configured one"
            return Leading(self.text, url.partition("#")[0], why)
        rebased = read(f"{self.backend.origin}{target.path}")
        if self._leads_back(rebased):
            return Leading(self.text, why=_BACK)
        if self._leads_round(rebased):
            return Leading(None, why=_ROUND)
        why = "only the agent's own network reaches its host: calls go to its path at the configured origin"
        return Leading(self.text, rebased.url, why)

    def is_public(self, url: str) -> bool:
        """Whether a text is a URL at the public base or below it, by segments."""
        try:
            target = read(url)
        except ConnectionDenied:
            return False
        path, base = _path(target), _path(self.public).rstrip("/")
        return target.origin == self.origin and (path == base or path.startswith(f"{base}/"))

    def hides(self, url: str) -> bool:
        """Whether a reader outside cannot or must not use a URL: its host is an internal one.

        Read as the most forgiving reader does; what is at the public origin is none of these.
        """
        return any(internal(host) is not None for host in hosts_in(url)) and not self._is_at_home(url)

    def betrays(self, url: str) -> bool:
        """Whether a URL leads past the gateway: to an internal host, or to the agent's configured one."""
        return self.hides(url) or (self.backend.host in hosts_in(url) and not self._is_at_home(url))

    def _is_at_home(self, url: str) -> bool:
        try:
            return read(url).origin == self.origin
        except ConnectionDenied:
            return False

    def _leads_back(self, target: Target) -> bool:
        """Whether a call sent there comes back to the agent at the gateway."""
        return _is_below(target, self.public)

    def _leads_round(self, target: Target) -> bool:
        """Whether a call sent there comes to the gateway: to another of its agents, or this by another path."""
        return self.gateway is not None and _is_below(target, self.gateway)

    def _resolved(self, reference: str) -> Target:
        """Resolve a relative reference by segments: the last one of the base counts, slash or not."""
        path, mark, query = reference.partition("#")[0].partition("?")
        base = _path(self.backend).partition(_WELL_KNOWN)[0]
        steps = [] if path.startswith("/") else [step for step in base.split("/") if step]
        for step in path.split("/"):
            if step == "..":
                if not steps:
                    raise ConnectionDenied("guard/url", "the relative URL leads above the root")
                steps.pop()
            elif step not in ("", "."):
                steps.append(step)
        closing = "/" if steps and path.endswith(("/", "/.", "/..")) else ""
        return read(f"{self.backend.origin}/{'/'.join(steps)}{closing}{mark}{query}")


def read(url: str) -> Target:
    """Read a URL that a gateway may call: as `target_of`, and no two readers see two paths in it.

    Raises:
        HttpError: If it is none; the reason has nothing of it but the scheme.
    """
    target = target_of(url)
    path = target.path.partition("?")[0]
    if _TRICK.search(path) or any(step in (".", "..") for step in unquote(path).split("/")):
        raise ConnectionDenied(
            "guard/url", "the path of the URL has dot segments, or escapes that readers differ on"
        )
    return target


def is_hostless(url: str) -> bool:
    """Whether an address names no host of a network, such as a telephone, or a mailbox at a public one."""
    if not _HOSTLESS.match(url) or "//" in url or not url.isascii():
        return False
    return all(internal(host) is None for host in hosts_in(url))


def hosts_in(url: str) -> set[str]:
    """Return every host that some reader sees in a URL, however it is written; those of no URL are none."""
    text = _DROPPED.sub("", normalize("NFKC", url))
    seen = {_host(match[1]) for match in (_AUTHORITY.match(text), _SLASHLESS.match(text)) if match}
    if text.lower().startswith("mailto:"):
        seen.update(_host(host) for host in _MAIL_HOST.findall(unquote(text)))
    bare = _BARE.match(text)
    return (seen | {bare[1].lower()} if bare else seen) - {""}


def _host(authority: str) -> str:
    host = unquote(authority).rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0][1:].lower()
    return host.partition(":")[0].rstrip(".").lower()


def _is_below(target: Target, base: Target) -> bool:
    """Whether a URL is at a base or below it, by segments, be it over the other scheme."""
    default = all(DEFAULT_PORTS[one.scheme] == one.port for one in (target, base))
    same = target.origin == base.origin or (default and target.host == base.host)
    own = _segments(base)
    return same and _segments(target)[: len(own)] == own


def _path(target: Target) -> str:
    return unquote(target.path.partition("?")[0])


def _segments(target: Target) -> list[str]:
    return [step for step in _path(target).split("/") if step]
