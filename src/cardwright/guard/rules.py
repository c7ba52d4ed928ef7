"""Rules for connections: schemes, ports and addresses, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadArgument, ConnectionDenied
from cardwright.guard.target import DEFAULT_PORTS
from cardwright.hosts import embedded, internal, special

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.guard.target import Target
    from cardwright.hosts import Address

Network = IPv4Network | IPv6Network

# The networks of `--allow-private`: this machine, and those of RFC 1918 and RFC 4193.
PRIVATE: Final = ("127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
# Metadata services of clouds, which return secrets: an allowed range does not include them, only a single address.
_METADATA_SERVICES: Final = frozenset(
    map(
        ip_address,
        (
            "169.254.169.254",
            "169.254.170.2",
            "169.254.170.23",
            "169.254.0.23",
            "169.254.42.42",
            "168.63.129.16",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd00:42::42",
            "fd20:ce::254",
            "fe80::a9fe:a9fe",
        ),
    )
)
_HOW_TO_ALLOW: Final = "to allow it, use --allow-private or --allow CIDR (allow=[CIDR] in Python)"


@dataclass(frozen=True, slots=True)
class Guard:
    """Rules for connections; by default public unicast addresses at the ports of http and https.

    Attributes:
        allow: Networks in CIDR form to allow although they are not public, at any port.
        ports: The allowed ports at public addresses.
        schemes: `https`, `http`, or both.

    Raises:
        BadArgument: If a network or a scheme is invalid.
    """

    allow: tuple[str, ...] = ()
    ports: frozenset[int] = frozenset({80, 443})
    schemes: frozenset[str] = frozenset({"http", "https"})
    _networks: tuple[Network, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Parse the networks once."""
        if not self.schemes or not self.schemes <= DEFAULT_PORTS.keys():
            raise BadArgument(
                "schemes", f"expected {' and '.join(sorted(DEFAULT_PORTS))}, found {sorted(self.schemes)}"
            )
        object.__setattr__(self, "allow", tuple(self.allow))
        object.__setattr__(self, "_networks", tuple(map(_network, self.allow)))

    def check(self, target: Target) -> None:
        """Check what can be checked before the DNS lookup.

        Raises:
            ConnectionDenied: `guard/scheme`, `guard/port` or `guard/address`.
        """
        if target.scheme not in self.schemes:
            names = " and ".join(sorted(self.schemes))
            raise ConnectionDenied("guard/scheme", f"only {names} is allowed", url=target.safe_url)
        if target.address is not None:
            self.check_address(target.address, target.port, target.safe_url, literal=True)
        elif target.port not in self.ports and not self._networks:
            inside = internal(target.host)
            if inside is not None:
                # Denied in either case; this message says how to allow it.
                raise ConnectionDenied(
                    "guard/address", f"the name is {inside}; {_HOW_TO_ALLOW}", url=target.safe_url
                )
            raise self._port(target.port, target.safe_url)

    def check_address(self, address: Address, port: int, safe_url: str, *, literal: bool = False) -> None:
        """Check an address and its port.

        Raises:
            ConnectionDenied: `guard/address` or `guard/port`; the message never contains the address of a name.
        """
        kind = special(address)
        if kind is None:
            if port not in self.ports and not self._allows(address):
                raise self._port(port, safe_url)
        elif not self._allows(address):
            subject = "the address is" if literal else "the name resolves to"
            raise ConnectionDenied(
                "guard/address", f"{subject} {kind}; {_how_to_allow_address(address)}", url=safe_url
            )

    def _allows(self, address: Address) -> bool:
        is_metadata_service = _is_metadata_service(address)
        return any(
            address.version == network.version
            and address in network
            and (not is_metadata_service or network.num_addresses == 1)
            for network in self._networks
        )

    def _port(self, port: int, safe_url: str) -> ConnectionDenied:
        listed = ", ".join(map(str, sorted(self.ports)))
        return ConnectionDenied(
            "guard/port",
            f"port {port} is not one of {listed}; add it with --allow-port (ports={{…}} in Python)",
            url=safe_url,
        )


def allowed(networks: Iterable[str], *, private: bool = False) -> tuple[str, ...]:
    """Return the given networks, and with `private` also those of this machine and of private networks."""
    return (*(PRIVATE if private else ()), *networks)


def _network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise BadArgument(
            "allow", f"{text!r} is not a network such as 127.0.0.0/8 or fd12::/16: {error}"
        ) from None


def _is_metadata_service(address: Address) -> bool:
    """Whether an address, or the IPv4 address inside it, is a cloud's metadata service."""
    inner = embedded(address) if isinstance(address, IPv6Address) else None
    return address in _METADATA_SERVICES or inner in _METADATA_SERVICES


def _how_to_allow_address(address: Address) -> str:
    private = any(
        address.version == network.version and address in network for network in map(ip_network, PRIVATE)
    )
    if private and not _is_metadata_service(address):
        return _HOW_TO_ALLOW
    return "to allow it, use --allow with its own network (allow=[CIDR] in Python)"
