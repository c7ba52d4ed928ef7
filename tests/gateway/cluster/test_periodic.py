"""Periodic tasks: start, wake and stop."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest

from cardwright.errors import StoreError
from cardwright_gateway.cluster.periodic import PeriodicTask

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

HOUR = 3_600.0


def counting(runs: list[int], *, fails: Exception | None = None) -> Callable[[], Awaitable[None]]:
    """A function that counts its runs, and fails in the first one."""

    async def run() -> None:
        runs.append(len(runs))
        if fails is not None and len(runs) == 1:
            raise fails

    return run


async def turns(count: int = 10) -> None:
    """Let other tasks run."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_the_first_run_is_immediate_and_the_next_when_woken() -> None:
    runs: list[int] = []
    task = PeriodicTask("counting", HOUR, counting(runs))
    task.start()
    task.start()
    await turns()
    assert len(runs) == 1
    task.wake()
    await turns()
    assert len(runs) == 2
    await task.run_now()
    assert len(runs) == 3
    await task.close()


async def test_a_periodic_task_runs_again_after_its_interval() -> None:
    third = asyncio.Event()
    runs: list[int] = []

    async def run() -> None:
        runs.append(1)
        if len(runs) == 3:
            third.set()

    task = PeriodicTask("counting", 0.001, run, jitter=0.5)
    task.start()
    async with asyncio.timeout(10):
        await third.wait()
    await task.close()


async def test_a_task_without_at_start_waits_first() -> None:
    runs: list[int] = []
    task = PeriodicTask("counting", HOUR, counting(runs), at_start=False)
    task.start()
    await turns()
    assert not runs
    await task.close()


@pytest.mark.parametrize("error", [StoreError("other", "not now"), RuntimeError("a fault")])
def test_a_failed_run_is_logged_and_followed_by_another(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        runs: list[int] = []
        task = PeriodicTask("counting", HOUR, counting(runs, fails=error))
        task.start()
        await turns()
        task.wake()
        await turns()
        assert len(runs) == 2
        await task.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(scene())
    assert ["counting failed" in one.getMessage() for one in caplog.records] == [True]


async def test_closing_ends_a_pause_and_is_done_once() -> None:
    runs: list[int] = []
    task = PeriodicTask("counting", HOUR, counting(runs))
    await task.close()
    task.start()
    await turns()
    async with asyncio.timeout(10):
        await task.close()
        await task.close()
    assert not task.is_running
    task.start()
    await turns()
    assert len(runs) == 2
    await task.close()


async def test_closing_waits_for_a_run_and_cancels_a_hanging_one() -> None:
    began, go, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def run() -> None:
        began.set()
        await go.wait()
        ended.set()

    task = PeriodicTask("waiting", HOUR, run)
    task.start()
    await began.wait()
    closing = asyncio.create_task(task.close())
    await turns()
    go.set()
    await closing
    assert ended.is_set()

    for one in (began, go, ended):
        one.clear()
    hangs = PeriodicTask("waiting", HOUR, run, closing_seconds=0.01)
    hangs.start()
    await began.wait()
    await hangs.close()
    assert not ended.is_set()
