"""The public URL and the caller of a request behind trusted proxies (RFC 7239, and X-Forwarded-*)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from cardwright.http.problem import BAD_HEADER, HEADER_TOO_LARGE, refuse
from cardwright.rewrite import BadBaseURL, check_base_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The header field of each parameter.
_X_FORWARDED: Final = {
    "proto": "X-Forwarded-Proto",
    "host": "X-Forwarded-Host",
    "prefix": "X-Forwarded-Prefix",
}
_FORWARDED: Final = "Forwarded"
_FORWARDED_FOR: Final = "X-Forwarded-For"
# Enough for a dozen proxies (project decision).
_MAX_BYTES: Final = 1024
_PAIR: Final = re.compile(r'[ \t]*+([A-Za-z]++)=(?:"([^"\\]*+)"|([^\s",;]*+))[ \t]*+')
_PORTS: Final = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """Trusted reverse proxies, whose header fields select the public base URL of a request.

    A request can only select one of the listed URLs. The fields are ignored in a request that does not come from one of
    the proxies; its response contains the card as written. `scope["client"]` must be the proxy itself: do not let the
    server replace it from X-Forwarded-For.

    Attributes:
        networks: Addresses or networks of the proxies, such as `10.0.0.0/8`.
        base_urls: The public base URLs that they serve, such as `https://agents.example.com/travel`.
        forwarded_header: The fields that the proxies set and remove from incoming requests: `x-forwarded` for
            X-Forwarded-Host, -Proto and -Prefix, or `forwarded`.

    Raises:
        BadBaseURL: If a network or URL is invalid or missing.
    """

    networks: Sequence[str]
    base_urls: Sequence[str]
    forwarded_header: Literal["x-forwarded", "forwarded"] = "x-forwarded"
    _networks: tuple[IPv4Network | IPv6Network, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            networks = tuple(ip_network(text, strict=False) for text in self.networks)
        except ValueError as error:
            raise BadBaseURL(f"invalid network of trusted proxies: {error}") from None
        if not networks or not self.base_urls:
            raise BadBaseURL("trusted proxies need at least one network and one public base URL")
        if self.forwarded_header not in ("x-forwarded", "forwarded"):
            raise BadBaseURL('forwarded_header of trusted proxies must be "x-forwarded" or "forwarded"')
        object.__setattr__(self, "base_urls", tuple(check_base_url(url) for url in self.base_urls))
        object.__setattr__(self, "_networks", networks)

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that the response depends on."""
        fields = _X_FORWARDED.values() if self.forwarded_header == "x-forwarded" else (_FORWARDED,)
        return (*fields, "Host")

    def base_url(self, scope: Mapping[str, Any]) -> str | None:
        """Return the public base URL of a request, or None if it did not come from a trusted proxy.

        Raises:
            HttpError: If the proxy's fields are malformed, or match none of the URLs.
        """
        client = scope.get("client")
        if not client or not self._trusts(client[0]):
            return None
        target = self._target(scope["headers"])
        for url in self.base_urls:
            if _matches(url, target):
                return url
        raise refuse(BAD_HEADER, "the proxy's header fields match no public URL of this server")

    def caller(self, scope: Mapping[str, Any]) -> str:
        """Return the address of the caller: the last address that is not a trusted proxy's; "" if unknown.

        Each proxy appends the address of its peer, so everything before the last untrusted address may be forged
        (RFC 7239 §8.1). Proxies must therefore append to the field or overwrite it. If a proxy obfuscates it, the
        address of the nearest proxy is returned.
        """
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if not self._trusts(address):
            return address
        for hop in reversed(self._hops(scope["headers"])):
            if not self._trusts(hop):
                return hop if _is_address(hop) else address
        return address

    def _hops(self, headers: Sequence[tuple[bytes, bytes]]) -> list[str]:
        """Return the peer address of each proxy, the nearest proxy last; "" if a proxy does not send it."""
        name = (_FORWARDED if self.forwarded_header == "forwarded" else _FORWARDED_FOR).lower().encode()
        text = b",".join(value for key, value in headers if key == name).decode("latin-1")[-_MAX_BYTES:]
        if self.forwarded_header != "forwarded":
            return [_node(hop) for hop in text.split(",")]
        return [_node((_pairs(element) or {}).get("for", "")) for element in _elements(text)]

    def _trusts(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        address = getattr(address, "ipv4_mapped", None) or address
        return any(address.version == network.version and address in network for network in self._networks)

    def _target(self, headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
        """Return proto, host and prefix from the nearest proxy: the last value of each field."""
        target = {"host": _last(headers, "Host")}
        if self.forwarded_header == "forwarded":
            target |= _forwarded(_last(headers, _FORWARDED, several=True))
        else:
            values = {name: _last(headers, field) for name, field in _X_FORWARDED.items()}
            target |= {name: text.rpartition(",")[2].strip() for name, text in values.items() if text}
        return {name: text for name, text in target.items() if text}


def _matches(url: str, target: Mapping[str, str]) -> bool:
    """Return whether a base URL has a target's proto, host and prefix; a missing proto or prefix matches any."""
    parts = urlsplit(url)
    host = target.get("host", "").lower().removesuffix(_PORTS[parts.scheme])
    return (
        host == parts.netloc.lower().removesuffix(_PORTS[parts.scheme])
        and target.get("proto", parts.scheme).lower() == parts.scheme
        and target.get("prefix", parts.path).rstrip("/") == parts.path
    )


def _last(headers: Sequence[tuple[bytes, bytes]], name: str, *, several: bool = False) -> str:
    """Return the last value of a field, or ""."""
    wanted = name.lower().encode()
    values = [value for key, value in headers if key == wanted]
    if len(values) > 1 and not several:
        raise refuse(BAD_HEADER, f"{name} is repeated: send it once")
    if values and len(values[-1]) > _MAX_BYTES:
        raise refuse(HEADER_TOO_LARGE, f"{name} is longer than {_MAX_BYTES:,} bytes")
    return values[-1].decode("latin-1") if values else ""


def _forwarded(text: str) -> dict[str, str]:
    """Return `proto` and `host` of the last element of a Forwarded field (RFC 7239 §4)."""
    if not text:
        return {}
    parameters = _pairs(_elements(text)[-1])
    if parameters is None:
        raise refuse(BAD_HEADER, "Forwarded is malformed: see RFC 7239 §4")
    return {name: parameters[name] for name in ("proto", "host") if name in parameters}


def _elements(text: str) -> list[str]:
    """Split a Forwarded field at commas outside quoted strings."""
    elements = [""]
    quoted = False
    for character in text:
        quoted ^= character == '"'
        if character == "," and not quoted:
            elements.append("")
        else:
            elements[-1] += character
    return elements


def _pairs(element: str) -> dict[str, str] | None:
    """Return the parameters of one element, by name in lower case, or None if it is malformed."""
    parameters: dict[str, str] = {}
    for part in element.split(";"):
        match = _PAIR.fullmatch(part)
        if match is None or match[1].lower() in parameters:
            return None
        parameters[match[1].lower()] = match[2] if match[2] is not None else match[3]
    return parameters


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _node(text: str) -> str:
    """Return a node without its port (RFC 7239 §6; X-Forwarded-For has the same forms)."""
    text = text.strip().strip('"')
    if text.startswith("["):
        return text[1:].partition("]")[0]
    host, _, port = text.rpartition(":")
    return host if host and ":" not in host and port.isdigit() else text
