"""Calls to A2A 0.1 agents in their own version; their responses are read like those of other versions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from a2a.types import (
    AgentCard,
    AuthenticationInfo,
    CancelTaskRequest,
    GetTaskPushNotificationConfigRequest,
    ListTasksRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import (
    PushNotificationNotSupportedError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from cardwright.card import Card
from cardwright.discovery import AgentRegistry, fetch_card, select_interface
from cardwright.discovery.calling import Part, Reply, call_agent
from cardwright.discovery.calling.a2a_client import A2aClient, failure
from cardwright.discovery.calling.a2a_v0_1_transport import OlderJsonRpcTransport
from cardwright.errors import AccessDenied, BadResponse, CallFailed, PeerTimeout
from cardwright.guard import Guard, GuardedClient, Timeouts
from tests.a2a_v0_1_agent import JSON, STREAM, OlderAgent
from tests.peers import Reply as Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers import Peer

ALLOW = ("127.0.0.0/8",)


async def reply_to(
    agent: OlderAgent, there: Peer, message: Any, *, timeout_seconds: float = 20, **more: Any
) -> Reply:
    card = Card.from_document(agent.card(there.origin))
    return await call_agent(card, message, allow=ALLOW, timeout_seconds=timeout_seconds, **more)


async def test_a_card_of_0_1_is_selected_and_its_agent_called() -> None:
    agent = OlderAgent()
    async with agent.running() as there:
        found = await fetch_card(there.origin, allow=ALLOW)
        assert str(found.dialect) == "a2a-0.1"
        assert found.card is not None
        selection = select_interface(found.card)
        assert (selection.interface.version, selection.interface.binding) == ("0.1", "JSONRPC")
        reply = await call_agent(found, "hello", allow=ALLOW)
        assert (reply.text, reply.state) == ("you said hello", "completed")
        assert "a2a-version" not in there.requests[-1].headers
    ((method, params),) = agent.calls
    assert method == "tasks/send"
    assert (params["id"], params["sessionId"]) == (reply.task_id, reply.context_id)


async def test_a_registry_calls_the_agent_by_its_name() -> None:
    async with OlderAgent().running() as there, AgentRegistry([there.origin], allow=ALLOW) as registry:
        await registry.refresh()
        assert (await registry.call(there.origin, "hello")).text == "you said hello"


@pytest.mark.parametrize("streaming", [False, True])
async def test_chunks_of_an_artifact_are_one_artifact(*, streaming: bool) -> None:
    agent = OlderAgent(streaming=streaming)
    async with agent.running() as there:
        reply = await reply_to(agent, there, "task")
    assert agent.methods() == ["tasks/sendSubscribe" if streaming else "tasks/send"]
    assert (reply.text, reply.state) == ("berth\n7", "completed")
    assert reply.data == ({"berth": 7, "free": [True]},)
    assert [artifact["artifactId"] for artifact in reply.raw["artifacts"]] == ["artifact-0", "artifact-1"]
    assert reply.raw["artifacts"][1]["metadata"] == {"a": 1}
    # The agent's time has no zone.
    assert reply.raw["status"]["timestamp"] == "2025-05-19T10:00:00.250Z"


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_question_is_answered_in_the_same_task_and_session(*, streaming: bool) -> None:
    agent = OlderAgent(streaming=streaming)
    async with agent.running() as there:
        question = await reply_to(agent, there, "ask")
        assert (question.state, question.text) == ("input-required", "which berth?")
        reply = await reply_to(agent, there, "7", task_id=question.task_id, context_id=question.context_id)
    assert (reply.state, reply.text) == ("completed", "berth 7")
    ids = [(params["id"], params["sessionId"]) for _, params in agent.calls]
    assert ids == [(question.task_id, question.context_id)] * 2


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_failed_task_says_why(*, streaming: bool) -> None:
    agent = OlderAgent(streaming=streaming)
    async with agent.running() as there:
        reply = await reply_to(agent, there, "fail")
    assert (reply.state, reply.text) == ("failed", "no berth")


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_task_that_continues_after_the_reply_is_polled_until_it_ends(*, streaming: bool) -> None:
    agent = OlderAgent(streaming=streaming)
    async with agent.running() as there:
        reply = await reply_to(agent, there, "later", context_id="trip")
    assert (reply.state, reply.text, reply.context_id) == ("completed", "at last", "trip")
    assert agent.methods()[1:] == ["tasks/get"] * (len(agent.calls) - 1)


@pytest.mark.parametrize("streaming", [False, True])
async def test_every_kind_of_part_survives_a_round_trip(*, streaming: bool) -> None:
    parts = [
        Part("text", "parts"),
        Part("url", "https://a.example/f", "f", "image/png"),
        Part("raw", b"\x00\xff", "g", "image/gif"),
        Part("data", {"a": [1, None]}),
        Part("data", [1, "two"]),
    ]
    agent = OlderAgent(streaming=streaming)
    async with agent.running() as there:
        reply = await reply_to(agent, there, parts)
    assert reply.parts == tuple(parts)
    sent = agent.calls[0][1]["message"]
    assert [part["type"] for part in sent["parts"]] == ["text", "file", "file", "data", "data"]
    assert sent["parts"][2]["file"] == {"name": "g", "mimeType": "image/gif", "bytes": "AP8="}
    assert sent["parts"][3] == {"type": "data", "data": {"a": [1, None]}}


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("text", "code", "name"),
    [("refuse", -32005, "ContentTypeNotSupported"), ("broken", -32603, "Internal"), ("closed", -32009, "")],
)
async def test_an_error_has_the_name_that_its_code_has_in_0_1(
    text: str, code: int, name: str, *, streaming: bool
) -> None:
    agent = OlderAgent(streaming=streaming)
    async with agent.running() as there:
        with pytest.raises(CallFailed) as caught:
            await reply_to(agent, there, text)
    # In 1.0, -32009 is VersionNotSupported.
    assert (caught.value.code, caught.value.name) == (code, name)
    assert caught.value.remote_text
    assert caught.value.remote_text not in caught.value.reason


async def test_credentials_required_by_the_card_are_sent() -> None:
    agent = OlderAgent(token="t")  # noqa: S106 - of this test alone
    async with agent.running() as there:
        with pytest.raises(AccessDenied):
            await reply_to(agent, there, "hello")
        credentials = {there.origin: {"Authorization": "Bearer t"}}
        assert (await reply_to(agent, there, "hello", credentials=credentials)).text == "you said hello"


async def test_a_call_that_takes_too_long_cancels_the_task_whose_id_the_client_chose() -> None:
    agent = OlderAgent()
    async with agent.running() as there:
        with pytest.raises(PeerTimeout):
            await reply_to(agent, there, "wait", timeout_seconds=2)
    assert agent.methods() == ["tasks/send", "tasks/cancel"]
    assert [task.state for task in agent.tasks.values()] == ["canceled"]


async def test_a_stream_ends_with_its_final_event_though_the_connection_stays_open() -> None:
    agent = OlderAgent(streaming=True)
    agent.spoil = lambda call, reply: Answer(
        200,
        reply.body + json.dumps({"jsonrpc": "2.0", "id": call["id"]}).encode(),
        {**STREAM, "Content-Length": "1000000"},
    )
    async with agent.running() as there:
        assert (await reply_to(agent, there, "hello")).text == "you said hello"


def body(result: Any, **more: Any) -> Callable[[dict[str, Any]], bytes]:
    return lambda call: json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result, **more}).encode()


def own(result: dict[str, Any]) -> Callable[[dict[str, Any]], bytes]:
    return lambda call: body({"id": call["params"]["id"], **result})(call)


DONE = {"state": "completed"}
WRONG: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "no JSON": lambda _: b"secret words",
    "half of JSON": lambda call: own({"status": DONE})(call)[:-9],
    "no object": lambda _: b"[]",
    "no result": lambda call: json.dumps({"jsonrpc": "2.0", "id": call["id"]}).encode(),
    "the id of another task": body({"id": "another", "status": DONE}),
    "an id that is a number": body({"id": 1, "status": DONE}),
    "a result that is a text": body("secret words"),
    "a result that is null": body(None),
    "no status": own({}),
    "a status that is a text": own({"status": "completed"}),
    "a state that is a number": own({"status": {"state": 1}}),
    "a status without a state": own({"status": {}}),
    "a message of 1.0": body({"message": {"role": "ROLE_AGENT", "parts": [{"text": "secret words"}]}}),
    "artifacts that are an object": own({"status": DONE, "artifacts": {"parts": []}, "artifact": []}),
    "an artifact that is a text": own({"status": DONE, "artifacts": ["secret"], "artifact": "secret"}),
    "an index that is a text": own({"status": DONE, "artifacts": [{"index": "0"}], "artifact": {"index": "0"}}),
    "parts that are a text": own({"status": {**DONE, "message": {"role": "agent", "parts": "secret"}}}),
    "a part that is a text": own({"status": {**DONE, "message": {"role": "agent", "parts": ["secret"]}}}),
    "a file that is a number": own(
        {"status": {**DONE, "message": {"role": "agent", "parts": [{"type": "file", "file": {"bytes": 5}}]}}}
    ),
    "metadata that are a text": own({"status": DONE, "metadata": "secret words"}),
    "an error that is a text": lambda call: json.dumps({"id": call["id"], "error": "secret words"}).encode(),
}  # fmt: skip


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
async def test_an_invalid_0_1_response_is_reported_without_quoting_it(
    wrong: Callable[[dict[str, Any]], bytes], *, streaming: bool
) -> None:
    def spoil(call: dict[str, Any], _: Answer) -> Answer:
        answer = wrong(call)
        return Answer(200, b"data: " + answer + b"\n\n", STREAM) if streaming else Answer(200, answer, JSON)

    agent = OlderAgent(streaming=streaming, spoil=spoil)
    async with agent.running() as there:
        with pytest.raises(BadResponse) as caught:
            await reply_to(agent, there, "hello")
    assert caught.value.kind == "not-a-reply"
    assert "secret" not in caught.value.reason


@pytest.mark.parametrize("cut", [5, 60])
async def test_a_truncated_event_is_no_reply_and_leaves_a_task_unfinished(cut: int) -> None:
    agent = OlderAgent(streaming=True)
    agent.spoil = lambda _, reply: Answer(200, reply.body[:cut], STREAM)
    async with agent.running() as there:
        with pytest.raises(BadResponse):
            await reply_to(agent, there, "hello")
        agent.spoil = lambda _, reply: Answer(200, reply.body[: reply.body.index(b"\r\n\r\n") + cut], STREAM)
        # The task cannot be read either.
        reply = await reply_to(agent, there, "hello")
    assert (reply.state, reply.parts) == ("working", ())
    assert agent.methods()[-1] == "tasks/get"


async def test_nulls_and_missing_fields_are_read_as_absent() -> None:
    # Agents of that time send null for every optional field, and the id of the call is optional in 0.1.
    status = {"state": "completed", "message": None, "timestamp": "yesterday"}
    artifact = {"name": None, "parts": [{"type": "text", "text": "7", "metadata": None}], "index": None,
                "append": None, "lastChunk": None, "metadata": None}  # fmt: skip
    result = {"sessionId": None, "status": status, "artifacts": [artifact, artifact], "history": None,
              "metadata": None}  # fmt: skip
    agent = OlderAgent(
        spoil=lambda _, __: Answer(200, json.dumps({"result": result, "error": None}).encode(), JSON)
    )
    async with agent.running() as there:
        reply = await reply_to(agent, there, "hello", context_id="trip")
    assert (reply.state, reply.text, reply.context_id) == ("completed", "7\n7", "trip")
    assert reply.task_id == agent.calls[0][1]["id"]
    assert "timestamp" not in reply.raw["status"]


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_response_with_another_json_rpc_id_belongs_to_its_request(*, streaming: bool) -> None:
    # As fasta2a 0.2 answers tasks/send.
    agent = OlderAgent(streaming=streaming)
    agent.spoil = lambda call, reply: Answer(
        200, reply.body.replace(call["id"].encode(), b"another"), reply.headers
    )
    async with agent.running() as there:
        assert (await reply_to(agent, there, "hello")).text == "you said hello"


def transport(there: Peer) -> OlderJsonRpcTransport:
    return OlderJsonRpcTransport(httpx.AsyncClient(), AgentCard(), f"{there.origin}/a2a")


async def test_tasks_are_followed_cancelled_and_not_found() -> None:
    agent = OlderAgent(streaming=True)
    async with agent.running() as there, transport(there) as client:
        question = await reply_to(agent, there, "ask")
        assert question.task_id
        events = [event async for event in client.subscribe(SubscribeToTaskRequest(id=question.task_id))]
        assert [event.status_update.status.state for event in events] == [TaskState.TASK_STATE_INPUT_REQUIRED]
        task = await client.cancel_task(CancelTaskRequest(id=question.task_id))
        assert (task.id, task.context_id) == (question.task_id, question.context_id)
        assert task.status.state == TaskState.TASK_STATE_CANCELED
        assert [message.parts[0].text for message in task.history] == ["ask"]
        with pytest.raises(TaskNotCancelableError):
            await client.cancel_task(CancelTaskRequest(id=question.task_id))
        with pytest.raises(TaskNotFoundError):
            await client.cancel_task(CancelTaskRequest(id="unknown"))


async def test_a_task_that_is_not_there_is_an_error_with_a_name() -> None:
    async with OlderAgent().running() as there, GuardedClient(Guard(allow=ALLOW)) as client:
        connected = A2aClient.connect(
            client,
            url=f"{there.origin}/a2a",
            binding="JSONRPC",
            version="0.1",
            tenant=None,
            credentials={},
            timeouts=Timeouts(),
            configured=None,
        )
        async with connected as older:
            with pytest.raises(TaskNotFoundError) as caught:
                await older.get_task("unknown")
        error = failure(caught.value, there.origin)
        assert isinstance(error, CallFailed)
        assert (error.code, error.name) == (-32001, "TaskNotFound")


async def test_a_push_configuration_is_set_and_read() -> None:
    agent = OlderAgent(push=True)
    async with agent.running() as there, transport(there) as client:
        reply = await reply_to(agent, there, "ask")
        assert reply.task_id
        config = TaskPushNotificationConfig(
            task_id=reply.task_id,
            url="https://me.example/hook",
            token="t",  # noqa: S106 - of this test alone
            authentication=AuthenticationInfo(scheme="Bearer", credentials="c"),
        )
        assert await client.create_task_push_notification_config(config) == config
        request = GetTaskPushNotificationConfigRequest(task_id=reply.task_id)
        assert await client.get_task_push_notification_config(request) == config
        assert agent.calls[-2][1]["pushNotificationConfig"] == {
            "url": "https://me.example/hook",
            "token": "t",
            "authentication": {"schemes": ["Bearer"], "credentials": "c"},
        }
        agent.push = False
        with pytest.raises(PushNotificationNotSupportedError):
            await client.get_task_push_notification_config(request)


async def test_fields_that_0_1_does_not_have_are_not_sent() -> None:
    agent = OlderAgent()
    async with agent.running() as there, transport(there) as client:
        with pytest.raises(UnsupportedOperationError, match=r"A2A 0\.1 does not have ListTasks"):
            await client.list_tasks(ListTasksRequest())
    assert agent.calls == []
