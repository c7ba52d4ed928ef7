"""Killed and suspended delivery processes: no event is lost, and few are delivered twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from aiohttp import web
from sqlalchemy import func, select

from cardwright_gateway.database.tables import DELIVERIES
from tests.cluster.delivery_process import SETTINGS
from tests.gateway.waiting import wait_until
from tests.gateway.webhooks.receivers import AGENT, json_of, quick, webhook_receiver, webhook_store

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.gateway.webhooks.receivers import Received

ROOT = Path(__file__).resolve().parents[2]
KILLS = 10
# The minimum number of accepted messages between two kills.
BETWEEN = 10
MOST = 1_000


@asynccontextmanager
async def working(
    place: str, url: str, ledger: Path | str, most: int = MOST
) -> AsyncGenerator[subprocess.Popen[bytes]]:
    """Run a delivery process; kill it at the end of the block."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = (sys.executable, "-m", "tests.cluster.delivery_process", place, url, str(ledger), str(most))
    process = subprocess.Popen(command, cwd=ROOT, env=environ)  # noqa: ASYNC220 - it is killed by its number
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def lines(ledger: Path) -> list[str]:
    """The accepted ids; a truncated last line does not count."""
    return ledger.read_text().split("\n")[:-1] if ledger.exists() else []


async def more_than(ledger: Path, there: int, process: subprocess.Popen[bytes]) -> None:
    """Wait for a number of accepted events."""

    def accepted() -> bool:
        assert process.poll() is None, "the process ended by itself"
        return len(lines(ledger)) > there

    await wait_until(accepted)


def test_ten_kills_lose_no_event_and_repeat_only_events_in_delivery(tmp_path: Path) -> None:
    chance = random.Random(20)  # noqa: S311 - the same every time
    ledger, place = tmp_path / "ledger", str(tmp_path / "store")

    async def answer(_: Received, __: int) -> web.Response:
        await asyncio.sleep(chance.random() / 20)
        return web.Response(status=204)

    async def scene() -> tuple[Counter[str], int]:
        async with webhook_receiver(answer) as receiver:
            url = f"{receiver.origin}/hook"
            for _ in range(KILLS):
                async with working(place, url, ledger) as process:
                    await more_than(ledger, len(lines(ledger)) + BETWEEN + chance.randrange(20), process)
            async with webhook_store(place, quick(concurrency=8), **SETTINGS) as webhooks:
                wanted = set(lines(ledger))

                async def all_came() -> bool:
                    came = {json_of(one)["task"]["id"] for one in receiver.received}
                    return wanted <= came and not (await webhooks.status()).waiting

                await wait_until(all_came)
                with webhooks.database.reading() as connection:
                    unknown = select(func.count()).where(DELIVERIES.c.outcome == "unknown")
                    cut = connection.execute(unknown).scalar_one()
            return Counter(one.event_id for one in receiver.received), cut

    counted, cut = asyncio.run(scene())
    assert len(lines(ledger)) >= KILLS * BETWEEN
    # Each duplicate was in delivery when its process was killed.
    assert sum(counted.values()) - len(counted) <= cut
    assert cut <= KILLS * 8


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_another_process_recovers_events_in_delivery(
    postgresql: str, tmp_path: Path, how: signal.Signals
) -> None:
    go = asyncio.Event()
    ledger = tmp_path / "ledger"

    async def answer(_: Received, count: int) -> web.Response:
        if count == 1:
            await go.wait()
        return web.Response(status=204)

    async with (
        webhook_receiver(answer) as receiver,
        webhook_store(postgresql, start=False, **SETTINGS) as webhooks,
        working(postgresql, f"{receiver.origin}/hook", ledger, 1) as process,
    ):
        await receiver.wait_for(1)
        (task_id,) = lines(ledger)
        async with webhooks.service:
            await webhooks.dispatcher.round()
            # While the other process is alive, the task belongs to it.
            assert len(receiver.received) == 1
            process.send_signal(how)
            await webhooks.wait_for_state("delivered", task_id)
            assert [one.outcome for one in await webhooks.attempts(task_id)] == ["delivered", "unknown"]
            if how == signal.SIGSTOP:
                process.send_signal(signal.SIGCONT)
                go.set()

                async def came_back() -> bool:
                    return "unknown" not in [one.outcome for one in await webhooks.attempts(task_id)]

                await wait_until(came_back)
                (event,) = await webhooks.events(AGENT, task_id, "hook")
                assert (event.state, event.attempts) == ("delivered", 1)
            assert len(receiver.received) == 2
        go.set()
