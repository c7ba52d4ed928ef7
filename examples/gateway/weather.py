"""An MCP server over HTTP: a sea weather forecast that takes a moment and reports progress."""

from __future__ import annotations

import sys

import anyio
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("Weather at Sea", version="1.3.0")


@server.tool()
async def forecast(area: str, ctx: Context) -> str:
    """Return the forecast for a sea area."""
    for hour in range(1, 4):
        await ctx.report_progress(hour, 3, f"reading the charts of hour {hour}")
        await anyio.sleep(0.05)
    return f"{area}: west 4, good."


if __name__ == "__main__":
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
