"""Pages of tasks end at a maximum size, and a client pages through all tasks exactly once."""

from __future__ import annotations

from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.cluster import TaskVersion, VersionedTaskStore
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import Artifact, ListTasksRequest, Message, Part, Task, TaskState, TaskStatus
from a2a.utils.errors import InvalidParamsError
from a2a.utils.task import encode_page_token
from sqlalchemy import event

from cardwright_gateway.a2a_server import paging
from cardwright_gateway.a2a_server.memory_store import MemoryTaskStore
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import open_database
from cardwright_gateway.tasks import store as task_stores
from cardwright_gateway.tasks.retention import TaskOwner

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

START = datetime(2026, 1, 1, tzinfo=UTC)
COMPLETED, FAILED = TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_FAILED


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("on_postgresql"))
    return str(tmp_path / "tasks.db") if request.param == "sqlite" else ""


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of at most 10,000 bytes."""
    monkeypatch.setattr(paging, "MAX_PAGE_BYTES", 10_000)


class Store:
    """A store with tasks of one caller, who has no tasks of earlier tests."""

    callers = 0

    def __init__(self, store: Any) -> None:
        Store.callers += 1
        self.store = store
        self.name = f"agent:caller-{Store.callers}"
        self.context = ServerCallContext(user=TaskOwner(self.name))

    async def add(self, number: int, size: int = 10, **more: Any) -> Task:
        status = TaskStatus(state=more.pop("state", COMPLETED))
        status.timestamp.FromDatetime(START + timedelta(seconds=number // 2))
        task = Task(id=f"{self.name}-{number:03}", context_id="c", status=status, **more)
        task.artifacts.append(Artifact(artifact_id="a", parts=[Part(text="x" * size)]))
        task.history.extend(Message(message_id=f"m{i}", parts=[Part(text="hello")]) for i in range(3))
        task.metadata.update({"number": number})
        if isinstance(self.store, VersionedTaskStore):
            await self.store.save(
                task, prev=None, prev_version=TaskVersion.MISSING, event=None, context=self.context
            )
        else:
            await self.store.save(task, self.context)
        return task

    async def page(self, **params: Any) -> Any:
        return await self.store.list(ListTasksRequest(**params), self.context)

    async def pages(self, **params: Any) -> list[Any]:
        pages = [await self.page(**params)]
        while pages[-1].next_page_token:
            pages.append(await self.page(**params, page_token=pages[-1].next_page_token))
        return pages


@asynccontextmanager
async def opened(place: str) -> AsyncGenerator[Store]:
    if not place:
        yield Store(MemoryTaskStore(1_000, 1_000.0, lambda: 0.0))
        return
    engine = async_engine(place)
    with closing(open_database(place)) as database:
        try:
            yield Store(task_stores.task_storage(engine, database, "here").tasks)
        finally:
            await engine.dispose()


def ids(pages: list[Any]) -> list[str]:
    return [task.id for page in pages for task in page.tasks]


async def test_pages_end_at_a_maximum_size_and_have_every_task_once(place: str) -> None:
    async with opened(place) as store:
        sizes = [4_000, 4_000, 50_000, 10, 10, 4_000, 9_000, 20_000, 20_000, 10, 4_000, 4_000]
        tasks = [await store.add(number, size) for number, size in enumerate(sizes)]
        pages = await store.pages(include_artifacts=True)
        # Two tasks each have the same time: then the id decides.
        assert ids(pages) == sorted((task.id for task in tasks), reverse=True)
        assert {page.total_size for page in pages} == {len(tasks)}
        assert len(pages) > 5
        for page in pages:
            assert len(page.tasks) == 1 or sum(task.ByteSize() for task in page.tasks) <= 10_000
        stored = {task.id: task for task in tasks}
        assert all(task == stored[task.id] for page in pages for task in page.tasks)


@pytest.mark.parametrize("page_size", [1, 2, 5, 100])
async def test_the_number_of_tasks_of_a_page_still_has_a_maximum(place: str, page_size: int) -> None:
    async with opened(place) as store:
        tasks = [await store.add(number) for number in range(10)]
        pages = await store.pages(page_size=page_size)
        assert ids(pages) == sorted((task.id for task in tasks), reverse=True)
        assert [len(page.tasks) for page in pages] == [page_size] * (10 // page_size) or page_size == 100
        assert {page.page_size for page in pages} == {page_size}


async def test_filters_apply_to_the_total_and_the_pages(place: str) -> None:
    async with opened(place) as store:
        failed = [await store.add(number, 4_000, state=FAILED) for number in range(5)]
        for number in range(10, 15):
            await store.add(number, 4_000)
        pages = await store.pages(status=FAILED, include_artifacts=True)
        assert sorted(ids(pages)) == [task.id for task in failed]
        assert {page.total_size for page in pages} == {5}
        assert len(pages) == 3
        since = ListTasksRequest()
        since.status_timestamp_after.FromDatetime(START + timedelta(seconds=5))
        assert (await store.store.list(since, store.context)).total_size == 5
        assert (await store.page(context_id="other")).total_size == 0


async def test_a_page_has_only_the_requested_fields(place: str) -> None:
    async with opened(place) as store:
        await store.add(1)
        with_artifacts = (await store.page(include_artifacts=True)).tasks[0]
        assert (len(with_artifacts.artifacts), len(with_artifacts.history)) == (1, 3)
        without = (await store.page(history_length=0)).tasks[0]
        assert (len(without.artifacts), len(without.history)) == (0, 0)
        assert without.metadata["number"] == 1


async def test_an_old_page_token_is_accepted_and_an_invalid_one_refused(place: str) -> None:
    async with opened(place) as store:
        tasks = [await store.add(number) for number in range(4)]
        page = await store.page(page_token=encode_page_token(tasks[2].id))
        assert ids([page]) == [tasks[number].id for number in (2, 1, 0)]
        with pytest.raises(InvalidParamsError):
            await store.page(page_token=encode_page_token("unknown"))


async def test_a_page_stays_valid_after_its_last_task_was_deleted(place: str) -> None:
    async with opened(place) as store:
        tasks = [await store.add(number) for number in range(4)]
        first = await store.page(page_size=2)
        await store.store.delete(first.tasks[-1].id, store.context)
        rest = await store.page(page_size=2, page_token=first.next_page_token)
        assert ids([rest]) == [tasks[1].id, tasks[0].id]
        assert rest.next_page_token == ""


async def test_unrequested_artifacts_and_history_are_not_read(tmp_path: Path) -> None:
    place = str(tmp_path / "tasks.db")
    database = open_database(place)
    engine = async_engine(place)
    statements: list[str] = []
    event.listen(
        engine.sync_engine, "before_cursor_execute", lambda *arguments: statements.append(arguments[2])
    )
    store = Store(task_stores.task_storage(engine, database, "here").tasks)
    await store.add(1)
    statements.clear()
    await store.page(history_length=0)
    assert statements
    assert not any("artifacts" in statement or "history" in statement for statement in statements)
    await engine.dispose()
    database.close()
