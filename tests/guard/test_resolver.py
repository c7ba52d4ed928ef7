"""DNS lookups: those of a site whose name server never responds delay no others."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import TYPE_CHECKING, Any

from cardwright.guard.resolver import SystemLookup

if TYPE_CHECKING:
    import pytest


class Names:
    """A system resolver that does not respond to names of one site until it may."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.requests: list[str] = []

    def getaddrinfo(self, host: str, port: int, **_: Any) -> list[Any]:
        self.requests.append(host)
        if host.endswith(".slow.example"):
            self.may.wait(30)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", port))]


async def test_a_hanging_dns_lookup_delays_no_other_site(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names()
    monkeypatch.setattr(socket, "getaddrinfo", names.getaddrinfo)

    lookup = SystemLookup()
    try:
        hanging = [asyncio.create_task(lookup.resolve(f"h{n}.slow.example", 443)) for n in range(200)]
        while len(names.requests) < 4:  # noqa: ASYNC110 - another thread has no event for it
            await asyncio.sleep(0)
        # The attempts end; their lookups cannot.
        for one in hanging[:100]:
            one.cancel()
        await asyncio.gather(*hanging[:100], return_exceptions=True)
        (found,) = await lookup.resolve("agent.example.", 443)
        assert found["host"] == "192.0.2.1"
        assert len(names.requests) == 5
        names.may.set()
        assert len(await asyncio.gather(*hanging[100:])) == 100
        assert len(names.requests) == 105
    finally:
        names.may.set()
        lookup.close()
