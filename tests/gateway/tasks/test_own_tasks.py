"""Managed tasks: durable, owned by one caller, and with the same result on every route."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from cardwright.http.problem import HttpError
from cardwright_gateway.a2a_server import endpoint
from cardwright_gateway.a2a_server.executor import STOP_SECONDS
from cardwright_gateway.auth.principal import Principal
from tests.gateway.tasks.gateways import (
    TERMINAL,
    agent_at,
    function,
    message,
    owned,
    start_upstream_task,
    upstream_task_id,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.processes import Process
    from tests.gateway.tasks.gateways import Owned

NOT_FOUND = -32001


async def test_a_task_survives_a_restart(tmp_path: Path) -> None:
    store = str(tmp_path / "gateway.db")
    async with owned({"greeter": function("answer")}, store=store) as first:
        caller = await first.key("greeter")
        task = await caller.send("two words")
    async with owned({"greeter": function("answer")}, store=store) as second:
        again = type(caller)(second.gateway, "greeter", caller.credentials)
        assert (await again.rpc("GetTask", {"id": task["id"]}))["result"] == task
        listed = (await again.rpc("ListTasks", {}))["result"]
        assert [one["id"] for one in listed["tasks"]] == [task["id"]]


async def test_a_task_belongs_to_its_caller() -> None:
    async with owned({"greeter": function("answer"), "other": function("answer")}) as gateway:
        ann, bob = await gateway.key("greeter"), await gateway.key("greeter")
        elsewhere = await gateway.key("other")
        task = await ann.send("two words")
        for stranger in (bob, elsewhere):
            for method in ("GetTask", "CancelTask", "SubscribeToTask"):
                answer = await stranger.rpc(method, {"id": task["id"]})
                assert answer["error"]["code"] == NOT_FOUND, method
            assert (await stranger.rpc("ListTasks", {}))["result"]["tasks"] == []


async def test_anonymous_callers_find_a_task_by_id_and_list_none() -> None:
    agents = {"greeter": function("answer", access="open", tasks="own")}
    async with owned(agents) as gateway:
        anonymous = gateway.anonymous("greeter")
        task = await anonymous.send("two words")
        assert (await anonymous.rpc("GetTask", {"id": task["id"]}))["result"] == task
        assert (await anonymous.rpc("ListTasks", {}))["result"]["tasks"] == []


async def test_a_rotated_key_keeps_its_tasks() -> None:
    async with owned({"greeter": function("answer")}) as gateway:
        caller = await gateway.key("greeter")
        task = await caller.send("two words")
        (record,) = await asyncio.to_thread(gateway.gateway.keys.list, "greeter")
        _, secret = await asyncio.to_thread(
            lambda: gateway.gateway.keys.rotate(record.id, holder="greeter", actor="test")
        )
        renewed = type(caller)(gateway.gateway, "greeter", {"X-Agent-API-Key": secret})
        assert (await renewed.rpc("GetTask", {"id": task["id"]}))["result"]["id"] == task["id"]
        refused = await caller.rpc("GetTask", {"id": task["id"]})
        assert refused["error"]["data"][0]["reason"] == "UNAUTHENTICATED"


@pytest.mark.process
async def test_a_managed_task_has_the_upstream_result_sent_or_streamed(upstream_agent: Process) -> None:
    async with owned({"tides": agent_at(upstream_agent)}) as gateway:
        caller = await gateway.key("tides")
        sent = await caller.send("task")
        events = await caller.stream("task")
        streamed_id = events[0]["task"]["id"]
        streamed = (await caller.rpc("GetTask", {"id": streamed_id}))["result"]
        assert sent["status"]["state"] == streamed["status"]["state"] == TERMINAL
        assert sent["artifacts"] == streamed["artifacts"]
        assert [part["text"] for part in sent["artifacts"][0]["parts"]] == ["high ", "water"]
        assert sent["artifacts"][1]["parts"] == [{"data": {"metres": 3.1}}]
        assert len(events) > 4


@pytest.mark.process
async def test_an_input_required_task_continues_after_a_restart(
    upstream_agent: Process, tmp_path: Path
) -> None:
    store = str(tmp_path / "gateway.db")
    async with owned({"tides": agent_at(upstream_agent)}, store=store) as first:
        caller = await first.key("tides")
        task = await caller.send("ask")
        assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        assert task["status"]["message"]["parts"] == [{"text": "which port?"}]
    async with owned({"tides": agent_at(upstream_agent)}, store=store) as second:
        again = type(caller)(second.gateway, "tides", caller.credentials)
        ended = await again.send("Brest", taskId=task["id"])
        assert ended["id"] == task["id"]
        assert ended["status"]["message"]["parts"] == [{"text": "so it is Brest"}]


@pytest.mark.process
async def test_a_cancellation_reaches_the_upstream_agent(upstream_agent: Process) -> None:
    async with owned({"tides": agent_at(upstream_agent)}) as gateway:
        caller = await gateway.key("tides")
        answer = await caller.rpc(
            "SendMessage", {**message("wait"), "configuration": {"returnImmediately": True}}
        )
        task_id = answer["result"]["task"]["id"]
        upstream = await upstream_task_id(gateway, task_id)
        cancelled = await caller.rpc("CancelTask", {"id": task_id})
        assert cancelled["result"]["status"]["state"] == "TASK_STATE_CANCELED"
        body = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": upstream}}
        async with httpx.AsyncClient() as http:
            response = await http.post(upstream_agent.origin, json=body, headers={"A2A-Version": "1.0"})
        assert response.json()["result"]["status"]["state"] == "TASK_STATE_CANCELED"


async def test_a_task_is_cancelled_though_its_agent_ignores_cancellation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert STOP_SECONDS == 5
    monkeypatch.setattr(endpoint, "A2aServer", partial(endpoint.A2aServer, stop_seconds=0.05))

    async with owned({"slow": function("stubborn")}) as gateway:
        caller = await gateway.key("slow")
        answer = await caller.rpc(
            "SendMessage", {**message("never"), "configuration": {"returnImmediately": True}}
        )
        task_id = answer["result"]["task"]["id"]
        cancelled = await caller.rpc("CancelTask", {"id": task_id})
        assert cancelled["result"]["status"]["state"] == "TASK_STATE_CANCELED"
        again = await caller.rpc("CancelTask", {"id": task_id})
        assert again["error"]["code"] == -32002


async def test_a_task_beyond_its_retention_is_not_found() -> None:
    async with owned({"greeter": function("answer"), "slow": function("forever")}) as gateway:
        caller, slow = await gateway.key("greeter"), await gateway.key("slow")
        ended = await caller.send("two words")
        immediately = {**message("never"), "configuration": {"returnImmediately": True}}
        running = (await slow.rpc("SendMessage", immediately))["result"]["task"]
        durable = gateway.gateway.task_service
        assert durable is not None
        while durable.cleaner is None:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
        assert await durable.cleaner.delete_expired(4e9) == 1
        gone = await caller.rpc("GetTask", {"id": ended["id"]})
        assert gone["error"]["code"] == NOT_FOUND
        subscribed = await caller.rpc("SubscribeToTask", {"id": ended["id"]})
        assert subscribed["error"]["code"] == NOT_FOUND
        # A running task is not deleted, however old it is.
        assert "result" in await slow.rpc("GetTask", {"id": running["id"]})


async def test_a_task_of_a_dead_process_fails_with_the_reason(tmp_path: Path) -> None:
    store = str(tmp_path / "gateway.db")
    immediately = {**message("never"), "configuration": {"returnImmediately": True}}
    async with owned({"slow": function("forever")}, store=store) as first:
        caller = await first.key("slow")
        task = (await caller.rpc("SendMessage", immediately))["result"]["task"]
        async with owned({"slow": function("forever")}, store=store) as second:
            durable = second.gateway.task_service
            assert durable is not None
            while durable.cleaner is None:  # noqa: ASYNC110 - no event exists for it
                await asyncio.sleep(0)
            # As if the first were killed: on SQLite there is only one process.
            for lost in await durable.cleaner.lost([], durable.replicas.id, ()):
                await durable.cleaner.end(lost)
            again = type(caller)(second.gateway, "slow", caller.credentials)
            stored = (await again.rpc("GetTask", {"id": task["id"]}))["result"]
            assert stored["status"]["state"] == "TASK_STATE_FAILED"
            assert "send the message again" in stored["status"]["message"]["parts"][0]["text"]


@pytest.mark.process
async def test_the_response_is_the_same_by_a2a_invoke_and_mcp(upstream_agent: Process) -> None:
    agents = {
        "tides": agent_at(upstream_agent),
        "through": {"url": upstream_agent.origin, "invoke": True},
        "words": function("answer", invoke=True),
    }
    async with owned(agents) as gateway:
        for agent_id in agents:
            caller = await gateway.key(agent_id) if agent_id != "through" else gateway.anonymous(agent_id)
            result = (await caller.rpc("SendMessage", message("hello you")))["result"]
            holders = result["task"]["artifacts"] if "task" in result else [result["message"]]
            text = "".join(part["text"] for holder in holders for part in holder["parts"])
            invoked = await caller.at("v1/invoke", {"message": "hello you"})
            assert (invoked.status, json.loads(invoked.body)["reply"]) == (200, text)
            kinds = {"Accept": "application/json, text/event-stream"}
            listed = await caller.at("mcp", json.loads(rpc_body("tools/list", {})), **kinds)
            tool = _answer(listed.body)["result"]["tools"][0]["name"]
            called = {"name": tool, "arguments": {"message": "hello you"}}
            answered = await caller.at("mcp", json.loads(rpc_body("tools/call", called)), **kinds)
            assert _answer(answered.body)["result"]["content"][0]["text"] == text


def rpc_body(method: str, params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def _answer(body: bytes) -> Any:
    lines = [line[6:] for line in body.decode().splitlines() if line.startswith("data: ")]
    return json.loads(lines[-1] if lines else body)


def senders(gateway: Owned) -> list[Any]:
    """Return the list to which each turn of the agent adds its sender."""
    heard: list[Any] = []
    backend = gateway.gateway.agent("greeter").backend
    assert backend is not None
    runs = backend.run

    async def listening(turn: Any, reporter: Any) -> Any:
        heard.append(turn.metadata.get("from"))
        return await runs(turn, reporter)

    backend.run = listening  # type: ignore[method-assign] # to listen
    return heard


async def test_agents_get_the_caller_identity_and_it_cannot_be_forged() -> None:
    async with owned({"greeter": function("answer")}) as gateway:
        caller, heard = await gateway.key("greeter"), senders(gateway)
        await caller.rpc("SendMessage", message("hi"), **{"X-A2A-Agent-ID": "their-platform/agent-7"})
        forged = message("hi", metadata={"from": {"owner_id": "somebody"}})
        await caller.rpc("SendMessage", forged)
        bad = await caller.rpc("SendMessage", message("hi"), **{"X-A2A-Agent-ID": "x" * 257})
        assert bad["error"]["data"][0]["reason"] == "BAD_HEADER"
    assert heard == [{"owner_id": "acme", "caller_id": "their-platform/agent-7"}, {"owner_id": "acme"}]


@pytest.mark.process
async def test_one_context_id_of_two_callers_is_two_contexts(upstream_agent: Process) -> None:
    async with owned({"tides": agent_at(upstream_agent)}) as gateway:
        ann, bob = await gateway.key("tides"), await gateway.key("tides")
        one = await ann.send("task", contextId="c-1")
        other = await bob.send("task", contextId="c-1")
        assert one["contextId"] == other["contextId"] == "c-1"
        agent = gateway.gateway.agent("tides")
        assert agent.own is not None
        contexts = [await agent.own.known.find(task["id"]) for task in (one, other)]
        assert contexts[0] is not None
        assert contexts[1] is not None
        assert contexts[0][1] != contexts[1][1]
        assert "c-1" not in (contexts[0][1], contexts[1][1])


@pytest.mark.process
async def test_a_task_of_an_upstream_agent_continues_after_a_restart(
    upstream_agent: Process, tmp_path: Path
) -> None:
    store = str(tmp_path / "gateway.db")
    async with owned({"tides": agent_at(upstream_agent)}, store=store) as first:
        caller, task_id, upstream = await start_upstream_task(first)
    async with (
        owned({"tides": agent_at(upstream_agent)}, store=store) as second,
        httpx.AsyncClient() as http,
    ):
        again = type(caller)(second.gateway, "tides", caller.credentials)
        stored = (await again.rpc("GetTask", {"id": task_id}))["result"]
        assert stored["status"]["state"] == "TASK_STATE_WORKING"
        # The upstream agent ends it, without a message of the gateway.
        body = {"jsonrpc": "2.0", "id": 1, "method": "CancelTask", "params": {"id": upstream}}
        await http.post(upstream_agent.origin, json=body, headers={"A2A-Version": "1.0"})
        async with asyncio.timeout(60):
            while stored["status"]["state"] == "TASK_STATE_WORKING":
                await asyncio.sleep(0.05)
                stored = (await again.rpc("GetTask", {"id": task_id}))["result"]
        assert stored["status"]["state"] == "TASK_STATE_CANCELED"


@pytest.mark.process
async def test_cancelling_an_input_required_task_reaches_the_upstream_agent(upstream_agent: Process) -> None:
    async with owned({"tides": agent_at(upstream_agent)}) as gateway, httpx.AsyncClient() as http:
        caller = await gateway.key("tides")
        task = await caller.send("ask")
        upstream = await upstream_task_id(gateway, task["id"])
        await caller.rpc("CancelTask", {"id": task["id"]})
        body = {"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": upstream}}
        response = await http.post(upstream_agent.origin, json=body, headers={"A2A-Version": "1.0"})
        assert response.json()["result"]["status"]["state"] == "TASK_STATE_CANCELED"


async def test_anonymous_callers_take_at_most_half_of_the_turns() -> None:
    """A turn continues when its caller disconnects: strangers could otherwise use all of them."""
    agents = {"idle": function("forever", access="open", concurrency=4)}
    immediately = {"configuration": {"returnImmediately": True}}

    async with owned(agents) as of:
        stranger, caller = of.anonymous("idle"), await of.key("idle")
        for number in range(2):
            assert "result" in await stranger.rpc("SendMessage", {**message(f"{number}"), **immediately})
        refused = await stranger.rpc("SendMessage", {**message("2"), **immediately})
        assert refused["error"]["data"][0]["reason"] == "RATE_LIMITED"
        for number in range(2):
            assert "result" in await caller.rpc("SendMessage", {**message(f"own {number}"), **immediately})
        full = await caller.rpc("SendMessage", {**message("own 2"), **immediately})
        assert full["error"]["data"][0]["reason"] == "RATE_LIMITED"


async def test_anonymous_callers_make_at_most_half_of_the_calls() -> None:
    async with owned({"idle": function("forever", access="open", concurrency=2)}) as of:
        agent = of.gateway.agent("idle")
        with agent.calling(""):
            with pytest.raises(HttpError), agent.calling(""):
                pass
            with agent.calling("key:one"):
                pass
        with agent.calling(""):
            pass


async def test_agents_get_the_identity_of_a_user_who_owns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def user(*_: Any) -> Principal:
        return Principal("user", "user:x")

    async with owned({"greeter": function("answer")}) as gateway:
        heard = senders(gateway)
        monkeypatch.setattr(gateway.gateway.identity, "principal", user)
        await gateway.anonymous("greeter").send("hi")
    assert heard == [{"owner_id": "user:x"}]
