"""A tool is not called with arguments that violate its input schema, by whatever keyword."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cardwright import Card
from cardwright.discovery import Part
from cardwright_gateway.api.mcp.tools import tools_of
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway.backends.mcp import McpBackend
from cardwright_gateway.errors import BadTurn
from cardwright_gateway.upstream.mcp.inventory import Inventory
from tests.discovery.keywords import PLACES, REFUSING, placed

CASES = pytest.mark.parametrize(
    ("keyword", "place"), [(keyword, place) for keyword in sorted(REFUSING) for place in PLACES]
)


@CASES
def test_the_tool_of_an_upstream_mcp_server_is_not_called(keyword: str, place: str) -> None:
    schema, arguments = placed(place, *REFUSING[keyword])
    inventory = Inventory("2025-11-25", None, {}, "", tools=({"name": "t", "inputSchema": schema},))

    async def started() -> Inventory:
        return inventory

    session: Any = SimpleNamespace(started=started)
    turn = Turn((Part("data", {"skill": "t", "arguments": arguments}),))

    with pytest.raises(BadTurn, match="do not match the skill's input schema"):
        asyncio.run(McpBackend(session).check(turn))


@CASES
def test_the_skill_behind_a_tool_of_the_gateway_is_not_called(keyword: str, place: str) -> None:
    schema, arguments = placed(place, *REFUSING[keyword])
    skill = {"id": "t", "name": "t", "description": "d", "tags": ["x"], "inputSchema": schema}
    card = Card.from_document({"name": "A", "protocol": "mcp", "capabilities": {}, "skills": [skill]})
    tool = tools_of(card)["t"]

    assert tool.declared
    with pytest.raises(BadTurn, match="violate the tool's schema"):
        tool.part(card, arguments)
