"""Response times and memory of a gateway during an attack."""

from __future__ import annotations

import asyncio
import math
import statistics
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

CALL = (
    b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER",'
    b'"parts":[{"text":"two words"}]}}}'
)
HEADERS = {"A2A-Version": "1.0", "Content-Type": "application/json"}
_MISSED_SECONDS = 30.0


@dataclass
class Watch:
    """What was noticed.

    Attributes:
        health: The seconds of each request to `/healthz`, and of those that were due while it was waited for.
        calls: The same for small calls.
        memory: The resident memory of all its processes, in bytes, as it was each time.
        slow: When the slowest requests began by the wall clock, and what they took.
        wrong: Answers that were not the right ones.
    """

    health: list[float] = field(default_factory=list[float])
    calls: list[float] = field(default_factory=list[float])
    memory: list[int] = field(default_factory=list[int])
    slow: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        health, calls = (
            f"{name} p99 {p99(took) * 1_000:.0f} ms, most {max(took) * 1_000:.0f} ms of {len(took)}"
            for name, took in (("/healthz", self.health), ("small call", self.calls))
        )
        return f"{health}; {calls}; memory at most {max(self.memory) / 2**20:.0f} MiB"


def p99(took: list[float]) -> float:
    """Return the 99th percentile; of fewer than a hundred, the greatest."""
    return statistics.quantiles(took, n=100)[-1] if len(took) >= 100 else max(took)


def waits(seconds: float, pause: float) -> list[float]:
    """Return how long a request took, and how long those would have taken that were due meanwhile.

    One request at a time meets a stop once, however many would have met it (coordinated omission).

    >>> waits(0.012, 0.005)
    [0.012, 0.007, 0.002]
    """
    return [round(seconds - pause * number, 9) for number in range(max(1, math.ceil(seconds / pause)))]


def memory_of(pid: int) -> int:
    """Return the resident memory of a process and all its descendants, in bytes."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except FileNotFoundError:
        return 0
    own = next((line for line in status.splitlines() if line.startswith("VmRSS")), "VmRSS: 0")
    return int(own.split()[1]) * 1024 + sum(memory_of(int(child)) for child in children)


@asynccontextmanager
async def watched(
    origin: str, pid: int, agent: str, credentials: Mapping[str, str], pause: float = 0.005
) -> AsyncGenerator[Watch]:
    """Ask a gateway for its health and send small calls until the block ends."""
    watch = Watch()
    timeout = aiohttp.ClientTimeout(_MISSED_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:

        async def once(took: list[float], method: str, url: str, right: bytes, **more: object) -> None:
            at, began = time.time(), time.perf_counter()
            try:
                async with session.request(method, url, **more) as answer:  # type: ignore[arg-type] # passed on
                    body = await answer.read()
                    if answer.status != 200 or right not in body:
                        watch.wrong.append(f"{method} {url}: {answer.status} {body[:300]!r}")
            except (aiohttp.ClientError, TimeoutError) as error:
                watch.wrong.append(f"{method} {url}: {error!r}")
            seconds = time.perf_counter() - began
            took.extend(waits(seconds, pause))
            watch.slow = sorted([*watch.slow, (at, seconds)], key=lambda slow: -slow[1])[:10]
            await asyncio.sleep(pause)

        async def health() -> None:
            while True:
                await once(watch.health, "GET", f"{origin}/healthz", b"ok")
                watch.memory.append(memory_of(pid))

        async def calls() -> None:
            while True:
                headers = {**HEADERS, **credentials}
                url = f"{origin}/agents/{agent}"
                await once(watch.calls, "POST", url, b"2 words", data=CALL, headers=headers)

        tasks = [asyncio.create_task(health()), asyncio.create_task(calls())]
        try:
            await asyncio.sleep(pause)
            yield watch
        finally:
            # Running work is included.
            await asyncio.sleep(pause)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
