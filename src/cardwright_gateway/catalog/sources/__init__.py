"""Where the cards of a gateway's agents come from: behind one interface, an agent of A2A, a server of MCP, a file."""

from cardwright_gateway.catalog.sources.source import Source, SourceStatus, State, UpstreamCard

__all__ = ["Source", "SourceStatus", "State", "UpstreamCard"]
