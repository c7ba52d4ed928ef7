"""Subscribing to a task while its agent sends chunks: each chunk arrives once, in the task or as an event."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from a2a.types.a2a_pb2 import Artifact, Task, TaskArtifactUpdateEvent, TaskState
from a2a.types.a2a_pb2 import Part as WirePart

from cardwright.discovery import Part
from cardwright_gateway.a2a_server.memory_store import MemoryTaskStore
from cardwright_gateway.a2a_server.polling import tail
from cardwright_gateway.a2a_server.stores import TaskStores
from cardwright_gateway.backends.backend import TurnResult
from tests.gateway.a2a_server.endpoints import (
    ScriptedBackend,
    a2a_endpoint,
    events,
    message,
    old_message,
    posted,
    rpc,
)

if TYPE_CHECKING:
    from a2a.server.context import ServerCallContext

    from cardwright_gateway.backends.backend import Turn, TurnReporter
    from tests.gateway.a2a_server.endpoints import AsgiEndpoint

PIECES = ("a", "b", "c", "d")
# More turns of the event loop than all chunks take.
STEPS = 130


class Emitting(ScriptedBackend):
    """Backend that sends chunks without a pause when `go` is set."""

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        self.turns.append(turn)
        await reporter.parts([Part("text", PIECES[0])])
        self.waiting.set()
        await self.go.wait()
        for piece in PIECES[1:]:
            await reporter.parts([Part("text", piece)])
        return TurnResult()


class Slow(MemoryTaskStore):
    """A store that takes some steps of the event loop to save a task, as a database does.

    Attributes:
        saving: Set while a task with all pieces is being saved.
        go: What that waits for; None for nothing.
    """

    def __init__(self, go: asyncio.Event | None = None) -> None:
        super().__init__(10, 60.0, lambda: 0.0)
        self.saving = asyncio.Event()
        self.go = go

    async def save(self, task: Task, context: ServerCallContext) -> None:
        if self.go is not None and sum(len(one.parts) for one in task.artifacts) == len(PIECES):
            self.saving.set()
            await self.go.wait()
        for _ in range(3):
            await asyncio.sleep(0)
        await super().save(task, context)


async def begun(endpoint: AsgiEndpoint, backend: Emitting, *, old: bool = False) -> str:
    """Start a task whose first chunk has reached its subscribers; return its id."""
    if old:
        params = {"message": old_message("go"), "configuration": {"blocking": False}}
        task = (await rpc(endpoint, "message/send", params))["result"]
    else:
        params = {"message": message("go"), "configuration": {"returnImmediately": True}}
        task = (await rpc(endpoint, "SendMessage", params))["result"]["task"]
    await backend.waiting.wait()
    return str(task["id"])


async def followed(endpoint: AsgiEndpoint, task_id: str, *, old: bool = False) -> str | None:
    """Subscribe to a task; return all received text, from the task and from events; None if the task has ended."""
    method = "tasks/resubscribe" if old else "SubscribeToTask"
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"id": task_id}}
    headers = {} if old else {"A2A-Version": "1.0"}
    async with asyncio.timeout(20):
        reply = await posted(endpoint, json.dumps(body).encode(), headers)
    received = events(reply)
    if not received or "error" in received[0]:
        error = received[0] if received else reply.json
        assert error["error"]["code"] == -32004
        return None
    text = ""
    for event in (one["result"] for one in received):
        task = event if event.get("kind") == "task" else event.get("task")
        update = event if event.get("kind") == "artifact-update" else event.get("artifactUpdate")
        if task is not None:
            text = "".join(part["text"] for one in task.get("artifacts", ()) for part in one["parts"])
        elif update is not None:
            piece = "".join(part["text"] for part in update["artifact"]["parts"])
            text = text + piece if update.get("append") else piece
    return text


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("old", [False, True], ids=["1.0", "0.3"])
def test_a_subscriber_gets_each_chunk_once_whenever_it_joins(first: int, *, old: bool) -> None:
    async def run(step: int) -> str | None:
        backend, store = Emitting(), Slow()
        stores = TaskStores(store, check_size=store.check_size)
        async with a2a_endpoint(backend, keeping=lambda: stores) as endpoint:
            task_id = await begun(endpoint, backend, old=old)
            backend.go.set()
            for _ in range(step):
                await asyncio.sleep(0)
            return await followed(endpoint, task_id, old=old)

    texts = [asyncio.run(run(step)) for step in range(first, STEPS, 8 if old else 4)]
    # None of those that joined before the end of the task lost a piece, or got one twice.
    joined = [text for text in texts if text is not None]
    assert joined
    assert set(joined) == {"".join(PIECES)}


async def test_a_chunk_stored_while_a_subscriber_joins_comes_once() -> None:
    backend, go = Emitting(), asyncio.Event()
    store = Slow(go)
    stores = TaskStores(store, check_size=store.check_size)
    async with a2a_endpoint(backend, keeping=lambda: stores) as endpoint:
        task_id = await begun(endpoint, backend)
        backend.go.set()
        await store.saving.wait()
        following = asyncio.create_task(followed(endpoint, task_id))
        for _ in range(STEPS):
            await asyncio.sleep(0)
        go.set()
        assert await following == "".join(PIECES)


async def test_two_subscribers_that_join_at_different_steps_get_the_same_text() -> None:
    backend, store = Emitting(), Slow()
    stores = TaskStores(store, check_size=store.check_size)
    async with a2a_endpoint(backend, keeping=lambda: stores) as endpoint:
        task_id = await begun(endpoint, backend)
        backend.go.set()
        following: list[asyncio.Task[Any]] = []
        for _ in range(12):
            following.append(asyncio.create_task(followed(endpoint, task_id)))
            for _ in range(3):
                await asyncio.sleep(0)
        texts = list(await asyncio.gather(*following))
    assert texts[0] == "".join(PIECES)
    assert {text for text in texts if text is not None} == {"".join(PIECES)}


def test_an_artifact_replaced_in_the_store_is_sent_whole() -> None:
    def task(*parts: str) -> Task:
        artifact = Artifact(artifact_id="r", parts=[WirePart(text=part) for part in parts])
        return Task(id="t", artifacts=[artifact] if parts else [])

    states = [task("a"), task("a", "b"), task("c", "d"), task("c"), task("c")]
    states[-1].status.state = TaskState.TASK_STATE_COMPLETED

    async def run() -> list[Any]:
        read = iter(states)

        async def current() -> Task:
            return next(read)

        return [event async for event in tail(task(), current, poll_seconds=0.0)]

    updates = [event for event in asyncio.run(run()) if isinstance(event, TaskArtifactUpdateEvent)]
    pieces = [(event.append, [part.text for part in event.artifact.parts]) for event in updates]
    assert pieces == [(False, ["a"]), (True, ["b"]), (False, ["c", "d"]), (False, ["c"])]
