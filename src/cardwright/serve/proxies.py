"""The public URL that a trusted proxy says a request came in by (RFC 7239, and the fields of before it)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any, Final

from cardwright.rewrite import BadBaseURL
from cardwright.serve.problems import BAD_HEADER, refuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FIELDS: Final = ("Forwarded", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix")
_NAMES: Final = tuple(name.lower().encode() for name in FIELDS)
_PREFIX: Final = re.compile(r"(?:/[A-Za-z0-9._~-]++)*+/?")
_PAIR: Final = re.compile(r'[ \t]*([A-Za-z]+)=(?:"([^"\\]*)"|([^\s",;]*))[ \t]*')


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """Takes the base URL from requests, but only from those that come through one of these proxies.

    What others send in such fields is passed over, and they get the card as it was written.

    Attributes:
        networks: Addresses or networks of the proxies, such as `10.0.0.0/8`.
        hosts: The public hosts that the proxies serve, with a port where it is not the usual one: a host
            that is not among them is refused, or whoever asks would choose what the card says.
    """

    networks: Sequence[str]
    hosts: Sequence[str]
    _networks: tuple[IPv4Network | IPv6Network, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            networks = tuple(ip_network(text, strict=False) for text in self.networks)
        except ValueError as error:
            raise BadBaseURL(f"this is no network of trusted proxies: {error}") from None
        if not networks or not self.hosts:
            raise BadBaseURL("trusted proxies need their networks and the public hosts that they serve")
        object.__setattr__(self, "_networks", networks)

    def base_url(self, scope: Mapping[str, Any]) -> str | None:
        """Return the public base URL of a request; None where it did not come through a trusted proxy.

        Raises:
            Refused: If what the proxy says is malformed, contradicts itself, or names a host not listed.
        """
        client = scope.get("client")
        if not client or not self._trusts(client[0]):
            return None
        told = self._told(scope["headers"])
        host = told.get("host")
        if host is None:
            return None
        if host.lower() not in {one.lower() for one in self.hosts}:
            raise refuse(BAD_HEADER, "the host that the proxy names is none that is served here")
        proto = told.get("proto", str(scope.get("scheme", "http"))).lower()
        prefix = told.get("prefix", "")
        if proto not in ("http", "https") or not _PREFIX.fullmatch(prefix):
            raise refuse(BAD_HEADER, "the proxy's X-Forwarded-Proto or X-Forwarded-Prefix is malformed")
        return f"{proto}://{host.lower()}{prefix.rstrip('/')}"

    def _trusts(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None)
        address = mapped or address
        return any(address.version == one.version and address in one for one in self._networks)

    def _told(self, headers: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
        """Return what the nearest proxy says: the last entry of each field, since others wrote those before it."""
        seen = {name: [v for k, v in headers if k == name] for name in (*_NAMES, b"host")}
        if any(len(values) > 1 for name, values in seen.items() if name != b"forwarded"):
            raise refuse(BAD_HEADER, "a field about the proxy stands there twice")
        told = {
            name: values[0].decode("latin-1").rpartition(",")[2].strip()
            for name, key in (
                ("proto", b"x-forwarded-proto"),
                ("host", b"x-forwarded-host"),
                ("prefix", b"x-forwarded-prefix"),
            )
            if (values := seen[key])
        }
        if seen[b"forwarded"]:
            for name, value in _forwarded(seen[b"forwarded"][-1].decode("latin-1")).items():
                if told.setdefault(name, value).lower() != value.lower():
                    raise refuse(BAD_HEADER, "Forwarded and X-Forwarded-* contradict each other")
        if seen[b"host"]:
            told.setdefault("host", seen[b"host"][0].decode("latin-1"))
        return told


def _forwarded(text: str) -> dict[str, str]:
    """Return `proto` and `host` of the last element of a Forwarded field (RFC 7239 §4)."""
    element = re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', text)[-1]
    told: dict[str, str] = {}
    for part in element.split(";"):
        match = _PAIR.fullmatch(part)
        if match is None or match[1].lower() in told:
            raise refuse(BAD_HEADER, "Forwarded is malformed: see RFC 7239 §4")
        told[match[1].lower()] = match[2] if match[2] is not None else match[3]
    return {name: told[name] for name in ("proto", "host") if name in told}
