"""An MCP server that uses mcp 1.x, mcp 2.x or fastmcp, over HTTP. `python server_mcp.py PORT`."""

import sys
from importlib.util import find_spec
from typing import Any


def offer(server: Any, error: type[Exception] = ValueError) -> None:
    """Register two tools, a resource and a prompt; `broken` raises the error, of which the library sends the text."""

    @server.tool()
    def high_water(port: str, days: int = 1) -> dict[str, int]:
        """Return the hours of high water."""
        return {port: 14 * days}

    @server.tool()
    def broken() -> str:
        """Fail."""
        raise error("no such port")

    @server.resource("tides://oban")
    def oban() -> str:
        """The tides of Oban."""
        return "high water at 14:20"

    @server.prompt()
    def ask(port: str) -> str:
        """Ask for a port."""
        return f"When is high water in {port}?"


def serve(port: int) -> None:
    at: dict[str, Any] = {"host": "127.0.0.1", "port": port}
    if find_spec("fastmcp"):
        from fastmcp import FastMCP

        server = FastMCP("Tides", version="1.0.0")
        offer(server)
        server.run("http", **at, show_banner=False, log_level="critical")
    elif find_spec("mcp.server.mcpserver"):
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError

        server = MCPServer("Tides", version="1.0.0")
        # mcp 2.x sends no text of any other exception.
        offer(server, ToolError)
        server.run("streamable-http", **at)
    else:
        from mcp.server.fastmcp import FastMCP

        server = FastMCP("Tides", **at)
        offer(server)
        server.run("streamable-http")


if __name__ == "__main__":
    serve(int(sys.argv[1]))
