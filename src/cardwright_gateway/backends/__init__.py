"""What executes the turns of an agent: A2A agents, MCP servers, functions and queues."""
