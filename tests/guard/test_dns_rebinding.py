"""DNS rebinding: the checked address is the one connected to, and each attempt is checked anew."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from cardwright.errors import CardError, ConnectionDenied, PeerUnreachable
from cardwright.guard import Guard, GuardedClient
from tests.guard.recorded_connections import PUBLIC, block, result
from tests.peers import RecordedRequest, Reply, peer, raw_peer

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterable, Iterator

    from aiohttp.abc import ResolveResult

pytestmark = pytest.mark.usefixtures("both_ways")
HOME = "127.0.0.77"
LEAVE = Guard(allow=(f"{HOME}/32",))


@dataclass
class Flipping:
    """A resolver that gives one answer after the other, over and over."""

    answers: Iterable[str]
    requests: int = 0
    _next: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self._next = cycle(self.answers)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily | int = 0
    ) -> list[ResolveResult]:
        del family
        self.requests += 1
        return [result(host, next(self._next), port)]


async def outcome(client: GuardedClient, url: str, configured: str | None = None) -> type[CardError] | int:
    """Return what a GET comes to: its status, or the kind of error."""
    try:
        return (await client.get(url, configured=configured)).status
    except CardError as error:
        return type(error)


async def test_dns_rebinding_never_reaches_loopback_in_a_thousand_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections = block(monkeypatch)
    names = Flipping((PUBLIC, "127.0.0.1"))

    async with GuardedClient(resolver=names) as client:
        assert [await outcome(client, "http://agent.example/") for _ in range(1000)] == [
            PeerUnreachable,
            ConnectionDenied,
        ] * 500
    assert names.requests == 1000
    assert connections.hosts == [PUBLIC] * 500


async def test_concurrent_attempts_at_dns_rebinding_are_each_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = block(monkeypatch)
    names = Flipping((PUBLIC, "127.0.0.1", "169.254.169.254"))

    async with GuardedClient(resolver=names) as client:
        assert sorted(
            map(str, (await asyncio.gather(*(outcome(client, "http://agent.example/") for _ in range(99)))))
        ) == sorted([str(PeerUnreachable)] * 33 + [str(ConnectionDenied)] * 66)
    assert names.requests == 99
    assert set(connections.hosts) == {PUBLIC}


async def test_a_broken_reused_connection_is_replaced_only_after_a_new_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections = block(monkeypatch, HOME)
    names = Flipping((HOME, "127.0.0.1"))

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        # The connection is offered again, and closed when it is used.
        await reader.readuntil(b"\r\n\r\n")

    async with raw_peer(once, host=HOME) as one, GuardedClient(LEAVE, resolver=names) as client:
        url = f"http://agent.example:{one.port}/"
        assert [await outcome(client, url), await outcome(client, url)] == [200, ConnectionDenied]
    assert connections.hosts == [HOME]


async def test_each_redirect_is_resolved_and_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = block(monkeypatch, HOME)
    names = Flipping((HOME, "10.0.0.1"))

    def away(request: RecordedRequest) -> Reply:
        port = request.headers["host"].rpartition(":")[2]
        return Reply(302, headers={"Location": f"http://other.example:{port}/"})

    async with peer(away, host=HOME) as one, GuardedClient(LEAVE, resolver=names) as client:
        assert await outcome(client, f"http://agent.example:{one.port}/") is ConnectionDenied
    assert names.requests == 2
    assert connections.hosts == [HOME]


async def test_a_connection_of_an_allowed_origin_is_not_reused_for_other_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections = block(monkeypatch, "127.0.0.1")

    names = Flipping(("127.0.0.1",))
    # A port that a public peer may have: nothing but the address refuses the others.
    async with peer(lambda _: Reply()) as one:
        guard = Guard(ports=frozenset({one.port}))
        async with GuardedClient(guard, resolver=names) as client:
            origin = f"http://agent.example:{one.port}"
            permitted = [outcome(client, origin, origin) for _ in range(20)]
            others = [outcome(client, f"{origin}/x") for _ in range(20)]
            found = await asyncio.gather(
                *(one for pair in zip(permitted, others, strict=True) for one in pair)
            )
            # Connections are open now, and idle.
            again = [await outcome(client, origin), await outcome(client, origin, "http://other.example")]
            assert [request.path for request in one.requests] == ["/"] * 20
            assert [*found, *again] == [200, ConnectionDenied] * 20 + [ConnectionDenied, ConnectionDenied]
    assert connections.forbidden == []


async def test_a_name_without_an_address_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    class Empty:
        async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
            del host, port, family
            return []

    connections = block(monkeypatch)

    async with GuardedClient(resolver=Empty()) as client:
        assert await outcome(client, "https://agent.example/") is PeerUnreachable
    assert connections.hosts == []
