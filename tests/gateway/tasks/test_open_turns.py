"""Tasks that the upstream agent leaves open: calls return in time, and open tasks do not count as calls."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tests.cards import least_card
from tests.gateway.gateways import CARD
from tests.gateway.tasks.gateways import TERMINAL, Caller, message, owned
from tests.gateway.waiting import wait_until
from tests.peers import RecordedRequest, Reply, peer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import pytest

WORKING = "TASK_STATE_WORKING"
JSON = {"Content-Type": "application/json"}


class OpenTaskAgent:
    """An A2A 1.0 agent that leaves its tasks working until the test ends them."""

    def __init__(self, *, streams: bool = False) -> None:
        self.streams = streams
        self.tasks: dict[str, str] = {}
        self.ends = asyncio.Event()
        self.continued: list[str] = []

    def __call__(self, request: RecordedRequest) -> Reply:
        if request.method == "GET":
            card = least_card(f"http://{request.headers['host']}/", capabilities={"streaming": self.streams})
            return Reply(200, json.dumps(card).encode(), JSON)
        call = json.loads(request.body)
        if call["method"] in ("SendMessage", "SendStreamingMessage"):
            earlier = call["params"]["message"].get("taskId")
            if earlier:
                self.continued.append(earlier)
            task_id = earlier or f"behind-{len(self.tasks)}"
            self.tasks[task_id] = WORKING
            reply = self.result(call, {"task": self.task(task_id)})
            if call["method"] == "SendMessage":
                return reply
            # The stream ends, and the task does not.
            return Reply(200, b"data: " + reply.body + b"\n\n", {"Content-Type": "text/event-stream"})
        task_id = call["params"]["id"]
        if self.ends.is_set():
            self.tasks[task_id] = TERMINAL
        if call["method"] == "CancelTask":
            self.tasks[task_id] = "TASK_STATE_CANCELED"
        return self.result(call, self.task(task_id))

    def task(self, task_id: str) -> dict[str, Any]:
        return {"id": task_id, "contextId": "c", "status": {"state": self.tasks[task_id]}}

    @staticmethod
    def result(call: dict[str, Any], value: Any) -> Reply:
        body = {"jsonrpc": "2.0", "id": call["id"], "result": value}
        return Reply(200, json.dumps(body).encode(), JSON)


@asynccontextmanager
async def left_open(*, streams: bool = False) -> AsyncGenerator[tuple[OpenTaskAgent, str]]:
    """Serve an agent that leaves its tasks open, at an origin."""
    peer_agent = OpenTaskAgent(streams=streams)
    async with peer(peer_agent) as one:
        yield peer_agent, one.origin


@asynccontextmanager
async def caller_of_open_tasks(
    *, streams: bool = False, **more: Any
) -> AsyncGenerator[tuple[OpenTaskAgent, Caller]]:
    """Serve an agent that leaves its tasks open; yield it, and a caller of the gateway before it."""
    async with (
        left_open(streams=streams) as (peer_agent, origin),
        owned({"tides": {"url": origin, "tasks": "own", **more}}) as gateway,
    ):
        yield peer_agent, gateway.anonymous("tides")


async def ended(caller: Caller, task: dict[str, Any]) -> dict[str, Any]:
    """Return a task when it works no longer."""

    async def works_no_longer() -> bool:
        nonlocal task
        task = (await caller.rpc("GetTask", {"id": task["id"]}))["result"]
        return bool(task["status"]["state"] != WORKING)

    await wait_until(works_no_longer)
    return task


GO: list[asyncio.Event] = []


async def slow(text: str) -> str:
    """Answer when the test says so."""
    await GO[-1].wait()
    return text


async def test_a_call_waits_up_to_the_setting_and_the_turn_continues() -> None:
    GO.append(asyncio.Event())
    agent = {"card": CARD, "backend": {"python": f"{__name__}:slow"}, "tasks": "own"}
    async with owned({"tides": agent}, tasks={"blocking_seconds": 1}) as gateway:
        caller = gateway.anonymous("tides")
        task = await caller.send("high water")

        assert task["status"]["state"] == WORKING
        GO[-1].set()
        assert (await ended(caller, task))["artifacts"][0]["parts"] == [{"text": "high water"}]


async def test_a_call_returns_a_task_left_open_and_the_task_continues() -> None:
    async with caller_of_open_tasks() as (peer_agent, caller):
        began = time.monotonic()
        task = await caller.send("high water")

        assert task["status"]["state"] == WORKING
        assert time.monotonic() - began < 20
        peer_agent.ends.set()
        assert (await ended(caller, task))["status"]["state"] == TERMINAL


async def test_a_stream_ends_with_the_upstream_stream_and_the_task_continues() -> None:
    async with caller_of_open_tasks(streams=True) as (peer_agent, caller):
        events = await caller.stream("high water")

        task = events[0]["task"]
        assert task["status"]["state"] == WORKING
        peer_agent.ends.set()
        assert (await ended(caller, task))["status"]["state"] == TERMINAL


async def test_a_stream_of_an_agent_without_streaming_lasts_until_the_task_ends() -> None:
    async with caller_of_open_tasks() as (peer_agent, caller):
        asyncio.get_running_loop().call_later(1.0, peer_agent.ends.set)
        events = await caller.stream("high water")

        assert events[-1]["statusUpdate"]["status"]["state"] == TERMINAL


async def test_a_message_to_an_open_task_reaches_the_agent_at_once() -> None:
    async with caller_of_open_tasks() as (peer_agent, caller):
        task = await caller.send("high water")
        began = time.monotonic()
        again = await caller.send("and low water", taskId=task["id"])

        assert (again["id"], again["status"]["state"]) == (task["id"], WORKING)
        assert time.monotonic() - began < 20
        assert peer_agent.continued == ["behind-0"]
        peer_agent.ends.set()
        assert (await ended(caller, again))["status"]["state"] == TERMINAL


async def test_open_tasks_do_not_count_as_running_calls_and_can_be_cancelled() -> None:
    async with caller_of_open_tasks(concurrency=1) as (peer_agent, caller):
        tasks = [await caller.send(f"number {number}") for number in range(4)]

        assert [task["status"]["state"] for task in tasks] == [WORKING] * 4
        for task in tasks:
            cancelled = (await caller.rpc("CancelTask", {"id": task["id"]}))["result"]
            assert cancelled["status"]["state"] == "TASK_STATE_CANCELED"
        assert set(peer_agent.tasks.values()) == {"TASK_STATE_CANCELED"}


async def test_open_tasks_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright_gateway.a2a_server.executor._PER_CONCURRENT", 2)

    async with caller_of_open_tasks(concurrency=1) as (peer_agent, caller):
        tasks = [await caller.send(f"number {number}") for number in range(2)]
        refused = await caller.rpc("SendMessage", message("one too many"))

        assert refused["error"]["data"][0]["reason"] == "RATE_LIMITED"
        peer_agent.ends.set()
        await ended(caller, tasks[0])
        assert (await caller.send("now"))["status"]["state"] == WORKING


async def test_concurrent_messages_to_an_open_task_all_arrive_without_waiting() -> None:
    async with caller_of_open_tasks() as (peer_agent, caller):
        task = await caller.send("high water")
        more = [message(f"and {number}", taskId=task["id"]) for number in range(5)]

        replies = await asyncio.gather(*(caller.rpc("SendMessage", one) for one in more))

        taken = [reply for reply in replies if "result" in reply]
        refused = [reply["error"] for reply in replies if "error" in reply]
        # The agent gets each accepted message: several if they came in sequence.
        assert 1 <= len(taken) == len(peer_agent.continued)
        assert {error["data"][0]["reason"] for error in refused} <= {"UNSUPPORTED_OPERATION"}
        assert all("the task is running" in error["message"] for error in refused)
        assert (await caller.send("and now", taskId=task["id"]))["status"]["state"] == WORKING
        assert len(peer_agent.continued) == len(taken) + 1


async def test_a_message_to_a_running_task_is_refused() -> None:
    GO.append(asyncio.Event())
    agent = {"card": CARD, "backend": {"python": f"{__name__}:slow"}, "tasks": "own"}
    async with owned({"tides": agent}, tasks={"blocking_seconds": 1}) as gateway:
        caller = gateway.anonymous("tides")
        task = await caller.send("high water")
        refused = await caller.rpc("SendMessage", message("and low", taskId=task["id"]))

        assert refused["error"]["data"][0]["reason"] == "UNSUPPORTED_OPERATION"
        GO[-1].set()
        await ended(caller, task)


async def test_open_tasks_of_anonymous_callers_do_not_block_callers_with_a_key() -> None:
    async with left_open() as (_, origin):
        agent = {"url": origin, "tasks": "own", "concurrency": 1, "owner": "acme", "access": "open"}
        port = int(origin.rpartition(":")[2])
        async with owned({"tides": agent}, allow=["127.0.0.0/8"], ports=[port]) as gateway:
            strangers, keyed = gateway.anonymous("tides"), await gateway.key("tides")
            tasks = [await strangers.send(f"number {number}") for number in range(20)]

            assert (await keyed.send("with a key"))["status"]["state"] == WORKING
            oldest = await ended(strangers, tasks[0])
            assert oldest["status"]["state"] == "TASK_STATE_FAILED"
            assert "left too many tasks open" in oldest["status"]["message"]["parts"][0]["text"]
            youngest = await strangers.rpc("GetTask", {"id": tasks[-1]["id"]})
            assert youngest["result"]["status"]["state"] == WORKING


async def test_open_tasks_of_anonymous_callers_use_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright_gateway.a2a_server.executor._STRANGERS_BYTES", 300_000)

    async with left_open() as (_, origin), owned({"tides": {"url": origin, "tasks": "own"}}) as gateway:
        caller = gateway.anonymous("tides")
        tasks = [await caller.send("x" * 100_000, messageId=f"m-{number}") for number in range(4)]

        assert (await ended(caller, tasks[0]))["status"]["state"] == "TASK_STATE_FAILED"
        bodies = gateway.gateway.application.bodies
        await wait_until(lambda: bodies.taken <= 300_000)


async def test_a_0_3_agent_gets_its_own_output_modes_as_accepted() -> None:
    configurations: list[Any] = []

    def answer(request: RecordedRequest) -> Reply:
        if request.method == "GET":
            card = least_card(f"http://{request.headers['host']}/", capabilities={"streaming": False})
            url = card.pop("supportedInterfaces")[0]["url"]
            return Reply(200, json.dumps({**card, "url": url, "protocolVersion": "0.3.0"}).encode(), JSON)
        call = json.loads(request.body)
        configurations.append(call["params"]["configuration"])
        parts = [{"kind": "text", "text": "7"}]
        return OpenTaskAgent.result(
            call, {"kind": "message", "messageId": "r", "role": "agent", "parts": parts}
        )

    async with peer(answer) as one, owned({"tides": {"url": one.origin, "tasks": "own"}}) as gateway:
        response = await gateway.anonymous("tides").rpc("SendMessage", message("high water"))
        assert "result" in response
    assert [one["acceptedOutputModes"] for one in configurations] == [["text/plain"]]
