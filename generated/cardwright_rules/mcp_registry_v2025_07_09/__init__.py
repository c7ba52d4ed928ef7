"""server.json of the MCP registry as of 2025-07-09.

Generated from schemas/mcp-registry/2025-07-09/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""
