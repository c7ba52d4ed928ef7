"""An MCP server as an agent: its session, the cards made of what it has, and the calls of its tools."""

from __future__ import annotations

from cardwright.gateway.mcp.backend import McpBackend
from cardwright.gateway.mcp.inventory import Inventory, read_inventory
from cardwright.gateway.mcp.servers import HttpServer, StdioServer
from cardwright.gateway.mcp.session import McpSession
from cardwright.gateway.mcp.synthesis import Described, a2a_card, mcp_card

__all__ = [
    "Described",
    "HttpServer",
    "Inventory",
    "McpBackend",
    "McpSession",
    "StdioServer",
    "a2a_card",
    "mcp_card",
    "read_inventory",
]
