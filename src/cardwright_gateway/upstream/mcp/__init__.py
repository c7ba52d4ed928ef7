"""Sessions with upstream MCP servers, and their inventories."""

from __future__ import annotations

from cardwright_gateway.upstream.mcp.inventory import Inventory, read_inventory
from cardwright_gateway.upstream.mcp.servers import HttpServer, StdioServer
from cardwright_gateway.upstream.mcp.session import McpSession

__all__ = ["HttpServer", "Inventory", "McpSession", "StdioServer", "read_inventory"]
