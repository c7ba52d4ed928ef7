"""A2A endpoint: calls over JSON-RPC and REST, of A2A 1.0 and 0.3, and their responses."""

# pyright: reportPrivateUsage=false
# The SDK and the endpoint have no public way to see leftovers and lazily created objects.

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import Any

import pytest

from cardwright.errors import MissingPackage
from cardwright_gateway.a2a.calls import Call
from cardwright_gateway.a2a_server import endpoint
from cardwright_gateway.a2a_server.responses import rpc_answer
from tests.gateway.a2a_server.endpoints import (
    STRANGE,
    ScriptedBackend,
    a2a_endpoint,
    card,
    events,
    message,
    old_message,
    posted,
    rest,
    rpc,
    sent,
    version_of,
)
from tests.gateway.gateways import JSON, MESSAGE, gateway
from tests.gateway.gateways import rpc as posted_rpc

OLD_REST = {"messageId": "m-1", "role": "ROLE_USER"}
FORMS = ("rpc-1.0", "rpc-0.3", "rest-1.0", "rest-0.3")


async def parts_by(endpoint: Any, form: str, text: str) -> tuple[int, Any]:
    """Send a text in one of the forms; return the HTTP status and the JSON."""
    match form:
        case "rpc-1.0" | "rpc-0.3":
            name, made = (
                ("SendMessage", message(text)) if form == "rpc-1.0" else ("message/send", old_message(text))
            )
            body = {"jsonrpc": "2.0", "id": "x", "method": name, "params": {"message": made}}
            reply = await posted(endpoint, json.dumps(body).encode(), version_of(name))
        case "rest-1.0":
            reply = await rest(endpoint, "POST", "/message:send", {"message": message(text)})
        case _:
            old = {"message": {**OLD_REST, "content": [{"text": text}]}}
            reply = await rest(endpoint, "POST", "/v1/message:send", old, ())
    return reply.status, reply.json


def details(answer: Any) -> Any:
    return answer["error"].get("data") or answer["error"].get("details")


@pytest.mark.parametrize("form", FORMS)
async def test_a_response_has_the_version_and_binding_of_its_request(form: str) -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend) as endpoint:
        status, answer = await parts_by(endpoint, form, "hello")
    assert status == 200
    task = answer.get("result", answer)
    task = task.get("task", task)
    assert "you said hello" in json.dumps(task["artifacts"])
    assert task["status"]["state"] == ("completed" if form == "rpc-0.3" else "TASK_STATE_COMPLETED")
    [turn] = backend.turns
    assert (turn.task_id, turn.context_id) == (task["id"], task["contextId"])
    assert (turn.message_id, turn.earlier) == ("m-1", False)


@pytest.mark.parametrize("form", FORMS)
async def test_invalid_arguments_are_named_and_create_no_task(form: str) -> None:
    async with a2a_endpoint() as endpoint:
        status, answer = await parts_by(endpoint, form, "refuse")
        assert endpoint.tasks._impl.tasks == {}
    assert status == (200 if form.startswith("rpc") else 400)
    assert answer["error"]["code"] == (-32602 if form.startswith("rpc") else 400)
    info, bad = details(answer)
    assert (info["domain"], info["reason"]) == ("cardwright.dev", "INVALID_ARGUMENTS")
    assert bad["@type"] == "type.googleapis.com/google.rpc.BadRequest"
    assert bad["fieldViolations"] == [{"field": "/berth", "description": "must be a number"}]


@pytest.mark.parametrize("form", FORMS)
async def test_an_agent_that_is_not_ready_is_a_503_with_retry_after(form: str) -> None:
    async with a2a_endpoint() as endpoint:
        status, answer = await parts_by(endpoint, form, "unready")
    assert status == 503
    assert answer["error"]["code"] == (-32603 if form.startswith("rpc") else 503)
    assert details(answer)[0]["reason"] == "SESSION_NOT_READY"
    assert "secret-command" not in json.dumps(answer)
    assert STRANGE not in json.dumps(answer)


