"""The A2A endpoint of managed agents, on the server of a2a-sdk."""
