"""Agents as MCP servers, called by the mcp SDK client: tools, calls, progress, errors and cancellation."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
import pytest
from mcp import MCPError

from cardwright import Card
from cardwright.conversion.extensions import SCHEMAS_URI
from cardwright.discovery import Part
from cardwright.http.request import Disconnected
from cardwright_gateway.api.bodies import RequestBodies
from cardwright_gateway.api.exchange import Exchange
from cardwright_gateway.backends.backend import TurnResult
from cardwright_gateway.backends.function import FunctionBackend
from tests.gateway.a2a_server.endpoints import ScriptedBackend, card
from tests.gateway.api.invoke.calling import InvokeClient
from tests.gateway.api.mcp.client import MODES, client, texts
from tests.serve.client import call

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn

HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
NUMBER: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def skilled(*skills: dict[str, Any], **schemas: Any) -> Card:
    """Return a card with skills, and what some of them take."""
    document = card().document

    tools = {name: {"inputSchema": schema} for name, schema in schemas.items()}
    extension = {"uri": SCHEMAS_URI, "params": {"skills": tools}}
    return Card.from_document(
        {
            **document,
            "capabilities": {"streaming": True, **({"extensions": [extension]} if tools else {})},
            "skills": [{"name": one["id"], "description": "Does.", "tags": ["x"], **one} for one in skills],
        }
    )


def message(text: str) -> dict[str, str]:
    return {"message": text}


@pytest.mark.parametrize("mode", MODES)
async def test_a_skill_is_listed_and_called_in_both_eras(mode: str) -> None:
    backend = ScriptedBackend()
    async with client(InvokeClient(backend, sender={"owner_id": "ada"}), mode) as connected:
        tools = (await connected.list_tools()).tools
        result = await connected.call_tool("berth", message("hello"))

    assert [(tool.name, tool.title, tool.description) for tool in tools] == [("berth", "Berth", "Finds one.")]
    assert tools[0].input_schema["required"] == ["message"]
    assert (texts(result), result.is_error) == (["you said hello"], False)
    turn = backend.turns[0]
    assert (turn.parts, turn.task_id) == ((Part("text", "hello"),), "")
    assert turn.metadata == {"skill": "berth", "from": {"owner_id": "ada"}}


async def test_the_server_info_comes_from_the_card() -> None:
    async with client(InvokeClient(ScriptedBackend()), "legacy") as connected:
        info = connected.server_info

    assert info is not None
    assert (info.name, info.version, info.description) == ("Harbour", "1.0.0", "Finds berths.")


@pytest.mark.parametrize("mode", MODES)
async def test_requested_progress_is_reported_and_only_increases(mode: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def agent(turn: Turn, reporter: Any) -> str:
        del turn
        await reporter.progress("begin", done=0, total=2)
        await reporter.progress("on the way")
        await reporter.progress("back", done=0.5, total=2)
        await reporter.progress("nowhere", done=float("nan"))
        await reporter.progress("end", done=9, total=10)
        return "done"

    async with client(InvokeClient(FunctionBackend(agent)), mode) as connected:
        result = await connected.call_tool("berth", message("x"), progress_callback=hear)
        quiet = await connected.call_tool("berth", message("x"))

    assert texts(result) == texts(quiet) == ["done"]
    numbers = [done for done, _, _ in heard]
    assert numbers == sorted(set(numbers))
    assert heard[0] == (0, 2, "begin")
    assert heard[-1] == (9, 10, "end")
    assert [text for _, _, text in heard] == ["begin", "on the way", "back", "nowhere", "end"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("refuse", "the arguments break the schema"),
        ("unready", "the agent's MCP session is starting; try again later"),
        ("bug", "the agent failed"),
        ("broken check", "the agent failed"),
        ("timeout", "the agent did not respond in time"),
        ("reject", "not here"),
        ("nan", "the agent sent an invalid response"),
    ],
)
async def test_a_failed_turn_is_a_tool_result_with_is_error(
    mode: str, text: str, expected: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "cardwright_gateway")

    async with client(InvokeClient(ScriptedBackend()), mode) as connected:
        result = await connected.call_tool("berth", message(text))

    assert result.is_error
    assert texts(result) == [expected]


@pytest.mark.parametrize("mode", MODES)
async def test_an_unknown_tool_is_refused(mode: str) -> None:
    async with client(InvokeClient(ScriptedBackend()), mode) as connected:
        with pytest.raises(MCPError) as caught:
            await connected.call_tool("none", {})

    assert caught.value.code == types.INVALID_PARAMS


@pytest.mark.parametrize(
    "arguments", [{}, {"message": 7}, {"message": ""}, {"message": "a", "more": "b"}, {"text": "a"}]
)
async def test_invalid_tool_arguments_are_reported(arguments: dict[str, Any]) -> None:
    backend = ScriptedBackend()
    async with client(InvokeClient(backend), "legacy") as connected:
        result = await connected.call_tool("berth", arguments)

    assert result.is_error
    assert texts(result) == ["this tool requires exactly one argument: `message`, a non-empty string"]
    assert not backend.turns


@pytest.mark.parametrize("mode", MODES)
async def test_a_skill_with_an_input_schema_gets_its_arguments_as_data(mode: str) -> None:
    def agent(turn: Turn) -> dict[str, Any]:
        return {"given": [part.value for part in turn.parts], "skill": turn.metadata["skill"]}

    published = skilled({"id": "double"}, {"id": "plain"}, double=NUMBER)
    async with client(InvokeClient(FunctionBackend(agent), published), mode) as connected:
        tools = {tool.name: tool.input_schema for tool in (await connected.list_tools()).tools}
        result = await connected.call_tool("double", {"n": 7})
        wrong = await connected.call_tool("double", {"n": "seven"})

    assert tools["double"] == NUMBER
    assert tools["plain"]["required"] == ["message"]
    assert result.structured_content == {"given": [{"n": 7}], "skill": "double"}
    assert texts(result) == ['{"given":[{"n":7}],"skill":"double"}']
    assert wrong.is_error
    assert "/n: " in texts(wrong)[0]


async def test_an_input_schema_that_is_not_of_an_object_is_ignored() -> None:
    published = skilled({"id": "odd"}, odd={"type": "array"})
    async with client(InvokeClient(ScriptedBackend(), published), "legacy") as connected:
        tools = (await connected.list_tools()).tools

    assert tools[0].input_schema["required"] == ["message"]


async def test_every_skill_has_a_unique_valid_tool_name() -> None:
    ids = ["a.b_c-1", "find berth", "find_berth", "find/berth", "größe", "日本", "x" * 129, "x" * 130]
    published = skilled(*({"id": one} for one in ids))

    def agent(turn: Turn) -> str:
        return str(turn.metadata["skill"])

    async with client(InvokeClient(FunctionBackend(agent), published), "legacy") as connected:
        names = [tool.name for tool in (await connected.list_tools()).tools]
        meant = [texts(await connected.call_tool(name, message("x")))[0] for name in names]

    assert meant == ids
    assert len(set(names)) == len(ids)
    assert names[0] == "a.b_c-1"
    assert all(1 <= len(name) <= 128 and name.isascii() and "/" not in name for name in names)


async def test_an_input_required_turn_is_reported_as_a_question() -> None:
    async with client(InvokeClient(ScriptedBackend()), "legacy") as connected:
        result = await connected.call_tool("berth", message("ask"))

    assert (texts(result), result.is_error) == (["which berth?"], False)
    assert result.meta is not None
    assert result.meta["cardwright.dev/state"] == "input-required"


async def test_files_of_a_response_come_beside_its_text() -> None:
    parts = (
        Part("text", "look"),
        Part("raw", b"\x89PNG", "a.png", "image/png"),
        Part("raw", b"RIFF", "", "audio/wav"),
        Part("raw", b"\x00", "a.bin"),
        Part("url", "https://files.example/a", "a", "text/plain"),
    )

    def agent(turn: Turn) -> TurnResult:
        del turn
        return TurnResult(parts)

    async with client(InvokeClient(FunctionBackend(agent)), "legacy") as connected:
        result = await connected.call_tool("berth", message("x"))

    assert texts(result) == ["look"]
    assert [block.type for block in result.content] == [
        "text",
        "image",
        "audio",
        "resource",
        "resource_link",
    ]


def request(method: str, params: Any, **headers: str) -> tuple[dict[str, str], bytes]:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return {**HEADERS, **headers}, json.dumps(body).encode()


@pytest.mark.parametrize("version", ["", "2025-06-18", "2026-07-28"])
async def test_a_client_that_disconnects_cancels_the_call(version: str) -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend)
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params: dict[str, Any] = {"name": "berth", "arguments": message("wait")}
    headers = {"MCP-Protocol-Version": version} if version else {}
    if version == "2026-07-28":
        params["_meta"] = meta
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "berth"}
    response, body = request("tools/call", params, **headers)
    sent: list[Any] = []
    waiting = [{"type": "http.request", "body": body}]

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop()
        await backend.waiting.wait()
        return {"type": "http.disconnect"}

    async def send(one: Any) -> None:
        sent.append(one)

    scope = {
        "type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in response.items()],
    }  # fmt: skip
    exchange = Exchange(scope, receive, send, bodies=RequestBodies.of(invoke_client.config))
    with pytest.raises(Disconnected):
        await invoke_client.answer_mcp(exchange)
    await backend.gone.wait()

    assert invoke_client.agent.running_calls == 0


async def test_nothing_remains_after_a_request() -> None:
    invoke_client = InvokeClient(ScriptedBackend())
    headers, body = request("tools/call", {"name": "berth", "arguments": message("hello")})
    # sse-starlette starts one task for all streams of an event loop.
    await call(invoke_client.mcp, "POST", "/mcp", headers, body=body)
    before = asyncio.all_tasks()
    for _ in range(3):
        assert (await call(invoke_client.mcp, "POST", "/mcp", headers, body=body)).status == 200
    await asyncio.sleep(0)

    assert asyncio.all_tasks() == before


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_only_post_is_accepted(method: str) -> None:
    reply = asyncio.run(call(InvokeClient(ScriptedBackend()).mcp, method, "/mcp", HEADERS))

    assert (reply.status, reply.headers["allow"]) == (405, "POST, OPTIONS")


def test_a_too_large_body_is_refused() -> None:
    invoke_client = InvokeClient(ScriptedBackend(), max_body_bytes=65_536)
    reply = asyncio.run(call(invoke_client.mcp, "POST", "/mcp", HEADERS, body=b" " * 65_537))

    assert (reply.status, reply.reason) == (413, "BODY_TOO_LARGE")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"7", b"[" * 100_000, b'{"jsonrpc":"2.0","id":1}', b"\xff", b'{"jsonrpc":"1.0"}'],
)
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_an_invalid_request_is_refused_without_a_server_error(body: bytes, version: str) -> None:
    headers = {**HEADERS, "MCP-Protocol-Version": version}
    reply = asyncio.run(call(InvokeClient(ScriptedBackend()).mcp, "POST", "/mcp", headers, body=body))

    assert 400 <= reply.status < 500
    assert b"pydantic" not in reply.body
    assert b"JSONRPC" not in reply.body


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.mark.parametrize(
    ("value", "code", "call_id", "message"),
    [
        ([PING], -32600, None, "batches are not supported (MCP 2025-06-18 removed them); send one message in each"),
        ([], -32600, None, "batches are not supported"),
        ("x", -32600, None, "the body must be an object"),
        ({**PING, "jsonrpc": "1.0"}, -32600, 1, 'jsonrpc must be "2.0"'),
        ({**PING, "method": 5, "id": "a"}, -32600, "a", "method must be a string"),
        ({**PING, "params": [1]}, -32600, 1, "params must be an object"),
        ({**PING, "params": [1], "id": 2**70}, -32600, None, "params must be an object"),
        ({"jsonrpc": "2.0", "id": 1}, -32600, 1, "the body must be a request or notification with a method"),
        ({"jsonrpc": "2.0", "id": {}}, -32600, None, "the body must be a request or notification with a method"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_a_body_that_is_no_json_rpc_message_gets_a_reason(
    value: Any, code: int, call_id: Any, message: str, version: str
) -> None:
    headers = {**HEADERS, "MCP-Protocol-Version": version}
    reply = asyncio.run(
        call(InvokeClient(ScriptedBackend()).mcp, "POST", "/mcp", headers, body=json.dumps(value).encode())
    )

    assert (reply.status, reply.headers["content-type"]) == (400, "application/json")
    assert (reply.json["id"], reply.json["error"]["code"]) == (call_id, code)
    assert reply.json["error"]["message"].startswith(message)


async def test_tool_calls_beyond_the_concurrency_are_refused() -> None:
    backend = ScriptedBackend()
    invoke_client = InvokeClient(backend, agent={"concurrency": 1})
    headers, body = request("tools/call", {"name": "berth", "arguments": message("wait")})
    waiting = asyncio.create_task(call(invoke_client.mcp, "POST", "/mcp", headers, body=body))
    await backend.waiting.wait()
    refused = await call(invoke_client.mcp, "POST", "/mcp", headers, body=body)
    backend.go.set()

    assert (refused.status, refused.reason) == (429, "RATE_LIMITED")
    assert b"gone on" in (await waiting).body
