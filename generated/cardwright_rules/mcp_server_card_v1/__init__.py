"""MCP server card (SEP-2127).

Generated from schemas/mcp-server-card/1/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
