"""Calling an agent by its card: A2A through a2a-sdk's transports, MCP through mcp's client."""

from cardwright.discovery.calling.call import HasCard, Message, call_agent
from cardwright.discovery.calling.parts import Part
from cardwright.discovery.calling.reply import Reply

__all__ = ["HasCard", "Message", "Part", "Reply", "call_agent"]
