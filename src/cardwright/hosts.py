"""Detection of internal hosts: by address, in every spelling, and by name.

Project decision: a table of our own. `ipaddress.is_global` differs between Python versions, and is true
for IPv6 addresses that embed an internal IPv4 address.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

Address = IPv4Address | IPv6Address

# IANA special-purpose address registries (RFC 6890), and addresses of cloud services.
_NETWORKS: Final = tuple(
    (ip_network(text), name)
    for text, name in (
        ("0.0.0.0/8", "the unspecified address"),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "a carrier-grade NAT address"),
        ("127.0.0.0/8", "this machine (localhost)"),
        ("168.63.129.16/32", "an address of a cloud service"),
        ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "an address for documentation"),
        ("192.31.196.0/24", "an address of an anycast service"),
        ("192.52.193.0/24", "an address of an anycast service"),
        ("192.88.99.0/24", "a relay address"),
        ("192.168.0.0/16", "a private address"),
        ("192.175.48.0/24", "an address of an anycast service"),
        ("198.18.0.0/15", "an address for benchmarks"),
        ("198.51.100.0/24", "an address for documentation"),
        ("203.0.113.0/24", "an address for documentation"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", "a reserved address"),
        ("::/128", "the unspecified address"),
        ("::1/128", "this machine (localhost)"),
        # RFC 8215: each network defines its own translation, so that the embedded address is unknown.
        ("64:ff9b:1::/48", "a local NAT64 address"),
        ("100::/64", "a discard address"),
        # Teredo and other protocol assignments of the IETF (RFC 2928).
        ("2001::/23", "an address reserved for a protocol"),
        ("2001:db8::/32", "an address for documentation"),
        ("2620:4f:8000::/48", "an address of an anycast service"),
        ("3fff::/20", "an address for documentation"),
        ("5f00::/16", "a segment routing address"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", "a link-local address"),
        ("fec0::/10", "a site-local address"),
        ("ff00::/8", "a multicast address"),
    )
)


def _ranges(version: int) -> tuple[list[int], list[int], list[str]]:
    """Return the first and last addresses of the networks as numbers, in ascending order, and their names."""
    rows = sorted(
        (int(network.network_address), int(network.broadcast_address), name)
        for network, name in _NETWORKS
        if network.version == version
    )
    return [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]


# By IP version; no two networks overlap. A registry checks the addresses of many hosts.
_RANGES: Final = {version: _ranges(version) for version in (4, 6)}
# IPv6 networks that embed an IPv4 address, and the number of bits after it (RFC 6052, 3056).
_EMBEDDING: Final = (
    (ip_network("::/96"), 0),
    (ip_network("::ffff:0:0/96"), 0),
    (ip_network("::ffff:0:0:0/96"), 0),
    (ip_network("64:ff9b::/96"), 0),
    (ip_network("2002::/16"), 80),
)
# ISATAP, with any prefix (RFC 5214 §6.1): the low half is 0000:5efe or 0200:5efe, then the IPv4 address.
_ISATAP: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})
# Names that no public resolver knows: RFC 6761, RFC 6762, RFC 8375, ICANN's .internal, and common usage.
_SUFFIXES: Final = (
    "localhost", "local", "internal", "intranet", "private", "corp", "home", "lan", "localdomain",
    "home.arpa", "cluster.local", "svc",
)  # fmt: skip
_PART: Final = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine: `localhost` or a loopback address.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost.example")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def internal(host: str) -> str | None:
    """Return why a host is internal, as text; None if it may be public.

    Addresses are detected in every form that resolvers accept: `0x7f.1`, `017700000001`, `2130706433`.

    >>> internal("10.0.0.7"), internal("billing.svc.cluster.local"), internal("example.com")
    ('a private address', 'a name of an internal network', None)
    """
    name = host.strip("[]").rstrip(".").lower()
    address = address_of(name)
    if address is not None:
        return special(address)
    if any(name == suffix or name.endswith(f".{suffix}") for suffix in _SUFFIXES):
        return "this machine (localhost)" if name.endswith("localhost") else "a name of an internal network"
    if "." not in name:
        return "a name without a domain, which only an internal network resolves"
    return None


def special(address: Address) -> str | None:
    """Return the kind of a special address, as text; None for a public unicast address."""
    starts, ends, names = _RANGES[address.version]
    at = bisect_right(starts, int(address)) - 1
    if at >= 0 and int(address) <= ends[at]:
        return names[at]
    if isinstance(address, IPv6Address):
        inner = embedded(address)
        if inner is not None:
            return special(inner)
        # Only 2000::/3 is assigned (RFC 4291 §2.4).
        if int(address) >> 125 != 1:
            return "a reserved address"
    return None


def address_of(host: str) -> Address | None:
    """Return the address of a host in any form that resolvers accept; None for a name."""
    bare = host.strip("[]").partition("%")[0]
    try:
        return ip_address(bare)
    except ValueError:
        return _loose(bare)


def _loose(text: str) -> IPv4Address | None:
    """Read an IPv4 address as inet_aton does: one to four parts, decimal, octal or hexadecimal."""
    parts = text.split(".")
    if len(parts) > 4 or not all(_PART.fullmatch(part) and len(part) < 24 for part in parts):
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *heads, last = numbers
    if any(head > 255 for head in heads) or last >= 256 ** (5 - len(numbers)):
        return None
    value = last
    for place, head in enumerate(heads):
        value += head << (24 - 8 * place)
    return IPv4Address(value)


def _number(part: str) -> int:
    if part[:2] in ("0x", "0X"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if part.startswith("0") else int(part)


def embedded(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address embeds, or None."""
    for network, bits_after in _EMBEDDING:
        if address in network:
            return IPv4Address(int(address) >> bits_after & 0xFFFF_FFFF)
    if int(address) >> 32 & 0xFFFF_FFFF in _ISATAP:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None
