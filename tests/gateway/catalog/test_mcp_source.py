"""Card source of an MCP server: when its lists are read again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cardwright.errors import PeerTimeout
from cardwright_gateway.catalog.sources.mcp import McpSource
from cardwright_gateway.settings.agents import AgentConfig
from cardwright_gateway.upstream.mcp import Inventory

TOOL = {"name": "echo", "inputSchema": {"type": "object"}}


class Session:
    """A session whose lists are read when the test allows it."""

    def __init__(self) -> None:
        self.readings = 0
        self.fails = False
        self.go = asyncio.Event()
        self.inventory = Inventory("2025-06-18", None, {"tools": {}}, "", (TOOL,))

    async def started(self) -> Inventory:
        return self.inventory

    async def refresh(self) -> None:
        self.readings += 1
        await self.go.wait()
        if self.fails:
            raise PeerTimeout("harbour", "it took too long")
        tools = tuple({**TOOL, "name": f"echo-{self.readings}-{i}"} for i in range(2))
        self.inventory = Inventory("2025-06-18", None, {"tools": {}}, "", tools)


def source(session: Session, now: list[float]) -> McpSource:
    made: Any = session
    return McpSource(AgentConfig(id="harbour", protocol="mcp"), made, clock=lambda: now[0])


async def test_concurrent_refreshes_share_one_request() -> None:
    now, session = [0.0], Session()
    made = source(session, now)
    refreshes = [asyncio.create_task(made.refresh()) for _ in range(50)]
    await asyncio.sleep(0)
    session.go.set()
    cards = [(await one).card for one in refreshes]
    assert session.readings == 1
    assert all(card is cards[0] for card in cards)
    assert [skill["id"] for skill in cards[0].document["skills"]] == ["echo-1-0", "echo-1-1"]
    now[0] = 0.9
    assert (await made.refresh()).card is cards[0]
    assert session.readings == 1
    now[0] = 1.0
    again = (await made.refresh()).card
    assert (session.readings, again.document["skills"][0]["id"]) == (2, "echo-2-0")


async def test_a_shared_refresh_shares_its_error_and_the_next_may_succeed() -> None:
    now, session = [0.0], Session()
    made, session.fails = source(session, now), True
    session.go.set()
    for result in await asyncio.gather(*(made.refresh() for _ in range(5)), return_exceptions=True):
        assert isinstance(result, PeerTimeout)
    assert session.readings == 1
    session.fails = False
    with pytest.raises(PeerTimeout):
        await made.refresh()
    now[0] = 1.0
    assert (await made.refresh()).card.valid
    assert session.readings == 2


async def test_cancelling_one_refresh_does_not_cancel_the_shared_request() -> None:
    session = Session()
    made = source(session, [0.0])
    first, second = asyncio.create_task(made.refresh()), asyncio.create_task(made.refresh())
    await asyncio.sleep(0)
    first.cancel()
    session.go.set()
    assert (await second).card.valid
    assert session.readings == 2
    assert first.cancelled()
