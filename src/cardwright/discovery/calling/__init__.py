"""Call an agent by its card: A2A with the transports of a2a-sdk, MCP with the client of mcp."""

from cardwright.discovery.calling.call import HasCard, Message, call_agent
from cardwright.discovery.calling.parts import Part
from cardwright.discovery.calling.reply import Reply

__all__ = ["HasCard", "Message", "Part", "Reply", "call_agent"]
