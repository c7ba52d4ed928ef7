"""An MCP server over stdio: the berths of ships in a harbour, and their fees."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer

server = MCPServer("Harbour Office", version="2.1.0")

_BERTHS = {"Anna": 12, "Borkum": 7, "Cormoran": 31}


@server.tool()
def berth(ship: str) -> str:
    """Return the berth of a ship."""
    place = _BERTHS.get(ship)
    return f"{ship} lies at berth {place}." if place else f"{ship} is not in the harbour."


@server.tool()
def fee(length_metres: float, nights: int) -> float:
    """Return the fee for a berth, in euros."""
    return round(length_metres * 1.8 * nights, 2)


if __name__ == "__main__":
    server.run("stdio")
