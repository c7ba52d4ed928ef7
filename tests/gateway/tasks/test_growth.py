"""Limits of what agents and workers add to a task; a task that becomes too large fails."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.cluster import ConcurrentTaskModificationError, TaskVersion
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import Artifact, Part, Task, TaskArtifactUpdateEvent, TaskState, TaskStatus
from sqlalchemy import func, select

from cardwright_gateway.a2a_server import memory_store
from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import TASK_BYTES, TASK_EVENTS, TASKS, open_database
from cardwright_gateway.database.task_bytes import used_bytes
from cardwright_gateway.tasks import quota
from cardwright_gateway.tasks.retention import TaskCleaner, TaskOwner
from cardwright_gateway.tasks.store import task_storage
from cardwright_gateway.telemetry.logs import Lines, is_no_caller_error
from tests.gateway.gateways import CARD
from tests.gateway.tasks.gateways import function, message, owned
from tests.gateway.waiting import wait_until
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.gateway.tasks.gateways import Caller, Owned

TOKEN = "w" * 32
CHUNK = "x" * 30_000
FAILED = "TASK_STATE_FAILED"


@pytest.fixture
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks of at most 100,000 bytes."""
    monkeypatch.setattr(quota, "MAX_TASK_BYTES", 100_000)


def large(text: str) -> str:
    """Return as many bytes as the message says."""
    return "x" * int(text)


async def pieces(text: str) -> AsyncGenerator[str]:
    """Return as many pieces as the message says."""
    for _ in range(int(text)):
        yield CHUNK


def growing(**more: Any) -> dict[str, Any]:
    return {**function("answer", **more), "backend": {"python": f"{__name__}:large"}}


def counted(gateway: Owned, owner: str = "acme") -> tuple[int, int, int]:
    """Return what is counted for an owner, what is stored, and the size of the largest task without its events."""
    size = (
        func.coalesce(func.sum(TASKS.c.size), 0),
        func.coalesce(func.max(TASKS.c.size - TASKS.c.event_bytes), 0),
    )
    with gateway.gateway.registry.store.database.reading() as connection:
        total = select(func.coalesce(func.sum(TASK_BYTES.c.bytes), 0)).where(
            TASK_BYTES.c.agent_owner == owner
        )
        stored = connection.execute(select(*size).where(TASKS.c.agent_owner == owner)).one()
        return int(connection.execute(total).scalar_one()), int(stored[0]), int(stored[1])


def status_text(task: dict[str, Any]) -> str:
    assert task["status"]["state"] == FAILED
    text: str = task["status"]["message"]["parts"][0]["text"]
    return text


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """Return what the gateway's own log would contain."""
    return "\n".join(Lines().format(record) for record in caplog.records if is_no_caller_error(record))