async def test_retry_after_is_in_the_header_as_whole_seconds() -> None:
    async with a2a_endpoint() as endpoint:
        reply = await rest(endpoint, "POST", "/message:send", {"message": message("unready")})
    assert reply.headers["retry-after"] == "3"


@pytest.mark.parametrize(
    ("text", "state", "reason", "expected"),
    [
        ("timeout", "TASK_STATE_FAILED", "UPSTREAM_TIMEOUT", "the agent did not respond in time"),
        ("nan", "TASK_STATE_FAILED", "UPSTREAM_INVALID", "the agent sent an invalid response"),
        ("bug", "TASK_STATE_FAILED", "INTERNAL_ERROR", "the agent failed"),
        ("reject", "TASK_STATE_REJECTED", None, "not here"),
        ("ask", "TASK_STATE_INPUT_REQUIRED", None, "which berth?"),
    ],
)
def test_a_failed_task_has_a_reason_in_the_gateways_words(
    text: str, state: str, reason: str | None, expected: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> Any:
        async with a2a_endpoint() as endpoint:
            return await sent(endpoint, text)

    with caplog.at_level(logging.ERROR, "cardwright_gateway"):
        task = asyncio.run(run())
    assert task["status"]["state"] == state
    assert task["status"]["message"]["parts"] == [{"text": expected}]
    assert task.get("metadata", {}).get("reason") == reason
    assert STRANGE not in json.dumps(task)
    assert ("Traceback" in caplog.text) == (text == "bug")


async def test_a_first_chunk_with_append_starts_the_artifact() -> None:
    async with a2a_endpoint() as endpoint:
        streamed = events(await rest(endpoint, "POST", "/message:stream", {"message": message("appends")}))
        updates = [one["artifactUpdate"] for one in streamed if "artifactUpdate" in one]
        assert [one.get("append", False) for one in updates] == [False, True]
        (artifact,) = (await sent(endpoint, "appends"))["artifacts"]
        assert [part["text"] for part in artifact["parts"]] == ["a", "b"]


async def test_chunks_form_one_artifact_and_progress_is_reported() -> None:
    async with a2a_endpoint() as endpoint:
        reply = await rest(endpoint, "POST", "/message:stream", {"message": message("pieces")})
    received = events(reply)
    updates = [one["artifactUpdate"] for one in received if "artifactUpdate" in one]
    assert {one["artifact"]["artifactId"] for one in updates} == {"result-1"}
    assert [one.get("append", False) for one in updates] == [False, True, True]
    assert [one.get("lastChunk", False) for one in updates] == [False, False, True]
    states = [one["statusUpdate"] for one in received if "statusUpdate" in one]
    assert states[0]["metadata"] == {"progress": 1, "total": 2}
    assert states[0]["status"]["message"]["parts"] == [{"text": "looking"}]
    assert states[-1]["status"]["state"] == "TASK_STATE_COMPLETED"
    assert received[0]["task"]["status"]["state"] == "TASK_STATE_WORKING"


async def test_a_message_without_a_context_id_continues_that_of_its_task() -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend) as endpoint:
        waiting_task = await sent(endpoint, "ask")
        task = await sent(endpoint, "7", taskId=waiting_task["id"], messageId="m-2")
    assert (task["id"], task["contextId"]) == (waiting_task["id"], waiting_task["contextId"])
    assert task["status"]["state"] == "TASK_STATE_COMPLETED"
    assert [one["parts"][0]["text"] for one in task["history"]] == ["ask", "which berth?", "7"]
    assert [turn.earlier for turn in backend.turns] == [False, True]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"message": message("x", taskId="foreign")}, -32001), ({"message": message("x", taskId="")}, None),
        ({}, -32602), ({"message": 5}, -32602), ({"message": message("x", parts=[])}, -32602),
        ({"message": message("x", parts=[{}])}, -32602), ({"message": message("x", parts=[{"text": 5}])}, -32602),
        ({"message": message("x", role="ROLE_NOBODY")}, -32602),
        ({"message": message("x"), "configuration": {"taskPushNotificationConfig": {"url": "http://a"}}}, -32003),
    ],
)  # fmt: skip
async def test_an_invalid_message_is_refused(params: Any, code: int | None) -> None:
    async with a2a_endpoint() as endpoint:
        assert (await rpc(endpoint, "SendMessage", params)).get("error", {}).get("code") == code


