"""The queue of webhooks, closed or given up in the midst."""

# pyright: reportPrivateUsage=false
# Whether an engine is left, nobody tells.

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from cardwright.errors import StoreError
from cardwright.gateway.webhooks.durable import Durable, Work

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine


async def nothing(_: Work) -> None:
    """Do nothing."""


def queue(place: Path) -> Durable:
    return Durable(place, "me", concurrency=1, run=nothing)


def test_a_queue_whose_start_or_end_is_cancelled_lets_another_one_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = threading.Event(), threading.Event()
    made = Durable._made_engine

    def slow(self: Durable) -> Engine:
        begun.set()
        assert go.wait(30)
        return made(self)

    async def run() -> None:
        monkeypatch.setattr(Durable, "_made_engine", slow)
        first = queue(tmp_path / "store")
        starting = asyncio.create_task(first.start())
        assert await asyncio.to_thread(begun.wait, 30)
        starting.cancel()
        # It goes when its thread has ended.
        await asyncio.wait({starting}, timeout=0.2)
        go.set()
        await asyncio.wait({starting})
        assert starting.cancelled()
        assert first._engine is None
        second = queue(tmp_path / "store")
        await second.start()
        second._idle.clear()
        closing = asyncio.create_task(second.close())
        for _ in range(5):
            await asyncio.sleep(0)
        closing.cancel()
        await asyncio.wait({closing})
        assert closing.cancelled()
        third = queue(tmp_path / "store")
        await third.start()
        await third.close()

    asyncio.run(run())


def test_a_queue_that_was_closed_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        one = queue(tmp_path / "store")
        await one.start()
        await one.close()
        with pytest.raises(StoreError, match="was closed"):
            await one.enqueue(("e", 1, "", ""), partition="p", key="e:1")

    asyncio.run(run())
