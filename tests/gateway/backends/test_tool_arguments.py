"""Tools are not called with arguments that violate their input schema."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from cardwright import Card
from cardwright.discovery import Part, input_violations, output_violations
from cardwright_gateway.api.mcp.tools import tools_of
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway.backends.mcp import McpBackend
from cardwright_gateway.errors import BadTurn
from cardwright_gateway.upstream.mcp.inventory import Inventory
from tests.discovery.keywords import PLACES, REFUSING, placed
from tests.gateway.a2a_server.endpoints import ScriptedBackend
from tests.gateway.api.invoke.calling import InvokeClient
from tests.gateway.api.mcp.client import client
from tests.gateway.api.mcp.test_mcp_server import NUMBER, skilled
from tests.gateway.upstream.mcp.sessions import RecordingReporter

CASES = pytest.mark.parametrize(
    ("keyword", "place"), [(keyword, place) for keyword in sorted(REFUSING) for place in PLACES]
)


@CASES
def test_an_upstream_mcp_tool_is_not_called_with_invalid_arguments(keyword: str, place: str) -> None:
    schema, arguments = placed(place, *REFUSING[keyword])
    inventory = Inventory("2025-11-25", None, {}, "", tools=({"name": "t", "inputSchema": schema},))

    async def started() -> Inventory:
        return inventory

    session: Any = SimpleNamespace(started=started)
    turn = Turn((Part("data", {"skill": "t", "arguments": arguments}),))

    with pytest.raises(BadTurn, match="do not match the skill's input schema"):
        asyncio.run(McpBackend(session).check(turn))


@CASES
def test_the_skill_of_a_gateway_tool_is_not_called_with_invalid_arguments(keyword: str, place: str) -> None:
    schema, arguments = placed(place, *REFUSING[keyword])
    skill = {"id": "t", "name": "t", "description": "d", "tags": ["x"], "inputSchema": schema}
    card = Card.from_document({"name": "A", "protocol": "mcp", "capabilities": {}, "skills": [skill]})
    tool = tools_of(card)["t"]

    assert tool.declared
    with pytest.raises(BadTurn, match="violate the tool's schema"):
        tool.part(card, arguments)


@pytest.fixture
def validating(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each validation ran on the event loop."""
    on_the_loop: list[bool] = []

    def watched(validate: Any) -> Any:
        def run(*args: Any, **options: Any) -> Any:
            on_the_loop.append(threading.current_thread() is threading.main_thread())
            return validate(*args, **options)

        return run

    monkeypatch.setattr("cardwright_gateway.backends.mcp.input_violations", watched(input_violations))
    monkeypatch.setattr("cardwright_gateway.backends.mcp.output_violations", watched(output_violations))
    monkeypatch.setattr("cardwright_gateway.api.mcp.tools.input_violations", watched(input_violations))
    return on_the_loop


async def test_the_schemas_of_an_upstream_tool_do_not_stop_the_event_loop(validating: list[bool]) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tool = {"name": "t", "inputSchema": schema, "outputSchema": schema}
    inventory = Inventory("2025-11-25", None, {}, "", tools=(tool,))

    async def started() -> Inventory:
        return inventory

    async def called(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(content=[], structured_content={"n": "7"}, is_error=False)

    backend = McpBackend(SimpleNamespace(started=started, call=called))  # type: ignore[arg-type] # as a session

    turn = Turn((Part("data", {"n": 7}),))
    await backend.check(turn)
    result = await backend.run(turn, RecordingReporter())
    assert [one["pointer"] for one in result.metadata["outputViolations"]] == ["/n"]
    assert validating == [False, False]


async def test_the_schemas_of_the_gateways_own_tools_do_not_stop_the_event_loop(
    validating: list[bool],
) -> None:
    invoke_client = InvokeClient(ScriptedBackend(), skilled({"id": "count"}, count=NUMBER))
    async with client(invoke_client, "legacy") as connected:
        result = await connected.call_tool("count", {"n": "7"})
        assert result.is_error
    assert validating == [False]
