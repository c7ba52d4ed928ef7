"""Calls to a2a-sdk agents by their cards; every failure is a CardError."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

from cardwright.card import Card
from cardwright.discovery.calling import Part, Reply, call_agent
from cardwright.discovery.calling.a2a import watch
from cardwright.discovery.calling.connected import connected
from cardwright.errors import (
    AccessDenied,
    BadArgument,
    BadResponse,
    CallFailed,
    ConnectionDenied,
    MalformedDocument,
    MissingPackage,
    NoInterface,
    PeerTimeout,
    PeerUnreachable,
)
from cardwright.guard import Guard, GuardedClient
from tests.discovery.calling.sdk_agents import ScriptedExecutor, a2a_application, serving
from tests.peers import RecordedRequest, peer
from tests.peers import Reply as Answer

ALLOW = ("127.0.0.0/8",)
# Where the harbour is reached, by version and binding.
WAYS = [("1.0", "JSONRPC"), ("1.0", "HTTP+JSON"), ("0.3", "JSONRPC"), ("0.3", "HTTP+JSON")]


def newer(origin: str, version: str = "1.0", binding: str = "JSONRPC", **more: Any) -> Card:
    streaming = more.pop("streaming", False)
    url = origin + ("/rpc" if binding == "JSONRPC" else "/rest")
    one = {"url": url, "protocolBinding": binding, "protocolVersion": version, **more}
    return Card.from_document(
        {"name": "Harbour", "capabilities": {"streaming": streaming}, "supportedInterfaces": [one]}
    )


async def reply_to(card: Card, message: Any, **more: Any) -> Reply:
    return await call_agent(card, message, allow=ALLOW, timeout_seconds=20, **more)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(("version", "binding"), WAYS)
async def test_each_version_and_binding_brings_the_same_reply(
    version: str, binding: str, *, streaming: bool
) -> None:
    async with serving(a2a_application(ScriptedExecutor())) as origin:
        card = newer(origin, version, binding, streaming=streaming)
        message = await reply_to(card, "hello")
        assert (message.text, message.state, message.task_id) == ("you said hello", "", None)
        task = await reply_to(card, "task")
        assert task.text == "berth\n7"
        assert task.data == ({"berth": 7, "free": [True]},)
        assert (task.state, bool(task.task_id), bool(task.context_id)) == ("completed", True, True)
        assert task.selection.interface.binding == binding


class RepliesFirst:
    """An agent that replies with a working task, as fasta2a does."""

    def __init__(self, *states: str) -> None:
        self.methods: list[str] = []
        self._states = iter(states)

    def __call__(self, request: RecordedRequest) -> Answer:
        call = json.loads(request.body)
        self.methods.append(call["method"])
        state = next(self._states, "TASK_STATE_WORKING")
        task = {"id": "t", "contextId": "c", "status": {"state": state}}
        result = {"task": task} if call["method"] == "SendMessage" else task
        errors = {"broken": -32603, "unknown method": -32601}
        body = {"error": {"code": errors[state], "message": state}} if state in errors else {"result": result}
        document = {"jsonrpc": "2.0", "id": call["id"], **body}
        return Answer(200, json.dumps(document).encode(), {"Content-Type": "application/json"})


WORKING = "TASK_STATE_WORKING"


@pytest.mark.parametrize(
    ("states", "ending"),
    [
        (["TASK_STATE_SUBMITTED", WORKING, "TASK_STATE_COMPLETED"], "completed"),
        ([WORKING, "TASK_STATE_INPUT_REQUIRED"], "input-required"),
        (["working", "input-required"], "input-required"),
        ([WORKING, "broken"], "working"),
        ([WORKING, "unknown method"], "working"),
        # No version has this state: another reading would bring no end.
        ([WORKING, "TASK_STATE_DREAMING"], "unknown"),
    ],
)
async def test_a_working_task_is_polled_until_it_ends(states: list[str], ending: str) -> None:
    agent = RepliesFirst(*states)
    async with peer(agent) as there:
        reply = await reply_to(newer(there.origin), "hello")
    assert (reply.state, reply.task_id) == (ending, "t")
    assert agent.methods == ["SendMessage", *["GetTask"] * (len(states) - 1)]


async def test_a_watched_task_is_read_until_it_ends_and_shown_when_it_changes() -> None:
    """The agent has no streams."""
    agent = RepliesFirst("unknown method", WORKING, WORKING, "TASK_STATE_COMPLETED")
    async with (
        peer(agent) as there,
        GuardedClient(Guard(allow=ALLOW)) as client,
        connected(newer(there.origin), client, credentials={}) as opened,
    ):
        states = [event["task"]["status"]["state"] async for event in watch(opened, "t")]
    assert states == [WORKING, "TASK_STATE_COMPLETED"]
    assert agent.methods == ["SubscribeToTask", *["GetTask"] * 3]


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_message_labelled_as_a_stream_is_a_message(*, streaming: bool) -> None:
    message = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "hi"}]}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"message": message}}, indent=1).encode()
    async with peer(lambda _: Answer(200, body, {"Content-Type": "text/event-stream"})) as there:
        assert (await reply_to(newer(there.origin, streaming=streaming), "hello")).text == "hi"


async def test_a_task_past_the_timeout_is_returned_and_not_cancelled() -> None:
    agent = RepliesFirst()
    async with peer(agent) as there:
        reply = await call_agent(newer(there.origin), "hello", allow=ALLOW, timeout_seconds=1)
    assert (reply.state, reply.task_id) == ("working", "t")
    assert set(agent.methods) == {"SendMessage", "GetTask"}


async def test_a_card_of_0_3_and_one_of_0_2_are_called_alike() -> None:
    async with serving(a2a_application(ScriptedExecutor())) as origin:
        for version in ("0.3.0", "0.2.6"):
            document: dict[str, Any] = {
                "name": "A",
                "url": f"{origin}/rpc",
                "protocolVersion": version,
                "skills": [],
            }
            reply = await reply_to(Card.from_document(document), ["hello", {"a": 1}])
            assert reply.text == "you said hello"
            assert version.startswith(reply.selection.interface.version)


async def test_a_beach_card_is_called_over_a2a_first() -> None:
    async with serving(a2a_application(ScriptedExecutor())) as origin:
        transports = [
            {"protocol": "mcp", "endpoint": f"{origin}/mcp", "tool": "ask"},
            {"protocol": "a2a", "endpoint": f"{origin}/rpc", "version": "1.0"},
        ]
        document = {"schemaVersion": "1.0", "capabilities": [], "transports": transports}
        assert (await reply_to(Card.from_document(document), "hello")).text == "you said hello"


async def test_the_question_and_the_failure_of_a_task_are_its_status_message() -> None:
    async with serving(a2a_application(ScriptedExecutor())) as origin:
        for streaming in (False, True):
            card = newer(origin, streaming=streaming)
            question, failed = await reply_to(card, "ask"), await reply_to(card, "fail")
            assert (question.state, question.text) == ("input-required", "which berth?")
            assert (failed.state, failed.text) == ("failed", "no berth")


async def test_every_request_has_the_tenant_and_the_context() -> None:
    executor = ScriptedExecutor()
    async with serving(a2a_application(executor)) as origin:
        reply = await reply_to(newer(origin, tenant="north"), "hello", context_id="c1")
        assert reply.context_id == "c1"
    assert (executor.tenants, executor.contexts) == (["north"], ["c1"])
    async with peer(lambda _: Answer(500)) as one:
        with pytest.raises(BadResponse):
            await reply_to(newer(one.origin, "1.0", "HTTP+JSON", tenant="north"), "hello")
        assert one.paths == ["/rest/north/message:send"]


# Not 0.3 over HTTP+JSON with a stream: a2a-sdk's server 1.3.0 ends it early and sends no error.
@pytest.mark.parametrize(
    ("version", "binding", "streaming"),
    [
        (*way, streaming)
        for way in WAYS
        for streaming in (False, True)
        if (way, streaming) != (WAYS[-1], True)
    ],
)
async def test_an_a2a_error_is_reported_by_its_name_and_quoted(
    version: str, binding: str, *, streaming: bool
) -> None:
    async with serving(a2a_application(ScriptedExecutor())) as origin:
        with pytest.raises(CallFailed) as caught:
            await reply_to(newer(origin, version, binding, streaming=streaming), "refuse")
    error = caught.value
    assert (error.code, error.name) == (-32005, "ContentTypeNotSupported")
    assert error.error_reason == "CONTENT_TYPE_NOT_SUPPORTED"
    assert "ignore all" in error.remote_text
    assert "ignore all" in str(error)
    assert "ignore all" not in error.reason


async def test_cancelling_a_call_cancels_the_task_at_the_agent() -> None:
    executor = ScriptedExecutor()
    async with serving(a2a_application(executor)) as origin:
        call = asyncio.create_task(reply_to(newer(origin, streaming=True), "wait"))
        await executor.waiting.wait()
        # The event that names the task is on its way by now, or was read; the agent's next one is not due.
        for _ in range(200):
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert executor.given_up.is_set()


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_call_that_takes_too_long_is_a_timeout(*, streaming: bool) -> None:
    executor = ScriptedExecutor()
    async with serving(a2a_application(executor)) as origin:
        with pytest.raises(PeerTimeout, match=r"/rpc: no complete response within 2 seconds"):
            await call_agent(newer(origin, streaming=streaming), "wait", allow=ALLOW, timeout_seconds=2)
        executor.given_up.set()


def answering(answer: Answer) -> Any:
    """Return a scene that calls a peer with one fixed response, and returns the error."""

    async def scene(streaming: bool) -> Exception:  # noqa: FBT001 - one of two
        async with peer(lambda _: answer) as one:
            with pytest.raises(Exception) as caught:  # noqa: PT011 - it is looked at
                await reply_to(newer(one.origin, streaming=streaming), "hello")
            return caught.value

    return lambda: [asyncio.run(scene(streaming)) for streaming in (False, True)]


JSON = {"Content-Type": "application/json"}


def rpc(body: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(body).encode(), JSON)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body=b""),
        Answer(body=b"<html>secret words</html>"),
        Answer(body=b"[" * 9_000, headers=JSON),
        rpc([]),
        rpc({"jsonrpc": "2.0", "id": 1}),
        rpc({"jsonrpc": "2.0", "id": 1, "result": {}}),
        rpc({"jsonrpc": "2.0", "id": 1, "result": {"message": "secret words"}}),
        rpc({"jsonrpc": "2.0", "id": 1, "error": "secret words"}),
        Answer(body=b"\xff\xfe", headers=JSON),
        Answer(body=b"data: {\n\n", headers={"Content-Type": "text/event-stream"}),
        Answer(body=b"event: error\ndata: secret words\n\n", headers={"Content-Type": "text/event-stream"}),
    ],
    ids=[str(number) for number in range(11)],
)
def test_an_invalid_response_is_reported_without_quoting_it(answer: Answer) -> None:
    for error in answering(answer)():
        assert isinstance(error, BadResponse), error
        assert error.kind == "not-a-reply"
        assert "secret" not in str(error)


@pytest.mark.parametrize("status", [401, 403])
def test_an_authentication_error_names_the_required_schemes(status: int) -> None:
    answer = Answer(status, b"secret words", {"WWW-Authenticate": 'Bearer realm="x", DPoP algs="ES256"'})
    for error in answering(answer)():
        assert isinstance(error, AccessDenied)
        assert (error.status, error.schemes[0]) == (status, "bearer")
        assert "secret" not in str(error)


def test_an_http_error_has_the_retry_after_time() -> None:
    for error in answering(Answer(503, b"secret words", {"Retry-After": "7"}))():
        assert isinstance(error, BadResponse)
        assert (error.status, error.retry_after, error.kind) == (503, 7.0, "status")


def test_no_redirect_is_followed() -> None:
    for error in answering(Answer(307, b"", {"Location": "http://127.0.0.1:1/"}))():
        assert isinstance(error, BadResponse)
        assert error.kind == "redirects"


def test_a_json_rpc_error_wins_over_the_http_status() -> None:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "secret words"}}
    for error in answering(rpc(body, 404))():
        assert isinstance(error, CallFailed)
        assert (error.code, error.name, error.remote_text) == (-32001, "TaskNotFound", "secret words")


@pytest.mark.parametrize("status", [401, 403])
def test_a_json_rpc_error_with_http_401_is_an_authentication_error(status: int) -> None:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "secret words"}}
    for error in answering(rpc(body, status))():
        assert isinstance(error, AccessDenied)
        assert error.status == status


def test_an_error_code_outside_a2a_has_no_name() -> None:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32098, "message": "secret words"}}
    for error in answering(rpc(body))():
        assert isinstance(error, CallFailed)
        assert (error.code, error.name, error.remote_text) == (-32098, "", "secret words")
        assert str(error).endswith(': "secret words"')
        assert "secret" not in error.reason


def test_an_endless_response_is_stopped() -> None:
    body = b'data: {"jsonrpc": "2.0", ' + b" " * (17 * 1024 * 1024)
    for error in answering(Answer(body=body, headers={"Content-Type": "text/event-stream"}))():
        assert isinstance(error, BadResponse)
        assert error.kind == "too-large"


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_response_with_too_many_values_is_not_parsed(kind: str) -> None:
    body = b'data: {"jsonrpc": "2.0", "id": 1, "result": [' + b"1," * 10_000 + b"1]}\n\n"
    for error in answering(Answer(body=body, headers={"Content-Type": kind}))():
        assert isinstance(error, BadResponse)
        assert (error.kind, "10,000 JSON values" in error.reason) == ("too-large", True)


def test_loop_detected_is_known_by_its_status_whatever_the_body() -> None:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "secret words"}}
    for error in answering(rpc(body, 508))():
        assert isinstance(error, BadResponse)
        assert (error.kind, error.status) == ("status", 508)


async def test_a_refused_connection_is_unreachable() -> None:
    async with peer(lambda _: Answer()) as one:
        origin = one.origin
    with pytest.raises(PeerUnreachable):
        await reply_to(newer(origin), "hello")


async def test_loopback_is_denied_by_default() -> None:
    async with peer(lambda _: Answer()) as one:
        with pytest.raises(ConnectionDenied, match="this machine"):
            await call_agent(newer(one.origin), "hello")
        assert one.requests == []


async def test_credentials_go_to_their_origin_only() -> None:
    async with peer(lambda _: Answer(500)) as one, peer(lambda _: Answer(500)) as other:
        secret = {one.origin: {"Authorization": "Bearer s"}}
        for target in (one, other):
            with pytest.raises(BadResponse):
                await reply_to(newer(target.origin), "hello", credentials=secret)
        assert one.requests[0].headers["authorization"] == "Bearer s"
        assert "authorization" not in other.requests[0].headers


async def test_a_request_has_its_protocol_version() -> None:
    async with peer(lambda _: Answer(500)) as one:
        for version in ("1.0", "0.3"):
            with pytest.raises(BadResponse):
                await reply_to(newer(one.origin, version), "hello")
        assert [request.headers["a2a-version"] for request in one.requests] == ["1.0", "0.3"]


@pytest.mark.parametrize("version", ["0.2.0", "0.3.0", "1.0"])
async def test_a_configuration_before_1_0_has_the_output_modes_of_the_card(version: str) -> None:
    modes = {"defaultOutputModes": ["text/plain"], "skills": [{"outputModes": ["image/png", "text/plain"]}]}
    reply = {"kind": "message", "messageId": "m", "role": "agent", "parts": [{"kind": "text", "text": "7"}]}
    newest = {"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "7"}]}}

    def answer(request: RecordedRequest) -> Answer:
        call = json.loads(request.body)
        body = {"jsonrpc": "2.0", "id": call["id"], "result": newest if version == "1.0" else reply}
        return Answer(200, json.dumps(body).encode(), {"Content-Type": "application/json"})

    async with peer(answer) as one:
        document: dict[str, Any] = newer(one.origin).document
        if version != "1.0":
            document = {"name": "A", "url": one.origin, "protocolVersion": version}
        assert (await reply_to(Card.from_document({**document, **modes}), "hi")).text == "7"
        configuration = json.loads(one.requests[0].body)["params"]["configuration"]
    # A2A 0.2.0 requires them (MessageSendConfiguration); 1.0 is called as before.
    assert configuration.get("acceptedOutputModes") == (
        None if version == "1.0" else ["text/plain", "image/png"]
    )


@pytest.mark.parametrize(
    ("version", "streaming", "time", "read"),
    [
        ("1.0", False, "2026-11-25T23:05:51.776539", "2026-11-25T23:05:51.776539Z"),
        ("1.0", True, "2026-11-25T23:05:51.776539", "2026-11-25T23:05:51.776539Z"),
        ("1.0", False, "2026-11-25T23:05:51+01:00", "2026-11-25T22:05:51Z"),
        ("0.3", False, "2026-11-25T23:05:51.776539", "2026-11-25T23:05:51.776539Z"),
        ("0.3", False, "2026-11-25T23:05:51Z", "2026-11-25T23:05:51Z"),
    ],
)
async def test_a_time_without_a_zone_is_read_as_utc(
    version: str, *, streaming: bool, time: str, read: str
) -> None:
    state = "TASK_STATE_COMPLETED" if version == "1.0" else "completed"
    # The data of an artifact are the agent's: nothing in them is changed.
    data = {"status": {"timestamp": "2026-11-25T23:05:51"}}
    kind = {} if version == "1.0" else {"kind": "task"}
    part = {"data": data} if version == "1.0" else {"kind": "data", "data": data}
    task = {
        "id": "t", "contextId": "c", **kind, "status": {"state": state, "timestamp": time},
        "artifacts": [{"artifactId": "a", "parts": [part]}],
    }  # fmt: skip

    def answer(request: RecordedRequest) -> Answer:
        call = json.loads(request.body)
        result = {"task": task} if version == "1.0" else task
        body = json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}).encode()
        if streaming:
            return Answer(200, b"data: " + body + b"\n\n", {"Content-Type": "text/event-stream"})
        return Answer(200, body, {"Content-Type": "application/json"})

    async with peer(answer) as one:
        reply = await reply_to(newer(one.origin, version, streaming=streaming), "hi")
    assert reply.raw["status"]["timestamp"] == read
    assert reply.data == (data,)


async def test_a_card_that_cannot_be_reached_is_no_interface() -> None:
    card = Card.from_document({"name": "A", "supportedInterfaces": []})
    with pytest.raises(NoInterface):
        await reply_to(card, "hello")


@pytest.mark.parametrize("message", [[], 5, None, [5], object()], ids=["none", "5", "null", "a 5", "object"])
def test_a_value_that_is_no_message_is_refused(message: Any) -> None:
    with pytest.raises(BadArgument, match="message"):
        asyncio.run(reply_to(newer("http://127.0.0.1:1"), message))


def test_data_that_is_not_json_is_refused() -> None:
    with pytest.raises(MalformedDocument):
        asyncio.run(reply_to(newer("http://127.0.0.1:1"), {"a": float("nan")}))


def test_an_unsupported_interface_is_refused() -> None:
    with pytest.raises(BadArgument, match="none of these protocols can be called"):
        asyncio.run(reply_to(newer("http://127.0.0.1:1"), "hello", supported=["a2a/1.0+SLIM"]))


async def test_every_kind_of_part_is_sent() -> None:
    def answer(request: RecordedRequest) -> Answer:
        parts = json.loads(request.body)["params"]["message"]["parts"]
        message = {"messageId": "m", "role": "ROLE_AGENT", "parts": parts}
        return rpc({"jsonrpc": "2.0", "id": 1, "result": {"message": message}})

    async with peer(answer) as one:
        parts = [
            Part("url", "https://a.example/f", "f", "image/png"),
            b"\x00\xff",
            {"a": [1, None]},
            "text",
        ]
        reply = await reply_to(newer(one.origin), parts)
        assert reply.parts == (
            parts[0],
            Part("raw", b"\x00\xff"),
            Part("data", {"a": [1, None]}),
            Part("text", "text"),
        )
        assert reply.text == "text"
        assert reply.raw["messageId"] == "m"


def test_without_a2a_sdk_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "a2a.types", None)
    for module in ("a2a", "a2a_client"):
        monkeypatch.delitem(sys.modules, f"cardwright.discovery.calling.{module}", raising=False)
    with pytest.raises(MissingPackage, match=r'pip install "cardwright\[a2a\]"'):
        asyncio.run(reply_to(newer("http://127.0.0.1:1"), "hello"))
