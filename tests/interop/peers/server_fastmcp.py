"""An MCP server of fastmcp, over HTTP. `python server_fastmcp.py PORT`."""

import sys

from fastmcp import FastMCP
from tides_server import offer

if __name__ == "__main__":
    server = FastMCP("Tides", version="1.0.0")
    offer(server)
    server.run("http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False, log_level="critical")
