"""An mcp 1.x server over HTTP. `python server_mcp_1.py PORT`."""

import sys

from mcp.server.fastmcp import FastMCP
from tides_server import offer

if __name__ == "__main__":
    server = FastMCP("Tides", host="127.0.0.1", port=int(sys.argv[1]))
    offer(server)
    server.run("streamable-http")
