"""Recovery of tasks after an outage of the gateway, the upstream agent or the database."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus
from sqlalchemy import select

from cardwright.errors import StoreError
from cardwright.serve.listening import free_port
from cardwright_gateway.backends.backend import TurnResult
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import TASKS, open_database
from cardwright_gateway.tasks.recovery import AWAY_SECONDS, TaskRecovery
from cardwright_gateway.tasks.resumption import ResumedTask
from cardwright_gateway.tasks.retention import TaskOwner
from cardwright_gateway.tasks.store import task_storage
from cardwright_gateway.tasks.upstream_tasks import UpstreamTasks
from tests.gateway.tasks.gateways import TERMINAL, agent_at, message, owned, state_upstream, upstream_task_id

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from cardwright.store.database import Database
    from tests.gateway.processes import Process

WORKING, CANCELED, FAILED = "TASK_STATE_WORKING", "TASK_STATE_CANCELED", "TASK_STATE_FAILED"
IMMEDIATELY = {**message("wait"), "configuration": {"returnImmediately": True}}
FAULT = StoreError("the database", "it is away")
CONTEXT = ServerCallContext(user=TaskOwner("tides:k"))


@pytest.mark.process
async def test_tasks_fail_only_if_their_agent_is_unreachable_for_long(
    upstream_agent: Process, tmp_path: Path
) -> None:
    store = str(tmp_path / "gateway.db")
    async with owned({"tides": agent_at(upstream_agent)}, store=store) as first:
        caller = await first.key("tides")
        task_id = (await caller.rpc("SendMessage", IMMEDIATELY))["result"]["task"]["id"]
        await upstream_task_id(first, task_id)
    unreachable = {**agent_at(upstream_agent), "url": f"http://127.0.0.1:{free_port('127.0.0.1', 0)}"}
    async with owned({"tides": unreachable}, store=store) as second:
        durable, now = second.gateway.task_service, 1_000.0
        assert durable is not None
        assert durable.cleaner is not None
        agents = {"tides": second.gateway.agent("tides")}
        take = TaskRecovery(
            durable.storage,
            durable.replicas,
            agents,
            str,
            durable.cleaner,
            lost_seconds=45.0,
            clock=lambda: now,
        )
        # As the gateway's own cleaner with another clock: it does not change the task.
        for seconds, state in ((0.0, WORKING), (AWAY_SECONDS - 1, WORKING), (1.0, FAILED)):
            now += seconds
            await take.round()
            assert state_of(second.gateway.registry.store.database, task_id) == state


def state_of(database: Database, task_id: str) -> str:
    with database.reading() as connection:
        return str(connection.execute(select(TASKS.c.state).where(TASKS.c.id == task_id)).scalar_one())


class ResumableBackend:
    """An agent whose task ends when the test allows it."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.cancelled = False

    async def resume(self, *_: Any) -> TurnResult:
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return TurnResult()


class Failing:
    """A task store whose database fails for a number of reads or writes."""

    def __init__(self, tasks: Any) -> None:
        self._tasks = tasks
        self.reads = self.writes = 0

    async def get(self, *args: Any) -> Any:
        self.reads -= 1
        if self.reads >= 0:
            raise FAULT
        return await self._tasks.get(*args)

    async def save(self, *args: Any) -> None:
        self.writes -= 1
        if self.writes >= 0:
            raise FAULT
        await self._tasks.save(*args)


@asynccontextmanager
async def going(folder: Path) -> AsyncGenerator[tuple[Database, Any]]:
    """Yield a store with a running task."""
    place = str(folder / "store")
    engine = async_engine(place)
    with closing(open_database(place, wait_seconds=5.0)) as database:
        tasks: Any = task_storage(engine, database, "own").tasks
        status = TaskStatus(state=TaskState.TASK_STATE_WORKING)
        await tasks.save(Task(id="t", context_id="c", status=status), CONTEXT)
        yield database, tasks
        await engine.dispose()


async def test_a_short_database_outage_ends_no_running_task(tmp_path: Path) -> None:
    async with going(tmp_path) as (database, tasks):
        store, agent = Failing(tasks), ResumableBackend()
        goes: Any = ResumedTask(store, agent, "t", "tides:k", None, check_seconds=0.01)  # type: ignore[arg-type] # a test double
        running = asyncio.create_task(goes.run())
        while store.reads > -4:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
        store.reads = 3
        while store.reads > -2 and not running.done():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0)
        assert not agent.cancelled
        assert state_of(database, "t") == WORKING
        agent.go.set()
        await running
        assert state_of(database, "t") == TERMINAL


async def test_a_task_whose_final_state_cannot_be_stored_is_resumed_later(tmp_path: Path) -> None:
    async with going(tmp_path) as (database, tasks):
        store, agent = Failing(tasks), ResumableBackend()
        resumed = ResumedTask(store, agent, "t", "tides:k", None)  # type: ignore[arg-type] # one of this test
        running = asyncio.create_task(resumed.run())
        while store.writes > -1:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
        store.writes = 1
        agent.go.set()
        with pytest.raises(StoreError):
            await running
        assert state_of(database, "t") == WORKING
        await ResumedTask(store, agent, "t", "tides:k", None).run()  # type: ignore[arg-type] # one of this test
        assert state_of(database, "t") == TERMINAL


@pytest.mark.process
async def test_a_temporary_error_ends_no_waiting_task(
    upstream_agent: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    finds, faults = UpstreamTasks.find, [2]

    async def find(self: UpstreamTasks, task_id: str) -> tuple[str, str] | None:
        faults[0] -= 1
        if faults[0] >= 0:
            raise FAULT
        return await finds(self, task_id)

    async with owned({"tides": agent_at(upstream_agent)}) as gateway:
        caller = await gateway.key("tides")
        task = await caller.send("ask")
        assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        monkeypatch.setattr(UpstreamTasks, "find", find)
        response = await caller.send("Brest", taskId=task["id"])
        assert response["status"]["state"] == TERMINAL
    assert faults == [-1]


@pytest.mark.parametrize(("faults", "here", "there"), [(2, TERMINAL, TERMINAL), (9, FAILED, CANCELED)])
@pytest.mark.process
async def test_an_upstream_task_that_cannot_be_stored_is_cancelled(
    faults: int, here: str, there: str, upstream_agent: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps, left = UpstreamTasks.keep, [faults]
    known: list[str] = []

    async def keep(self: UpstreamTasks, task_id: str, upstream_id: str, context_id: str) -> None:
        known.append(upstream_id)
        left[0] -= 1
        if left[0] >= 0:
            raise FAULT
        await keeps(self, task_id, upstream_id, context_id)

    monkeypatch.setattr(UpstreamTasks, "keep", keep)

    async with owned({"tides": agent_at(upstream_agent)}) as gateway:
        caller = await gateway.key("tides")
        # A waiting task would otherwise run for ever, unnoticed.
        task = await caller.send("task" if here == TERMINAL else "wait")
        assert task["status"]["state"] == here
        assert await state_upstream(upstream_agent, "GetTask", known[0]) == there
