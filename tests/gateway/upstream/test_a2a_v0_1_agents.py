"""A2A 0.1 agents behind the gateway appear as 0.3 and 1.0: calls, cards, invocations and MCP."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client

from cardwright import call_agent, fetch_card
from cardwright.discovery import Part
from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from tests.a2a_v0_1_agent import JSON, STREAM, OlderAgent
from tests.gateway.catalog.test_served_card import example
from tests.gateway.gateways import rpc
from tests.gateway.processes import before, in_process
from tests.gateway.tasks.gateways import OWNERS, Owned
from tests.peers import Reply as Answer
from tests.peers import peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from cardwright.discovery.calling import Reply
    from cardwright_gateway import Gateway
    from tests.peers import RecordedRequest

LOOPBACK = ("127.0.0.0/8",)
WAYS = [("1.0", "JSONRPC"), ("1.0", "HTTP+JSON"), ("0.3", "JSONRPC"), ("0.3", "HTTP+JSON")]
NEWER = {"A2A-Version": "1.0"}


def message(text: str, **more: Any) -> dict[str, Any]:
    return {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": text}], **more}}


@dataclass(frozen=True)
class Served:
    """A gateway before one agent of 0.1, called in this process."""

    gateway: Gateway

    async def rpc(self, method: str, params: Any) -> Any:
        """Send a call, of 1.0 if its method has such a name."""
        headers = NEWER if method[0].isupper() else {}
        reply = await call(self.gateway, "POST", "/agents/harbour", headers, body=rpc(method, params))
        if reply.headers["content-type"].startswith("text/event-stream"):
            lines = reply.body.decode().splitlines()
            return [json.loads(line[6:])["result"] for line in lines if line.startswith("data: ")]
        return json.loads(reply.body)

    async def send(self, text: str, **more: Any) -> Any:
        """Send a message; return the task."""
        return (await self.rpc("SendMessage", message(text, **more)))["result"]["task"]

    async def rest(self, method: str, path: str, value: Any = None) -> Any:
        """Send a request to the HTTP+JSON interface of 1.0."""
        body = b"" if value is None else json.dumps(value).encode()
        reply = await call(self.gateway, method, f"/agents/harbour{path}", NEWER, body=body)
        return reply.json


@asynccontextmanager
async def served(agent: OlderAgent, **settings: Any) -> AsyncGenerator[Served]:
    async with (
        agent.running() as there,
        in_process({"harbour": {"url": there.origin, **settings}}) as gateway,
    ):
        yield Served(gateway)


# Cards


@pytest.mark.parametrize("streaming", [False, True])
async def test_the_card_says_what_the_gateway_serves(*, streaming: bool) -> None:
    async with (
        OlderAgent(streaming=streaming, token="for-it").running() as there,  # noqa: S106 - of this test alone
        before({"harbour": {"url": there.origin, "bearer": "for-it"}}) as gateway,
    ):
        found = await fetch_card(gateway.at("harbour"), allow=LOOPBACK)
        assert found.card is not None
        assert (str(found.dialect), found.card.valid) == ("a2a-1.0", True)
        document = found.card.document
        interfaces = [
            (one["protocolVersion"], one["protocolBinding"], one["url"])
            for one in document["supportedInterfaces"]
        ]
        assert interfaces == [(*way, gateway.at("harbour")) for way in WAYS]
        assert document["capabilities"] == {
            "streaming": streaming, "pushNotifications": False, "extendedAgentCard": False,
        }  # fmt: skip
        # The agent asks for a bearer token, which the gateway has; its callers need none.
        assert not {"securitySchemes", "securityRequirements", "authentication", "url"} & document.keys()
        older = await fetch_card(gateway.at("harbour"), allow=LOOPBACK, headers={"A2A-Version": "0.3"})
        assert older.card is not None
        assert (str(older.dialect), older.card.valid) == ("a2a-0.3", True)
        assert there.origin not in json.dumps([document, older.card.document])
        assert (await call_agent(found, "hello", allow=LOOPBACK)).text == "you said hello"


@pytest.mark.parametrize("streaming", [False, True])
async def test_the_gateway_does_what_the_card_declares(*, streaming: bool) -> None:
    async with (
        OlderAgent(streaming=streaming).running() as there,
        before({"harbour": {"url": there.origin}}) as gateway,
        GuardedClient(Guard(allow=LOOPBACK)) as client,
    ):
        report = await probe(gateway.at("harbour"), client=client, send=True)
    assert report.true
    assert not report.of("error")
    assert not report.of("warning")


# Calls


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(("version", "binding"), WAYS)
async def test_each_version_and_binding_has_the_same_replies(
    version: str, binding: str, *, streaming: bool
) -> None:
    agent = OlderAgent(streaming=streaming)
    async with agent.running() as there, before({"harbour": {"url": there.origin}}) as gateway:
        found = await fetch_card(gateway.at("harbour"), allow=LOOPBACK)

        async def reply_to(text: Any, **more: Any) -> Reply:
            supported = [f"a2a/{version}+{binding}"]
            return await call_agent(found, text, allow=LOOPBACK, supported=supported, **more)

        assert (await reply_to("hello")).text == "you said hello"
        task = await reply_to("task")
        assert (task.text, task.data) == ("berth\n7", ({"berth": 7, "free": [True]},))
        assert (task.state, bool(task.task_id), bool(task.context_id)) == ("completed", True, True)
        waiting = await reply_to("ask")
        assert (waiting.state, waiting.text) == ("input-required", "which berth?")
        reply = await reply_to("9", task_id=waiting.task_id, context_id=waiting.context_id)
        assert (reply.state, reply.text, reply.task_id) == ("completed", "berth 9", waiting.task_id)
        failed = await reply_to("fail")
        assert (failed.state, failed.text) == ("failed", "no berth")
        parts = [
            Part("text", "parts"),
            Part("raw", b"\x00\xff", "g", "image/gif"),
            Part("data", {"a": 1}),
        ]
        assert (await reply_to(parts)).parts == tuple(parts)
    assert {*agent.methods()} == {"tasks/sendSubscribe" if streaming else "tasks/send"}
    questions = [params for _, params in agent.calls if "message" in params][2:4]
    assert len({(params["id"], params["sessionId"]) for params in questions}) == 1
    # The agent learns neither the gateway's ids nor those of the caller.
    assert str(waiting.task_id) not in json.dumps(agent.calls)
    assert str(waiting.context_id) not in json.dumps(agent.calls)


async def test_methods_of_0_3_work_from_the_first_message_to_the_last_event() -> None:
    agent = OlderAgent(streaming=True)
    older = {"message": {"messageId": "m", "role": "user", "parts": [{"kind": "text", "text": "ask"}]}}
    async with served(agent) as gateway:
        task = (await gateway.rpc("message/send", older))["result"]
        assert (task["kind"], task["status"]["state"]) == ("task", "input-required")
        assert (await gateway.rpc("tasks/get", {"id": task["id"]}))["result"]["status"] == task["status"]
        events = await gateway.rpc(
            "message/stream",
            {
                "message": {
                    **older["message"],
                    "taskId": task["id"],
                    "contextId": task["contextId"],
                    "parts": [{"kind": "text", "text": "7"}],
                }
            },
        )
        assert events[-1]["status"]["state"] == "completed"
        assert [event["artifact"]["parts"][0]["text"] for event in events if "artifact" in event] == [
            "berth 7"
        ]
        again = (await gateway.rpc("message/send", older))["result"]
        canceled = (await gateway.rpc("tasks/cancel", {"id": again["id"]}))["result"]
        assert canceled["status"]["state"] == "canceled"
        assert [one.state for one in agent.tasks.values()] == ["completed", "canceled"]


async def test_a_running_task_can_be_followed_and_cancelled() -> None:
    agent = OlderAgent(streaming=True)
    async with served(agent) as gateway:
        immediate = {"configuration": {"returnImmediately": True}}
        task = (await gateway.rpc("SendMessage", {**message("wait"), **immediate}))["result"]["task"]
        assert task["status"]["state"] == "TASK_STATE_WORKING"
        await agent.waiting.wait()
        following = asyncio.create_task(gateway.rpc("tasks/resubscribe", {"id": task["id"]}))
        listed = await gateway.rest("GET", f"/tasks/{task['id']}")
        assert listed["status"]["state"] == "TASK_STATE_WORKING"
        canceled = await gateway.rest("POST", f"/tasks/{task['id']}:cancel", {})
        assert canceled["status"]["state"] == "TASK_STATE_CANCELED"
        # The agent has not answered the message yet: the gateway chose the id.
        assert [one.state for one in agent.tasks.values()] == ["canceled"]
        assert (await following)[-1]["status"]["state"] == "canceled"


async def test_a_task_that_the_agent_continues_is_completed_later() -> None:
    agent = OlderAgent()
    async with served(agent) as gateway:
        task = await gateway.send("later")
        async with asyncio.timeout(60):
            while task["status"]["state"] == "TASK_STATE_WORKING":
                await asyncio.sleep(0.02)
                task = (await gateway.rpc("GetTask", {"id": task["id"]}))["result"]
        assert task["status"]["state"] == "TASK_STATE_COMPLETED"
        assert [artifact["parts"] for artifact in task["artifacts"]] == [[{"text": "at last"}]]


async def test_a_broken_stream_is_followed_by_polling() -> None:
    agent = OlderAgent(streaming=True)
    agent.spoil = lambda task, reply: (
        Answer(200, reply.body[: reply.body.index(b"\r\n\r\n") + 30], STREAM)
        if task["method"] == "tasks/sendSubscribe"
        else reply
    )
    async with served(agent) as gateway:
        task = await gateway.send("task")
        async with asyncio.timeout(60):
            while task["status"]["state"] == "TASK_STATE_WORKING":
                await asyncio.sleep(0.02)
                task = (await gateway.rpc("GetTask", {"id": task["id"]}))["result"]
    parts = [artifact["parts"] for artifact in task["artifacts"]]
    assert parts == [[{"text": "berth"}, {"text": "7"}], [{"data": {"berth": 7, "free": [True]}}]]


# Errors


async def test_errors_of_tasks_have_their_codes_in_every_version() -> None:
    async with served(OlderAgent()) as gateway:
        task = await gateway.send("hello")
        for get, cancel in (("GetTask", "CancelTask"), ("tasks/get", "tasks/cancel")):
            assert (await gateway.rpc(get, {"id": "unknown"}))["error"]["code"] == -32001
            assert (await gateway.rpc(cancel, {"id": task["id"]}))["error"]["code"] == -32002
        missing = await gateway.rest("GET", "/tasks/unknown")
        assert missing["error"]["details"][0]["reason"] == "TASK_NOT_FOUND"


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("text", "state", "reason"),
    [
        ("refuse", "REJECTED", "INVALID_ARGUMENTS"),
        ("broken", "FAILED", "UPSTREAM_INVALID"),
        # In 0.1, -32008 is AuthorizationFailed and -32009 InvalidTaskState.
        ("denied", "FAILED", "UPSTREAM_INVALID"),
        ("closed", "FAILED", "UPSTREAM_INVALID"),
    ],
)
async def test_an_error_of_the_agent_fails_the_task_without_its_text(
    text: str, state: str, reason: str, *, streaming: bool
) -> None:
    async with served(OlderAgent(streaming=streaming)) as gateway:
        task = await gateway.send(text)
        status = task["status"]
        assert (status["state"], status["message"]["metadata"]["reason"]) == (
            f"TASK_STATE_{state}",
            reason,
        )
        assert "ignore all" not in json.dumps(task)


HOSTILE: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "no JSON": lambda _: b"secret words",
    "half": lambda task: json.dumps({"id": task["id"], "result": {"id": task["params"]["id"]}}).encode()[:-3],
    "another task": lambda task: json.dumps({"id": task["id"], "result": {"id": "x", "status": {"state": "completed"}}}).encode(),
    "no task": lambda task: json.dumps({"id": task["id"], "result": {"secret": "words"}}).encode(),
}  # fmt: skip


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_response_that_is_not_0_1_fails_the_task(
    hostile: Callable[[dict[str, Any]], bytes], *, streaming: bool
) -> None:
    def spoil(sent: dict[str, Any], _: Answer) -> Answer:
        answer = hostile(sent)
        return Answer(200, b"data: " + answer + b"\n\n", STREAM) if streaming else Answer(200, answer, JSON)

    async with served(OlderAgent(streaming=streaming, spoil=spoil)) as gateway:
        status = (await gateway.send("hello"))["status"]
        assert status["state"] == "TASK_STATE_FAILED"
        assert status["message"]["metadata"]["reason"] == "UPSTREAM_INVALID"
        assert "secret" not in json.dumps(status)


async def test_a_configured_card_without_a_version_is_0_1() -> None:
    agent = OlderAgent(streaming=True)
    async with agent.running() as there:
        card = example("a2a-0.1") | {"protocolVersion": "0.1.0", "url": "https://elsewhere.example/a2a"}
        managed = {"card": card, "backend": {"url": f"{there.origin}/a2a"}}
        async with in_process({"harbour": managed}) as gateway:
            task = await Served(gateway).send("hello")
    assert task["artifacts"][0]["parts"] == [{"text": "you said hello"}]
    assert agent.methods() == ["tasks/sendSubscribe"]


async def test_a_managed_0_2_agent_is_called() -> None:
    def answer(request: RecordedRequest) -> Answer:
        if request.method == "GET":
            document = example("a2a-0.2") | {"url": f"http://{request.headers['host']}/a2a"}
            return Answer(200, json.dumps(document).encode(), JSON)
        sent = json.loads(request.body)
        assert sent["method"] in ("message/send", "message/stream")
        aye = {
            "kind": "message",
            "messageId": "m",
            "role": "agent",
            "parts": [{"kind": "text", "text": "aye"}],
        }
        return Answer(200, json.dumps({"jsonrpc": "2.0", "id": sent["id"], "result": aye}).encode(), JSON)

    async with (
        peer(answer) as there,
        in_process({"harbour": {"url": there.origin, "invoke": True, "tasks": "own"}}) as gateway,
    ):
        body = json.dumps({"message": "hello"}).encode()
        reply = await call(gateway, "POST", "/agents/harbour/v1/invoke", JSON, body=body)
        assert reply.json["reply"] == "aye"
        sent = await Served(gateway).rpc("SendMessage", message("hello"))
        assert sent["result"]["message"]["parts"] == [{"text": "aye"}]


# Other endpoints, and tasks that the gateway stores


async def test_a_0_1_agent_is_invoked_and_is_an_mcp_tool() -> None:
    agent = OlderAgent()
    async with (
        agent.running() as there,
        before({"harbour": {"url": there.origin, "invoke": True}}) as gateway,
    ):
        body = json.dumps({"message": "hello"}).encode()
        reply = await call(gateway.gateway, "POST", "/agents/harbour/v1/invoke", JSON, body=body)
        assert (reply.status, reply.json["reply"]) == (200, "you said hello")
        async with Client(f"{gateway.at('harbour')}/mcp", cache=None) as client:
            (tool,) = (await client.list_tools()).tools
            result = await client.call_tool(tool.name, {"message": "hello"})
        assert [block.text for block in result.content if block.type == "text"] == ["you said hello"]
    assert agent.methods() == ["tasks/send", "tasks/send"]


@pytest.mark.parametrize("streaming", [False, True])
async def test_tasks_that_the_gateway_stores_are_continued_and_cancelled(*, streaming: bool) -> None:
    agent = OlderAgent(streaming=streaming)
    async with (
        agent.running() as there,
        in_process(
            {"harbour": {"url": there.origin, "owner": "acme"}},
            owners=OWNERS,
            webhooks={"enabled": False},
        ) as gateway,
    ):
        caller = await Owned(gateway).key("harbour")
        waiting = await caller.send("ask")
        assert waiting["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
        more = {"taskId": waiting["id"], "contextId": waiting["contextId"]}
        assert (await caller.send("7", **more))["status"]["state"] == "TASK_STATE_COMPLETED"
        other = await caller.send("ask")
        canceled = await caller.rpc("CancelTask", {"id": other["id"]})
        assert canceled["result"]["status"]["state"] == "TASK_STATE_CANCELED"
        assert [task.state for task in agent.tasks.values()] == ["completed", "canceled"]
