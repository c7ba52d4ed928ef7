"""Connections to upstream agents and MCP servers."""
