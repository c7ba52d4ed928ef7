"""Tools of an upstream MCP server, called over A2A by `call_agent`."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from cardwright import Card
from cardwright.discovery import call_agent, fetch_card
from cardwright.errors import BadArgument, UnknownSkill
from tests.discovery.calling.sdk_agents import serving
from tests.gateway.processes import before
from tests.gateway.upstream.mcp.servers.example import Example

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine

    from cardwright.discovery import Reply

    Ask = Callable[..., Coroutine[None, None, Reply]]
ALLOW = ("127.0.0.0/8",)
PROTOCOLS = ("a2a/1.0+JSONRPC", "a2a/1.0+HTTP+JSON", "a2a/0.3+JSONRPC", "a2a/0.3+HTTP+JSON")


@asynccontextmanager
async def asking() -> AsyncGenerator[Ask]:
    """Return what calls the example server through a gateway."""
    async with serving(Example().streamable_http_app(), lifespan="on") as origin:
        transport = {"type": "http", "url": f"{origin}/mcp"}
        agents = {"example": {"protocol": "mcp", "start_seconds": 30, "transport": transport}}
        async with before(agents) as running:
            found = await fetch_card(running.at("example"), allow=ALLOW)

            async def ask(message: object, protocol: str = PROTOCOLS[0], **more: object) -> Reply:
                return await call_agent(found, message, allow=ALLOW, supported=[protocol], **more)  # type: ignore[arg-type] # as the scene has them

            yield ask


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_tool_is_named_over_a2a(protocol: str) -> None:
    async with asking() as ask:
        header = await ask({"region": "north"}, protocol, tool="test_x_mcp_header")
        text = await ask({}, protocol, tool="test_simple_text")
        assert (header.text, header.state) == ("region=north", "completed")
        assert text.text == "This is a simple text response for testing."


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_text_of_a_failed_tool_is_in_the_reply(protocol: str) -> None:
    async with asking() as ask:
        failed = await ask({}, protocol, tool="test_error_handling")
        assert failed.state == "failed"
        assert "This tool intentionally returns an error for testing" in failed.text
        # An error of MCP is the failure of a tool too: the server can be reached.
        error = await ask({}, protocol, tool="test_missing_capability")
        assert (error.state, "sampling is required" in error.text) == ("failed", True)


async def test_a_tool_that_the_card_does_not_have_is_refused_before_the_call() -> None:
    async with asking() as ask:
        with pytest.raises(UnknownSkill, match="nothing"):
            await ask({}, tool="nothing")


def test_no_other_agent_is_sent_the_name_of_a_tool() -> None:
    card = Card.from_document(
        {
            "name": "A",
            "url": "http://127.0.0.1:1",
            "protocolVersion": "0.3.0",
            "skills": [{"id": "s", "name": "s", "description": "s", "tags": ["s"]}],
        }
    )
    with pytest.raises(BadArgument, match="not created from an MCP server"):
        asyncio.run(call_agent(card, "x", tool="s"))
