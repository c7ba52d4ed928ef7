"""MCP backend: one turn is one tool call, with validated arguments and a result as parts."""

from __future__ import annotations

import asyncio
import base64
import threading
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery import Part
from cardwright_gateway.backends.mcp import LatestProgress, McpBackend
from cardwright_gateway.catalog.mcp_card import a2a_card
from cardwright_gateway.errors import BadTurn
from cardwright_gateway.upstream.mcp import StdioServer
from tests.gateway.upstream.mcp.servers.sdk import Changing
from tests.gateway.upstream.mcp.sessions import RecordingReporter, over_http, raw, sdk, session, turn
from tests.oracles.signers import JS, peer

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn

NUMBER: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
SOLE: dict[str, Any] = {"name": "structured", "inputSchema": NUMBER, "outputSchema": NUMBER}
ECHO: dict[str, Any] = {"name": "echo", "inputSchema": {"properties": {"text": {"type": "string"}}}}


def call(skill: str, **arguments: Any) -> Turn:
    return turn(Part("data", {"skill": skill, "arguments": arguments}))


async def test_a_tool_gets_its_arguments_or_its_only_text() -> None:
    async with session(raw()) as made:
        backend = McpBackend(made)
        await backend.ready()
        for message_turn in (
            turn(Part("text", "hi")),
            turn(Part("data", {"text": "hi"})),
            call("echo", text="hi"),
            turn(Part("text", "hi"), skill="echo"),
        ):
            await backend.check(message_turn)
            outcome = await backend.run(message_turn, RecordingReporter())
            assert (outcome.ending, outcome.parts) == ("completed", (Part("text", "hi"),))


@pytest.mark.parametrize(
    ("message_turn", "expected"),
    [
        (turn(Part("text", "hi")), 'name a skill: .*Skills: "structured", "echo"'),
        (turn(Part("data", {"n": 7})), "name a skill"),
        (call("none"), 'unknown skill "none". Skills: "structured", "echo"'),
        (turn(Part("data", {"skill": 7})), "a call must be"),
        (turn(Part("data", {"n": 7}), skill=7), "must be a string"),
        (turn(Part("text", "hi"), skill="structured"), "it has no text argument"),
        (call("structured", n="7"), "/n: "),
    ],
)
async def test_a_turn_without_a_matching_tool_is_refused_with_the_reason(
    message_turn: Turn, expected: str
) -> None:
    async with session(raw(pages=[[SOLE, ECHO]])) as made:
        with pytest.raises(BadTurn, match=expected):
            await McpBackend(made).check(message_turn)


async def test_invalid_tool_arguments_are_refused_with_their_pointers() -> None:
    async with session(raw(pages=[[SOLE]])) as made:
        with pytest.raises(BadTurn) as caught:
            await McpBackend(made).check(turn(Part("data", {})))
        assert [one.pointer for one in caught.value.violations] == ["/n"]


async def test_an_unusable_schema_leaves_validation_to_the_server() -> None:
    remote = {**ECHO, "inputSchema": {"$ref": "http://127.0.0.1:9/schema"}}

    async with session(raw(pages=[[remote]])) as made:
        await McpBackend(made).check(turn(Part("data", {"text": "hi"})))


async def test_a_result_that_violates_its_schema_is_returned_with_a_note() -> None:
    async with session(raw(pages=[[{**SOLE, "inputSchema": {}}]])) as made:
        backend = McpBackend(made)
        good = await backend.run(call("structured", n=7), RecordingReporter())
        assert (good.parts, good.metadata) == ((Part("data", {"n": 7}),), {})
        bad = await backend.run(call("structured", n="7"), RecordingReporter())
        assert (bad.ending, bad.parts) == ("completed", (Part("data", {"n": "7"}),))
        assert [one["pointer"] for one in bad.metadata["outputViolations"]] == ["/n"]


