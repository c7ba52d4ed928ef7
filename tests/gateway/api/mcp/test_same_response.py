"""One agent gives the same reply over A2A, invocation and MCP (BeeOS seed §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright.discovery.calling.outcome import Outcome as Answered
from cardwright_gateway.backends.backend import Artifact, TurnResult
from cardwright_gateway.backends.function import FunctionBackend
from cardwright_gateway.backends.mcp import McpBackend
from cardwright_gateway.catalog.mcp_card import a2a_card
from tests.gateway.a2a_server.endpoints import a2a_endpoint, message, rpc
from tests.gateway.api.invoke.calling import InvokeClient
from tests.gateway.api.mcp.client import MODES, client, texts
from tests.gateway.upstream.mcp.sessions import connected_to, raw

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cardwright_gateway.backends.backend import Turn, TurnReporter

# The texts over A2A, invocation and MCP.
Three = tuple[str, str, str]


def counted(text: str) -> str:
    return f"{len(text.split())} words,\nin {text!r}: ä€😀"


def several(text: str) -> list[Any]:
    return [text, {"n": 1}, "and more", Part("url", "https://files.example/x")]


async def piecewise(turn: Turn, reporter: TurnReporter) -> TurnResult:
    await reporter.progress("begins")
    await reporter.parts([Part("text", "one")])
    await reporter.parts([Part("text", "two"), Part("data", {"a": 1})])
    return TurnResult((Part("text", str(turn.parts[0].value)),), metadata={"x": 1})


async def redrafted(turn: Turn, reporter: TurnReporter) -> TurnResult:
    await reporter.parts([Part("text", "draft")], Artifact("one"))
    await reporter.parts([Part("text", "own")])
    await reporter.parts([Part("text", str(turn.parts[0].value))], Artifact("one"))
    return TurnResult((Part("text", "end"),))


async def streamed(text: str) -> AsyncIterator[str]:
    for word in text.split():
        yield word


def nothing(text: str) -> None:
    del text


def final_message(text: str) -> TurnResult:
    return TurnResult(message=f"done: {text}")


def question(text: str) -> TurnResult:
    return TurnResult(ending="input-required", message=f"{text}?")


async def reply_by_a2a(invoke_client: InvokeClient, text: str) -> str:
    """Return the reply as `call_agent` reads it."""
    async with a2a_endpoint(invoke_client.backend, invoke_client.card) as endpoint:
        result = (await rpc(endpoint, "SendMessage", {"message": message(text)}, {"A2A-Version": "1.0"}))[
            "result"
        ]
    answered = Answered()
    answered.take(result)
    reply = answered.reply(None)  # type: ignore[arg-type] # how it was chosen is nothing here
    assert reply is not None
    return reply.text


async def reply_by_mcp(invoke_client: InvokeClient, tool: str, arguments: dict[str, Any], mode: str) -> str:
    async with client(invoke_client, mode) as connected:
        result = await connected.call_tool(tool, arguments)
    assert not result.is_error
    # Data parts are JSON texts there, between the others.
    return "\n".join(text for text in texts(result) if not text.startswith("{"))


def words(text: str) -> str:
    """Return a text without blanks: in an A2A task, the chunks of a text stay separate parts."""
    return "".join(text.split())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "function", [counted, several, piecewise, redrafted, streamed, nothing, final_message, question]
)
async def test_a_function_replies_the_same_over_a2a_invoke_and_mcp(function: Any, mode: str) -> None:
    invoke_client = InvokeClient(FunctionBackend(function))
    text = "where is\tberth 7"
    a2a = await reply_by_a2a(invoke_client, text)
    invoked = (await invoke_client.invoke({"message": text})).json["reply"]
    mcp = await reply_by_mcp(invoke_client, "berth", {"message": text}, mode)

    assert invoked == mcp
    assert words(a2a) == words(invoked)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.process
async def test_an_mcp_server_replies_the_same_over_a2a_invoke_and_mcp(mode: str) -> None:
    async with connected_to(raw()) as made:
        inventory = await made.started()
        card = a2a_card("raw", inventory, "https://gateway.example.com/agents/raw")
        invoke_client = InvokeClient(McpBackend(made), card)
        a2a = await reply_by_a2a(invoke_client, "ä line\nand more")
        invoked = (await invoke_client.invoke({"message": "ä line\nand more"})).json["reply"]
        mcp = await reply_by_mcp(invoke_client, "echo", {"text": "ä line\nand more"}, mode)

        assert a2a == invoked == mcp == "ä line\nand more"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.process
async def test_an_upstream_tool_keeps_its_schema_and_result(mode: str) -> None:
    number = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    tools = [{"name": "structured", "inputSchema": number, "description": "Counts."}, {"name": "pid", "inputSchema": {"type": "object"}}]  # fmt: skip

    async with connected_to(raw(pages=[tools])) as made:
        card = a2a_card("raw", await made.started(), "https://gateway.example.com/agents/raw")
        async with client(InvokeClient(McpBackend(made), card), mode) as connected:
            listed = {tool.name: tool.input_schema for tool in (await connected.list_tools()).tools}
            result = await connected.call_tool("structured", {"n": 7})
            pid = await connected.call_tool("pid", {})
            wrong = await connected.call_tool("structured", {"n": "x"})

    assert listed == {"structured": number, "pid": {"type": "object"}}
    assert result.structured_content == {"n": 7}
    assert texts(result) == ['{"n":7}']
    assert texts(pid)[0].isdigit()
    assert wrong.is_error


@pytest.mark.process
async def test_an_invocation_names_one_of_several_tools() -> None:
    number = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    tools = [{"name": "structured", "inputSchema": number, "description": "Counts."}, {"name": "pid", "inputSchema": {"type": "object"}}]  # fmt: skip

    async with connected_to(raw(pages=[tools])) as made:
        card = a2a_card("raw", await made.started(), "https://gateway.example.com/agents/raw")
        invoke_client = InvokeClient(McpBackend(made), card)
        counted = await invoke_client.invoke({"skill": "structured", "data": {"n": 7}})
        process = await invoke_client.invoke({"skill": "pid", "data": {}})
        unnamed = await invoke_client.invoke({"message": "7"})
        wrong = await invoke_client.invoke({"skill": "structured", "data": {"n": "x"}})

    assert counted.json["reply"] == '{"n":7}'
    assert process.json["reply"].isdigit()
    assert (unnamed.status, wrong.status) == (400, 400)
