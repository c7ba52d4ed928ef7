"""The life of a task before a bridge: cancelled, followed, shared, forgotten."""

# pyright: reportPrivateUsage=false
# What is left behind, and whether anything was made, the SDK and the bridge tell nobody.

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
from cardwright_gateway.a2a_server import executor
from cardwright_gateway.a2a_server import memory_store as tasks
from cardwright_gateway.backends.backend import TurnResult
from tests.gateway.a2a_server.endpoints import Harbour, bridged, events, message, rest, rpc, sent

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn, TurnReporter
    from tests.gateway.a2a_server.endpoints import AsgiBridge

NEVER_KEPT = ("ActiveTask", "EventQueueSource", "EventQueueSink", "TaskManager", "Call", "Running")


async def begun(bridge: AsgiBridge, text: str = "wait") -> Any:
    """Begin a turn, and return its task while it goes on."""
    params = {"message": message(text), "configuration": {"returnImmediately": True}}
    return (await rpc(bridge, "SendMessage", params))["result"]["task"]


async def state_of(bridge: AsgiBridge, task_id: str) -> str:
    return str((await rpc(bridge, "GetTask", {"id": task_id}))["result"]["status"]["state"])


def test_a_cancelled_task_is_cancelled_at_once_and_lets_its_backend_go() -> None:
    async def run() -> None:
        harbour = Harbour()
        async with bridged(harbour) as bridge:
            task = await begun(bridge)
            await harbour.waiting.wait()
            answer = await rpc(bridge, "CancelTask", {"id": task["id"]})
            assert answer["result"]["status"]["state"] == "TASK_STATE_CANCELED"
            await harbour.gone.wait()
            again = await rpc(bridge, "CancelTask", {"id": task["id"]})
            assert again["error"]["code"] == -32002
            assert await state_of(bridge, task["id"]) == "TASK_STATE_CANCELED"

    asyncio.run(run())


def test_a_backend_that_does_not_let_go_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Stubborn(Harbour):
        async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
            self.turns.append(turn)
            while not self.go.is_set():
                self.waiting.set()
                try:
                    await self.go.wait()
                except asyncio.CancelledError:
                    self.gone.set()
            await tell.parts([Part("text", "too late")])
            return TurnResult()

    async def run() -> None:
        harbour = Stubborn()
        async with bridged(harbour) as bridge:
            task = await begun(bridge)
            await harbour.waiting.wait()
            answer = await rpc(bridge, "CancelTask", {"id": task["id"]})
            assert answer["result"]["status"]["state"] == "TASK_STATE_CANCELED"
            await harbour.gone.wait()
            await bridge.close()
            harbour.go.set()

    monkeypatch.setattr(executor, "STOP_SECONDS", 0.0)
    asyncio.run(run())
    assert "did not stop within" in caplog.text


def test_a_task_that_waits_for_its_caller_can_be_cancelled() -> None:
    async def run() -> None:
        async with bridged() as bridge:
            task = await sent(bridge, "ask")
            answer = await rpc(bridge, "tasks/cancel", {"id": task["id"]})
            assert answer["result"]["status"]["state"] == "canceled"

    asyncio.run(run())


