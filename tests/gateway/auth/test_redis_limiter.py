"""Rate limits shared by several processes in Redis, and the fallback during an outage."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from cardwright.errors import BadConfiguration
from cardwright.http.problem import HttpError
from cardwright_gateway.auth import Limiter
from cardwright_gateway.auth.principal import Principal, Quota
from cardwright_gateway_models.settings.gateway import LimitSettings
from tests.gateway.auth.redis_server import own_redis
from tests.gateway.auth.test_memory_limiter import KEY, Clock, passed

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path

    from tests.gateway.auth.redis_server import OwnRedis

pytest.importorskip("redis", reason="redis is not installed")


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[OwnRedis]:
    with own_redis(tmp_path) as server:
        yield server


@pytest.mark.process
def test_eight_processes_share_one_limit_of_sixty(redis: OwnRedis) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.gateway.auth.request_loop", redis.url, "8", "500"]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(8)
    ]
    try:
        for one in running:
            assert one.stdout is not None
            assert one.stdout.readline() == "ready\n"
        for one in running:
            assert one.stdin is not None
            one.stdin.write("go\n")
            one.stdin.flush()
        reports = [json.loads(one.communicate(timeout=60)[0]) for one in running]
    finally:
        for one in running:
            one.kill()
            one.communicate()
    assert sum(one["admitted"] for one in reports) == 60
    assert {one["standing"] for one in reports} == {"ok"}
    assert all(40 <= after <= 61 for one in reports for after in one["afters"])


async def test_remaining_requests_count_all_processes(redis: OwnRedis) -> None:
    caller = Principal("key", "key:left", "", "left", Quota(3, 1000))

    limiters = [Limiter(LimitSettings(redis=redis.url)) for _ in range(2)]
    states = [await limiter.admit("agent", caller, "") for limiter in limiters]
    for limiter in limiters:
        await limiter.close()
    assert [state.remaining for state in states if state is not None] == [2, 1]


async def test_retry_after_comes_from_the_shared_window(redis: OwnRedis) -> None:
    caller = Principal("key", "key:q", "", "q", Quota(2, 1000))

    # Two limiters are two processes as far as Redis sees.
    one, other = (Limiter(LimitSettings(redis=redis.url)) for _ in range(2))
    assert await passed(one, 5, caller) == 2
    with pytest.raises(HttpError) as refused:
        await other.admit("a", caller, "")
    await one.close()
    await other.close()
    assert 990 <= int(dict(refused.value.problem.headers)[b"retry-after"]) <= 1001


async def test_a_weighted_request_counts_in_every_process(redis: OwnRedis) -> None:
    one, other = (Limiter(LimitSettings(requests=20, redis=redis.url)) for _ in range(2))
    assert await passed(one, 1) == 1
    await one.charge("a", KEY, "", 15)
    left = await passed(other, 100)
    # More than fits is no error.
    await one.charge("a", KEY, "", 1_000_000)
    again = await passed(other, 1)
    await one.close()
    await other.close()
    assert (left, again) == (4, 0)


@pytest.mark.parametrize(("processes", "share"), [(1, 20), (4, 5), (100, 1)])
def test_without_redis_each_process_admits_its_share_only(processes: int, share: int) -> None:
    with socket.socket() as unused:
        # Bound, but not listening.
        unused.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{unused.getsockname()[1]}/0"
        limiter = Limiter(LimitSettings(requests=20, seconds=60, redis=url, processes=processes), Clock())
        assert asyncio.run(passed(limiter, 100)) == share
        assert limiter.status() == "degraded"


async def test_a_redis_outage_and_its_recovery_are_logged_once_each(
    redis: OwnRedis, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "cardwright_gateway.limits")
    clock = Clock()
    alarms: list[str] = []
    limiter = Limiter(
        LimitSettings(requests=20, seconds=60, redis=redis.url, processes=4), clock, alarms.append
    )

    before = await passed(limiter, 3)
    redis.kill()
    during = await passed(limiter, 100)
    redis.start()
    # No caller connects to it again within a second.
    early = await passed(limiter, 1, agent="other")
    assert limiter.status() == "degraded"
    clock.now += 1.1
    after = await passed(limiter, 1, agent="other")
    await limiter.close()
    # Requests admitted before count towards the share of five.
    assert [before, during, early, after] == [3, 2, 1, 1]
    assert alarms == ["degraded", "ok"]
    assert len(caplog.records) == 2


async def test_one_process_stays_within_its_limit_after_redis_lost_its_data(redis: OwnRedis) -> None:
    limiter = Limiter(LimitSettings(requests=20, seconds=60, redis=redis.url), Clock())

    count = await passed(limiter, 12)
    redis.kill()
    redis.start()
    count += await passed(limiter, 100)
    await limiter.close()
    assert count == 20


async def at_once(limiter: Limiter, times: int) -> int:
    """Return how many concurrent requests pass."""
    return sum(await asyncio.gather(*(passed(limiter, 1) for _ in range(times))))


@asynccontextmanager
async def hanging_redis(processes: int = 1) -> AsyncGenerator[tuple[Limiter, list[None]]]:
    """Yield a limiter whose Redis never answers, and an entry for each connection to it."""
    connections: list[None] = []

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(None)
        while await reader.read(4096):
            pass
        writer.close()

    async with await asyncio.start_server(hang, "127.0.0.1", 0) as server:
        url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
        limiter = Limiter(LimitSettings(requests=20, seconds=60, redis=url, processes=processes), Clock())
        yield limiter, connections
        await limiter.close()


async def test_a_hanging_redis_delays_a_caller_only_once() -> None:
    async with hanging_redis() as (limiter, connections):
        assert await passed(limiter, 50) == 20
    assert len(connections) == 1


async def test_a_hanging_redis_delays_only_the_first_callers() -> None:
    async with hanging_redis(processes=4) as (limiter, connections):
        assert await at_once(limiter, 300) == 5
        assert limiter.status() == "degraded"
    assert len(connections) <= 8


@pytest.mark.parametrize("url", ["http://canary@h", "redis", "redis://canary:canary@h:port/0"])
def test_an_invalid_redis_url_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(BadConfiguration, match="limits/redis") as refused:
        Limiter(LimitSettings(redis=url))
    assert "canary" not in str(refused.value)


async def test_a_burst_of_requests_is_not_taken_for_a_redis_outage(redis: OwnRedis) -> None:
    limiter = Limiter(LimitSettings(requests=60, seconds=60, redis=redis.url, processes=4))
    assert await at_once(limiter, 2_000) == 60
    assert limiter.status() == "ok"
    await limiter.close()


async def standing_still() -> None:
    """Block the event loop most of the time."""
    while True:
        time.sleep(0.15)  # noqa: ASYNC251 - that it blocks is what it is for
        await asyncio.sleep(0)


async def test_a_busy_event_loop_is_not_taken_for_a_redis_outage(redis: OwnRedis) -> None:
    limiter = Limiter(LimitSettings(requests=60, seconds=60, redis=redis.url, processes=4))
    assert await passed(limiter, 1) == 1
    busy = asyncio.create_task(standing_still())
    assert await passed(limiter, 1) == 1
    busy.cancel()
    assert limiter.status() == "ok"
    await limiter.close()