@pytest.mark.parametrize(
    ("method", "params", "code", "reason"),
    [
        ("GetTask", {"id": "none"}, -32001, "TASK_NOT_FOUND"),
        ("tasks/get", {"id": "none"}, -32001, "TASK_NOT_FOUND"),
        ("GetTask", {"id": 5}, -32602, "INVALID_PARAMS"),
        ("tasks/get", {"id": 5}, -32602, "INVALID_PARAMS"),
        ("message/send", {"message": {"role": "x"}}, -32602, "INVALID_PARAMS"),
        ("message/send", {"message": old_message("x", parts=[{"kind": "nothing"}])}, -32602, "INVALID_PARAMS"),
        ("CancelTask", {"id": "none"}, -32001, "TASK_NOT_FOUND"),
        ("tasks/cancel", {"id": "none"}, -32001, "TASK_NOT_FOUND"),
        ("SubscribeToTask", {"id": "none"}, -32001, "TASK_NOT_FOUND"),
        ("GetExtendedAgentCard", {}, -32004, "UNSUPPORTED_OPERATION"),
        ("agent/getAuthenticatedExtendedCard", {}, -32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"),
        ("agent/getExtendedCard", {}, -32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"),
        ("DeleteTaskPushNotificationConfig", {"taskId": "t", "id": "c"}, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        ("tasks/pushNotificationConfig/delete", {"id": "t", "pushNotificationConfigId": "c"}, -32003, None),
        ("tasks/send", {}, -32601, "METHOD_NOT_FOUND"),
        ("ListTasks", {"pageSize": 1_000}, -32602, "INVALID_PARAMS"),
    ],
)  # fmt: skip
def test_every_error_has_its_code_and_an_error_info(
    method: str, params: Any, code: int, reason: str | None
) -> None:
    async def run() -> Any:
        async with a2a_endpoint() as endpoint:
            return await rpc(endpoint, method, params)

    error = asyncio.run(run())["error"]
    assert error["code"] == code
    assert error["data"][0]["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"
    assert reason in (None, error["data"][0]["reason"])


def test_a_response_with_neither_result_nor_error_gets_a_result() -> None:
    call = Call(rpc=True, path="/", id=7)
    assert rpc_answer(call, {"jsonrpc": "2.0", "id": 7}) == {"jsonrpc": "2.0", "id": 7, "result": None}


async def test_missing_extended_card_and_streaming_have_their_error_codes() -> None:
    async with a2a_endpoint(published=card(extendedAgentCard=True, streaming=False)) as endpoint:
        assert (await rpc(endpoint, "GetExtendedAgentCard"))["error"]["code"] == -32007
        body = {"message": message("hello")}
        assert (await rpc(endpoint, "SendStreamingMessage", body))["error"]["code"] == -32004
        endpoint.exchange(card())
        reply = await rest(endpoint, "POST", "/message:stream", body)
        assert events(reply)[-1]["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED"


@pytest.mark.parametrize(
    ("method", "header", "query", "code"),
    [
        ("GetTask", None, "", -32009), ("GetTask", "1.0", "", -32001), ("GetTask", "1.0.1", "", -32001),
        ("GetTask", "1.0", "?A2A-Version=1.0", -32001), ("GetTask", None, "?A2A-Version=1.0", -32001),
        ("GetTask", "2.0", "", -32009), ("GetTask", "0.3", "", -32009), ("GetTask", None, "?A2A-Version=9.9", -32009),
        ("GetTask", "1.0", "?A2A-Version=0.3", -32600), ("tasks/get", None, "", -32001),
        ("tasks/get", "0.3", "", -32001), ("tasks/get", "0.3.0", "", -32001), ("tasks/get", "1.0", "", -32009),
    ],
)  # fmt: skip
def test_the_version_is_read_from_the_header_then_the_query(
    method: str, header: str | None, query: str, code: int
) -> None:
    async def run() -> Any:
        async with a2a_endpoint() as endpoint:
            headers = {"a2a-version": header} if header else {}
            return await rpc(endpoint, method, {"id": "none"}, headers, url=f"/{query}")

    error = asyncio.run(run())["error"]
    assert error["code"] == code
    if code == -32009:
        assert error["data"][0]["metadata"] == {"supportedVersions": "1.0, 0.3"}


@pytest.mark.parametrize(
    ("accept", "sent_as", "answered"),
    [
        (None, "application/a2a+json", "application/a2a+json"),
        ("application/json", "application/a2a+json", "application/json"),
        ("application/a2a+json", "application/json", "application/a2a+json"),
        (None, "application/json", "application/json"),
        ("text/event-stream", "application/json", "application/json"),
    ],
)
async def test_a_rest_response_has_the_requested_media_type(
    accept: str | None, sent_as: str | None, answered: str
) -> None:
    headers = {"a2a-version": "1.0"}
    headers |= {"accept": accept} if accept else {}
    headers |= {"content-type": sent_as} if sent_as else {}
    async with a2a_endpoint() as endpoint:
        reply = await rest(endpoint, "POST", "/message:send", {"message": message("hello")}, headers)
    assert reply.headers["content-type"] == answered


@pytest.mark.parametrize(
    ("method", "url", "status", "reason"),
    [
        ("GET", "/tasks/none", 404, "TASK_NOT_FOUND"),
        ("GET", "/tenant/tasks/none", 404, "TASK_NOT_FOUND"),
        ("GET", "/nowhere", 404, "METHOD_NOT_FOUND"),
        ("GET", "/tasks?pageSize=x", 400, "INVALID_REQUEST"),
        ("POST", "/tasks/none:subscribe", 404, "TASK_NOT_FOUND"),
        ("GET", "/tasks/none:subscribe", 404, "TASK_NOT_FOUND"),
        ("POST", "/tasks/none:cancel", 404, "TASK_NOT_FOUND"),
        ("POST", "/message:send", 400, "INVALID_PARAMS"),
        ("GET", "/message:send", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/extendedAgentCard", 400, "UNSUPPORTED_OPERATION"),
    ],
)
async def test_rest_errors_have_the_shape_of_the_specification(
    method: str, url: str, status: int, reason: str
) -> None:
    async with a2a_endpoint() as endpoint:
        reply = await rest(endpoint, method, url)
    error = reply.json["error"]
    assert (reply.status, (error.get("details") or error["data"])[0]["reason"]) == (status, reason)
    assert ("allow" in reply.headers) == (status == 405)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700), (b"{", -32700), (b"\xff\xfe", -32700), (b"NaN", -32700), (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}]', -32600), (b'"text"', -32600),
        (b"{}", -32600), (b'{"jsonrpc":"1.0","id":1,"method":"GetTask"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"GetTask"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"GetTask"}', -32600),
        (b'{"jsonrpc":"2.0","id":[],"method":"GetTask"}', -32600),
        (b'{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"GetTask"}', -32600),
        (b'{"jsonrpc":"2.0","id":"' + b"x" * 600 + b'","method":"GetTask"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"GetTask"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t","metadata":{"n":9007199254740993}}}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"parts":[{"raw":"a!b"}]}}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"rpc.x"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"GetTask","params":null}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"message/send","params":"x"}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":' + b'{"a":' * 500 + b"1" + b"}" * 501, -32600),
    ],
)  # fmt: skip
async def test_hostile_bodies_are_refused_without_a_server_error(body: bytes, code: int) -> None:
    async with a2a_endpoint() as endpoint:
        error = (await posted(endpoint, body)).json["error"]
        assert error["code"] == code
        assert (await sent(endpoint, "hello"))["status"]["state"] == "TASK_STATE_COMPLETED"


@pytest.mark.parametrize("status", ["bogus", "working", -1, 9, 2**31 - 1])
async def test_tasks_are_listed_by_a_valid_state(status: Any) -> None:
    async with a2a_endpoint() as endpoint:
        await sent(endpoint, "hello")
        error = (await rpc(endpoint, "ListTasks", {"status": status}))["error"]
        assert error["code"] == -32602
        assert "TASK_STATE_WORKING" in json.dumps(error["data"])
        reply = await rest(endpoint, "GET", f"/tasks?status={status}")
        assert (reply.status, reply.json["error"]["status"]) == (400, "INVALID_ARGUMENT")
        named = await rest(endpoint, "GET", "/tasks?status=TASK_STATE_WORKING")
        numbered = await rpc(endpoint, "ListTasks", {"status": 2})
        assert (named.status, numbered["result"]["tasks"]) == (200, [])


async def test_a_megabyte_of_text_in_its_envelope_is_accepted() -> None:
    backend = ScriptedBackend()
    async with a2a_endpoint(backend) as endpoint:
        text = "é" * 524_288
        answer = await rpc(endpoint, "SendMessage", {"message": message(text)}, traceparent="00-x")
        assert answer["result"]["task"]["status"]["state"] == "TASK_STATE_COMPLETED"
    assert backend.turns[0].parts[0].value == text


async def test_integers_and_metadata_reach_the_backend_and_come_back_unchanged() -> None:
    backend = ScriptedBackend()
    data = {"berth": 7, "depth": 2.5, "huge": 1e300, "free": [True, None]}
    async with a2a_endpoint(backend) as endpoint:
        made = message("x", parts=[{"data": data, "mediaType": "application/json"}], metadata={"a": 1})
        answer = await rpc(endpoint, "SendMessage", {"message": made, "metadata": {"a": 0, "b": 2}})
        call = {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {"message": made}}
        stream = await posted(endpoint, json.dumps(call).encode(), version_of("SendStreamingMessage").items())
    for one in (answer, events(stream)[0]):
        shown = one["result"]["task"]["history"][0]["parts"][0]["data"]
        assert json.dumps(shown, sort_keys=True) == json.dumps(data, sort_keys=True)
    turn = backend.turns[0]
    assert json.dumps(turn.parts[0].value, sort_keys=True) == json.dumps(data, sort_keys=True)
    assert json.dumps(dict(turn.metadata), sort_keys=True) == '{"a": 1, "b": 2}'


async def test_the_sdk_handler_is_created_at_the_first_call_and_ends_with_close() -> None:
    async with gateway() as running:
        agent = running.gateway.agent("greeter")
        assert agent._a2a_server is None
        await running("POST", "/greeter", JSON, posted_rpc("SendMessage", MESSAGE))
        assert agent._a2a_server is not None
    async with a2a_endpoint() as endpoint:
        await sent(endpoint, "hello")
    assert (await rpc(endpoint, "GetTask", {"id": "x"}))["error"]["data"][0]["reason"] == "AGENT_OFFLINE"


def test_a_missing_a2a_sdk_is_reported_when_the_endpoint_is_created(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "a2a", None)
    with pytest.raises(MissingPackage, match=r'pip install "cardwright\[gateway\]"'):
        endpoint.A2aServer(ScriptedBackend(), card(), agent_id="harbour")


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_a_call_with_the_id_null_has_a_response_with_the_id_null(version: str) -> None:
    get, stream, made = (
        ("GetTask", "SendStreamingMessage", message("hello"))
        if version == "1.0"
        else ("tasks/get", "message/stream", old_message("hello"))
    )

    def body(method: str, params: Any) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": None, "method": method, "params": params}).encode()

    async with a2a_endpoint() as endpoint:
        received = events(await posted(endpoint, body(stream, {"message": made}), version_of(stream)))
        task = received[0]["result"]
        task_id = (task["task"] if version == "1.0" else task)["id"]
        found = (await posted(endpoint, body(get, {"id": task_id}), version_of(get))).json
        unknown = (await posted(endpoint, body(get, {"id": "none"}), version_of(get))).json
    assert [one["id"] for one in (*received, found, unknown)] == [None] * (len(received) + 2)
    assert len(received) > 1
    assert all("result" in one for one in received)
    assert found["result"]["id"] == task_id
    assert unknown["error"]["code"] == -32001
