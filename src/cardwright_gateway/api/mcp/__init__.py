"""Agents as MCP servers: their skills are tools. The package mcp implements the protocol."""

from __future__ import annotations

from cardwright_gateway.api.mcp.endpoint import answer_mcp

__all__ = ["answer_mcp"]
