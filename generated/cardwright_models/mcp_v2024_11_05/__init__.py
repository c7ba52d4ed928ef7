"""Card synthesised from an MCP session.

Generated from schemas/mcp/2024-11-05/dialect.json
by `make generate`: not edited, printed again when the schemas change.
"""
