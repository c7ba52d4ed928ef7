"""Agents as servers of MCP: their skills are tools. The protocol itself is mcp's."""

from __future__ import annotations

from cardwright_gateway.api.mcp.endpoint import answer_mcp

__all__ = ["answer_mcp"]