def test_who_comes_back_hears_the_rest_and_two_may_listen() -> None:
    async def run() -> None:
        harbour = Harbour()
        async with bridged(harbour) as bridge:
            task = await begun(bridge)
            await harbour.waiting.wait()
            url = f"/tasks/{task['id']}:subscribe"
            listening = [asyncio.create_task(rest(bridge, method, url)) for method in ("GET", "POST")]
            active = await bridge.handler._active_task_registry.get(task["id"])
            assert active is not None
            while active._reference_count < 3:  # noqa: ASYNC110 - the SDK has no event for it
                await asyncio.sleep(0)
            harbour.go.set()
            for reply in await asyncio.gather(*listening):
                heard = events(reply)
                assert heard[0]["task"]["id"] == task["id"]
                assert heard[-2]["artifactUpdate"]["artifact"]["parts"] == [{"text": "gone on"}]
                assert heard[-1]["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED"
            assert (await rpc(bridge, "SubscribeToTask", {"id": task["id"]}))["error"]["code"] == -32004

    asyncio.run(run())


def test_a_message_to_a_task_that_has_ended_or_to_another_context_is_refused() -> None:
    async def run() -> None:
        async with bridged() as bridge:
            done, asked = await sent(bridge, "hello"), await sent(bridge, "ask")
            late = await rpc(bridge, "SendMessage", {"message": message("x", taskId=done["id"])})
            assert late["error"]["code"] == -32004
            other = message("x", taskId=asked["id"], contextId=done["contextId"])
            assert (await rpc(bridge, "SendMessage", {"message": other}))["error"]["code"] == -32602

    asyncio.run(run())


class User:
    is_authenticated = True

    def __init__(self, name: str) -> None:
        self.display_name = name


def test_a_task_of_another_user_or_agent_is_not_there() -> None:
    async def run() -> None:
        async with bridged() as bridge, bridged() as other:
            task = await sent(bridge, "ask")
            assert (await rpc(other, "GetTask", {"id": task["id"]}))["error"]["code"] == -32001

            async def as_eve(scope: Any, receive: Any, send: Any) -> None:
                await bridge({**scope, "user": User("eve")}, receive, send)

            for method in ("GetTask", "CancelTask", "SubscribeToTask"):
                answer = await rpc(as_eve, method, {"id": task["id"]})  # type: ignore[arg-type] # an ASGI application, too
                assert answer["error"]["code"] == -32001

    asyncio.run(run())


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
def test_a_task_belongs_to_who_brings_the_same_credentials(stranger: Any) -> None:
    async def run() -> None:
        async with bridged() as bridge:
            told = await rpc(bridge, "SendMessage", {"message": message("ask")}, ANN)
            task_id = told["result"]["task"]["id"]
            for method in ("GetTask", "CancelTask", "SubscribeToTask"):
                answer = await rpc(bridge, method, {"id": task_id}, stranger)
                assert answer["error"]["code"] == -32001
            going_on = {"message": message("x", taskId=task_id)}
            assert (await rpc(bridge, "SendMessage", going_on, stranger))["error"]["code"] == -32001
            assert (await rpc(bridge, "ListTasks", {}, stranger))["result"]["tasks"] == []
            listed = (await rpc(bridge, "ListTasks", {}, ANN))["result"]
            assert [task["id"] for task in listed["tasks"]] == [task_id]
            assert (await rpc(bridge, "GetTask", {"id": task_id}, ANN))["result"]["id"] == task_id
            assert not any("ann" in owner for owner in bridge.tasks._impl.tasks)

    asyncio.run(run())


def test_callers_without_credentials_reach_a_task_by_its_id_and_list_none() -> None:
    async def run() -> None:
        async with bridged() as bridge:
            task = await sent(bridge, "ask")
            listed = (await rpc(bridge, "ListTasks", {"pageSize": 7}))["result"]
            assert (listed["tasks"], listed["totalSize"], listed["pageSize"]) == ([], 0, 7)
            assert await state_of(bridge, task["id"]) == "TASK_STATE_INPUT_REQUIRED"
            mine = await rpc(bridge, "GetTask", {"id": task["id"]}, ANN)
            assert mine["error"]["code"] == -32001
            cancelled = await rpc(bridge, "CancelTask", {"id": task["id"]})
            assert cancelled["result"]["status"]["state"] == "TASK_STATE_CANCELED"

    asyncio.run(run())


def test_ended_tasks_are_forgotten_by_number_and_by_age_and_running_ones_never() -> None:
    async def run() -> None:
        now = [0.0]
        harbour = Harbour()
        async with bridged(harbour, tasks=2, retention_seconds=10.0, clock=lambda: now[0]) as bridge:
            running = (await begun(bridge))["id"]
            ids = [(await sent(bridge, text))["id"] for text in ("a", "ask", "c")]
            assert (await rpc(bridge, "GetTask", {"id": ids[0]}))["error"]["code"] == -32001
            assert await state_of(bridge, ids[1]) == "TASK_STATE_INPUT_REQUIRED"
            now[0] = 9.9
            assert await state_of(bridge, ids[2]) == "TASK_STATE_COMPLETED"
            now[0] = 10.0
            assert await state_of(bridge, running) == "TASK_STATE_WORKING"
            for task_id in ids:
                assert (await rpc(bridge, "GetTask", {"id": task_id}))["error"]["code"] == -32001

    asyncio.run(run())


def test_the_oldest_ended_tasks_are_forgotten_where_all_have_too_many_bytes() -> None:
    async def run() -> None:
        async with bridged(max_stored_bytes=2_500) as bridge:
            # A text is there twice: as it was sent, and in what was answered.
            ids = [(await sent(bridge, letter * 500))["id"] for letter in "abc"]
            assert (await rpc(bridge, "GetTask", {"id": ids[0]}))["error"]["code"] == -32001
            assert await state_of(bridge, ids[1]) == await state_of(bridge, ids[2])
            kept = bridge.tasks._impl.tasks[""]
            assert bridge.tasks._bytes == sum(task.ByteSize() for task in kept.values())
            huge = await sent(bridge, "d" * 5_000)
            assert list(kept) == [huge["id"]]

    asyncio.run(run())


def test_running_tasks_have_a_maximum_size_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that never ends its turns would fill the memory with what it reports on each."""
    monkeypatch.setattr(tasks, "_MAX_ALL_RUNNING_BYTES", 100_000)
    monkeypatch.setattr(tasks, "_SMALL_BYTES", 1_000)
    end = asyncio.Event()

    class Reporting(Harbour):
        async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
            await tell.parts([Part("raw", b"x" * int(turn.parts[0].value))])
            await end.wait()
            return TurnResult()

    async def run() -> None:
        async with bridged(Reporting()) as bridge:
            sizes = (40_000, 40_000, 40_000, 100)
            ids = [(await begun(bridge, str(size)))["id"] for size in sizes]
            await becomes_failed(bridge, ids[2])
            states = [await state_of(bridge, task_id) for task_id in ids]
            working, failed = "TASK_STATE_WORKING", "TASK_STATE_FAILED"
            assert states == [working, working, failed, working]
            end.set()
            while bridge.tasks._running:  # noqa: ASYNC110 - the store has no event for it
                await asyncio.sleep(0.01)
            assert (await sent(bridge, "40000"))["status"]["state"] == "TASK_STATE_COMPLETED"

    async def becomes_failed(bridge: AsgiBridge, task_id: str) -> None:
        while await state_of(bridge, task_id) == "TASK_STATE_WORKING":  # noqa: ASYNC110 - the store has no event for it
            await asyncio.sleep(0.01)

    asyncio.run(run())


@pytest.mark.parametrize("form", ["sent", "streamed", "asked for"])
def test_a_task_that_is_too_large_is_kept_until_it_is_answered(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "MAX_TASK_BYTES", 2_000)
    long = "x" * 2_000

    async def run() -> None:
        harbour = Harbour()
        async with bridged(harbour) as bridge:
            small = await sent(bridge, "hello")
            waiting = await begun(bridge)
            match form:
                case "sent":
                    task = await sent(bridge, long)
                case "streamed":
                    told = events(await rest(bridge, "POST", "/message:stream", {"message": message(long)}))
                    task = told[0]["task"]
                    assert told[-2]["artifactUpdate"]["artifact"]["parts"] == [{"text": f"you said {long}"}]
                case _:
                    task = await begun(bridge, long)
                    assert task["status"]["state"] == "TASK_STATE_WORKING"
                    while ("", task["id"]) not in bridge.tasks._idle:  # noqa: ASYNC110 - the SDK has no event
                        await asyncio.sleep(0)
                    task = (await rpc(bridge, "GetTask", {"id": task["id"]}))["result"]
                    assert task["artifacts"][0]["parts"] == [{"text": f"you said {long}"}]
            assert (await rpc(bridge, "GetTask", {"id": task["id"]}))["error"]["code"] == -32001
            assert await state_of(bridge, small["id"]) == "TASK_STATE_COMPLETED"
            assert await state_of(bridge, waiting["id"]) == "TASK_STATE_WORKING"

    asyncio.run(run())


@pytest.mark.parametrize("streamed", [False, True])
def test_one_turn_more_than_may_run_is_refused_and_leaves_no_task_behind(*, streamed: bool) -> None:
    async def run() -> None:
        harbour = Harbour()
        async with bridged(harbour, concurrency=2) as bridge:
            first, _ = await begun(bridge), await begun(bridge)
            url = "/message:stream" if streamed else "/message:send"
            reply = await rest(bridge, "POST", url, {"message": message("hello")})
            assert (reply.status, reply.reason) == (429, "RATE_LIMITED")
            assert reply.headers["retry-after"] == "1"
            assert len(bridge.tasks._impl.tasks[""]) == 2
            await rpc(bridge, "CancelTask", {"id": first["id"]})
            await harbour.gone.wait()
            assert (await rest(bridge, "POST", url, {"message": message("hello")})).status == 200

    asyncio.run(run())


def test_no_more_turns_run_than_may_however_many_come_at_once() -> None:
    async def run() -> None:
        harbour = Harbour()
        async with bridged(harbour, concurrency=3) as bridge:
            body = {"message": message("wait"), "configuration": {"returnImmediately": True}}
            replies = await asyncio.gather(*(rest(bridge, "POST", "/message:send", body) for _ in range(20)))
            assert sorted(reply.status for reply in replies) == [200] * 3 + [429] * 17
            harbour.go.set()
            while bridge._executor.running:  # noqa: ASYNC110 - the SDK has no event for it
                await asyncio.sleep(0)
            assert not bridge._executor._slots
            assert len(harbour.turns) == 3

    asyncio.run(run())


def test_a_turn_that_is_refused_for_its_own_sake_holds_no_place() -> None:
    async def run() -> None:
        async with bridged(concurrency=1) as bridge:
            for text in ("refuse", "unready", "broken check"):
                assert "error" in await rpc(bridge, "SendMessage", {"message": message(text)})
            assert (await sent(bridge, "hello"))["status"]["state"] == "TASK_STATE_COMPLETED"

    asyncio.run(run())


@pytest.mark.bulk
def test_a_thousand_calls_in_a_row_leave_nothing_behind() -> None:
    def counted() -> Counter[str]:
        gc.collect()
        return Counter(type(one).__name__ for one in gc.get_objects())

    async def run() -> None:
        harbour = Harbour()
        async with bridged(harbour, tasks=50) as bridge:
            kinds = ("hello", "pieces", "reject", "refuse")

            async def some(number: int) -> None:
                for index in range(number):
                    method = "SendMessage" if index % 2 else "SendStreamingMessage"
                    made = message(kinds[index % 4])
                    if index % 2:
                        await rpc(bridge, method, {"message": made})
                    else:
                        await rest(bridge, "POST", "/message:stream", {"message": made})
                harbour.turns.clear()
                for _ in range(20):
                    await asyncio.sleep(0)

            await some(200)
            before, tasks = counted(), len(asyncio.all_tasks())
            for _ in range(4):
                await some(200)
            async with asyncio.timeout(30):
                while len(asyncio.all_tasks()) != tasks:  # noqa: ASYNC110 - the SDK has no event for it
                    await asyncio.sleep(0.01)
            after = counted()
            assert bridge.handler._active_task_registry._active_tasks == {}
            assert bridge.tasks._idle.keys() == {("", one) for one in bridge.tasks._impl.tasks[""]}
            assert len(bridge.tasks._idle) == 50
            assert {name: after[name] for name in NEVER_KEPT if after[name] > before[name]} == {}
            # One of four calls would make 200; caches of classes and weak references grow by less, once.
            grown = {name: n - before[name] for name, n in after.items() if n - before[name] >= 200}
            assert grown == {}

    asyncio.run(run())


def test_what_runs_when_a_bridge_is_closed_is_cancelled_and_no_task_of_asyncio_is_left() -> None:
    async def run() -> None:
        harbour = Harbour()
        async with bridged(harbour) as bridge:
            sending = asyncio.create_task(sent(bridge, "wait"))
            await harbour.waiting.wait()
            await bridge.close()
            assert (await sending)["status"]["state"] == "TASK_STATE_CANCELED"
            assert harbour.gone.is_set()
        left = [one for one in asyncio.all_tasks() if one is not asyncio.current_task()]
        assert [one.get_coro().__qualname__ for one in left if "_shutdown_watcher" not in repr(one)] == []  # type: ignore[union-attr] # a task that runs has one

    asyncio.run(run())


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


class Scripted(Harbour):
    def __init__(self, steps: list[Any], end: TurnResult) -> None:
        super().__init__()
        self._steps = steps
        self._end = end

    async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
        self.turns.append(turn)
        for index, step in enumerate(self._steps):
            if isinstance(step, str):
                await tell.progress(step, done=index)
            else:
                await tell.parts(step)
        return self._end


def alike(task: Any) -> Any:
    """A task without what is another one each time."""
    text = json.dumps(task, sort_keys=True)
    for name in (task["id"], task["contextId"]):
        text = text.replace(name, "")
    bare = json.loads(text)

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: strip(one) for name, one in value.items() if name not in ("timestamp", "messageId")}
        return [strip(one) for one in value] if isinstance(value, list) else value

    return strip(bare)


def followed(told: list[Any]) -> list[Any]:
    """The parts that who follows a stream has at its end."""
    parts: list[Any] = []
    for one in told:
        update = one.get("artifactUpdate")
        if update is not None:
            new = update["artifact"].get("parts", [])
            parts = [*parts, *new] if update.get("append") else new
    return parts


@given(STEPS, ENDS)
def test_sent_or_streamed_the_task_ends_the_same(steps: list[Any], end: TurnResult) -> None:
    async def run() -> None:
        async with bridged(Scripted(steps, end)) as bridge:
            task = await sent(bridge, "x")
            told = events(await rest(bridge, "POST", "/message:stream", {"message": message("x")}))
            streamed = (await rpc(bridge, "GetTask", {"id": told[0]["task"]["id"]}))["result"]
        assert alike(streamed) == alike(task)
        assert told[-1]["statusUpdate"]["status"] == streamed["status"]
        assert followed(told) == [part for one in streamed.get("artifacts", []) for part in one["parts"]]
        given_parts = [part for step in steps if isinstance(step, tuple) for part in step] + list(end.parts)
        assert len(followed(told)) == len(given_parts)

    asyncio.run(run())
