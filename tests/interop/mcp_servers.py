"""MCP servers of SDKs, called directly and through the gateway: which features work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright import Card, call_agent, fetch_card
from cardwright.discovery import Part
from cardwright.discovery.mcp_servers import explained
from cardwright.discovery.probe import probe
from cardwright.errors import BadResponse
from cardwright.guard import Guard, GuardedClient
from tests.gateway.processes import before
from tests.interop.agent import LOOPBACK
from tests.interop.peers.steps import Steps, expect, no
from tests.interop.programs import Program, ProgramFailed
from tests.interop.servers import check_probe
from tests.interop.table import NOT_INSTALLED, Table

if TYPE_CHECKING:
    from collections.abc import Mapping


MCP_CALLS: Final = ("probe", "call_agent", "card", "A2A call", "A2A stream", "MCP call", "probe of the agent")
_MCP_SERVERS: Final = (
    ("mcp", Program("server_mcp.py", "mcp-1")),
    ("mcp", Program("server_mcp.py")),
    ("fastmcp", Program("server_mcp.py", "fastmcp")),
)
_ARGUMENTS: Final = {"port": "Oban", "days": 2}


async def mcp_servers() -> Table:
    """Call every MCP server directly and through the gateway."""
    rows: dict[str, Mapping[str, str]] = {}
    for package, program in _MCP_SERVERS:
        label = f"{package} {program.release(package)}"
        try:
            async with program.serving() as origin:
                missing: dict[str, str] = dict.fromkeys(MCP_CALLS, NOT_INSTALLED)
                rows[label] = missing if origin is None else await _mcp_row(f"{origin}/mcp")
        except ProgramFailed as error:
            rows[label] = dict.fromkeys(MCP_CALLS, no(error))
    return Table(("server", *MCP_CALLS), rows)


async def _mcp_row(url: str) -> dict[str, str]:
    steps = Steps()
    await steps.run("probe", lambda: _says_that_it_is_mcp(url))
    await steps.run("call_agent", lambda: _call_tool(_mcp_card(url), _ARGUMENTS))
    agents = {"tides": {"protocol": "mcp", "url": url, "start_seconds": 30}}
    async with before(agents, limits={"requests": 0}) as running:
        agent = running.at("tides")
        by_a2a = Part("data", {"skill": "high_water", "arguments": _ARGUMENTS})

        async def card() -> Card:
            return (await fetch_card(agent, allow=LOOPBACK)).card

        async def read() -> None:
            found = (await card()).check()
            expect(sorted(one["id"] for one in found.document["skills"]), ["broken", "high_water"])

        async def called(*, stream: bool) -> None:
            await _call_tool(await card(), by_a2a, stream=stream)

        await steps.run("card", read)
        await steps.run("A2A call", lambda: called(stream=False))
        await steps.run("A2A stream", lambda: called(stream=True))
        await steps.run("MCP call", lambda: _call_tool(_mcp_card(f"{agent}/mcp"), _ARGUMENTS))
        await steps.run("probe of the agent", lambda: check_probe(agent, send=False), 90)
    return steps.cells


def _mcp_card(url: str) -> Card:
    """Return the Beach card of an agent that supports only MCP."""
    transport = {"protocol": "mcp", "endpoint": url, "transport": "http", "tool": "high_water"}
    return Card.from_document(
        {"schemaVersion": "1.0", "id": "tides", "name": "Tides", "transports": [transport]}
    )


async def _call_tool(card: Card, message: Any, **more: Any) -> None:
    reply = await call_agent(card, message, allow=LOOPBACK, **more)
    expect((reply.state, reply.data), ("completed", ({"Oban": 28},)))


async def _says_that_it_is_mcp(url: str) -> None:
    """Probe the URL as `cardwright probe` does."""
    async with GuardedClient(Guard(allow=LOOPBACK)) as client:
        try:
            await probe(url, client=client)
        except BadResponse as error:
            text = str(await explained(error, client, url))
            assert "MCP server" in text, text
        else:
            raise AssertionError("it is taken for an A2A agent")
