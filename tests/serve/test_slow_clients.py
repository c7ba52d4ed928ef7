"""A thousand clients that send one byte of a header each second, and a card that is answered meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import time
from typing import TYPE_CHECKING

import pytest

from tests.serve.client import CARD_PATH
from tests.serve.server_process import HOST, served

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.bulk

SLOW = 1_000
REQUESTS = 300
# A header may take ten seconds; a busy machine gets as many again.
PATIENCE = 30
REQUEST = f"GET {CARD_PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n".encode()


@pytest.fixture(autouse=True)
def files() -> Iterator[None]:
    """Let this process and the server hold as many connections as it takes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 3 * SLOW:
        pytest.skip(f"no process may open {3 * SLOW:,} files here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 3 * SLOW), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def dribble(port: int, begun: asyncio.Semaphore) -> None:
    """Send a header that never ends, until the server has enough of it."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(REQUEST + b"X-Slow: ")
    begun.release()
    with contextlib.suppress(ConnectionError):
        while not reader.at_eof():
            writer.write(b"a")
            await writer.drain()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1), 1)
    writer.close()


async def timed_requests(port: int) -> list[float]:
    """Return how long each of many requests took; all are answered."""
    times: list[float] = []
    for _ in range(REQUESTS):
        start = time.perf_counter()
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(REQUEST + b"Connection: close\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 200 ")
        times.append(time.perf_counter() - start)
        writer.close()
    return times


def test_a_card_is_served_beside_a_thousand_slow_clients_that_time_out() -> None:
    async def beside(port: int) -> list[float]:
        begun = asyncio.Semaphore(0)
        clients = [asyncio.create_task(dribble(port, begun)) for _ in range(SLOW)]
        for _ in clients:
            await begun.acquire()
        times = await timed_requests(port)
        await asyncio.wait_for(asyncio.gather(*clients), PATIENCE)
        return times

    with served() as port:
        times = sorted(asyncio.run(beside(port)))

    print(f"p99 beside {SLOW:,} slow clients: {times[REQUESTS * 99 // 100] * 1_000:.1f} ms")  # noqa: T201 - a figure to look at, that no machine has to reach
