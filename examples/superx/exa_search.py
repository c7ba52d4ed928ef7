"""An MCP server over stdio with the tools of a web search; it searches a list of its own."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer

server = MCPServer("Exa MCP Server", version="1.0.0")

_PAGES = {
    "https://tides.example.com/": "When the water is high in Cuxhaven, Norddeich and Husum.",
    "https://harbour.example.com/": "Berths and fees of the harbour.",
}


@server.tool()
def search(query: str, numResults: int = 10) -> list[str]:  # noqa: N803 - the name on the wire
    """Search the web: return the URLs of the pages that have a word."""
    return [url for url, text in _PAGES.items() if query.lower() in text.lower()][:numResults]


@server.tool()
def get_contents(urls: list[str]) -> list[str]:
    """Get the full contents of URLs."""
    return [_PAGES.get(url, "not found") for url in urls]


if __name__ == "__main__":
    server.run("stdio")
