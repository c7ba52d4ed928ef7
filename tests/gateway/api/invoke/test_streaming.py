"""Streaming invocations: chunks, results, errors and content negotiation."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright_gateway.api.invoke.streaming import ReplyStream
from cardwright_gateway.backends.backend import Artifact, TurnResult
from cardwright_gateway.backends.function import FunctionBackend
from tests.gateway.a2a_server.endpoints import ScriptedBackend
from tests.gateway.api.invoke.calling import InvokeClient

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Backend, Turn, TurnReporter
    from tests.serve.client import Reply

STREAM = {"Content-Type": "application/json", "Accept": "text/event-stream"}


def streamed(backend: Backend, message: str = "x", headers: Any = STREAM, **body: Any) -> Reply:
    return asyncio.run(InvokeClient(backend).invoke({"message": message, "context_id": "c", **body}, headers))


def events(reply: Reply) -> list[tuple[str, Any]]:
    """Return the events of a stream, without comments."""
    found = []
    for block in reply.body.decode().removesuffix("\n\n").split("\n\n"):
        if not block.startswith(":"):
            name, data = block.split("\n")
            found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def text_of(reply: Reply) -> str:
    return "".join(value["text"] for name, value in events(reply) if name == "text")


def test_chunks_come_as_events_and_the_whole_reply_at_the_end() -> None:
    reply = streamed(ScriptedBackend(), "pieces")

    assert (reply.status, reply.headers["content-type"]) == (200, "text/event-stream")
    assert reply.headers["cache-control"] == "no-store"
    assert events(reply) == [
        ("progress", {"text": "looking", "done": 1, "total": 2}),
        ("text", {"text": "berth "}),
        ("text", {"text": "7"}),
        ("reply", {"reply": "berth 7", "context_id": "c"}),
    ]


async def _lines(turn: Turn, reporter: TurnReporter) -> TurnResult:
    del turn
    await reporter.parts([Part("text", "a"), Part("text", "b")])
    await reporter.parts([Part("text", "c"), Part("data", 1), Part("text", "d")])
    await reporter.parts([Part("text", "e")], Artifact("one"))
    await reporter.parts([Part("text", "f")], Artifact("one", append=True))
    return TurnResult()


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (_lines, "a\nbc\nd\nef"),
        (lambda _: "only the end", "only the end"),
        (lambda _: {"n": 1}, '{"n":1}'),
        (lambda _: TurnResult(ending="input-required", message="which?"), "which?"),
        (lambda _: TurnResult(), ""),
    ],
)
def test_the_chunks_together_are_the_reply(agent: Any, expected: str) -> None:
    reply = streamed(FunctionBackend(agent))

    assert text_of(reply) == events(reply)[-1][1]["reply"] == expected


def test_a_replaced_artifact_is_final_in_the_whole_reply() -> None:
    async def agent(turn: Turn, reporter: TurnReporter) -> TurnResult:
        del turn
        await reporter.parts([Part("text", "draft")], Artifact("one"))
        await reporter.parts([Part("text", "final")], Artifact("one"))
        return TurnResult()

    reply = streamed(FunctionBackend(agent))

    assert (text_of(reply), events(reply)[-1][1]["reply"]) == ("draft\nfinal", "final")


def test_thought_and_state_are_in_the_whole_reply() -> None:
    result = TurnResult((Part("text", "7"),), "input-required", metadata={"thought": "six"})
    name, value = events(streamed(FunctionBackend(lambda _: result)))[-1]

    assert (name, value["thought"], value["state"]) == ("reply", "six", "input-required")


@pytest.mark.parametrize(("text", "status"), [("refuse", 400), ("unready", 503), ("reject", 422)])
def test_a_turn_that_fails_before_any_event_has_a_status(text: str, status: int) -> None:
    assert streamed(ScriptedBackend(), text).status == status


def test_a_turn_that_fails_later_ends_with_an_error() -> None:
    async def agent(turn: Turn, reporter: TurnReporter) -> TurnResult:
        del turn
        await reporter.parts([Part("text", "half")])
        return TurnResult(ending="failed", message="no berth")

    reply = streamed(FunctionBackend(agent))
    name, value = events(reply)[-1]

    assert (reply.status, name) == (200, "error")
    assert value["error"]["details"][0]["reason"] == "TURN_FAILED"
    assert value["error"]["details"][0]["metadata"] == {"text": "no berth"}


async def test_an_agent_that_is_removed_ends_the_stream_with_an_error() -> None:
    backend = ScriptedBackend()
    begun = asyncio.Event()

    async def agent(turn: Turn, reporter: TurnReporter) -> TurnResult:
        await reporter.parts([Part("text", "half")])
        begun.set()
        return await ScriptedBackend.run(backend, turn, reporter)

    invoke_client = InvokeClient(FunctionBackend(agent))
    waiting = asyncio.create_task(invoke_client.invoke({"message": "wait"}, STREAM))
    await begun.wait()
    await invoke_client.agent.close()
    name, value = events(await waiting)[-1]

    assert (name, value["error"]["details"][0]["reason"]) == ("error", "AGENT_NOT_FOUND")


async def test_a_silent_turn_sends_heartbeats() -> None:
    sent: list[Any] = []
    heard = asyncio.Event()

    class Recorded:
        async def send(self, message: Any) -> None:
            sent.append(message)
            if len(sent) == 3:
                heard.set()

    async def turn() -> str:
        await heard.wait()
        return "gone on"

    stream = ReplyStream(Recorded())  # type: ignore[arg-type] # an exchange that keeps what is sent
    reply, (start, *bodies) = await stream.while_running(turn(), every_seconds=0), sent

    assert reply == "gone on"
    assert start["status"] == 200
    assert {body["body"] for body in bodies} == {b": the agent is running\n\n"}


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("application/json, text/event-stream", "application/json"),
        ("*/*", "application/json"),
        ("application/json;q=0.5, text/event-stream", "text/event-stream"),
        ("text/*", "text/event-stream"),
    ],
)
def test_the_preferred_media_type_is_sent(accept: str, expected: str) -> None:
    headers = {"Content-Type": "application/json", "Accept": accept}

    assert streamed(ScriptedBackend(), "hello", headers).headers["content-type"] == expected


def test_an_unsupported_media_type_is_refused() -> None:
    backend = ScriptedBackend()
    reply = streamed(backend, "hello", {"Content-Type": "application/json", "Accept": "text/html"})

    assert (reply.status, reply.reason) == (406, "NOT_ACCEPTABLE")
    assert not backend.turns
