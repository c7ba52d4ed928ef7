"""Sources of upstream cards: A2A agents, MCP servers and files."""

from cardwright_gateway.catalog.sources.source import Source, SourceStatus, State, UpstreamCard

__all__ = ["Source", "SourceStatus", "State", "UpstreamCard"]
