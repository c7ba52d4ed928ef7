"""What others notice while a gateway has an expensive request or many slow ones: their latency, and its memory."""

from __future__ import annotations

import argparse
import asyncio
import http.client
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import machine
from tests.cluster.hostile.dripping import added_by_dripping
from tests.cluster.hostile.expensive import Posted, expensive_requests
from tests.cluster.hostile.watching import Watch, p99, watched
from tests.cluster.replicas import Replica, cluster, function

TIMES, CONNECTIONS = 20, 1_000
# Maximum milliseconds (p99) of `/healthz` and of a small call; maximum MiB that slow connections add.
HEALTH_BOUND, CALL_BOUND, MEMORY_BOUND = 100, 250, 64
_DRIP_SECONDS = 40.0
_LARGE_TASKS = 30
# The agents and the sizes of the bodies: too large for callers without credentials, and just allowed.
_DRIPPED = (("keyed", 8 * 1024 * 1024), ("open", 8 * 1024 * 1024), ("open", 256 * 1024))
_AGENTS = {"keyed": function("answer", invoke=True), "open": {**function("answer"), "access": "open"}}


def main() -> int:
    """Run both, or those requests whose kind has a text; return 1 if a bound is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="run the requests whose kind contains this text")
    parser.add_argument("--times", type=int, default=TIMES)
    options = parser.parse_args()
    print("A gateway with one expensive request after the other (! over the limit)\n")
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        exceeded = asyncio.run(_run(Path(folder), options.only, options.times))
    print(f"\n{exceeded} bounds exceeded" if exceeded else "\nAll within the bounds")
    return 1 if exceeded else 0


async def _run(folder: Path, only: str, times: int) -> int:
    """Return how many bounds were exceeded."""
    exceeded = 0
    async with cluster(folder, str(folder / "gateway.db"), _AGENTS) as machines:
        at = await machines.start()
        key = machines.caller("keyed").key
        await _fill(at, key)
        print(f"{'':42} answer      took  /healthz p99  most  small call p99  most, ms")
        for posted in expensive_requests(key):
            if only in posted.kind:
                exceeded += await _one(at, key, posted, times)
    if not only:
        for number, (agent, size) in enumerate(_DRIPPED):
            async with cluster(folder, str(folder / f"{number}.db"), _AGENTS) as machines:
                exceeded += await _dripping(await machines.start(), agent, size)
    return exceeded


async def _fill(at: Replica, key: str) -> None:
    """Make large tasks, so that their list is expensive."""
    headers = {"A2A-Version": "1.0", "X-Agent-API-Key": key}
    large = next(posted for posted in expensive_requests(key) if posted.kind == "1.0: a file of 7.9 MB")
    for _ in range(_LARGE_TASKS):
        await asyncio.to_thread(_post, at.origin, large._replace(headers=headers))


async def _one(at: Replica, key: str, posted: Posted, times: int) -> int:
    took: list[float] = []
    status = 0
    async with watched(at.origin, at.popen.pid, "keyed", {"X-Agent-API-Key": key}) as watch:
        await asyncio.sleep(0.3)
        watch.health.clear()
        watch.calls.clear()
        for _ in range(times):
            began = time.perf_counter()
            status = await asyncio.to_thread(_post, at.origin, posted)
            took.append(time.perf_counter() - began)
    for wrong in watch.wrong[:3]:
        print(wrong)
    return _print(posted.kind, f"{status} {sorted(took)[len(took) // 2] * 1_000:9.0f} ms", watch)


def _print(kind: str, more: str, watch: Watch) -> int:
    health, calls = (1_000 * p99(took) for took in (watch.health, watch.calls))
    late, slow = health > HEALTH_BOUND, calls > CALL_BOUND
    most = [1_000 * max(took) for took in (watch.health, watch.calls)]
    print(
        f"{kind:42} {more}  {health:10.0f} {'!' if late else ' '} {most[0]:6.0f}"
        f"  {calls:10.0f} {'!' if slow else ' '} {most[1]:6.0f}",
        flush=True,
    )
    return late + slow


def _post(origin: str, posted: Posted) -> int:
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=120)
    try:
        headers = {"Content-Type": "application/json", **posted.headers}
        connection.request("POST", posted.path, posted.body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


async def _dripping(at: Replica, agent: str, size: int) -> int:
    """Print what connections without credentials add that send a large body slowly."""
    added = await added_by_dripping(at, agent, size, CONNECTIONS, _DRIP_SECONDS) / 2**20
    exceeded = added > MEMORY_BOUND
    print(
        f"\n{CONNECTIONS:,} connections without credentials that drip {size // 1024:,} KiB to {agent!r}: "
        f"+{added:.0f} MiB {'!' if exceeded else ''}"
    )
    return int(exceeded)


if __name__ == "__main__":
    sys.exit(main())
