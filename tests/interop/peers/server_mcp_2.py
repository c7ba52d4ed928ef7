"""An mcp 2.x server over HTTP. `python server_mcp_2.py PORT`."""

import sys

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from tides_server import offer

if __name__ == "__main__":
    server = MCPServer("Tides", version="1.0.0")
    # mcp 2.x sends no text of any other exception.
    offer(server, ToolError)
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
