"""Where the cards of a gateway's agents come from: behind one interface, an agent of A2A, a server of MCP, a file."""

from cardwright.gateway.sources.source import Source, Sourced, Standing, State

__all__ = ["Source", "Sourced", "Standing", "State"]