async def test_every_content_block_becomes_a_part() -> None:
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "image", "data": base64.b64encode(b"i").decode(), "mimeType": "image/png"},
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
        {"type": "resource", "resource": {"uri": "file:///b", "text": "b", "mimeType": "text/markdown"}},
    ]

    server = raw(pages=[[{"name": "blocks", "inputSchema": {}}]], blocks=blocks)
    async with session(server) as made:
        outcome = await McpBackend(made).run(turn(Part("data", {})), RecordingReporter())
        assert outcome.parts == (
            Part("text", "a"),
            Part("raw", b"i", "", "image/png"),
            Part("url", "file:///a", "a"),
            Part("text", "b", "", "text/markdown"),
        )


async def test_a_failed_tool_has_a_truncated_reason() -> None:
    blocks = [{"type": "text", "text": "a" * 5_000}]
    server = raw(pages=[[{"name": "blocks", "inputSchema": {}}]], blocks=blocks, fails=True)
    async with session(server) as made:
        outcome = await McpBackend(made).run(turn(Part("data", {})), RecordingReporter())
        assert (outcome.ending, outcome.message) == ("failed", "a" * 1_000)
        assert outcome.parts == (Part("text", "a" * 5_000),)
    async with session(sdk()) as made:
        outcome = await McpBackend(made).run(call("boom"), RecordingReporter())
        assert (outcome.ending, outcome.message) == ("failed", "Error executing tool boom")


async def test_progress_is_reported_while_the_tool_runs() -> None:
    async with over_http(Changing().streamable_http_app()) as made:
        reporter = RecordingReporter()
        await McpBackend(made).run(call("slow"), reporter)
        assert reporter.reports[0] == ("step 0", 0, 2)


async def test_frequent_progress_is_reduced_to_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    reporter, pauses = RecordingReporter(), list[asyncio.Event]()

    async def pause(_: float) -> None:
        pauses.append(asyncio.Event())
        await pauses[-1].wait()

    progress = LatestProgress(reporter, 0.2)
    with monkeypatch.context() as patched:
        patched.setattr("cardwright_gateway.backends.mcp.asyncio.sleep", pause)
        first = asyncio.create_task(progress(0, None, "a"))
        while not pauses:
            await asyncio.wait({first}, timeout=0)
        for number in range(1, 1_000):
            await progress(number, None, "a" * 2_000)
        pauses[0].set()
        while len(pauses) < 2:
            await asyncio.wait({first}, timeout=0)
        await progress(1_000, None, None)
        progress.ended = True
        pauses[1].set()
        await first
    # Progress after the end of the call is not reported.
    assert reporter.reports == [("a", 0, None), ("a" * 1_000, 999, None)]


async def test_arguments_and_results_are_validated_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def noted(*_: object, **__: object) -> tuple[()]:
        threads.append(threading.get_ident())
        return ()

    async with session(raw(pages=[[SOLE]])) as made:
        backend = McpBackend(made)
        for name in ("input_violations", "output_violations"):
            monkeypatch.setattr(f"cardwright_gateway.backends.mcp.{name}", noted)
        await backend.check(call("structured", n=7))
        await backend.run(call("structured", n=7), RecordingReporter())
    assert len(threads) == 2
    assert threading.get_ident() not in threads


async def test_a_published_mcp_server_is_an_agent() -> None:
    peer("@modelcontextprotocol/server-everything")
    program = JS / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"

    async with session(StdioServer("node", (str(program), "stdio"))) as made:
        backend = McpBackend(made)
        inventory = await made.started()
        assert inventory.notes == ()
        assert a2a_card("everything", inventory, "https://gateway.example/a").valid
        tool_call = call("get-sum", a=2, b=3)
        await backend.check(tool_call)
        assert "5" in (await backend.run(tool_call, RecordingReporter())).parts[0].value
        image = await backend.run(call("get-tiny-image"), RecordingReporter())
        assert [part.media_type for part in image.parts if part.kind == "raw"] == ["image/png"]
        reporter = RecordingReporter()
        await backend.run(call("trigger-long-running-operation", duration=0.2, steps=2), reporter)
        assert reporter.reports
        weather = await backend.run(call("get-structured-content", location="Chicago"), RecordingReporter())
        assert [part.kind for part in weather.parts] == ["text", "data"]
        assert weather.metadata == {}
