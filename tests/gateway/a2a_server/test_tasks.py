"""Task life cycle at an A2A endpoint: cancellation, subscription, ownership, retention."""

# pyright: reportPrivateUsage=false
# The SDK and the endpoint have no public way to see leftovers and lazily created objects.

from __future__ import annotations

import asyncio
import gc
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.discovery import Part
from cardwright_gateway.a2a_server import memory_store
from cardwright_gateway.backends.backend import TurnResult
from tests.gateway.a2a_server.endpoints import ScriptedBackend, a2a_endpoint, events, message, rest, rpc, sent
from tests.gateway.waiting import wait_until

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn, TurnReporter
    from tests.gateway.a2a_server.endpoints import AsgiEndpoint

NEVER_KEPT = ("ActiveTask", "EventQueueSource", "EventQueueSink", "TaskManager", "Call", "Running")


async def begun(endpoint: AsgiEndpoint, text: str = "wait") -> Any:
    """Start a turn; return its running task."""
    params = {"message": message(text), "configuration": {"returnImmediately": True}}
    return (await rpc(endpoint, "SendMessage", params))["result"]["task"]


async def state_of(endpoint: AsgiEndpoint, task_id: str) -> str:
    return str((await rpc(endpoint, "GetTask", {"id": task_id}))["result"]["status"]["state"])


async def test_cancelling_a_task_cancels_its_backend_at_once() -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend) as endpoint:
        task = await begun(endpoint)
        await backend.waiting.wait()
        answer = await rpc(endpoint, "CancelTask", {"id": task["id"]})
        assert answer["result"]["status"]["state"] == "TASK_STATE_CANCELED"
        await backend.gone.wait()
        again = await rpc(endpoint, "CancelTask", {"id": task["id"]})
        assert again["error"]["code"] == -32002
        assert await state_of(endpoint, task["id"]) == "TASK_STATE_CANCELED"


