"""One endpoint for agents of A2A and MCP: their cards, and the calls to them."""
