"""Recorded connections: every connection that a test opens, and only the test's own name server."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest
    from aiohttp.abc import ResolveResult

FORMS: Any = json.loads(Path(__file__).with_name("forms.json").read_bytes())
ADDRESSES: list[str] = FORMS["addresses"]
NAMES: dict[str, str] = FORMS["names"]
# A public address that nothing in a test may reach.
PUBLIC = "93.184.215.14"


@dataclass
class RecordedConnections:
    """The addresses that were connected to; an address that is not allowed gets no connection."""

    allowed: frozenset[str] = frozenset()
    hosts: list[str] = field(default_factory=list[str])

    @property
    def forbidden(self) -> list[str]:
        """The forbidden addresses among them."""
        return [host for host in self.hosts if host not in self.allowed]

    def connect(self, address: Any) -> None:
        """Note an address, and refuse it unless it is allowed."""
        host = address[0] if isinstance(address, tuple) else str(address)
        self.hosts.append(host)
        if host not in self.allowed:
            raise ConnectionRefusedError("the test allows no connection to this")


def block(patch: pytest.MonkeyPatch, *allowed: str) -> RecordedConnections:
    """Block every connection but to some addresses, and every look-up that is not the test's own."""
    connections = RecordedConnections(frozenset(allowed))
    really = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            connections.connect(address)
        really(self, address)

    def lookup(host: Any, port: Any, *_: Any, **__: Any) -> Any:
        # asyncio asks for literal addresses, too: those need no name server.
        if host in connections.allowed:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return [(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (host, int(port)))]
        raise AssertionError(f"the machine's own resolver was called for {host!r}")

    patch.setattr(socket.socket, "connect", connect)
    patch.setattr(socket.socket, "connect_ex", connect)
    patch.setattr(socket, "getaddrinfo", lookup)
    return connections


@dataclass
class Answers:
    """A resolver with the addresses of the test; it counts its calls."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    otherwise: tuple[str, ...] = (PUBLIC,)
    requests: list[str] = field(default_factory=list[str])

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name."""
        del family
        self.requests.append(host)
        known = self.names.get(host)
        return [result(host, one, port) for one in ((known,) if known else self.otherwise)]


def result(host: str, address: str, port: int) -> ResolveResult:
    """Return an answer of a resolver as aiohttp has it."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return {
        "hostname": host, "host": address, "port": port, "family": family, "proto": 0,
        "flags": socket.AI_NUMERICHOST,
    }  # fmt: skip


def bracketed(address: str) -> str:
    """Return an address as a URL has it."""
    return f"[{address}]" if ":" in address else address
