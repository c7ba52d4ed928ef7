"""The A2A endpoint of an agent that speaks no A2A itself, on the server of a2a-sdk."""
