"""The task store on PostgreSQL: one of two concurrent writes fails, and transaction conflicts are retried."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.cluster import ConcurrentTaskModificationError, TaskVersion
from a2a.types.a2a_pb2 import (
    Artifact,
    Part,
    StreamResponse,
    Task,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from sqlalchemy import func, select

from cardwright.errors import StoreError
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import TASK_BYTES, TASK_EVENTS, TASK_VERSIONS, TASKS, open_database
from cardwright_gateway.tasks.rows import TaskRows
from cardwright_gateway.tasks.store import task_storage
from tests.gateway.webhooks.receivers import called_by

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from cardwright.store.database import Database

OWNER = "asker:key:k_1"
CONTEXT = called_by(OWNER)
MISSING = TaskVersion.MISSING
WORKING, COMPLETED = TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED
CANCELED = TaskState.TASK_STATE_CANCELED

pytestmark = pytest.mark.postgresql


def task(state: TaskState = WORKING, text: str = "") -> Task:
    artifacts = [Artifact(artifact_id="a", parts=[Part(text=text)])] if text else []
    return Task(id="t", context_id="c", status=TaskStatus(state=state), artifacts=artifacts)


@dataclass
class Opened:
    """A store, and its database."""

    tasks: Any
    database: Database

    async def save(self, saved: Task, before: TaskVersion, event: Any = None) -> TaskVersion:
        version: TaskVersion = await self.tasks.save(
            saved, event=event, prev=None, prev_version=before, context=CONTEXT
        )
        return version

    async def saved(self) -> tuple[Task, TaskVersion]:
        stored = await self.tasks.get("t", CONTEXT)
        return stored.task, stored.version

    def count(self, table: Any) -> int:
        with self.database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Opened]:
    engine = async_engine(url)
    with closing(open_database(url)) as database:
        try:
            yield Opened(task_storage(engine, database, "r1").tasks, database)
        finally:
            await engine.dispose()


@pytest.fixture
def place(request: pytest.FixtureRequest) -> str:
    url = str(request.getfixturevalue("on_postgresql"))
    with closing(open_database(url)) as database, database.writing() as connection:
        for table in (TASKS, TASK_EVENTS, TASK_VERSIONS, TASK_BYTES):
            connection.execute(table.delete())
    return url


async def test_a_task_is_read_as_it_was_saved_with_its_version(place: str) -> None:
    async with opened(place) as store:
        first = await store.save(task(), MISSING)
        assert await store.saved() == (task(), first)
        second = await store.save(task(text="snow 雪 \\u0000"), first)
        assert second.is_after(first)
        assert await store.saved() == (task(text="snow 雪 \\u0000"), second)
        assert await store.tasks.get("t", called_by("asker:key:k_2")) is None


async def test_the_second_write_of_one_version_fails(place: str) -> None:
    async with opened(place) as store, opened(place) as other:
        first = await store.save(task(), MISSING)
        await other.save(task(text="other"), first)
        with pytest.raises(ConcurrentTaskModificationError):
            await store.save(task(text="own"), first)
        with pytest.raises(ConcurrentTaskModificationError):
            await store.save(task(text="new"), MISSING)
        assert (await store.saved())[0] == task(text="other")


async def test_one_of_many_concurrent_writes_of_one_version_succeeds(place: str) -> None:
    async with opened(place) as store, opened(place) as other:
        first = await store.save(task(), MISSING)
        saves = [one.save(task(text=str(number)), first) for number in range(6) for one in (store, other)]
        results = await asyncio.gather(*saves, return_exceptions=True)
        failed = [result for result in results if isinstance(result, ConcurrentTaskModificationError)]
        assert len(failed) == len(results) - 1
        assert (await store.saved())[1] in results


async def test_a_cancellation_replaces_any_version_except_a_final_state(place: str) -> None:
    async with opened(place) as store:
        with pytest.raises(ConcurrentTaskModificationError):
            await store.save(task(CANCELED), MISSING)
        first = await store.save(task(), MISSING)
        await store.save(task(text="more"), first)
        await store.save(task(CANCELED), first)
        ended, version = await store.saved()
        assert ended == task(CANCELED)
        for late in (task(COMPLETED), task(CANCELED)):
            with pytest.raises(ConcurrentTaskModificationError):
                await store.save(late, version)
        assert (await store.saved())[0] == task(CANCELED)


async def test_a_cancellation_waits_for_a_running_write(place: str) -> None:
    async with opened(place) as store:
        first = await store.save(task(), MISSING)
        with store.database.writing() as connection:
            connection.execute(TASK_VERSIONS.update().values(version=TASK_VERSIONS.c.version + 1))
            cancelling = asyncio.create_task(store.save(task(CANCELED), first))
            done, _ = await asyncio.wait([cancelling], timeout=0.3)
            assert not done
        await cancelling
        assert (await store.saved())[0] == task(CANCELED)


async def test_an_event_is_stored_with_its_version_and_counted(place: str) -> None:
    event = TaskStatusUpdateEvent(task_id="t", context_id="c", status=TaskStatus(state=WORKING))

    async with opened(place) as store:
        first = await store.save(task(), MISSING)
        second = await store.save(task(), first, event)
        with store.database.reading() as connection:
            row = connection.execute(select(TASK_EVENTS)).one()
            size, event_bytes = connection.execute(select(TASKS.c.size, TASKS.c.event_bytes)).one()
            counted = connection.execute(select(func.sum(TASK_BYTES.c.bytes))).scalar_one()
        assert (row.task_id, row.owner, TaskVersion(row.task_version)) == ("t", OWNER, second)
        assert StreamResponse.FromString(row.event_data).status_update == event
        assert event_bytes > len(row.event_data)
        assert counted == size > event_bytes
        with pytest.raises(ConcurrentTaskModificationError):
            await store.save(task(), first, event)
        assert store.count(TASK_EVENTS) == 1
        await store.tasks.delete("t", called_by("asker:key:k_2"))
        assert store.count(TASKS) == 1
        await store.tasks.delete("t", CONTEXT)
        assert [store.count(table) for table in (TASKS, TASK_EVENTS, TASK_VERSIONS)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("cause", "failures", "is_saved"),
    [("locked", 4, True), ("unreachable", 4, True), ("locked", 5, False), ("full", 1, False)],
)
async def test_a_locked_or_unreachable_database_is_retried(
    place: str, monkeypatch: pytest.MonkeyPatch, cause: str, failures: int, *, is_saved: bool
) -> None:
    left = iter(range(failures))
    really = TaskRows.write

    def hindered(*args: Any, **options: Any) -> Any:
        for _ in left:
            raise StoreError(cause, "hindered")
        return really(*args, **options)

    monkeypatch.setattr(TaskRows, "write", hindered)

    async with opened(place) as store:
        if is_saved:
            await store.save(task(), MISSING)
        else:
            with pytest.raises(StoreError):
                await store.save(task(), MISSING)
        assert store.count(TASKS) == is_saved


async def test_a_cancelled_save_is_finished_before_the_next_one(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, may = threading.Event(), threading.Event()
    really = TaskRows.write

    def slowly(*args: Any, **options: Any) -> Any:
        began.set()
        may.wait(10)
        return really(*args, **options)

    async with opened(place) as store:
        first = await store.save(task(), MISSING)
        with monkeypatch.context() as slow:
            slow.setattr(TaskRows, "write", slowly)
            own = task(text="own")
            saving = asyncio.create_task(store.save(own, first))
            await asyncio.to_thread(began.wait, 10)
            # a2a-sdk goes on with the task.
            own.artifacts[0].parts[0].text = "later"
        saving.cancel()
        await asyncio.sleep(0)
        may.set()
        with pytest.raises(asyncio.CancelledError):
            await saving
        stored, version = await store.saved()
        assert stored == task(text="own")
        assert version.is_after(first)
