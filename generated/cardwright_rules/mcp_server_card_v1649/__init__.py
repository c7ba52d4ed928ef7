"""MCP server card in the older form (SEP-1649).

Generated from schemas/mcp-server-card/1649/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
