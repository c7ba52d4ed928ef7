"""`python -m benchmarks.webhooks [DATABASE]`: listing attempts among a million, accepting events, and stopping.

DATABASE is the path or URL of an empty database, which is filled with test data; default: a temporary file.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus
from sqlalchemy import insert

from cardwright_gateway import Gateway
from cardwright_gateway.database.tables import DELIVERIES, EVENTS, open_database
from tests.gateway.webhooks.receivers import AGENT, webhook_receiver, webhook_store

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from cardwright.store.database import Database

ROWS = 1_000_000
# Attempts per configuration, more than one page.
PER_CONFIG = 500
# Limit: 50 ms.
LISTS = 200
ACCEPTED = 200
GATEWAY: dict[str, Any] = {
    "base_url": "https://gateway.example",
    "owners": {"ada": {"name": "Ada"}},
    "agents": {"travel": {"url": "https://travel.example", "tasks": "own", "owner": "ada"}},
}
# Limit for a gateway without running work: 100 ms.
STOPS = 10
_CHUNK = 5_000


def fill(database: Database) -> None:
    """Insert a million attempts."""
    for start in range(0, ROWS, _CHUNK):
        with database.writing() as connection:
            _fill(connection, start)


def _fill(connection: Connection, start: int) -> None:
    numbers = range(start, start + _CHUNK)
    attempts: list[dict[str, Any]] = [
        {
            "id": f"dlv_{n:024}", "event_id": f"evt_{n // 10:040}", "task_id": f"task-{n // PER_CONFIG}",
            "config_id": "hook", "agent_id": AGENT, "number": n % 10, "cause": "schedule",
            "started_at": float(n % PER_CONFIG), "ended_at": float(n), "outcome": "failed", "status_class": 5,
            "duration_ms": 1.0, "response_bytes": 0,
        }
        for n in numbers
    ]  # fmt: skip
    connection.execute(insert(DELIVERIES), attempts)
    events: list[dict[str, Any]] = [
        {
            "id": f"evt_{n:040}", "task_id": f"task-{n * 10 // PER_CONFIG}", "config_id": "hook",
            "agent_id": AGENT, "owner": "o", "endpoint": "ep", "media_type": "application/json",
            "state": "dead", "attempts": 6, "created_at": float(n), "next_at": None, "ended_at": float(n), "unreadable": False,
            "partition": "ep", "body": b"{}" * 500,
        }
        for n in range(start // 10, (start + _CHUNK) // 10)
    ]  # fmt: skip
    connection.execute(insert(EVENTS), events)


async def measured(database_url: str) -> None:
    """Print the table."""
    began = time.perf_counter()
    database = open_database(database_url, wait_seconds=5.0)
    await asyncio.to_thread(fill, database)
    database.close()
    print(f"{ROWS:,} attempts written in {time.perf_counter() - began:.0f} s")
    async with webhook_store(database_url) as webhooks, webhook_receiver() as receiver:
        lists: list[float] = []
        for number in range(LISTS):
            task_id = f"task-{number * 7919 % (ROWS // PER_CONFIG)}"
            at = time.perf_counter()
            deliveries = await webhooks.service.deliveries(AGENT, task_id, "hook")
            lists.append((time.perf_counter() - at) * 1000)
            if len(deliveries) != 200:
                sys.exit("the list must have 200 attempts")
        print(
            f"a list of 200: p50 {statistics.median(lists):.1f} ms, p95 {sorted(lists)[LISTS * 95 // 100]:.1f} ms"
        )
        at = time.perf_counter()
        await webhooks.status()
        print(f"counting by state: {(time.perf_counter() - at) * 1000:.0f} ms")
        status = TaskStatus(state=TaskState.TASK_STATE_WORKING)
        tasks = [Task(id=f"new-{n}", context_id="c", status=status) for n in range(ACCEPTED)]
        for number, task in enumerate(tasks):
            await webhooks.save(task)
            await webhooks.listen(task.id, f"{receiver.origin}/hook{number % 20}")
        accepted: list[float] = []
        began = time.perf_counter()
        for task in tasks:
            task.status.state = TaskState.TASK_STATE_COMPLETED
            at = time.perf_counter()
            await webhooks.save(task)
            await webhooks.service.sender.send_notification(task.id, task)
            accepted.append((time.perf_counter() - at) * 1000)
        await receiver.wait_for(ACCEPTED, 120)
        took = time.perf_counter() - began
        ordered = sorted(accepted)
        print(
            f"saving a finished task with its event: p50 {statistics.median(ordered):.1f} ms, p99 {ordered[-3]:.1f} ms"
        )
        print(f"{ACCEPTED} events to 20 receivers, accepted and delivered: {ACCEPTED / took:.0f}/s")
    stops: list[float] = []
    for _ in range(STOPS):
        gateway = Gateway(GATEWAY)
        await gateway.start()
        await asyncio.sleep(0.2)
        at = time.perf_counter()
        await gateway.close()
        stops.append((time.perf_counter() - at) * 1000)
    print(f"stopping an idle gateway: p50 {statistics.median(stops):.0f} ms, at most {max(stops):.0f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(sys.argv[1] if len(sys.argv) > 1 else str(Path(folder) / "store")))
