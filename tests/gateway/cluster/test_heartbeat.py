"""Heartbeats of processes that share a database: live and dead replicas, and the leader."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, select

from cardwright_gateway.cluster.heartbeat import Heartbeat
from cardwright_gateway.database.tables import REPLICAS, open_database
from tests.gateway.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(tmp_path / "store", wait_seconds=1.0)) as opened:
        yield opened


def row(database: Database, name: str, started: float, seen: float) -> None:
    """Insert the row of another process."""
    with database.writing() as connection:
        connection.execute(insert(REPLICAS).values(id=name, started_at=started, seen_at=seen))


async def test_a_replica_with_a_recent_heartbeat_is_alive(database: Database) -> None:
    now = 100_000.0
    own = Heartbeat(database, clock=lambda: now)
    await own.start()
    row(database, "fresh-1-a", now - 10, now - 44)
    row(database, "stale-1-b", now - 999, now - 46)
    assert await own.alive() == {own.id, "fresh-1-a"}
    assert await own.alive(10) == {own.id}
    await own.close()


async def test_the_oldest_live_replica_is_the_leader(database: Database) -> None:
    now = [100_000.0]
    own = Heartbeat(database, clock=lambda: now[0])
    row(database, "older-1-a", now[0] - 10, now[0])
    await own.start()
    assert not await own.leads()
    now[0] += 46
    await own.send()
    assert await own.leads()
    await own.close()
    assert not await own.leads()


async def test_a_closed_replica_is_gone_at_once(database: Database) -> None:
    first, second = Heartbeat(database), Heartbeat(database)
    await first.start()
    await second.start()
    assert await second.alive() == {first.id, second.id}
    await first.close()
    assert await second.alive() == {second.id}
    await second.close()


@pytest.mark.process
async def test_an_ended_process_of_the_same_host_is_gone_at_once(database: Database) -> None:
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", "pass")
    await child.wait()

    own = Heartbeat(database)
    host = own.id.split("-")[0]
    gone, there, elsewhere = f"{host}-{child.pid}-a", f"{host}-{os.getppid()}-b", f"other-{child.pid}-c"
    import time

    for name in (gone, there, elsewhere):
        row(database, name, time.time(), time.time())
    await own.start()
    assert await own.alive() == {own.id, there, elsewhere}
    await own.close()


async def test_a_heartbeat_brings_a_row_back_that_was_removed(database: Database) -> None:
    own = Heartbeat(database, interval_seconds=0.01)
    await own.start()
    with database.writing() as connection:
        connection.execute(REPLICAS.delete())
    await wait_until(own.alive)
    await own.close()


async def test_a_replica_gone_for_a_day_is_deleted(database: Database) -> None:
    now = 1_000_000.0
    row(database, "a", 0, now - 86_401)
    row(database, "b", 0, -(now - 86_401))
    row(database, "c", 0, -(now - 86_399))
    own = Heartbeat(database, clock=lambda: now)
    await own.start()
    with database.reading() as connection:
        assert set(connection.execute(select(REPLICAS.c.id)).scalars()) == {own.id, "c"}
    await own.close()


async def test_close_waits_for_a_running_heartbeat(database: Database) -> None:
    class Slow(Heartbeat):
        begun, go, done = threading.Event(), threading.Event(), threading.Event()

        def _write(self, operation: Any, *args: Any) -> None:
            if operation == self._update:
                self.begun.set()
                assert self.go.wait(30)
            super()._write(operation, *args)
            if operation == self._update:
                self.done.set()

    own = Slow(database, interval_seconds=0.01)
    await own.start()
    assert await asyncio.to_thread(own.begun.wait, 30)
    closing = asyncio.create_task(own.close())
    # If `close` did not wait for the running heartbeat, it would be done by now.
    await asyncio.wait({closing}, timeout=0.2)
    own.go.set()
    await closing
    assert await asyncio.to_thread(own.done.wait, 30)
    assert await own.alive() == frozenset()
