"""An ended task keeps its final state, whatever other processes write."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.server.context import ServerCallContext
from a2a.server.tasks.task_manager import TaskManager
from a2a.types.a2a_pb2 import (
    Artifact,
    Message,
    Part,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from cardwright_gateway.database.async_engine import async_engine
from cardwright_gateway.database.tables import open_database
from cardwright_gateway.tasks.retention import TaskCleaner, TaskOwner
from cardwright_gateway.tasks.store import TaskStorage, task_storage
from tests.databases import own_database

if TYPE_CHECKING:
    from cardwright.store.database import Database

CONTEXT = ServerCallContext(user=TaskOwner("slow:key:k"))
PIECE = TaskArtifactUpdateEvent(
    task_id="t", context_id="c", artifact=Artifact(artifact_id="result-1", parts=[Part(text="two")])
)
END = TaskStatusUpdateEvent(
    task_id="t", context_id="c", status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED)
)


def running(stores: TaskStorage) -> TaskManager:
    """Return what a process of the gateway writes a task by."""
    return TaskManager(
        task_id="t", context_id="c", task_store=stores.tasks, initial_message=None, context=CONTEXT
    )


async def ended_for(database: Database, place: str) -> None:
    engine = async_engine(place)
    dead, other = task_storage(engine, database, "dead"), task_storage(engine, database, "other")
    writes = running(dead)
    status = TaskStatus(state=TaskState.TASK_STATE_WORKING)
    await writes.process(Task(id="t", context_id="c", status=status, history=[Message(message_id="m")]))
    sweeper = TaskCleaner(database, other, retention_seconds=1e6)
    for lost in await sweeper.lost(["other"], "other", ()):
        assert await sweeper.end(lost)
    reads = running(other)
    ended = await reads.get_task()
    assert ended is not None
    assert ended.status.state == TaskState.TASK_STATE_FAILED
    # The SDK's consumer handles each queued event, and reads the task again after the first.
    for event in (PIECE, END):
        with pytest.raises(ConcurrentTaskModificationError):
            await writes.process(event)
        writes.invalidate()
    reads.invalidate()
    assert await reads.get_task() == ended
    await engine.dispose()


@pytest.mark.postgresql
def test_a_process_taken_for_dead_does_not_change_its_failed_task() -> None:
    with own_database() as place, closing(open_database(place, wait_seconds=5.0)) as database:
        asyncio.run(ended_for(database, place))
