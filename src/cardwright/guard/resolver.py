"""DNS resolver of the client: it checks exactly the addresses that are connected to."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, Protocol
from weakref import WeakValueDictionary

from aiohttp.abc import AbstractResolver, ResolveResult

from cardwright.errors import ConnectionDenied

if TYPE_CHECKING:
    from cardwright.guard.rules import Guard


# The maximum number of concurrent DNS lookups, and of those for names of one site (project decision): a lookup cannot
# be stopped, and the name server of a site may never respond.
_MAX_LOOKUPS: Final = 128
_MAX_OF_SITE: Final = 4
_SITE_LABELS: Final = 2
_NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class Resolver(Protocol):
    """A DNS resolver: `resolve(host, port, family)` returns aiohttp's results, or raises OSError."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host name."""
        ...


class SystemLookup:
    """DNS lookups of the system, in threads of their own: a slow name server delays only the names of its site."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_MAX_LOOKUPS, thread_name_prefix="cardwright-names")
        # By the last two labels of the name.
        self._sites: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host name.

        Raises:
            OSError: If the name has no address.
        """
        lookup = partial(
            socket.getaddrinfo, host, port, type=socket.SOCK_STREAM, family=family, flags=socket.AI_ADDRCONFIG
        )
        labels = host.rstrip(".").split(".")
        site = self._sites.setdefault(".".join(labels[-_SITE_LABELS:]), asyncio.Semaphore(_MAX_OF_SITE))
        await site.acquire()
        looking = asyncio.get_running_loop().run_in_executor(self._threads, lookup)
        # The thread goes on when its caller has left.
        looking.add_done_callback(lambda _: site.release())
        addresses = await asyncio.shield(looking)
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=kind,
                proto=proto,
                flags=_NUMERIC,
            )
            for kind, _, proto, _, address in addresses
        ]

    def close(self) -> None:
        """Cancel waiting lookups; a running one cannot be stopped."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class CheckedResolver(AbstractResolver):
    """Resolver with one lookup per connection; a connection is denied unless all addresses are allowed.

    aiohttp uses it for names only: a host that is an address is checked before the request.
    """

    def __init__(self, guard: Guard | None, lookup: Resolver | None = None) -> None:
        """Check with a guard; None allows every address, as for configured origins."""
        self._guard = guard
        self._lookup: Resolver = lookup if lookup is not None else SystemLookup()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host name, if connections to all of them are allowed at the port.

        Raises:
            ConnectionDenied: If one is denied: a name with a forbidden address is an attack or a mistake.
            OSError: If the name has no address.
        """
        addresses = await self._lookup.resolve(host, port, family)
        for result in addresses:
            try:
                address = ip_address(result["host"].partition("%")[0])
            except ValueError:
                raise ConnectionDenied(
                    "guard/address", "the host name resolves to an invalid address"
                ) from None
            if self._guard is not None:
                self._guard.check_address(address, port, "")
        if not addresses:
            raise OSError("the host name has no address")
        return addresses

    async def close(self) -> None:
        """Cancel waiting lookups."""
        if isinstance(self._lookup, SystemLookup):
            self._lookup.close()
