"""Invocations: request fields, replies, files and disconnecting callers."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright.http.request import Disconnected
from cardwright_gateway.api.bodies import RequestBodies
from cardwright_gateway.api.exchange import Exchange
from cardwright_gateway.api.invoke import answer_invoke
from cardwright_gateway.auth.principal import ANONYMOUS, Principal
from cardwright_gateway.backends.backend import Artifact, TurnResult
from cardwright_gateway.backends.function import FunctionBackend
from tests.gateway.a2a_server.endpoints import ScriptedBackend
from tests.gateway.api.invoke.calling import InvokeClient

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn, TurnReporter
    from cardwright_gateway.database.files import StoredFile

ADA = Principal("key", "key:1", "ada", "1")
BO = Principal("key", "key:2", "bo", "2")
FOREIGN = Principal("user", "user:x")


def run(scene: Any) -> Any:
    return asyncio.run(scene)


def faults(reply: Any) -> list[str]:
    return [one["field"] for one in reply.json["error"]["details"][1]["fieldViolations"]]


def test_a_message_without_a_context_gets_a_new_one() -> None:
    invoke_client = InvokeClient(ScriptedBackend())
    reply, other = run(
        _both(invoke_client.invoke({"message": "hello"}), invoke_client.invoke({"message": "hello"}))
    )

    assert (reply.status, reply.json["reply"]) == (200, "you said hello")
    assert set(reply.json) == {"reply", "context_id"}
    assert reply.json["context_id"] != other.json["context_id"]
    assert reply.headers["cache-control"] == "no-store"


async def _both(*calls: Any) -> Any:
    return await asyncio.gather(*calls)


def test_the_backend_is_given_the_turn_without_a_task() -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend, sender={"owner_id": "ada", "caller_id": "x/1"})
    run(invoke_client.invoke({"message": "hello", "context_id": "c-1"}))
    turn = backend.turns[0]

    assert turn.parts == (Part("text", "hello"),)
    assert (turn.context_id, turn.task_id, turn.earlier) == ("c-1", "", False)
    assert turn.message_id
    assert turn.metadata == {"from": {"owner_id": "ada", "caller_id": "x/1"}}


def test_a_caller_that_sends_the_from_field_is_refused() -> None:
    backend = ScriptedBackend()
    reply = run(InvokeClient(backend).invoke({"message": "hello", "metadata": {"from": {"owner_id": "ada"}}}))

    assert reply.status == 400
    assert not backend.turns


def test_chunks_and_the_result_form_one_reply_in_order() -> None:
    reply = run(InvokeClient(ScriptedBackend()).invoke({"message": "pieces"}))

    assert reply.json["reply"] == "berth 7"


@pytest.mark.parametrize(
    ("outcome", "outcome_fields"),
    [
        (TurnResult((Part("data", {"b": 1, "a": [2]}),)), {"reply": '{"b":1,"a":[2]}'}),
        (TurnResult((Part("data", [1]), Part("data", "x"))), {"reply": '[1]\n"x"'}),
        (TurnResult((Part("data", {"b": 1}), Part("text", "one"))), {"reply": "one"}),
        (TurnResult((Part("raw", b"\x89PNG", "a.png", "image/png"),)), {"reply": ""}),
        (TurnResult(), {"reply": ""}),
        (TurnResult(message="done"), {"reply": "done"}),
        (
            TurnResult((Part("text", "7"),), metadata={"thought": "six, seven"}),
            {"reply": "7", "thought": "six, seven"},
        ),
        (TurnResult((Part("text", "7"),), metadata={"thought": ""}), {"reply": "7"}),
        (TurnResult((Part("text", "7"),), metadata={"thought": {"no": 1}}), {"reply": "7"}),
        (
            TurnResult(ending="input-required", message="which?"),
            {"reply": "which?", "state": "input-required"},
        ),
    ],
)
def test_the_reply_fields_come_from_the_result(outcome: TurnResult, outcome_fields: dict[str, str]) -> None:
    def agent(turn: Turn) -> TurnResult:
        del turn
        return outcome

    reply = run(InvokeClient(FunctionBackend(agent)).invoke({"message": "x", "context_id": "c"}))

    assert reply.json == {**outcome_fields, "context_id": "c"}


def test_a_replaced_artifact_keeps_its_position_in_the_reply() -> None:
    async def agent(turn: Turn, reporter: TurnReporter) -> TurnResult:
        del turn
        await reporter.parts([Part("text", "draft")], Artifact("one"))
        await reporter.parts([Part("text", "own")])
        await reporter.parts([Part("text", "second")], Artifact("two"))
        await reporter.parts([Part("text", "final")], Artifact("one"))
        await reporter.parts([Part("text", "more")], Artifact("one", append=True))
        return TurnResult((Part("text", "end"),))

    reply = run(InvokeClient(FunctionBackend(agent)).invoke({"message": "x"}))

    assert reply.json["reply"].split("\n") == ["finalmore", "own", "end", "second"]


@pytest.mark.parametrize(
    ("text", "status", "reason"),
    [
        ("refuse", 400, "INVALID_ARGUMENTS"),
        ("unready", 503, "SESSION_NOT_READY"),
        ("broken check", 500, "AGENT_FAILED"),
        ("bug", 500, "AGENT_FAILED"),
        ("timeout", 504, "UPSTREAM_TIMEOUT"),
        ("reject", 422, "TURN_REJECTED"),
        ("nan", 502, "UPSTREAM_INVALID"),
    ],
)
def test_a_failed_turn_has_an_error_in_the_gateways_words(
    text: str, status: int, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "cardwright_gateway")
    reply = run(InvokeClient(ScriptedBackend()).invoke({"message": text}))

    assert (reply.status, reply.reason) == (status, reason)
    for word in ("ignore all", "10.0.0.7", "secret-command", "not here"):
        assert word not in reply.json["error"]["message"]


@pytest.mark.parametrize(
    ("result", "status", "text"),
    [
        (TurnResult(ending="failed", message="no berth"), 502, "no berth"),
        (TurnResult((Part("text", "no berth"), Part("text", "today")), "failed"), 502, "no berth\ntoday"),
        (
            TurnResult(ending="rejected", message="not\x1b here" + "!" * 2_000),
            422,
            "not\x1b here" + "!" * 991,
        ),
        (TurnResult(ending="canceled"), 502, None),
    ],
)
def test_the_text_of_an_agent_that_failed_is_in_the_details(
    result: TurnResult, status: int, text: str | None
) -> None:
    reply = run(InvokeClient(FunctionBackend(lambda _: result)).invoke({"message": "x"}))

    assert reply.status == status
    assert reply.json["error"]["details"][0]["metadata"].get("text") == text


def test_a_session_that_is_not_ready_has_retry_after() -> None:
    assert run(InvokeClient(ScriptedBackend()).invoke({"message": "unready"})).headers["retry-after"] == "3"


def test_violations_of_a_turn_have_their_pointers() -> None:
    assert faults(run(InvokeClient(ScriptedBackend()).invoke({"message": "refuse"}))) == ["/berth"]


@pytest.mark.parametrize(
    "agent",
    [lambda _: TurnResult((Part("text", "\ud800"),)),
     lambda _: TurnResult((Part("text", 7),)), lambda _: TurnResult((Part("raw", "text"),)),
     lambda _: TurnResult((Part("data", {"a": object()}),)), lambda _: object()],
)  # fmt: skip
def test_an_unserialisable_result_is_an_agent_error(agent: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "cardwright_gateway")
    reply = run(InvokeClient(FunctionBackend(agent)).invoke({"message": "x"}))

    assert reply.status == 502
    assert b"10.0.0.7" not in reply.body


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ({}, ["/message"]),
        ([], [""]),
        ({"message": ""}, ["/message"]),
        ({"message": None}, ["/message"]),
        ({"message": "x", "contextId": "c"}, [""]),
        ({"skill": "berth"}, ["/message"]),
        ({"data": [1]}, ["/data"]),
        ({"message": "x", "skill": ""}, ["/skill"]),
        ({"message": "x", "skill": "nothing"}, ["/skill"]),
        ({"message": 1, "context_id": 2, "attachments": 3}, ["/attachments", "/context_id", "/message"]),
        ({"message": "x", "context_id": "a\nb"}, ["/context_id"]),
        ({"message": "x", "context_id": "c" * 513}, ["/context_id"]),
        ({"message": "x", "attachments": [{}]}, ["/attachments/0/file_id"]),
        ({"message": "x", "attachments": [{"file_id": "a"}] * 17}, ["/attachments"]),
    ],
)
def test_every_violation_of_a_body_has_its_pointer(body: Any, places: list[str]) -> None:
    backend = ScriptedBackend()
    reply = run(InvokeClient(backend).invoke(body))

    assert (reply.status, reply.reason) == (400, "BAD_ARGUMENT")
    assert faults(reply) == places
    assert not backend.turns


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b'{"message":"a","message":"b"}', b'{"message":"\\ud800"}', b'{"message":"\\u0000"}',
     b'{"message":' + b"[" * 4_000, b'{"message":NaN}', b'\xef\xbb\xbf{"message":"a"}'],
)  # fmt: skip
def test_an_ambiguous_json_body_is_refused(body: bytes) -> None:
    reply = run(InvokeClient(ScriptedBackend()).invoke(body))

    assert (reply.status, reply.reason) == (400, "PARSE_ERROR")


def test_a_body_that_an_html_form_can_send_is_refused() -> None:
    backend = ScriptedBackend()
    reply = run(InvokeClient(backend).invoke({"message": "x"}, {"Content-Type": "text/plain"}))

    assert reply.status == 415
    assert not backend.turns


def test_files_reach_the_agent_unchanged_and_in_order() -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend, principal=ADA)
    ids = [invoke_client.shelf.put("ada", bytes([n]), name=f"{n}.bin", media_type="a/b").id for n in range(3)]
    reply = run(
        invoke_client.invoke({"message": "look", "attachments": [{"file_id": one} for one in reversed(ids)]})
    )

    assert reply.status == 200
    assert backend.turns[0].parts[1:] == tuple(Part("raw", bytes([n]), f"{n}.bin", "a/b") for n in (2, 1, 0))


def test_a_key_uses_files_of_its_owner_and_a_user_their_own() -> None:
    invoke_client = InvokeClient(ScriptedBackend())
    own, user_file = invoke_client.shelf.put("ada", b"x"), invoke_client.shelf.put("user:x", b"y")
    first = run(invoke_client.invoke({"message": "x", "attachments": [{"file_id": own.id}]}, principal=ADA))
    second = run(
        invoke_client.invoke({"message": "x", "attachments": [{"file_id": user_file.id}]}, principal=FOREIGN)
    )

    assert (first.status, second.status) == (200, 200)


@pytest.mark.parametrize("who", [BO, FOREIGN, ANONYMOUS])
@pytest.mark.parametrize("named", ["", "../../etc/passwd", "file_none", "file_0' OR '1'='1"])
def test_a_file_of_another_owner_is_reported_as_unknown(who: Principal, named: str) -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend)
    file = invoke_client.shelf.put("ada", b"x")
    invoke_client.shelf.put("", b"nobody's")
    foreign = run(
        invoke_client.invoke({"message": "x", "attachments": [{"file_id": file.id}]}, principal=who)
    )
    absent = run(invoke_client.invoke({"message": "x", "attachments": [{"file_id": named}]}, principal=who))
    nobodys = run(
        invoke_client.invoke({"message": "x", "attachments": [{"file_id": "file_1"}]}, principal=who)
    )

    assert foreign.status == 400
    assert foreign == absent == nobodys
    assert faults(foreign) == ["/attachments/0/file_id"]
    assert not backend.turns


def test_files_beyond_the_total_size_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright_gateway.api.invoke.attachments.MAX_TOTAL_BYTES", 3)
    invoke_client = InvokeClient(ScriptedBackend(), principal=ADA)
    ids = [{"file_id": invoke_client.shelf.put("ada", b"xx").id} for _ in range(2)]

    assert faults(run(invoke_client.invoke({"message": "x", "attachments": ids}))) == ["/attachments"]
    assert run(invoke_client.invoke({"message": "x", "attachments": ids[:1]})).status == 200


def test_files_that_may_not_be_sent_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright_gateway.api.invoke.attachments.MAX_TOTAL_BYTES", 3)
    invoke_client = InvokeClient(ScriptedBackend(), principal=ADA)
    ids = [{"file_id": invoke_client.shelf.put("ada", b"xx").id} for _ in range(5)]
    read: list[str] = []
    get = invoke_client.shelf.get

    def reads(owner_id: str, file_id: str) -> StoredFile | None:
        read.append(file_id)
        return get(owner_id, file_id)

    monkeypatch.setattr(invoke_client.shelf, "get", reads)
    assert run(invoke_client.invoke({"message": "x", "attachments": ids})).status == 400
    assert not read


async def test_two_callers_with_the_same_context_each_have_their_own_reply() -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend)
    waiting = asyncio.create_task(
        invoke_client.invoke({"message": "wait", "context_id": "same"}, principal=ADA)
    )
    await backend.waiting.wait()
    other = await invoke_client.invoke({"message": "hello", "context_id": "same"}, principal=BO)
    backend.go.set()
    first = await waiting

    assert other.json == {"reply": "you said hello", "context_id": "same"}
    assert first.json == {"reply": "gone on", "context_id": "same"}


async def test_a_caller_that_disconnects_cancels_the_turn() -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend)
    sent: list[Any] = []

    body = [{"type": "http.request", "body": json.dumps({"message": "wait"}).encode()}]

    async def receive() -> dict[str, Any]:
        if body:
            return body.pop()
        await backend.waiting.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"method": "POST", "headers": [(b"content-type", b"application/json")]}
    exchange = Exchange(scope, receive, send, bodies=RequestBodies.of(invoke_client.config))
    with pytest.raises(Disconnected):
        await answer_invoke(invoke_client.invocation(ANONYMOUS), exchange)
    await backend.gone.wait()

    assert not sent
    assert invoke_client.agent.running_calls == 0


async def test_a_backend_that_ignores_cancellation_does_not_block_a_disconnect() -> None:
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def stubborn(turn: Turn) -> str:
        del turn
        begun.set()
        while not may_end.is_set():
            try:
                await may_end.wait()
            except asyncio.CancelledError:
                continue
        return "late"

    invoke_client = InvokeClient(FunctionBackend(stubborn))
    going = asyncio.create_task(invoke_client.invoke({"message": "x"}))
    await begun.wait()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    may_end.set()

    assert invoke_client.agent.running_calls == 0


async def test_invocations_beyond_the_concurrency_are_refused() -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend, agent={"concurrency": 1})
    waiting = asyncio.create_task(invoke_client.invoke({"message": "wait"}))
    await backend.waiting.wait()
    refused = await invoke_client.invoke({"message": "hello"})
    backend.go.set()
    await waiting

    assert (refused.status, refused.reason) == (429, "RATE_LIMITED")
    assert refused.headers["retry-after"] == "1"
    assert (await invoke_client.invoke({"message": "hello"})).status == 200


async def test_removing_an_agent_ends_its_invocations() -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend)
    waiting = asyncio.create_task(invoke_client.invoke({"message": "wait"}))
    await backend.waiting.wait()
    await invoke_client.agent.close()
    reply = await waiting

    assert (reply.status, reply.reason) == (404, "AGENT_NOT_FOUND")


def test_a_skill_and_data_reach_the_agent() -> None:
    backend = ScriptedBackend()
    body = {"message": "look", "data": {"berth": 7}, "skill": "berth"}
    assert run(InvokeClient(backend, sender={"owner_id": "ada"}).invoke(body)).status == 200
    turn = backend.turns[0]

    assert turn.parts == (Part("text", "look"), Part("data", {"berth": 7}))
    assert turn.metadata == {"skill": "berth", "from": {"owner_id": "ada"}}


def test_data_without_text_is_an_invocation() -> None:
    backend = ScriptedBackend()
    assert run(InvokeClient(backend).invoke({"data": {"berth": 7}})).status == 200

    assert backend.turns[0].parts == (Part("data", {"berth": 7}),)


def test_the_thoughts_of_artifacts_are_the_thought() -> None:
    async def agent(turn: Turn, reporter: TurnReporter) -> TurnResult:
        del turn
        await reporter.parts([Part("text", "6")], Artifact("one", metadata={"thought": "not yet"}))
        await reporter.parts([Part("text", "7")], Artifact("one", metadata={"thought": "six, seven"}))
        await reporter.parts([Part("text", "8")], Artifact("two", metadata={"thought": 8}))
        await reporter.parts([Part("text", "9")], Artifact("three", metadata={"thought": "nine"}))
        return TurnResult()

    reply = run(InvokeClient(FunctionBackend(agent)).invoke({"message": "x"}))

    assert reply.json["thought"] == "six, seven\nnine"


def test_a_long_thought_counts_as_a_part_of_the_reply() -> None:
    async def agent(turn: Turn, reporter: TurnReporter) -> TurnResult:
        del turn
        for number in range(40):
            await reporter.parts(
                [Part("text", "")], Artifact(str(number), metadata={"thought": "x" * 1_000_000})
            )
        return TurnResult()

    assert run(InvokeClient(FunctionBackend(agent)).invoke({"message": "x"})).status == 502


@pytest.mark.bulk
@pytest.mark.parametrize("piece", ["text", "raw", "data", "empty", "replaced"])
def test_a_reply_that_grows_without_end_is_refused(piece: str) -> None:
    reports = 0
    parts = {
        "text": [Part("text", "x" * 1_000_000)],
        "raw": [Part("raw", b"x" * 1_000_000)],
        "data": [Part("data", {"x": "x" * 1_000_000})],
        "empty": [Part("text", "")] * 20_000,
        "replaced": [Part("text", "x" * 1_000_000)],
    }[piece]

    class Endless(ScriptedBackend):
        async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
            nonlocal reports
            del turn
            artifact = Artifact("a") if piece == "replaced" else None
            for _ in range(40):
                await reporter.parts(parts, artifact)
                reports += 1
            return TurnResult()

    reply = run(InvokeClient(Endless()).invoke({"message": "hello"}))
    assert reply.status == 502
    assert "the response has more than 16,777,216 bytes" in reply.json["error"]["message"]
    assert reports < 20


def test_chunked_text_is_joined_and_parts_of_one_chunk_stay_separate() -> None:
    async def agent(turn: Turn, reporter: TurnReporter) -> TurnResult:
        del turn
        for piece in ("Hel", "lo, ", "wor", "ld"):
            await reporter.parts([Part("text", piece)])
        await reporter.parts([Part("data", {"n": 1}), Part("text", "a"), Part("text", "b")], Artifact("one"))
        await reporter.parts([Part("text", "c"), Part("text", "d")], Artifact("one", append=True))
        return TurnResult()

    reply = run(InvokeClient(FunctionBackend(agent)).invoke({"message": "x"}))

    assert reply.json["reply"].split("\n") == ["Hello, world", "a", "bc", "d"]
