"""Clients that fetch cards, each in a process of its own: `python -m benchmarks.visits CLIENT PORT CARDS`.

Each client is warmed up with other hosts, so that imports and schema compilation are not measured, and fetches from
each host once, with the same concurrency.
"""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from benchmarks.origins import PATH, hosts, sent
from cardwright.cli.event_loop import run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.discovery.refreshing import RefreshResult

CONCURRENCY: Final = 64
# Hosts that are not measured.
_WARM, _WARM_HOSTS = 200, 10_000_000
_LOOPBACK: Final = ("127.0.0.0/8",)


def origins(port: int, count: int, begin: int = 0) -> list[str]:
    """Return the origins of `count` hosts."""
    return [f"http://{host}:{port}" for host in hosts(count, begin)]


async def bare(port: int, begin: int, count: int) -> None:
    """Fetch with aiohttp only."""
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONCURRENCY)) as session:

        async def one(origin: str) -> None:
            async with session.get(origin + PATH) as response:
                await response.read()

        await _all(one, origins(port, count, begin))


async def guarded(port: int, begin: int, count: int) -> None:
    """Fetch with the guarded client only."""
    from cardwright.guard import Guard, GuardedClient

    async with GuardedClient(Guard(allow=_LOOPBACK), concurrency=CONCURRENCY, keep_alive=False) as client:

        async def one(origin: str) -> None:
            await client.get(origin + PATH)

        await _all(one, origins(port, count, begin))


async def sdk(port: int, begin: int, count: int) -> None:
    """Fetch and parse with the resolver of a2a-sdk."""
    import httpx
    from a2a.client import A2ACardResolver

    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=CONCURRENCY)) as client:

        async def one(origin: str) -> None:
            await A2ACardResolver(client, origin).get_agent_card()

        await _all(one, origins(port, count, begin))


async def registry_runs(
    port: int, count: int, *, rules: tuple[Literal["text"], ...]
) -> dict[str, dict[str, float]]:
    """Fetch, validate and store cards; then revalidate the unchanged cards."""
    from cardwright import AgentRegistry, Checks

    checks = Checks(rules=rules)
    warm = origins(port, _WARM, _WARM_HOSTS)
    async with AgentRegistry(warm, allow=_LOOPBACK, checks=checks) as registry:
        await registry.refresh()
        await registry.refresh(force=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.sqlite"
        async with AgentRegistry(
            origins(port, count), store=path, allow=_LOOPBACK, checks=checks, concurrency=CONCURRENCY
        ) as registry:
            first = await _timed(lambda: _refreshed(registry.refresh(), "new", count))
            before = sent(port)["body_bytes"]
            second = await _timed(lambda: _refreshed(registry.refresh(force=True), "unchanged", count))
    return {"first": first, "unchanged": {**second, "body_bytes": sent(port)["body_bytes"] - before}}


async def shared(port: int, store: str) -> dict[str, dict[str, float]]:
    """Refresh the due cards of a database that another process shares; start when a line arrives on stdin."""
    from cardwright import AgentRegistry

    async with AgentRegistry(origins(port, _WARM, _WARM_HOSTS), allow=_LOOPBACK) as registry:
        await registry.refresh()
    async with AgentRegistry(store=store, allow=_LOOPBACK, concurrency=CONCURRENCY) as registry:
        _send("ready")
        sys.stdin.readline()
        results: list[RefreshResult] = []

        async def refresh() -> None:
            results.append(await registry.refresh())

        figures = await _timed(refresh)
    return {"first": {**figures, "cards": results[0].total}}


async def _plain(
    visit: Callable[[int, int, int], Awaitable[None]], port: int, count: int
) -> dict[str, dict[str, float]]:
    await visit(port, _WARM_HOSTS, _WARM)
    return {"first": await _timed(lambda: visit(port, 0, count))}


async def _all(one: Callable[[str], Awaitable[None]], urls: list[str]) -> None:
    remaining = iter(urls)

    async def worker() -> None:
        for url in remaining:
            await one(url)

    await asyncio.gather(*(worker() for _ in range(CONCURRENCY)))


async def _refreshed(refresh: Awaitable[RefreshResult], outcome: str, count: int) -> None:
    outcomes = (await refresh).outcomes
    if dict(outcomes) != {outcome: count}:
        raise RuntimeError(f"every card should be {outcome}: {dict(outcomes)}")


async def _timed(work: Callable[[], Awaitable[None]]) -> dict[str, float]:
    begin, used = time.perf_counter(), time.process_time()
    await work()
    return {"seconds": time.perf_counter() - begin, "cpu_seconds": time.process_time() - used}


def _send(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main(client: str, port: int, rest: str) -> None:
    # Every client keeps its connections open for a while, one per host.
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    # a2a-sdk and httpx log every request, which would be measured, too.
    logging.disable(logging.CRITICAL)
    plain = {"bare": bare, "guarded": guarded, "sdk": sdk}
    if client in plain:
        _send(asyncio.run(_plain(plain[client], port, int(rest))))
    elif client in ("cardwright", "linting", "uvloop"):
        # As the commands do: with uvloop, where it is installed.
        runner = run if client == "uvloop" else asyncio.run
        _send(runner(registry_runs(port, int(rest), rules=("text",) if client == "linting" else ())))
    else:
        _send(asyncio.run(shared(port, rest)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
