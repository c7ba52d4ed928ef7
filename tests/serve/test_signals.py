"""A signal is handled whenever it arrives, on each event loop."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from cardwright.serve.signals import add_signal_handler

if TYPE_CHECKING:
    from collections.abc import Generator

SIGNAL = signal.SIGUSR1


@pytest.fixture(params=["asyncio", "uvloop"])
def loop(request: pytest.FixtureRequest) -> Generator[asyncio.AbstractEventLoop]:
    if request.param == "asyncio":
        made: asyncio.AbstractEventLoop = asyncio.SelectorEventLoop()
    else:
        made = pytest.importorskip("uvloop", reason="uvloop is not installed").new_event_loop()
    before = signal.getsignal(SIGNAL)
    try:
        yield made
    finally:
        made.close()
        signal.signal(SIGNAL, before)


async def nothing() -> None:
    pass


def test_a_signal_between_two_runs_is_handled_in_the_next(loop: asyncio.AbstractEventLoop) -> None:
    arrived = asyncio.Event()
    add_signal_handler(loop, SIGNAL, arrived.set)
    loop.run_until_complete(nothing())

    os.kill(os.getpid(), SIGNAL)

    assert not arrived.is_set()
    loop.run_until_complete(asyncio.wait_for(arrived.wait(), 10))


def test_a_signal_wakes_a_loop_that_waits(loop: asyncio.AbstractEventLoop) -> None:
    arrived = asyncio.Event()
    add_signal_handler(loop, SIGNAL, arrived.set)

    async def wait() -> None:
        asyncio.get_running_loop().call_later(0.2, os.kill, os.getpid(), SIGNAL)
        await asyncio.wait_for(arrived.wait(), 10)

    loop.run_until_complete(wait())
