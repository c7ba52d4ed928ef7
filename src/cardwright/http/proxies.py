"""By which of its public URLs a request came in, as a trusted proxy says (RFC 7239, and the fields of before it)."""

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

# What each way of telling has in which field.
_X_FORWARDED: Final = {
    "proto": "X-Forwarded-Proto",
    "host": "X-Forwarded-Host",
    "prefix": "X-Forwarded-Prefix",
}
_FORWARDED: Final = "Forwarded"
_FORWARDED_FOR: Final = "X-Forwarded-For"
# A chain of a dozen proxies says less (ours).
_MAX_BYTES: Final = 1024
_PAIR: Final = re.compile(r'[ \t]*+([A-Za-z]++)=(?:"([^"\\]*+)"|([^\s",;]*+))[ \t]*+')
_PORTS: Final = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """Takes the base URL from requests, but only from those that come through one of these proxies.

    A request chooses among the URLs that are listed and makes none. What anyone else sends in such fields
    is passed over, and they get the card as it was written. `scope["client"]` has to be the proxy itself:
    do not let the server rewrite it from X-Forwarded-For for whoever asks.

    Attributes:
        networks: Addresses or networks of the proxies, such as `10.0.0.0/8`.
        base_urls: The public base URLs that they serve, such as `https://agents.example.com/travel`.
        told_by: The fields that the proxies set, and clear of what came from outside:
            `x-forwarded` for X-Forwarded-Host, -Proto and -Prefix, or `forwarded`.

    Raises:
        BadBaseURL: If a network or a URL is none, or none is given.
    """

    networks: Sequence[str]
    base_urls: Sequence[str]
    told_by: Literal["x-forwarded", "forwarded"] = "x-forwarded"
    _networks: tuple[IPv4Network | IPv6Network, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            networks = tuple(ip_network(text, strict=False) for text in self.networks)
        except ValueError as error:
            raise BadBaseURL(f"this is no network of trusted proxies: {error}") from None
        if not networks or not self.base_urls:
            raise BadBaseURL("trusted proxies need their networks and the public base URLs that they serve")
        if self.told_by not in ("x-forwarded", "forwarded"):
            raise BadBaseURL('what trusted proxies are told_by is "x-forwarded" or "forwarded"')
        object.__setattr__(self, "base_urls", tuple(check_base_url(url) for url in self.base_urls))
        object.__setattr__(self, "_networks", networks)

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that the answer depends on."""
        told = _X_FORWARDED.values() if self.told_by == "x-forwarded" else (_FORWARDED,)
        return (*told, "Host")

    def base_url(self, scope: Mapping[str, Any]) -> str | None:
        """Return the public base URL of a request; None where it did not come through a trusted proxy.

        Raises:
            HttpError: If what the proxy says is malformed, or fits none of the URLs.
        """
        client = scope.get("client")
        if not client or not self._trusts(client[0]):
            return None
        told = self._told(scope["headers"])
        for url in self.base_urls:
            if _fits(url, told):
                return url
        raise refuse(BAD_HEADER, "what the proxy says of the request fits no public URL that is served here")

    def caller(self, scope: Mapping[str, Any]) -> str:
        """Return the address of whoever asks: the last one that is no trusted proxy's; "" where none is known.

        Each proxy appends whom it has a request from: what stands before the first stranger, anybody may have
        written (RFC 7239 §8.1). So proxies have to append to the field, or to overwrite it; one that hides whom it
        has a request from by another name each time is taken for whoever asks.
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
        """Return whom proxies say that they had a request from, the nearest last; "" where one does not say it."""
        name = (_FORWARDED if self.told_by == "forwarded" else _FORWARDED_FOR).lower().encode()
        told = b",".join(value for key, value in headers if key == name).decode("latin-1")[-_MAX_BYTES:]
        if self.told_by != "forwarded":
            return [_node(one) for one in told.split(",")]
        return [_node((_pairs(one) or {}).get("for", "")) for one in _elements(told)]

    def _trusts(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        address = getattr(address, "ipv4_mapped", None) or address
        return any(address.version == one.version and address in one for one in self._networks)

    def _told(self, headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
        """Return what the nearest proxy says: the last entry of each field, since others wrote those before it."""
        told = {"host": _last(headers, "Host")}
        if self.told_by == "forwarded":
            told |= _forwarded(_last(headers, _FORWARDED, several=True))
        else:
            said = {name: _last(headers, field) for name, field in _X_FORWARDED.items()}
            told |= {name: text.rpartition(",")[2].strip() for name, text in said.items() if text}
        return {name: text for name, text in told.items() if text}


def _fits(url: str, told: Mapping[str, str]) -> bool:
    """Whether what a proxy says is of a base URL; what it does not say fits any."""
    parts = urlsplit(url)
    host = told.get("host", "").lower().removesuffix(_PORTS[parts.scheme])
    return (
        host == parts.netloc.lower().removesuffix(_PORTS[parts.scheme])
        and told.get("proto", parts.scheme).lower() == parts.scheme
        and told.get("prefix", parts.path).rstrip("/") == parts.path
    )


def _last(headers: Sequence[tuple[bytes, bytes]], name: str, *, several: bool = False) -> str:
    """Return the last value of a field, "" where there is none."""
    wanted = name.lower().encode()
    values = [value for key, value in headers if key == wanted]
    if len(values) > 1 and not several:
        raise refuse(BAD_HEADER, f"{name} stands there twice")
    if values and len(values[-1]) > _MAX_BYTES:
        raise refuse(HEADER_TOO_LARGE, f"{name} is longer than {_MAX_BYTES:,} bytes")
    return values[-1].decode("latin-1") if values else ""


def _forwarded(text: str) -> dict[str, str]:
    """Return `proto` and `host` of the last element of a Forwarded field (RFC 7239 §4)."""
    if not text:
        return {}
    told = _pairs(_elements(text)[-1])
    if told is None:
        raise refuse(BAD_HEADER, "Forwarded is malformed: see RFC 7239 §4")
    return {name: told[name] for name in ("proto", "host") if name in told}


def _elements(text: str) -> list[str]:
    """Return the elements of a Forwarded field: what commas part that stand in no quotes."""
    found = [""]
    quoted = False
    for character in text:
        quoted ^= character == '"'
        if character == "," and not quoted:
            found.append("")
        else:
            found[-1] += character
    return found


def _pairs(element: str) -> dict[str, str] | None:
    """Return the parameters of one element, by their names in lower case; None if it is malformed."""
    told: dict[str, str] = {}
    for part in element.split(";"):
        match = _PAIR.fullmatch(part)
        if match is None or match[1].lower() in told:
            return None
        told[match[1].lower()] = match[2] if match[2] is not None else match[3]
    return told


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
