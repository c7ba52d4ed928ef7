"""A day of a registry in a minute: the real registry and store, a network that is made up, and its own clock.

`python -m benchmarks.scale [--peers 5000] [--hours 24]`. Only answers and time are simulated: claims, turns, decisions
of the cache, judging and rows are those of `AgentRegistry` on an SQLite file. Each request moves the clock by
1/RATE seconds, as a crawler of that rate does, and when nothing is due the clock goes on to the next that is.
One process dies on the way: what it had claimed is taken over when its lease is over.
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
from cardwright.guard import Answer, Guard, GuardedClient, Headers, target_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PEERS, HOURS = 5_000, 24
# Requests in a second while there is work, and how long a registry sleeps at least when there is none.
RATE, SLEEP_SECONDS = 500, 15.0
CARD_BYTES: Final = 3_000
# Of a thousand peers so many say so many seconds; None says nothing, and an hour is assumed.
LIFETIMES: Final = ((5, 0), (20, 300), (75, 86_400), (900, None))
# One of so many shares its host with others, never answers, is down for some hours, or changes once.
SHARED, HOSTS, DEAD, DOWN, CHANGING = 10, 20, 100, 50, 50
DOWN_HOURS: Final = (6, 9)
# When a process dies, holding so many claims.
DEATH_HOUR, DEATH_CLAIMS = 3.5, 500
_BEGIN: Final = 1_800_000_000.0


@dataclass(slots=True)
class SimulatedPeer:
    """One peer: what it answers, and when it was asked."""

    number: int
    host: str
    lifetime: float | None
    body: bytes
    later: bytes
    asked: list[float] = field(default_factory=list[float])

    @property
    def lasts(self) -> float:
        """How long a card of it is fresh here."""
        return max(FLOOR_SECONDS, 3_600.0 if self.lifetime is None else self.lifetime)


@dataclass(slots=True)
class Network:
    """Stands in for the guarded client; tells the time, too."""

    peers: dict[str, SimulatedPeer]
    hours: float
    now: float = _BEGIN
    guard: Guard = field(default_factory=Guard)
    bodies: int = 0
    unchanged: int = 0
    failures: int = 0
    most_in_flight: int = 0
    by_minute: Counter[int] = field(default_factory=Counter[int])
    _in_flight: Counter[str] = field(default_factory=Counter[str])

    async def get(self, url: str, *, headers: dict[str, str], **_: Any) -> Answer:
        """Answer as a peer does."""
        peer = self.peers[url]
        self.now += 1 / RATE
        at = self.now
        self.by_minute[int((at - _BEGIN) // 60)] += 1
        peer.asked.append(at)
        self._in_flight[peer.host] += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight[peer.host])
        try:
            # Others ask meanwhile.
            await asyncio.sleep(0)
            return self._answer(url, peer, headers, (at - _BEGIN) / 3_600)
        finally:
            self._in_flight[peer.host] -= 1

    async def close(self) -> None:
        """Nothing is open."""

    def _answer(self, url: str, peer: SimulatedPeer, asked: dict[str, str], hour: float) -> Answer:
        if _dead(peer.number) or (_down(peer.number) and DOWN_HOURS[0] <= hour < DOWN_HOURS[1]):
            self.failures += 1
            raise PeerUnreachable(target_of(url).shown, "no connection came about")
        changed = _changes(peer.number) and hour > self.hours / 2
        body = peer.later if changed else peer.body
        etag = f'"{peer.number}-{changed}"'
        fields = [("ETag", etag), ("Content-Type", "application/json")]
        if peer.lifetime is not None:
            fields.append(("Cache-Control", f"max-age={peer.lifetime:.0f}"))
        if asked.get("If-None-Match") == etag:
            self.unchanged += 1
            return Answer(url, 304, Headers(fields), b"")
        self.bodies += 1
        return Answer(url, 200, Headers(fields), body)


@dataclass(frozen=True, slots=True)
class Day:
    """What a simulated time came to.

    Attributes:
        network: What was asked for, and when.
        versions: How many cards the database has.
        file_bytes: Its size in the end.
        written_bytes: What was handed to the kernel to write, all of it, log and pages.
        cpu_seconds: What it took, all but what HTTP takes.
        first_cpu_seconds: Likewise, until every peer was looked at once.
        taken_over_seconds: How long after the death the last of its peers was looked at that was due.
    """

    network: Network
    versions: int
    file_bytes: int
    written_bytes: int
    cpu_seconds: float
    first_cpu_seconds: float
    taken_over_seconds: float


async def simulate(peers: int, hours: float, folder: Path) -> Day:
    """Keep so many peers fresh for so long."""
    network = Network(dict(_peers(peers)), hours)
    end, death = _BEGIN + hours * 3_600, _BEGIN + min(DEATH_HOUR, hours / 2) * 3_600
    path = folder / "scale.sqlite"
    written, used, first = _written(), time.process_time(), 0.0
    held: list[str] = []
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
            if not held and network.now >= death:
                held = _die(registry, network.now)
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
        max((_next(network.peers[url].asked, death) - death for url in held), default=0.0),
    )


def broken(day: Day, hours: float) -> list[str]:
    """Return what must not be and is: two in flight at a host, a peer asked too often, or one that was missed."""
    found: list[str] = []
    if day.network.most_in_flight > 1:
        found.append(f"{day.network.most_in_flight} requests were in flight at one host")
    end = _BEGIN + hours * 3_600
    for url, peer in day.network.peers.items():
        gaps = [later - earlier for earlier, later in zip(peer.asked, peer.asked[1:], strict=False)]
        if gaps and min(gaps) < FLOOR_SECONDS - 1e-6:
            found.append(f"{url} was asked after {min(gaps):.1f} s")
        # The longest that anybody may wait: its time or the longest pause, jitter, a lost lease, a sleep, and the queue.
        queue = len(day.network.peers) / RATE + SLEEP_SECONDS
        most = max(peer.lasts, LAST_RETRY_SECONDS if peer.number in _FAILING else 0) * (1 + JITTER)
        last = peer.asked[-1] if peer.asked else _BEGIN
        if max([*gaps, end - last]) > most + LEASE_SECONDS + 2 * queue:
            found.append(f"{url} was not asked for {max([*gaps, end - last]):.0f} s")
    return found


class _Failing:
    """The numbers of peers that fail at some time."""

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
    # A prime to a thousand, so that every kind of peer has every lifetime.
    place = number * 617 % 1_000
    for share, seconds in LIFETIMES:
        if place < share:
            return seconds
        place -= share
    return None


def _die(registry: AgentRegistry, now: float) -> list[str]:
    """Claim what is due soonest, as a process that then dies."""
    claimed = registry.store.claim(
        now=now, limit=DEATH_CLAIMS, owner="the dead one", lease_seconds=LEASE_SECONDS, force=True
    )
    return [record.url for record in claimed]


def _next(asked: list[float], after: float) -> float:
    return next((at for at in asked if at > after), after)


def _size(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.iterdir())


def _written() -> int:
    """Return how many bytes this process has handed to the kernel to write (proc(5)); 0 where none is told."""
    told = Path("/proc/self/io")
    for line in told.read_text(encoding="ascii").splitlines() if told.exists() else ():
        if line.startswith("wchar:"):
            return int(line.split()[1])
    return 0


def _print(day: Day, peers: int, hours: float) -> None:
    network = day.network
    looks = network.by_minute.total()
    seconds = hours * 3_600
    mean = looks / seconds
    print(
        f"{peers:,} peers for {hours:g} hours at {RATE} requests/s at most, one process, one dead after a while\n"
    )
    rows = (
        ("looks", f"{looks:,}", f"{looks / peers / hours * 24:.1f} a peer and day"),
        ("requests/s, mean", f"{mean:.2f}", ""),
        ("answers 304", f"{network.unchanged:,}", f"{network.unchanged / looks:.1%}"),
        ("bodies sent", f"{network.bodies:,}", "the first time, and where a card changed"),
        (
            "failures",
            f"{network.failures:,}",
            f"a pause of {FIRST_RETRY_SECONDS:.0f} s at first, then to an hour",
        ),
        ("most in flight at one host", f"{network.most_in_flight}", ""),
        ("versions kept", f"{day.versions:,}", ""),
        ("bytes of the database", f"{day.file_bytes:,}", f"{day.file_bytes / peers:,.0f} a peer"),
        ("bytes written", f"{day.written_bytes:,}", f"{day.written_bytes / looks:,.0f} a look"),
        ("CPU of a first look", f"{day.first_cpu_seconds / peers * 1e6:,.0f} µs", "without HTTP"),
        (
            "CPU of a later look",
            f"{(day.cpu_seconds - day.first_cpu_seconds) / max(looks - peers, 1) * 1e6:,.0f} µs",
            "without HTTP",
        ),
        ("a dead process's claims taken over", f"{day.taken_over_seconds:,.0f} s", "at the latest"),
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
    for fault in broken(day, hours)[:10]:
        print(f"! {fault}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=int, default=PEERS)
    parser.add_argument("--hours", type=float, default=HOURS)
    given = parser.parse_args()
    print(machine(), "\n")
    with tempfile.TemporaryDirectory() as place:
        _print(asyncio.run(simulate(given.peers, given.hours, Path(place))), given.peers, given.hours)
