"""Strict parsing of URLs: every parser must find the same host in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from cardwright.errors import ConnectionDenied
from cardwright.hosts import address_of
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from cardwright.hosts import Address

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
# RFC 9110 §4.1 recommends at least 8,000 octets.
MAX_URL: Final = 8192
# Blanks, control characters and the backslash, which some parsers drop or read as a slash.
_UNSAFE: Final = re.compile(r"[\x00-\x20\\\x7f]")
# A scheme or `//` without a host: some parsers read the next part as the host.
_HOSTLESS: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:(?!//[^/?#])|//(?![^/?#]))")
# A registered name (RFC 1123 §2.1, with the underscore of some internal networks) or an IPv6 address.
_NAME: Final = re.compile(
    r"(?=.{1,254}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?"
)
_DOTTED: Final = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
# URL Standard §3.5: a host that ends in a number is an IPv4 address in some spelling, or invalid.
_ENDS_IN_A_NUMBER: Final = re.compile(r"(?:\A|\.)(?:0x[0-9a-f]*|[0-9]+)\.?\Z")


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a request.

    Attributes:
        scheme: `https` or another scheme, lower case.
        host: A name or an address, lower case, IPv6 without brackets.
        port: The given port, or the scheme's default.
        path: The path and the query, as sent.
        address: The host, if it is an address.
        origin: `scheme://host`, with the port if it is not the scheme's default (RFC 6454 §4).
        url: The whole URL, without a fragment.
        safe_url: The URL for messages: without the query, which may hold a secret.
    """

    scheme: str
    host: str
    port: int
    path: str
    address: Address | None
    origin: str = field(init=False, compare=False)
    url: str = field(init=False, compare=False)
    safe_url: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Write the forms of the URL once."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        own = DEFAULT_PORTS.get(self.scheme) == self.port
        origin = f"{self.scheme}://{host}" if own else f"{self.scheme}://{host}:{self.port}"
        object.__setattr__(self, "origin", origin)
        object.__setattr__(self, "url", f"{origin}{self.path}")
        object.__setattr__(self, "safe_url", clipped(f"{origin}{self.path.partition('?')[0]}"))

    def joined(self, location: str) -> Target:
        """Return the target of a `Location` header in a response from here (RFC 9110 §10.2.2).

        Raises:
            ConnectionDenied: If requests to it are not allowed; the message contains no part of it.
        """
        # urljoin drops some of these, and reads `http:name` as a path; other parsers do not.
        if not location.isascii() or _UNSAFE.search(location) or _HOSTLESS.match(location):
            raise ConnectionDenied("guard/url", "the redirect target is not a valid URL", url=self.safe_url)
        try:
            url = urljoin(self.url, location)
            scheme = urlsplit(url).scheme
        except ValueError:
            raise ConnectionDenied(
                "guard/url", "the redirect target is not a valid URL", url=self.safe_url
            ) from None
        if scheme not in DEFAULT_PORTS:
            raise ConnectionDenied(
                "guard/scheme", "the redirect target is neither http nor https", url=self.safe_url
            )
        return target_of(url)


def target_of(url: str) -> Target:
    """Parse an absolute ASCII URL (RFC 3986).

    >>> target_of("HTTPS://Example.com:443/a?b").url
    'https://example.com/a?b'

    Raises:
        ConnectionDenied: `guard/url`, `guard/scheme`, `guard/userinfo`, `guard/host` or `guard/port`.
    """
    # Messages contain no part of an unparsed URL: the part before an @ could be a password.
    if type(url) is not str or len(url) > MAX_URL:
        raise ConnectionDenied("guard/url", f"expected a URL of at most {MAX_URL:,} characters")
    return _read(url)


# A check needs each of its URLs more than once, and a registry those of all claimed peers.
@lru_cache(maxsize=4_096)
def _read(url: str) -> Target:
    if not url.isascii():
        raise ConnectionDenied(
            "guard/host", "the URL is not ASCII; write the host as xn--… and percent-encode the rest"
        )
    if _UNSAFE.search(url):
        raise ConnectionDenied("guard/url", "the URL contains a blank, a backslash or a control character")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ConnectionDenied("guard/host", "the host in the URL is invalid") from None
    if "@" in parts.netloc:
        raise ConnectionDenied(
            "guard/userinfo", "the URL contains credentials (user@host); use a header instead"
        )
    if parts.scheme not in DEFAULT_PORTS:
        problem = f"the scheme {clipped(parts.scheme)}" if parts.scheme else "no scheme"
        raise ConnectionDenied("guard/scheme", f"the URL has {problem}; only http and https are allowed")
    host, port, address = _authority(parts.netloc.lower(), parts.scheme)
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    return Target(parts.scheme, host, port, path, address)


# Several URLs of a host are requested one after another.
@lru_cache(maxsize=4_096)
def _authority(netloc: str, scheme: str) -> tuple[str, int, Address | None]:
    host, port = _host_and_port(netloc, scheme)
    return host, port, address_of(host)


def _host_and_port(netloc: str, scheme: str) -> tuple[str, int]:
    host, colon, port = netloc, "", ""
    if not netloc.endswith("]"):
        host, colon, port = netloc.rpartition(":")
        if not colon:
            host, port = port, ""
    if colon and port and not (port.isdigit() and len(port) <= 5 and 0 < int(port) < 2**16):
        raise ConnectionDenied("guard/port", "the port in the URL is not a number from 1 to 65535")
    if host.startswith("[") and host.endswith("]"):
        return _ipv6(host[1:-1]), int(port or DEFAULT_PORTS[scheme])
    if not host:
        raise ConnectionDenied("guard/host", "the URL has no host")
    if _ENDS_IN_A_NUMBER.search(host) and not (_DOTTED.fullmatch(host) and address_of(host)):
        raise ConnectionDenied(
            "guard/host", "the host is an IPv4 address in an unusual form; write it like 192.0.2.1"
        )
    if not _NAME.fullmatch(host):
        raise ConnectionDenied("guard/host", "the host in the URL is neither a name nor an address")
    return host, int(port or DEFAULT_PORTS[scheme])


def _ipv6(text: str) -> str:
    address = address_of(text)
    if address is None or address.version == 4 or "%" in text:
        raise ConnectionDenied("guard/host", "the part in brackets is not an IPv6 address")
    return address.compressed
