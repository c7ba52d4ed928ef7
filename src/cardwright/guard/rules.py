"""What may be dialled: schemes, ports and addresses, as a value."""

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

# What `--allow-private` allows: this machine, and the networks of RFC 1918 and RFC 4193.
PRIVATE: Final = ("127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
# Where clouds tell a machine its secrets: within a range that is allowed, these are allowed only one by one.
_SECRETS: Final = frozenset(
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
_MENDING: Final = "allow its network to dial it (--allow-private, or --allow CIDR; allow=[CIDR] in Python)"


@dataclass(frozen=True, slots=True)
class Guard:
    """What may be dialled; by default public unicast addresses, at the ports of http and https.

    Attributes:
        allow: Networks, as CIDR, that may be dialled though they are not public, at any port.
        ports: The ports that may be dialled at public addresses.
        schemes: `https`, `http`, or both.

    Raises:
        BadArgument: If one of them is none.
    """

    allow: tuple[str, ...] = ()
    ports: frozenset[int] = frozenset({80, 443})
    schemes: frozenset[str] = frozenset({"http", "https"})
    _networks: tuple[Network, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Read the networks once."""
        if not self.schemes or not self.schemes <= DEFAULT_PORTS.keys():
            raise BadArgument(
                "schemes", f"these are {' and '.join(sorted(DEFAULT_PORTS))}, not {sorted(self.schemes)}"
            )
        object.__setattr__(self, "allow", tuple(self.allow))
        object.__setattr__(self, "_networks", tuple(map(_network, self.allow)))

    def check(self, target: Target) -> None:
        """Refuse what no look-up is needed to refuse.

        Raises:
            ConnectionDenied: `guard/scheme`, `guard/port` or `guard/address`.
        """
        if target.scheme not in self.schemes:
            told = " and ".join(sorted(self.schemes))
            raise ConnectionDenied("guard/scheme", f"only {told} may be dialled here", url=target.shown)
        if target.address is not None:
            self.check_address(target.address, target.port, target.shown, literal=True)
        elif target.port not in self.ports and not self._networks:
            inside = internal(target.host)
            if inside is not None:
                # Refused either way; this says what mends it.
                raise ConnectionDenied("guard/address", f"the name is {inside}; {_MENDING}", url=target.shown)
            raise self._port(target.port, target.shown)

    def check_address(self, address: Address, port: int, shown: str, *, literal: bool = False) -> None:
        """Refuse an address, or a port of it.

        Raises:
            ConnectionDenied: `guard/address` or `guard/port`; the message never tells what a name leads to.
        """
        what = special(address)
        if what is None:
            if port not in self.ports and not self._allows(address):
                raise self._port(port, shown)
        elif not self._allows(address):
            seen = "the address is" if literal else "the name leads to"
            raise ConnectionDenied("guard/address", f"{seen} {what}; {_mending(address)}", url=shown)

    def _allows(self, address: Address) -> bool:
        secret = _secret(address)
        return any(
            address.version == network.version
            and address in network
            and (not secret or network.num_addresses == 1)
            for network in self._networks
        )

    def _port(self, port: int, shown: str) -> ConnectionDenied:
        listed = ", ".join(map(str, sorted(self.ports)))
        return ConnectionDenied(
            "guard/port",
            f"port {port} is not one of {listed}: --allow-port (ports={{…}} in Python) adds it",
            url=shown,
        )


def allowed(networks: Iterable[str], *, private: bool = False) -> tuple[str, ...]:
    """Return the networks that are allowed: those named, and with `private` those of this house."""
    return (*(PRIVATE if private else ()), *networks)


def _network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise BadArgument(
            "allow", f"{text!r} is no network such as 127.0.0.0/8 or fd12::/16: {error}"
        ) from None


def _secret(address: Address) -> bool:
    """Whether a cloud tells its machines secrets there, by that address or by the IPv4 one inside it."""
    inner = embedded(address) if isinstance(address, IPv6Address) else None
    return address in _SECRETS or inner in _SECRETS


def _mending(address: Address) -> str:
    private = any(
        address.version == network.version and address in network for network in map(ip_network, PRIVATE)
    )
    if private and not _secret(address):
        return _MENDING
    return "only --allow with its own network (allow=[CIDR] in Python) dials it"