@pytest.mark.usefixtures("small_tasks")
def test_a_result_beyond_the_maximum_of_a_task_fails_it_with_a_message(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def run() -> None:
        async with owned({"greeter": growing()}, store=place) as gateway:
            caller = await gateway.key("greeter")
            task = await caller.send("200000")
            assert "maximum size of 100,000 bytes" in status_text(task)
            assert task["status"]["message"]["metadata"] == {"reason": "FULL"}
            assert (await caller.rpc("GetTask", {"id": task["id"]}))["result"]["status"] == task["status"]
            events = await caller.stream("200000")
            assert "100,000 bytes" in status_text(events[-1]["task"])
            total, stored, _ = counted(gateway)
            assert total == stored < 10_000
            assert (await caller.send("1000"))["status"]["state"] == "TASK_STATE_COMPLETED"

    asyncio.run(run())
    assert "Traceback" not in logged(caplog)


async def test_a_result_beyond_the_space_of_the_owner_fails_the_task(place: str) -> None:
    async with owned({"greeter": growing()}, store=place, tasks={"owner_bytes": 100_000}) as gateway:
        caller = await gateway.key("greeter")
        for _ in range(2):
            await caller.send("40000")
        assert "100,000 bytes (tasks.owner_bytes)" in status_text(await caller.send("40000"))
        total, stored, _ = counted(gateway)
        assert total == stored < 100_000
        # The failed task is small: the quota has space for another one.
        assert (await caller.send("10"))["status"]["state"] == "TASK_STATE_COMPLETED"


def test_chunks_beyond_the_quota_are_logged_as_the_end_of_their_task_only(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def run() -> None:
        streaming = {**function("answer"), "backend": {"python": f"{__name__}:pieces"}}
        async with owned({"greeter": streaming}, store=place, tasks={"owner_bytes": 200_000}) as gateway:
            caller = await gateway.key("greeter")
            events = await caller.stream("20")
            assert "200,000 bytes (tasks.owner_bytes)" in status_text(events[-1]["task"])
            # The quota is used up: these fail with their first chunk, or start no task.
            await asyncio.gather(*(caller.rpc("SendMessage", message(f"{number}")) for number in range(5, 9)))

    asyncio.run(run())
    text = logged(caplog)
    assert "Traceback" not in text
    assert "failed: the stored tasks of this owner's agents reach" in text
    assert "concurrent modification" not in text
    assert "Queue was closed" not in text


def test_concurrent_messages_do_not_exceed_the_limit_together(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def run() -> None:
        agents = {"greeter": function("answer")}
        async with owned(agents, store=place, tasks={"owner_bytes": 100_000}) as gateway:
            caller = await gateway.key("greeter")
            params = message(CHUNK, messageId="m")
            answers = await asyncio.gather(*(caller.rpc("SendMessage", params) for _ in range(20)))
            reasons = [answer["error"]["data"][0]["reason"] for answer in answers if "error" in answer]
            assert set(reasons) == {"FULL"}
            total, stored, _ = counted(gateway)
            # Eight concurrent writes are allowed; PostgreSQL stores each a second time, as an event.
            copies = 2 if place.startswith("postgresql") else 1
            assert total == stored <= 100_000 + 8 * copies * (len(CHUNK) + 1_000)

    asyncio.run(run())
    assert "Traceback" not in logged(caplog)


async def test_the_turn_of_a_message_that_could_not_be_stored_stops(place: str) -> None:
    agents = {"slow": function("forever")}
    async with owned(agents, store=place, tasks={"owner_bytes": 100_000}) as gateway:
        caller = await gateway.key("slow")
        params = {**message(CHUNK, messageId="m"), "configuration": {"returnImmediately": True}}
        answers = await asyncio.gather(*(caller.rpc("SendMessage", params) for _ in range(20)))
        accepted = {answer["result"]["task"]["id"] for answer in answers if "result" in answer}
        assert 0 < len(accepted) < 20
        await wait_until(lambda: set(gateway.gateway.agent("slow").running) == accepted)
        for task_id in accepted:
            await caller.rpc("CancelTask", {"id": task_id})


async def work(gateway: Owned, caller: Caller, reports: list[Any], result: Any) -> tuple[list[Any], Any]:
    """Take a turn as a worker, report on it and end it; return the replies, and the task."""
    worker = type(caller)(gateway.gateway, caller.agent_id, {"Authorization": f"Bearer {TOKEN}"})
    immediately = {**message("go"), "configuration": {"returnImmediately": True}}
    task = (await caller.rpc("SendMessage", immediately))["result"]["task"]
    taken = await call(gateway.gateway, "GET", f"/{caller.agent_id}/queue", dict(worker.credentials))
    work_id = taken.json["id"]
    replies = [await worker.at(f"queue/{work_id}", report) for report in reports]
    replies.append(await worker.at(f"queue/{work_id}/result", result))

    async def ended() -> bool:
        nonlocal task
        task = (await caller.rpc("GetTask", {"id": task["id"]}))["result"]
        return task["status"]["state"] not in ("TASK_STATE_WORKING", "TASK_STATE_SUBMITTED")

    await wait_until(ended)
    return replies, task


@pytest.mark.usefixtures("small_tasks")
@pytest.mark.parametrize("ends", [False, True])
async def test_a_too_large_worker_report_is_refused_and_fails_the_task(place: str, *, ends: bool) -> None:
    queue = {"queue": {"token": TOKEN, "offline": "wait"}}
    agents = {"busy": {"card": CARD, "backend": queue, "owner": "acme"}}
    async with owned(agents, store=place) as gateway:
        caller = await gateway.key("busy")
        chunk = {"parts": [{"text": CHUNK}]}
        reports = [chunk] * (3 if ends else 6)
        replies, task = await work(gateway, caller, reports, chunk)
        refused = [reply for reply in replies if reply.status == 507]
        assert [(reply.status, reply.reason) for reply in refused] == [(507, "FULL")]
        assert "maximum size of 100,000 bytes" in status_text(task)
        assert {reply.status for reply in replies} <= {204, 507, 404}
        total, stored, largest = counted(gateway)
        assert total == stored
        assert largest < 100_000


async def test_waiting_workers_are_limited_by_the_concurrency_of_the_agent() -> None:
    queue = {"queue": {"token": TOKEN, "offline": "wait"}}
    agents = {"busy": {"card": CARD, "backend": queue, "owner": "acme", "concurrency": 2}}
    async with owned(agents) as gateway:
        ask_for_work = partial(
            call, gateway.gateway, "GET", "/busy/queue?wait=9", {"Authorization": f"Bearer {TOKEN}"}
        )
        polls = [asyncio.ensure_future(ask_for_work()) for _ in range(2)]
        await wait_until(lambda: gateway.gateway.agent("busy").waiting_workers >= 2)
        refused = await ask_for_work()
        assert (refused.status, refused.reason) == (429, "RATE_LIMITED")
        # A worker that disconnected frees its slot.
        polls[0].cancel()
        await asyncio.wait(polls[:1])
        polls.append(asyncio.ensure_future(ask_for_work()))
        caller = await gateway.key("busy")
        immediately = {**message("go"), "configuration": {"returnImmediately": True}}
        await caller.rpc("SendMessage", immediately)
        done, _ = await asyncio.wait(polls[1:], return_when=asyncio.FIRST_COMPLETED)
        assert [poll.result().status for poll in done] == [200]
        for poll in polls:
            poll.cancel()
        await asyncio.wait(polls)


def test_a_task_in_memory_has_a_maximum_size_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(memory_store, "MAX_RUNNING_BYTES", 100_000)

    async def run() -> None:
        async with owned({"greeter": growing(tasks="pass", access="keys")}) as gateway:
            caller = await gateway.key("greeter")
            assert "maximum size of 100,000 bytes" in status_text(await caller.send("200000"))
            assert (await caller.send("1000"))["status"]["state"] == "TASK_STATE_COMPLETED"

    asyncio.run(run())
    assert "Traceback" not in logged(caplog)


@pytest.mark.usefixtures("small_tasks")
async def test_a_full_task_can_still_be_cancelled(place: str) -> None:
    async with owned({"greeter": function("forever")}, store=place) as gateway:
        caller = await gateway.key("greeter")
        params = {**message("x" * 99_000, messageId="m"), "configuration": {"returnImmediately": True}}
        task = (await caller.rpc("SendMessage", params))["result"]["task"]
        assert counted(gateway)[2] > 99_000
        answer = await caller.rpc("CancelTask", {"id": task["id"]})
        assert answer["result"]["status"]["state"] == "TASK_STATE_CANCELED"


async def replace_artifact(tasks: Any, context: ServerCallContext, times: int) -> None:
    """Save a task whose artifact is replaced by one of the same size, as an upstream agent may do."""
    task = Task(id="t", context_id="c", status=TaskStatus(state=TaskState.TASK_STATE_WORKING))
    task.artifacts.append(Artifact(artifact_id="a", parts=[Part(text=CHUNK)]))
    event = TaskArtifactUpdateEvent(task_id="t", context_id="c", artifact=task.artifacts[0])
    version = TaskVersion.MISSING
    for number in range(times):
        task.metadata.update({"number": number})
        version = await tasks.save(task, event=event, prev=None, prev_version=version, context=context)


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_events_for_other_processes_count_too(place: str) -> None:
    """Each event of a task is stored once more in PostgreSQL, also those whose content is replaced."""

    async def run(url: str) -> None:
        with closing(open_database(url)) as database:
            engine = async_engine(url)
            limit = quota.TaskQuota(database, 200_000)
            tasks: Any = task_storage(engine, database, "here", quota=limit).tasks
            try:
                context = ServerCallContext(user=TaskOwner("agent:caller"))
                with pytest.raises(ConcurrentTaskModificationError):
                    await replace_artifact(tasks, context, 20)
                stored = await tasks.get("t", context)
                assert stored.task.status.state == TaskState.TASK_STATE_FAILED
                with database.reading() as connection:
                    events = func.sum(func.length(TASK_EVENTS.c.event_data)), func.count()
                    length, rows = connection.execute(select(*events)).one()
                    size, event_bytes = connection.execute(select(TASKS.c.size, TASKS.c.event_bytes)).one()
                    assert 100_000 < length < 200_000
                    # A stored event has a few bytes around it.
                    assert 0 <= length - (event_bytes - 512 * rows) <= 16 * rows
                    assert used_bytes(connection, "").total == size < 205_000
                cleaner = TaskCleaner(database, task_storage(engine, database, "here"), retention_seconds=1.0)
                assert await cleaner.delete_expired(time.time() + 10) == 1
                with database.reading() as connection:
                    assert used_bytes(connection, "").total == 0
            finally:
                await engine.dispose()

    asyncio.run(run(place))
