"""The MCP server card of an agent that also answers as an MCP server (SEP-2127)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright_runtime.identifiers import name_part, reversed_domain, shortened

if TYPE_CHECKING:
    from cardwright.view import CardView

SERVER_CARD_TYPE: Final = "application/mcp-server-card+json"
SCHEMA_URL: Final = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
# MCP Server Card v1: the most characters of a title or a description, of a version and of a name.
MAX_TEXT: Final = 100
_MAX_VERSION: Final = 255
# Project decision, as for A2A 1.0: the version of an agent that has none.
_NO_VERSION: Final = "0.0.0"


def server_card(view: CardView | None, *, name: str, url: str) -> dict[str, Any]:
    """Return the MCP server card of an agent.

    Args:
        view: What its card says; None if the card is not known yet.
        name: The name after the slash, such as the id of the agent.
        url: The URL of its MCP endpoint; its host in reverse order is the part before the slash.

    >>> server_card(None, name="tides", url="https://agents.example.com/tides/mcp")["name"]
    'com.example.agents/tides'
    """
    title = (view.name if view else "") or name
    fields: dict[str, Any] = {
        "$schema": SCHEMA_URL,
        "name": f"{reversed_domain(urlsplit(url).hostname or '')}/{name_part(name) or 'agent'}",
        "version": ((view.version if view else "") or _NO_VERSION)[:_MAX_VERSION],
        "description": shortened((view.description if view else "") or title, MAX_TEXT),
        "title": shortened(title, MAX_TEXT),
        "remotes": [{"type": "streamable-http", "url": url}],
    }
    return {field: value for field, value in fields.items() if value}
