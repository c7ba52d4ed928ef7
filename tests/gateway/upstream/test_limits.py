"""A managed task fails with a reason when the agent's messages are too large."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_gateway.backends.a2a_events import TurnReader
from tests.gateway.backends.test_function import RecordingReporter
from tests.gateway.faulty_agents import CARD, JSON, card, served
from tests.gateway.gateways import JSON as REQUEST
from tests.gateway.gateways import gateway, rpc
from tests.gateway.tasks.gateways import message
from tests.peers import Reply, peer

if TYPE_CHECKING:
    from tests.peers import RecordedRequest

STREAM = {"Content-Type": "text/event-stream"}
MORE: dict[str, Any] = {"webhooks": {"enabled": False}, "limits": {"requests": 0}}
TASK = {"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}
LARGE = {
    "values": b"[" + b"1," * 10_000 + b"1]",
    "levels": b"[" * 10_001,
    "bytes": b'"' + b"a" * 8 * 1024 * 1024 + b'"',
}


def envelope(call_id: Any, result: bytes) -> bytes:
    return b'{"jsonrpc": "2.0", "id": ' + json.dumps(call_id).encode() + b', "result": ' + result + b"}"


@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("place", ["response", "first event", "later event", "poll"])
async def test_a_message_that_is_too_large_fails_the_task_at_once(place: str, kind: str) -> None:
    methods: list[str] = []
    working = json.dumps({"task": TASK}).encode()

    def answer(request: RecordedRequest) -> Reply:
        origin = f"http://{request.headers['host']}"
        if request.path == CARD:
            return served(card(origin, capabilities={"streaming": "event" in place}))
        call = json.loads(request.body)
        methods.append(call["method"])
        large = envelope(call["id"], b'{"task": {"metadata": {"a": ' + LARGE[kind] + b"}}}")
        small = envelope(call["id"], working)
        match place:
            case "first event":
                return Reply(200, b"data: " + large + b"\n\n", STREAM)
            case "later event":
                return Reply(200, b"data: " + small + b"\n\n" + b"data: " + large + b"\n\n", STREAM)
            case "poll" if call["method"] != "GetTask":
                return Reply(200, small, JSON)
            case _:
                return Reply(200, large, JSON)

    async with peer(answer) as there:
        agents = {"tides": {"url": there.origin, "tasks": "own", "access": "open"}}
        async with gateway(agents=agents, **MORE) as send:
            reply = await send("POST", "/tides", REQUEST, rpc("SendMessage", message("hello")))
            task = reply.json["result"]["task"]
            # The agent left its task open, so the call returned it, and the task continues.
            async with asyncio.timeout(60):
                while place == "poll" and task["status"]["state"] == "TASK_STATE_WORKING":
                    await asyncio.sleep(0.05)
                    reply = await send("POST", "/tides", REQUEST, rpc("GetTask", {"id": task["id"]}))
                    task = reply.json["result"]
            status = task["status"]
            assert status["state"] == "TASK_STATE_FAILED"
            text = status["message"]["parts"][0]["text"]
            limit = "8,388,608 bytes" if kind == "bytes" else "10,000 JSON values"
            assert text == (f"the agent's response is too large: a message of the response exceeds {limit}")
            assert status["message"]["metadata"]["reason"] == "UPSTREAM_INVALID"
            # The gateway does not request the too large message again, and serves other calls.
            assert len(methods) == (2 if place == "poll" else 1)
            assert (await send("GET", f"/tides{CARD}")).status == 200


@pytest.mark.parametrize(
    "wrong", [{"id": "x" * 513}, {"contextId": "x" * 513}, {"status": {"state": "TASK_STATE_DREAMING"}}]
)
async def test_a_task_of_the_agent_that_cannot_be_followed_fails(wrong: dict[str, Any]) -> None:
    """An id would be stored, and no limit counts it; a task with a state of another protocol would not end."""

    def answer(request: RecordedRequest) -> Reply:
        if request.path == CARD:
            return served(card(f"http://{request.headers['host']}"))
        task = json.dumps({"task": {**TASK, "status": {"state": "TASK_STATE_COMPLETED"}, **wrong}}).encode()
        return Reply(200, envelope(json.loads(request.body)["id"], task), JSON)

    async with peer(answer) as there:
        agents = {"tides": {"url": there.origin, "tasks": "own", "access": "open"}}
        async with gateway(agents=agents, **MORE) as send:
            reply = await send("POST", "/tides", REQUEST, rpc("SendMessage", message("hello")))
            status = reply.json["result"]["task"]["status"]
            assert status["state"] == "TASK_STATE_FAILED"
            assert status["message"]["parts"][0]["text"] == "the agent sent an invalid response"


async def test_the_failure_of_a_task_says_when_to_try_again() -> None:
    def answer(request: RecordedRequest) -> Reply:
        if request.path == CARD:
            return served(card(f"http://{request.headers['host']}"))
        return Reply(429, b"", {"Retry-After": "7"})

    async with peer(answer) as there:
        agents = {"tides": {"url": there.origin, "tasks": "own", "access": "open"}}
        async with gateway(agents=agents, **MORE) as send:
            reply = await send("POST", "/tides", REQUEST, rpc("SendMessage", message("hello")))
    metadata = reply.json["result"]["task"]["status"]["message"]["metadata"]
    assert metadata == {"reason": "RATE_LIMITED", "retryAfter": 7}


async def test_artifacts_without_parts_are_not_stored() -> None:
    """A stream may have any number of them, and none counts for the size of the task."""

    reader = TurnReader(RecordingReporter())
    for number in range(100):
        await reader.read({"artifactUpdate": {"taskId": "t", "artifact": {"artifactId": f"a{number}"}}})
    assert not reader.counts
