"""Simulate a day of a registry in a minute: real registry and store, simulated network and clock.

`python -m benchmarks.scale [--peers 5000] [--hours 24]`. Only responses and time are simulated: claims, scheduling,
cache decisions, validation and database rows are those of `AgentRegistry` on an SQLite file. Each request advances the
clock by 1/RATE seconds; when no peer is due, the clock advances to the next due time. One process dies during the
simulation: its claims are taken over when its lease expires.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import orjson

from benchmarks.documents import card
from benchmarks.measure import machine
from cardwright import AgentRegistry
from cardwright.discovery.refreshing import LEASE_SECONDS
from cardwright.discovery.registry import FLOOR_SECONDS
from cardwright.discovery.scheduling import FIRST_RETRY_SECONDS, JITTER, LAST_RETRY_SECONDS
from cardwright.errors import PeerUnreachable
from cardwright.guard import Guard, GuardedClient, Headers, Response, Timeouts, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PEERS, HOURS = 5_000, 24
# Requests per second while peers are due, and the minimum sleep of a registry without due peers.
RATE, SLEEP_SECONDS = 500, 15.0
CARD_BYTES: Final = 3_000
# (peers per thousand, max-age in seconds); None: no max-age, an hour is assumed.
LIFETIMES: Final = ((5, 0), (20, 300), (75, 86_400), (900, None))
# One peer in N shares its host, never responds, is down for some hours, or changes once.
SHARED, HOSTS, DEAD, DOWN, CHANGING = 10, 20, 100, 50, 50
DOWN_HOURS: Final = (6, 9)
# When a process dies, and the number of its claims.
DEATH_HOUR, DEATH_CLAIMS = 3.5, 500
# What the simulation leaves out (benchmarks.discovering; header fields and TLS are calculated): CPU seconds of a request
# and of a new TLS connection, bytes of the header fields and of a new TLS connection in each direction.
HTTP_SECONDS, TLS_SECONDS = 0.00055, 0.0009
HEADER_BYTES, TLS_BYTES = 250, 2_250
# Usual list prices of rented machines (project decision): USD for a core hour, a GB sent, a GB stored for a month.
CORE_HOUR, SENT_GB, STORED_GB = 0.04, 0.09, 0.10
_BEGIN: Final = 1_800_000_000.0


@dataclass(slots=True)
class SimulatedPeer:
    """Simulated peer: its responses and the times of its requests."""

    number: int
    host: str
    lifetime: float | None
    body: bytes
    later: bytes
    requested_at: list[float] = field(default_factory=list[float])

    @property
    def lasts(self) -> float:
        """Freshness lifetime of its card in the registry."""
        return max(FLOOR_SECONDS, 3_600.0 if self.lifetime is None else self.lifetime)


@dataclass(slots=True)
class Network:
    """Replacement for the guarded client, and the simulated clock."""

    peers: dict[str, SimulatedPeer]
    hours: float
    now: float = _BEGIN
    guard: Guard = field(default_factory=Guard)
    timeouts: Timeouts = field(default_factory=Timeouts)
    bodies: int = 0
    unchanged: int = 0
    failures: int = 0
    most_in_flight: int = 0
    by_minute: Counter[int] = field(default_factory=Counter[int])
    _in_flight: Counter[str] = field(default_factory=Counter[str])

    async def get(self, url: str, *, headers: dict[str, str], **_: Any) -> Response:
        """Return the response of a peer."""
        peer = self.peers[url]
        self.now += 1 / RATE
        at = self.now
        self.by_minute[int((at - _BEGIN) // 60)] += 1
        peer.requested_at.append(at)
        self._in_flight[peer.host] += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight[peer.host])
        try:
            # Let other tasks send requests.
            await asyncio.sleep(0)
            return self._respond(url, peer, headers, (at - _BEGIN) / 3_600)
        finally:
            self._in_flight[peer.host] -= 1

    async def close(self) -> None:
        """Do nothing; there are no connections."""

    def _respond(self, url: str, peer: SimulatedPeer, headers: dict[str, str], hour: float) -> Response:
        if _dead(peer.number) or (_down(peer.number) and DOWN_HOURS[0] <= hour < DOWN_HOURS[1]):
            self.failures += 1
            raise PeerUnreachable(target_of(url).safe_url, "the connection failed")
        changed = _changes(peer.number) and hour > self.hours / 2
        body = peer.later if changed else peer.body
        etag = f'"{peer.number}-{changed}"'
        fields = [("ETag", etag), ("Content-Type", "application/json")]
        if peer.lifetime is not None:
            fields.append(("Cache-Control", f"max-age={peer.lifetime:.0f}"))
        if headers.get("If-None-Match") == etag:
            self.unchanged += 1
            return Response(url, 304, Headers(fields), b"")
        self.bodies += 1
        return Response(url, 200, Headers(fields), body)


@dataclass(frozen=True, slots=True)
class Day:
    """Result of a simulation.

    Attributes:
        network: The network with its request log.
        versions: Number of card versions in the database.
        file_bytes: Final size of the database.
        written_bytes: Bytes written to the kernel, log and pages included.
        cpu_seconds: CPU time without HTTP.
        first_cpu_seconds: CPU time until every peer was checked once.
        taken_over_seconds: Time from the death of the process until the last of its due peers was checked.
    """

    network: Network
    versions: int
    file_bytes: int
    written_bytes: int
    cpu_seconds: float
    first_cpu_seconds: float
    taken_over_seconds: float


async def simulate(peers: int, hours: float, folder: Path) -> Day:
    """Refresh peers for a simulated time."""
    network = Network(dict(_peers(peers)), hours)
    end, death = _BEGIN + hours * 3_600, _BEGIN + min(DEATH_HOUR, hours / 2) * 3_600
    path = folder / "scale.sqlite"
    written, used, first = _written(), time.process_time(), 0.0
    claimed_urls: list[str] = []
    async with AgentRegistry(
        list(network.peers),
        store=path,
        client=cast("GuardedClient", network),
        clock=lambda: network.now,
        random=random.Random(1).random,  # noqa: S311 - data of a benchmark
    ) as registry:
        while network.now < end:
            await registry.refresh()
            first = first or time.process_time() - used
            if not claimed_urls and network.now >= death:
                claimed_urls = _die(registry, network.now)
                death = network.now
            due = registry.store.next_due() or end
            network.now = max(due, network.now + SLEEP_SECONDS)
        versions = sum(len(registry.store.versions(url)) for url in network.peers)
    return Day(
        network,
        versions,
        _size(folder),
        _written() - written,
        time.process_time() - used,
        first,
        max((_next(network.peers[url].requested_at, death) - death for url in claimed_urls), default=0.0),
    )


def broken(day: Day, hours: float) -> list[str]:
    """Return violated guarantees: parallel requests to a host, a peer checked too often, a peer not checked."""
    problems: list[str] = []
    if day.network.most_in_flight > 1:
        problems.append(f"{day.network.most_in_flight} requests were in flight at one host")
    end = _BEGIN + hours * 3_600
    for url, peer in day.network.peers.items():
        gaps = [
            later - earlier for earlier, later in zip(peer.requested_at, peer.requested_at[1:], strict=False)
        ]
        if gaps and min(gaps) < FLOOR_SECONDS - 1e-6:
            problems.append(f"{url} was checked again after {min(gaps):.1f} s")
        # Maximum interval: its lifetime or the longest retry delay, jitter, a lost lease, a sleep and the queue.
        queue = len(day.network.peers) / RATE + SLEEP_SECONDS
        most = max(peer.lasts, LAST_RETRY_SECONDS if peer.number in _FAILING else 0) * (1 + JITTER)
        last = peer.requested_at[-1] if peer.requested_at else _BEGIN
        if max([*gaps, end - last]) > most + LEASE_SECONDS + 2 * queue:
            problems.append(f"{url} was not checked for {max([*gaps, end - last]):.0f} s")
    return problems


class _Failing:
    """Set of the numbers of peers that fail at some time."""

    def __contains__(self, number: int) -> bool:
        return _dead(number) or _down(number)


_FAILING: Final = _Failing()


def _dead(number: int) -> bool:
    return number % DEAD == 7


def _down(number: int) -> bool:
    return number % DOWN == 11


def _changes(number: int) -> bool:
    return number % CHANGING == 13


def _peers(count: int) -> Iterator[tuple[str, SimulatedPeer]]:
    pattern = orjson.dumps(card("a2a-1.0", CARD_BYTES))
    for number in range(count):
        shared = number % SHARED == 3
        host = f"platform-{number // SHARED % HOSTS}.example.net" if shared else f"agent-{number}.example.net"
        body = pattern.replace(b'"Ferry Desk"', b'"Ferry Desk %d"' % number, 1)
        later = body.replace(b'"2.4.0"', b'"2.5.0"', 1)
        url = f"https://{host}/agents/{number}/card.json"
        yield url, SimulatedPeer(number, host, _lifetime(number), body, later)


def _lifetime(number: int) -> float | None:
    # 617 and 1,000 have no common factor, so every kind of peer gets every lifetime.
    place = number * 617 % 1_000
    for share, seconds in LIFETIMES:
        if place < share:
            return seconds
        place -= share
    return None


def _die(registry: AgentRegistry, now: float) -> list[str]:
    """Claim the peers that are due next, as a process that then dies."""
    claimed = registry.store.claim(
        now=now, limit=DEATH_CLAIMS, owner="dead-process", lease_seconds=LEASE_SECONDS, force=True
    )
    return [record.url for record in claimed]


def _next(times: list[float], after: float) -> float:
    return next((at for at in times if at > after), after)


def _size(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.iterdir())


def _written() -> int:
    """Return the bytes that this process has written (proc(5), wchar); 0 where the system does not report it."""
    statistics = Path("/proc/self/io")
    for line in statistics.read_text(encoding="ascii").splitlines() if statistics.exists() else ():
        if line.startswith("wchar:"):
            return int(line.split()[1])
    return 0


def _print(day: Day, peers: int, hours: float) -> None:
    network = day.network
    checks = network.by_minute.total()
    seconds = hours * 3_600
    mean = checks / seconds
    print(f"{peers:,} peers for {hours:g} hours at {RATE} requests/s, one process, and one that dies\n")
    rows = (
        ("peer checks", f"{checks:,}", f"{checks / peers / hours * 24:.1f} per peer and day"),
        ("requests/s, mean", f"{mean:.2f}", ""),
        ("responses 304", f"{network.unchanged:,}", f"{network.unchanged / checks:.1%}"),
        ("bodies sent", f"{network.bodies:,}", "first checks and changed cards"),
        (
            "failures",
            f"{network.failures:,}",
            f"first retry after {FIRST_RETRY_SECONDS:.0f} s, later up to an hour",
        ),
        ("maximum in flight per host", f"{network.most_in_flight}", ""),
        ("stored versions", f"{day.versions:,}", ""),
        ("database bytes", f"{day.file_bytes:,}", f"{day.file_bytes / peers:,.0f} per peer"),
        ("bytes written", f"{day.written_bytes:,}", f"{day.written_bytes / checks:,.0f} per check"),
        ("CPU time of a first check", f"{day.first_cpu_seconds / peers * 1e6:,.0f} µs", "without HTTP"),
        (
            "CPU time of a later check",
            f"{(day.cpu_seconds - day.first_cpu_seconds) / max(checks - peers, 1) * 1e6:,.0f} µs",
            "without HTTP",
        ),
        ("takeover of a dead process", f"{day.taken_over_seconds:,.0f} s", "maximum"),
    )
    for name, value, note in rows:
        print(f"{name:36} {value:>14}  {note}")
    print(f"\n{'hour':>4} {'requests/s':>11} {'busiest minute':>15} {'× mean of the hour':>19}")
    for hour in sorted({0, 1, 2, 3, 4, 6, 9, 12, 18, int(hours) - 1}):
        minutes = [network.by_minute[hour * 60 + minute] / 60 for minute in range(60)]
        average = sum(minutes) / 60
        if hour < hours and average > 0:
            print(f"{hour:4} {average:11.2f} {max(minutes):15.2f} {max(minutes) / average:19.1f}")
    print()
    _print_million(day, peers, hours)
    for problem in broken(day, hours)[:10]:
        print(f"! {problem}")


def _print_million(day: Day, peers: int, hours: float) -> None:
    """Print what such a day costs a registry of a million agents, per day, with plain HTTP and with TLS."""
    scale = 1e6 / peers * 24 / hours
    checks = day.network.by_minute.total() * scale
    stored = day.file_bytes / peers * 1e6
    print(f"A million agents, per day: {checks:,.0f} checks\n")
    print(f"{'':8} {'core hours':>11} {'GB sent':>8} {'GB received':>12} {'GB stored':>10} {'USD':>7}")
    for name, seconds, extra in (("HTTP", 0.0, 0), ("TLS", TLS_SECONDS, TLS_BYTES)):
        cores = (day.cpu_seconds * scale + checks * (HTTP_SECONDS + seconds)) / 3_600
        sent = checks * (HEADER_BYTES + extra) / 1e9
        received = sent + day.network.bodies * scale * CARD_BYTES / 1e9
        money = cores * CORE_HOUR + sent * SENT_GB + stored / 1e9 * STORED_GB / 30
        print(f"{name:8} {cores:11.1f} {sent:8.1f} {received:12.1f} {stored / 1e9:10.1f} {money:7.2f}")
    print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=int, default=PEERS)
    parser.add_argument("--hours", type=float, default=HOURS)
    arguments = parser.parse_args()
    print(machine(), "\n")
    with tempfile.TemporaryDirectory() as folder:
        day = asyncio.run(simulate(arguments.peers, arguments.hours, Path(folder)))
    _print(day, arguments.peers, arguments.hours)
