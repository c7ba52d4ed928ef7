"""The task store on SQLite: a state is on disk at once, and parts of artifacts a little later."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.types.a2a_pb2 import Artifact, ListTasksRequest, Part, Task, TaskState, TaskStatus
from sqlalchemy import select

from cardwright.errors import StoreError
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import TASKS, open_database
from cardwright_gateway.tasks import sqlite_store
from cardwright_gateway.tasks.rows import TaskRows
from cardwright_gateway.tasks.store import task_storage
from tests.gateway.waiting import wait_until
from tests.gateway.webhooks.receivers import called_by

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from cardwright.store.database import Database

OWNER = "asker:key:k_1"
CONTEXT = called_by(OWNER)
WORKING, COMPLETED = TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED
INPUT_REQUIRED = TaskState.TASK_STATE_INPUT_REQUIRED


def task(parts: int = 0, state: TaskState = WORKING, task_id: str = "t") -> Task:
    artifacts = [Artifact(artifact_id="a", parts=[Part(text=str(one)) for one in range(parts)])]
    return Task(
        id=task_id, context_id="c", status=TaskStatus(state=state), artifacts=artifacts if parts else []
    )


@dataclass
class Opened:
    """A store, and its database."""

    tasks: Any
    storage: Any
    database: Database

    def written(self) -> tuple[str, int]:
        """Return the state and the number of parts on disk."""
        with self.database.reading() as connection:
            row = connection.execute(select(TASKS.c.state, TASKS.c.artifacts)).one()
        return row.state, sum(len(artifact["parts"]) for artifact in row.artifacts)

    def has_written(self, parts: int) -> bool:
        """Return whether so many parts are on disk."""
        return self.written()[1] == parts


@asynccontextmanager
async def opened(tmp_path: Path, parts_seconds: float = 3_600.0) -> AsyncGenerator[Opened]:
    """Open a store that by default writes parts only when a test asks for it."""
    place = str(tmp_path / "tasks.db")
    engine = async_engine(place)
    with closing(open_database(place)) as database:
        storage = task_storage(engine, database, "here", parts_seconds=parts_seconds)
        yield Opened(storage.tasks, storage, database)
        await storage.flush()
    await engine.dispose()


async def test_parts_are_read_at_once_and_written_with_the_next_state(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.tasks.save(task(), CONTEXT)
        for parts in (1, 2):
            await store.tasks.save(task(parts), CONTEXT)
        assert store.written() == ("TASK_STATE_WORKING", 0)
        assert await store.tasks.get("t", CONTEXT) == task(2)
        # A copy, which the reader may change.
        (await store.tasks.get("t", CONTEXT)).artifacts.clear()
        assert await store.tasks.get("t", CONTEXT) == task(2)
        assert await store.tasks.get("t", called_by("asker:key:k_2")) is None
        await store.tasks.save(task(2, COMPLETED), CONTEXT)
        assert store.written() == ("TASK_STATE_COMPLETED", 2)
        assert await store.tasks.get("t", CONTEXT) == task(2, COMPLETED)


async def test_parts_are_written_after_a_delay(tmp_path: Path) -> None:
    async with opened(tmp_path, parts_seconds=0.0) as store:
        await store.tasks.save(task(), CONTEXT)
        for parts in (1, 2):
            await store.tasks.save(task(parts), CONTEXT)
            await wait_until(partial(store.has_written, parts))


@pytest.mark.parametrize("by", ["list", "flush"])
async def test_listing_and_closing_write_pending_parts(tmp_path: Path, by: str) -> None:
    async with opened(tmp_path) as store:
        await store.tasks.save(task(), CONTEXT)
        await store.tasks.save(task(3), CONTEXT)
        if by == "list":
            page = await store.tasks.list(ListTasksRequest(include_artifacts=True), CONTEXT)
            assert list(page.tasks) == [task(3)]
        else:
            await store.storage.flush()
        assert store.written() == ("TASK_STATE_WORKING", 3)


async def test_unwritten_parts_are_written_with_the_next_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        await store.tasks.save(task(), CONTEXT)
        await store.tasks.save(task(1), CONTEXT)
        with monkeypatch.context() as broken:

            def fail(*_: object, **__: object) -> None:
                raise StoreError("locked", "the disk is full")

            broken.setattr(TaskRows, "write", fail)
            await store.storage.flush()
            with pytest.raises(StoreError):
                await store.tasks.save(task(2), CONTEXT)
        await store.tasks.save(task(2), CONTEXT)
        assert store.written() == ("TASK_STATE_WORKING", 2)


async def test_a_state_is_not_seen_before_it_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        await store.tasks.save(task(), CONTEXT)
        await store.tasks.save(task(1), CONTEXT)
        began, may = threading.Event(), threading.Event()
        really = TaskRows.write

        def slowly(*arguments: Any, **options: Any) -> Any:
            began.set()
            may.wait(10)
            return really(*arguments, **options)

        with monkeypatch.context() as slow:
            slow.setattr(TaskRows, "write", slowly)
            saving = asyncio.create_task(store.tasks.save(task(2, INPUT_REQUIRED), CONTEXT))
            await asyncio.to_thread(began.wait, 10)
        assert await store.tasks.get("t", CONTEXT) == task(1)
        # The older parts must not be written over the new state.
        flushing = asyncio.create_task(store.storage.flush())
        # A cancelled save goes on, and the next one waits for it.
        saving.cancel()
        next_one = asyncio.create_task(store.tasks.save(task(3, INPUT_REQUIRED), CONTEXT))
        await asyncio.sleep(0)
        may.set()
        with pytest.raises(asyncio.CancelledError):
            await saving
        await asyncio.gather(flushing, next_one)
        assert store.written() == ("TASK_STATE_INPUT_REQUIRED", 3)
        assert await store.tasks.get("t", CONTEXT) == task(3, INPUT_REQUIRED)


async def test_an_ended_task_is_not_changed_and_its_parts_not_written_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await store.tasks.save(task(), CONTEXT)
        await store.tasks.save(task(1, COMPLETED), CONTEXT)
        with pytest.raises(ConcurrentTaskModificationError):
            await store.tasks.save(task(2), CONTEXT)
        await store.storage.flush()
        assert store.written() == ("TASK_STATE_COMPLETED", 1)


async def test_a_task_not_found_by_one_caller_is_found_by_its_own(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        stranger = called_by("asker:key:k_2")
        assert await store.tasks.get("t", CONTEXT) is None
        assert await store.tasks.get("t", stranger) is None
        await store.tasks.save(task(), CONTEXT)
        assert await store.tasks.get("t", CONTEXT) == task()
        assert await store.tasks.get("t", stranger) is None


async def test_the_task_cache_has_a_maximum_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "_MAX_KNOWN", 3)

    async with opened(tmp_path) as store:
        await store.tasks.save(task(), CONTEXT)
        for number in range(5):
            assert await store.tasks.get(f"missing-{number}", CONTEXT) is None
        assert len(store.tasks._known) == 3
        assert await store.tasks.get("t", CONTEXT) == task()
