"""Card generated from an MCP session.

Generated from schemas/mcp/2024-11-05/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
