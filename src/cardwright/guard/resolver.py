"""The resolver of the client: what it checks is what is dialled."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING, Protocol

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from cardwright.errors import Refused

if TYPE_CHECKING:
    from cardwright.guard.rules import Guard


class Resolver(Protocol):
    """What looks a name up: `resolve(host, port, family)` gives aiohttp's results, or raises OSError."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name."""
        ...


class CheckedResolver(AbstractResolver):
    """One look-up for each connection, and nothing dialled unless all of its addresses may be.

    aiohttp asks it for names only: a host that is an address is checked before the request.
    """

    def __init__(self, guard: Guard | None, lookup: Resolver | None = None) -> None:
        """Check by a guard; with None every address counts as configured."""
        self._guard = guard
        self._lookup = lookup or ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name, if each of them may be dialled at the port.

        Raises:
            Refused: If one of them may not: a set with one bad address is a trap, not a choice.
            OSError: If the name has none.
        """
        found = await self._lookup.resolve(host, port, family)
        for one in found:
            try:
                address = ip_address(one["host"].partition("%")[0])
            except ValueError:
                raise Refused("guard/address", "the name leads to what is no address") from None
            if self._guard is not None:
                self._guard.check_address(address, port, "")
        if not found:
            raise OSError("the name has no address")
        return found

    async def close(self) -> None:
        """Nothing is held."""
