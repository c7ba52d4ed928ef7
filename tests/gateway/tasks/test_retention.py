"""Retention: old tasks are deleted in any number, and abandoned tasks are found."""

from __future__ import annotations

import asyncio
import time
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert, select, update

from cardwright.store.database import Database
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import PUSH_CONFIGS, TASKS, open_database
from cardwright_gateway.tasks import retention
from cardwright_gateway.tasks.retention import TaskCleaner
from cardwright_gateway.tasks.store import task_storage
from cardwright_gateway.webhooks import Webhooks
from tests.databases import own_database
from tests.gateway.tasks.gateways import function, owned
from tests.gateway.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


COMPLETED, WORKING = "TASK_STATE_COMPLETED", "TASK_STATE_WORKING"


@contextmanager
def sweeping_at(place: str) -> Generator[tuple[Database, TaskCleaner]]:
    """Yield a store with its retention."""
    engine = async_engine(place)
    with closing(open_database(place, wait_seconds=5.0)) as database:
        yield database, TaskCleaner(database, task_storage(engine, database, "own"), retention_seconds=60.0)
    asyncio.run(engine.dispose())


def fill(database: Database, state: str, *ids: str, replica: str = "own", year: int = 2020) -> None:
    """Store tasks, each with a webhook."""
    rows: list[dict[str, Any]] = [
        {"id": one, "context_id": "c", "kind": "task", "owner": "a:k", "agent_id": "a", "state": state,
         "replica": replica, "status": {"state": state}, "last_updated": datetime(year, 1, 1, tzinfo=UTC)}
        for one in ids
    ]  # fmt: skip
    with database.writing() as connection:
        connection.execute(insert(TASKS), rows)
        configs = [{"task_id": one, "config_id": "w", "config_data": b"", "owner": "a:k"} for one in ids]
        connection.execute(insert(PUSH_CONFIGS), configs)


def left(database: Database) -> tuple[list[str], list[str]]:
    """Return the ids of the tasks that are there, and of those that have webhooks."""
    with database.reading() as connection:
        queries = (select(column).order_by(column) for column in (TASKS.c.id, PUSH_CONFIGS.c.task_id))
        tasks, configs = (list(connection.execute(one).scalars()) for one in queries)
    return tasks, configs


def test_one_retention_run_deletes_all_old_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_AT_ONCE", 2)
    with sweeping_at(str(tmp_path / "store")) as (database, sweeper):
        fill(database, COMPLETED, "1", "2", "3", "4", "5")
        fill(database, WORKING, "runs")
        assert asyncio.run(sweeper.delete_expired(time.time())) == 5
        assert left(database) == (["runs"], ["runs"])


def test_input_required_tasks_are_retained_longer_than_ended_ones(tmp_path: Path) -> None:
    day = datetime(2020, 1, 2, tzinfo=UTC).timestamp()
    with sweeping_at(str(tmp_path / "store")) as (database, sweeper):
        fill(database, COMPLETED, "ended")
        fill(database, "TASK_STATE_INPUT_REQUIRED", "waits")
        fill(database, WORKING, "runs")
        assert asyncio.run(sweeper.delete_expired(day)) == 1
        assert left(database)[0] == ["runs", "waits"]
        assert asyncio.run(sweeper.delete_expired(day + 30 * 86_400)) == 1
        assert left(database)[0] == ["runs"]


@pytest.mark.postgresql
def test_a_task_locked_by_another_replica_is_skipped() -> None:
    with own_database() as place, sweeping_at(place) as (database, sweeper):
        fill(database, COMPLETED, "held", "free")
        with database.writing() as connection:
            connection.execute(select(TASKS.c.id).where(TASKS.c.id == "held").with_for_update())
            assert asyncio.run(sweeper.delete_expired(time.time())) == 1
        assert left(database)[0] == ["held"]


def test_a_retention_run_without_old_tasks_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise AssertionError("a transaction was begun")

    with sweeping_at(str(tmp_path / "store")) as (database, sweeper):
        fill(database, WORKING, "runs")
        monkeypatch.setattr(Database, "writing", fail)
        assert asyncio.run(sweeper.delete_expired(time.time())) == 0


def test_running_tasks_do_not_hide_abandoned_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_AT_ONCE", 2)
    with sweeping_at(str(tmp_path / "store")) as (database, sweeper):
        fill(database, WORKING, "1", "2", "3")
        fill(database, WORKING, "theirs", replica="dead", year=2021)
        fill(database, WORKING, "others", replica="alive")
        lost = asyncio.run(sweeper.lost(["alive", "own"], "own", ["1", "2", "3"]))
        assert [one.task_id for one in lost] == ["theirs"]


def test_a_task_that_was_stored_between_two_checks_is_not_lost(tmp_path: Path) -> None:
    """It ran in between: it ended at one check and was continued, or the like, at the other."""
    with sweeping_at(str(tmp_path / "store")) as (database, sweeper):
        fill(database, WORKING, "own task", replica="own")

        def lost() -> list[str]:
            return [one.task_id for one in asyncio.run(sweeper.lost([], "own", ()))]

        assert lost() == []
        with database.writing() as connection:
            connection.execute(update(TASKS).values(last_updated=datetime(2026, 1, 2, tzinfo=UTC)))
        assert lost() == []
        assert lost() == ["own task"]


async def test_delivery_results_are_retained_longer_than_their_task(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[float] = []

    async def purge(_: Webhooks, before: float, **more: Any) -> int:
        del more
        requests.append(before)
        return 0

    monkeypatch.setattr(Webhooks, "purge", purge)

    retention_seconds = 60 * 86_400
    began = time.time()
    agents = {"greeter": function("answer")}
    async with owned(agents, webhooks={}, tasks={"retention_seconds": retention_seconds}):
        await wait_until(lambda: requests)
    assert requests[0] >= began - retention_seconds - 86_400
    assert requests[0] < began - retention_seconds
    assert len(requests) == 1
