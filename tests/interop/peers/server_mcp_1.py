"""An mcp 1.x server over HTTP. `python server_mcp_1.py PORT`."""

import sys

from mcp.server.fastmcp import FastMCP

server = FastMCP("Tides", host="127.0.0.1", port=int(sys.argv[1]))


@server.tool()
def high_water(port: str, days: int = 1) -> dict[str, int]:
    """Return the hours of high water."""
    return {port: 14 * days}


@server.tool()
def broken() -> str:
    """Fail."""
    raise ValueError("no such port")


@server.resource("tides://oban")
def oban() -> str:
    """The tides of Oban."""
    return "high water at 14:20"


@server.prompt()
def ask(port: str) -> str:
    """Ask for a port."""
    return f"When is high water in {port}?"


if __name__ == "__main__":
    server.run("streamable-http")
