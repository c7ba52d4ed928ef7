"""server.json of the MCP registry.

Generated from schemas/mcp-registry/2025-12-11/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