def test_a_backend_that_ignores_cancellation_is_abandoned(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Stubborn(ScriptedBackend):
        async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
            self.turns.append(turn)
            while not self.go.is_set():
                self.waiting.set()
                try:
                    await self.go.wait()
                except asyncio.CancelledError:
                    self.gone.set()
            await reporter.parts([Part("text", "too late")])
            return TurnResult()

    async def run() -> None:
        backend = Stubborn()
        async with a2a_endpoint(backend, stop_seconds=0.0) as endpoint:
            task = await begun(endpoint)
            await backend.waiting.wait()
            answer = await rpc(endpoint, "CancelTask", {"id": task["id"]})
            assert answer["result"]["status"]["state"] == "TASK_STATE_CANCELED"
            await backend.gone.wait()
            await endpoint.close()
            backend.go.set()

    asyncio.run(run())
    assert "did not stop within" in caplog.text


async def test_a_task_that_waits_for_its_caller_can_be_cancelled() -> None:
    async with a2a_endpoint() as endpoint:
        task = await sent(endpoint, "ask")
        answer = await rpc(endpoint, "tasks/cancel", {"id": task["id"]})
        assert answer["result"]["status"]["state"] == "canceled"


async def test_two_subscribers_receive_the_rest_of_a_stream() -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend) as endpoint:
        task = await begun(endpoint)
        await backend.waiting.wait()
        url = f"/tasks/{task['id']}:subscribe"
        listening = [asyncio.create_task(rest(endpoint, method, url)) for method in ("GET", "POST")]
        active = await endpoint.handler._active_task_registry.get(task["id"])
        assert active is not None
        while active._reference_count < 3:  # noqa: ASYNC110 - the SDK has no event for it
            await asyncio.sleep(0)
        backend.go.set()
        for reply in await asyncio.gather(*listening):
            heard = events(reply)
            assert heard[0]["task"]["id"] == task["id"]
            assert heard[-2]["artifactUpdate"]["artifact"]["parts"] == [{"text": "gone on"}]
            assert heard[-1]["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED"
        assert (await rpc(endpoint, "SubscribeToTask", {"id": task["id"]}))["error"]["code"] == -32004


async def test_a_message_to_a_task_that_has_ended_or_to_another_context_is_refused() -> None:
    async with a2a_endpoint() as endpoint:
        done, waiting = await sent(endpoint, "hello"), await sent(endpoint, "ask")
        late = await rpc(endpoint, "SendMessage", {"message": message("x", taskId=done["id"])})
        assert late["error"]["code"] == -32004
        other = message("x", taskId=waiting["id"], contextId=done["contextId"])
        assert (await rpc(endpoint, "SendMessage", {"message": other}))["error"]["code"] == -32602


class User:
    is_authenticated = True

    def __init__(self, name: str) -> None:
        self.display_name = name


async def test_a_task_of_another_user_or_agent_is_not_found() -> None:
    async with a2a_endpoint() as endpoint, a2a_endpoint() as other:
        task = await sent(endpoint, "ask")
        assert (await rpc(other, "GetTask", {"id": task["id"]}))["error"]["code"] == -32001

        async def as_eve(scope: Any, receive: Any, send: Any) -> None:
            await endpoint({**scope, "user": User("eve")}, receive, send)

        for method in ("GetTask", "CancelTask", "SubscribeToTask"):
            answer = await rpc(as_eve, method, {"id": task["id"]})  # type: ignore[arg-type] # an ASGI application, too
            assert answer["error"]["code"] == -32001


VERSION = ("A2A-Version", "1.0")
ANN = (VERSION, ("Authorization", "Bearer ann"))
STRANGERS: list[tuple[tuple[str, str], ...]] = [
    (VERSION,),
    (VERSION, ("Authorization", "Bearer eve")),
    (VERSION, ("X-API-Key", "Bearer ann")),
    (VERSION, ("Authorization", "Bearer"), ("X-API-Key", " ann")),
    (*ANN, ("X-Agent-API-Key", "k")),
]


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_task_belongs_to_callers_with_the_same_credentials(stranger: Any) -> None:
    async with a2a_endpoint() as endpoint:
        response = await rpc(endpoint, "SendMessage", {"message": message("ask")}, ANN)
        task_id = response["result"]["task"]["id"]
        for method in ("GetTask", "CancelTask", "SubscribeToTask"):
            answer = await rpc(endpoint, method, {"id": task_id}, stranger)
            assert answer["error"]["code"] == -32001
        going_on = {"message": message("x", taskId=task_id)}
        assert (await rpc(endpoint, "SendMessage", going_on, stranger))["error"]["code"] == -32001
        assert (await rpc(endpoint, "ListTasks", {}, stranger))["result"]["tasks"] == []
        listed = (await rpc(endpoint, "ListTasks", {}, ANN))["result"]
        assert [task["id"] for task in listed["tasks"]] == [task_id]
        assert (await rpc(endpoint, "GetTask", {"id": task_id}, ANN))["result"]["id"] == task_id
        assert not any("ann" in owner for owner in endpoint.tasks._impl.tasks)


async def test_anonymous_callers_get_a_task_by_id_and_cannot_list_tasks() -> None:
    async with a2a_endpoint() as endpoint:
        task = await sent(endpoint, "ask")
        listed = (await rpc(endpoint, "ListTasks", {"pageSize": 7}))["result"]
        assert (listed["tasks"], listed["totalSize"], listed["pageSize"]) == ([], 0, 7)
        assert await state_of(endpoint, task["id"]) == "TASK_STATE_INPUT_REQUIRED"
        response = await rpc(endpoint, "GetTask", {"id": task["id"]}, ANN)
        assert response["error"]["code"] == -32001
        cancelled = await rpc(endpoint, "CancelTask", {"id": task["id"]})
        assert cancelled["result"]["status"]["state"] == "TASK_STATE_CANCELED"


async def test_ended_tasks_are_deleted_by_number_and_age_and_running_ones_never() -> None:
    now = [0.0]
    backend = ScriptedBackend()
    async with a2a_endpoint(backend, tasks=2, retention_seconds=10.0, clock=lambda: now[0]) as endpoint:
        running = (await begun(endpoint))["id"]
        ids = [(await sent(endpoint, text))["id"] for text in ("a", "ask", "c")]
        assert (await rpc(endpoint, "GetTask", {"id": ids[0]}))["error"]["code"] == -32001
        assert await state_of(endpoint, ids[1]) == "TASK_STATE_INPUT_REQUIRED"
        now[0] = 9.9
        assert await state_of(endpoint, ids[2]) == "TASK_STATE_COMPLETED"
        now[0] = 10.0
        assert await state_of(endpoint, running) == "TASK_STATE_WORKING"
        for task_id in ids:
            assert (await rpc(endpoint, "GetTask", {"id": task_id}))["error"]["code"] == -32001


async def test_the_oldest_ended_tasks_are_deleted_beyond_the_stored_bytes() -> None:
    async with a2a_endpoint(max_stored_bytes=2_500) as endpoint:
        # A text appears twice: in the message and in the response.
        ids = [(await sent(endpoint, letter * 500))["id"] for letter in "abc"]
        assert (await rpc(endpoint, "GetTask", {"id": ids[0]}))["error"]["code"] == -32001
        assert await state_of(endpoint, ids[1]) == await state_of(endpoint, ids[2])
        kept = endpoint.tasks._impl.tasks[""]
        assert endpoint.tasks._bytes == sum(task.ByteSize() for task in kept.values())
        huge = await sent(endpoint, "d" * 5_000)
        assert list(kept) == [huge["id"]]


def test_running_tasks_have_a_maximum_total_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that never ends its turns would fill the memory with what it reports on each."""
    monkeypatch.setattr(memory_store, "_MAX_ALL_RUNNING_BYTES", 100_000)
    monkeypatch.setattr(memory_store, "_SMALL_BYTES", 1_000)
    end = asyncio.Event()

    class Reporting(ScriptedBackend):
        async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
            await reporter.parts([Part("raw", b"x" * int(turn.parts[0].value))])
            await end.wait()
            return TurnResult()

    async def run() -> None:
        async with a2a_endpoint(Reporting()) as endpoint:
            sizes = (40_000, 40_000, 40_000, 100)
            ids = [(await begun(endpoint, str(size)))["id"] for size in sizes]
            await becomes_failed(endpoint, ids[2])
            states = [await state_of(endpoint, task_id) for task_id in ids]
            working, failed = "TASK_STATE_WORKING", "TASK_STATE_FAILED"
            assert states == [working, working, failed, working]
            end.set()
            await wait_until(lambda: not endpoint.tasks._running)
            assert (await sent(endpoint, "40000"))["status"]["state"] == "TASK_STATE_COMPLETED"

    async def becomes_failed(endpoint: AsgiEndpoint, task_id: str) -> None:
        async def failed() -> bool:
            return await state_of(endpoint, task_id) != "TASK_STATE_WORKING"

        await wait_until(failed)

    asyncio.run(run())


@pytest.mark.parametrize("form", ["sent", "streamed", "read"])
async def test_a_too_large_task_is_kept_until_its_response_is_sent(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_store, "MAX_TASK_BYTES", 2_000)
    long = "x" * 2_000

    backend = ScriptedBackend()
    async with a2a_endpoint(backend) as endpoint:
        small = await sent(endpoint, "hello")
        waiting = await begun(endpoint)
        match form:
            case "sent":
                task = await sent(endpoint, long)
            case "streamed":
                received = events(await rest(endpoint, "POST", "/message:stream", {"message": message(long)}))
                task = received[0]["task"]
                assert received[-2]["artifactUpdate"]["artifact"]["parts"] == [{"text": f"you said {long}"}]
            case _:
                task = await begun(endpoint, long)
                assert task["status"]["state"] == "TASK_STATE_WORKING"
                while ("", task["id"]) not in endpoint.tasks._idle:  # noqa: ASYNC110 - the SDK has no event
                    await asyncio.sleep(0)
                task = (await rpc(endpoint, "GetTask", {"id": task["id"]}))["result"]
                assert task["artifacts"][0]["parts"] == [{"text": f"you said {long}"}]
        assert (await rpc(endpoint, "GetTask", {"id": task["id"]}))["error"]["code"] == -32001
        assert await state_of(endpoint, small["id"]) == "TASK_STATE_COMPLETED"
        assert await state_of(endpoint, waiting["id"]) == "TASK_STATE_WORKING"


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_turn_beyond_the_concurrency_is_refused_and_creates_no_task(*, streamed: bool) -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend, concurrency=2) as endpoint:
        first, _ = await begun(endpoint), await begun(endpoint)
        url = "/message:stream" if streamed else "/message:send"
        reply = await rest(endpoint, "POST", url, {"message": message("hello")})
        assert (reply.status, reply.reason) == (429, "RATE_LIMITED")
        assert reply.headers["retry-after"] == "1"
        assert len(endpoint.tasks._impl.tasks[""]) == 2
        await rpc(endpoint, "CancelTask", {"id": first["id"]})
        await backend.gone.wait()
        assert (await rest(endpoint, "POST", url, {"message": message("hello")})).status == 200


async def test_concurrent_messages_do_not_exceed_the_concurrency_limit() -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend, concurrency=3) as endpoint:
        body = {"message": message("wait"), "configuration": {"returnImmediately": True}}
        replies = await asyncio.gather(*(rest(endpoint, "POST", "/message:send", body) for _ in range(20)))
        assert sorted(reply.status for reply in replies) == [200] * 3 + [429] * 17
        backend.go.set()
        while endpoint._executor.running:  # noqa: ASYNC110 - the SDK has no event for it
            await asyncio.sleep(0)
        assert not endpoint._executor._slots
        assert len(backend.turns) == 3


async def test_an_invalid_turn_does_not_count_against_the_concurrency() -> None:
    async with a2a_endpoint(concurrency=1) as endpoint:
        for text in ("refuse", "unready", "broken check"):
            assert "error" in await rpc(endpoint, "SendMessage", {"message": message(text)})
        assert (await sent(endpoint, "hello"))["status"]["state"] == "TASK_STATE_COMPLETED"


@pytest.mark.bulk
async def test_a_thousand_calls_in_a_row_leak_nothing() -> None:
    def counted() -> Counter[str]:
        gc.collect()
        return Counter(type(one).__name__ for one in gc.get_objects())

    backend = ScriptedBackend()
    async with a2a_endpoint(backend, tasks=50) as endpoint:
        kinds = ("hello", "pieces", "reject", "refuse")

        async def some(number: int) -> None:
            for index in range(number):
                method = "SendMessage" if index % 2 else "SendStreamingMessage"
                made = message(kinds[index % 4])
                if index % 2:
                    await rpc(endpoint, method, {"message": made})
                else:
                    await rest(endpoint, "POST", "/message:stream", {"message": made})
            backend.turns.clear()
            for _ in range(20):
                await asyncio.sleep(0)

        await some(200)
        before, tasks = counted(), len(asyncio.all_tasks())
        for _ in range(4):
            await some(200)
        await wait_until(lambda: len(asyncio.all_tasks()) == tasks)
        after = counted()
        assert endpoint.handler._active_task_registry._active_tasks == {}
        assert endpoint.tasks._idle.keys() == {("", one) for one in endpoint.tasks._impl.tasks[""]}
        assert len(endpoint.tasks._idle) == 50
        assert {name: after[name] for name in NEVER_KEPT if after[name] > before[name]} == {}
        # A leak per fourth call would be 200 objects; caches of classes and weak references grow by less, once.
        grown = {name: n - before[name] for name, n in after.items() if n - before[name] >= 200}
        assert grown == {}


async def test_closing_an_endpoint_cancels_turns_and_leaves_no_asyncio_task() -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend) as endpoint:
        sending = asyncio.create_task(sent(endpoint, "wait"))
        await backend.waiting.wait()
        await endpoint.close()
        assert (await sending)["status"]["state"] == "TASK_STATE_CANCELED"
        assert backend.gone.is_set()
    left = [one for one in asyncio.all_tasks() if one is not asyncio.current_task()]
    assert [one.get_coro().__qualname__ for one in left if "_shutdown_watcher" not in repr(one)] == []  # type: ignore[union-attr] # a task that runs has one


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
PIECES = st.one_of(
    TEXTS.map(lambda text: Part("text", text)),
    st.binary(max_size=20).map(lambda raw: Part("raw", raw, "a.bin", "application/octet-stream")),
    st.dictionaries(TEXTS, st.one_of(st.none(), st.booleans(), st.integers(-9, 9)), max_size=3).map(
        lambda data: Part("data", data)
    ),
)
STEPS = st.lists(st.one_of(TEXTS, st.lists(PIECES, max_size=3).map(tuple)), max_size=6)
ENDS = st.builds(
    TurnResult,
    st.lists(PIECES, max_size=2).map(tuple),
    st.sampled_from(["completed", "failed", "rejected", "input-required"]),
    TEXTS,
    st.dictionaries(TEXTS, TEXTS, max_size=2),
)


class Scripted(ScriptedBackend):
    def __init__(self, steps: list[Any], end: TurnResult) -> None:
        super().__init__()
        self._steps = steps
        self._end = end

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        self.turns.append(turn)
        for index, step in enumerate(self._steps):
            if isinstance(step, str):
                await reporter.progress(step, done=index)
            else:
                await reporter.parts(step)
        return self._end


def alike(task: Any) -> Any:
    """A task without the fields that differ each time."""
    text = json.dumps(task, sort_keys=True)
    for name in (task["id"], task["contextId"]):
        text = text.replace(name, "")
    bare = json.loads(text)

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: strip(one) for name, one in value.items() if name not in ("timestamp", "messageId")}
        return [strip(one) for one in value] if isinstance(value, list) else value

    return strip(bare)


def followed(updates: list[Any]) -> list[Any]:
    """The parts that a subscriber has at the end of a stream."""
    parts: list[Any] = []
    for one in updates:
        update = one.get("artifactUpdate")
        if update is not None:
            new = update["artifact"].get("parts", [])
            parts = [*parts, *new] if update.get("append") else new
    return parts


@given(STEPS, ENDS)
def test_a_sent_and_a_streamed_task_end_the_same(steps: list[Any], end: TurnResult) -> None:
    async def run() -> None:
        async with a2a_endpoint(Scripted(steps, end)) as endpoint:
            task = await sent(endpoint, "x")
            received = events(await rest(endpoint, "POST", "/message:stream", {"message": message("x")}))
            streamed = (await rpc(endpoint, "GetTask", {"id": received[0]["task"]["id"]}))["result"]
        assert alike(streamed) == alike(task)
        assert received[-1]["statusUpdate"]["status"] == streamed["status"]
        assert followed(received) == [part for one in streamed.get("artifacts", []) for part in one["parts"]]
        given_parts = [part for step in steps if isinstance(step, tuple) for part in step] + list(end.parts)
        assert len(followed(received)) == len(given_parts)

    asyncio.run(run())
