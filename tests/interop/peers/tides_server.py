"""What each MCP server of the tests offers: two tools, a resource and a prompt."""

from typing import Any


def offer(server: Any, error: type[Exception] = ValueError) -> None:
    """Register all of it; `broken` raises the error, of which the library sends the text."""

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
