"""The resolver of the client: what it checks is what is dialled."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, Protocol

from aiohttp.abc import AbstractResolver, ResolveResult

from cardwright.errors import ConnectionDenied

if TYPE_CHECKING:
    from cardwright.guard.rules import Guard


# How many names are looked up at once (ours).
_LOOKUPS: Final = 32
_NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class Resolver(Protocol):
    """What looks a name up: `resolve(host, port, family)` gives aiohttp's results, or raises OSError."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name."""
        ...


class SystemLookup:
    """The machine's own look-ups, in threads of their own: a slow name server holds up nothing but names."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_LOOKUPS, thread_name_prefix="cardwright-names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name.

        Raises:
            OSError: If it has none.
        """
        asked = partial(
            socket.getaddrinfo, host, port, type=socket.SOCK_STREAM, family=family, flags=socket.AI_ADDRCONFIG
        )
        found = await asyncio.get_running_loop().run_in_executor(self._threads, asked)
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=kind,
                proto=proto,
                flags=_NUMERIC,
            )
            for kind, _, proto, _, address in found
        ]

    def close(self) -> None:
        """Begin no look-up any more; one that runs cannot be stopped."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class CheckedResolver(AbstractResolver):
    """One look-up for each connection, and nothing dialled unless all of its addresses may be.

    aiohttp asks it for names only: a host that is an address is checked before the request.
    """

    def __init__(self, guard: Guard | None, lookup: Resolver | None = None) -> None:
        """Check by a guard; with None every address counts as configured."""
        self._guard = guard
        self._lookup: Resolver = lookup if lookup is not None else SystemLookup()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name, if each of them may be dialled at the port.

        Raises:
            ConnectionDenied: If one of them may not: a set with one bad address is a trap, not a choice.
            OSError: If the name has none.
        """
        found = await self._lookup.resolve(host, port, family)
        for one in found:
            try:
                address = ip_address(one["host"].partition("%")[0])
            except ValueError:
                raise ConnectionDenied("guard/address", "the name leads to what is no address") from None
            if self._guard is not None:
                self._guard.check_address(address, port, "")
        if not found:
            raise OSError("the name has no address")
        return found

    async def close(self) -> None:
        """Give up look-ups that wait."""
        if isinstance(self._lookup, SystemLookup):
            self._lookup.close()
