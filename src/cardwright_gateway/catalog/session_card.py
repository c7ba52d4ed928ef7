"""The card of an MCP server from one session with it, for `cardwright convert --from-mcp`."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright.card import Card
from cardwright.conversion.extensions import MCP_URI, params_of
from cardwright.conversion.pipeline import interface_at
from cardwright.errors import BadArgument
from cardwright.guard import GuardedClient
from cardwright_gateway.catalog.mcp_card import a2a_card
from cardwright_gateway.errors import SessionNotReady
from cardwright_gateway.upstream.mcp import HttpServer, McpSession, StdioServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.guard import Guard

# Time for a package runner that first downloads the server (project decision).
_START_SECONDS: Final = 60.0


async def session_card(source: str, guard: Guard, headers: Mapping[str, str], endpoint: str = "") -> Card:
    """Return the A2A 1.0 card of an MCP server, which is invalid without an A2A endpoint.

    Args:
        source: The URL of the server, or the command that starts it on standard input and output.
        guard: The guard of requests to a URL.
        headers: Header fields for each request, such as Authorization.
        endpoint: The URL at which something, such as a gateway, answers for it over A2A (JSON-RPC); "" if nothing does.

    Raises:
        BadArgument: If the command cannot be read.
        SessionNotReady: If no session can be held; the message says why.
        UpstreamInvalid: If what the server says makes no valid card.
    """
    is_url = source.lower().startswith(("http://", "https://"))
    server = HttpServer(source, headers) if is_url else _process(source)
    name = (urlsplit(source).hostname or "server") if is_url else Path(shlex.split(source)[0]).name
    async with GuardedClient(guard) as client:
        session = McpSession(name, server, client=client, start_seconds=_START_SECONDS)
        try:
            inventory = await session.started()
        except SessionNotReady as error:
            if error.state == "denied":
                raise BadArgument(
                    "from-mcp", "its address is not public; if you trust it, allow it with --allow-private"
                ) from None
            raise
        finally:
            await session.close()
    document = a2a_card(name, inventory, "").document
    if endpoint:
        document = {**document, "supportedInterfaces": [interface_at(endpoint)]}
    return Card.of_parts(_with_remote(document, source) if is_url else document, "a2a-1.0")


def _process(command: str) -> StdioServer:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadArgument("from-mcp", f"not a command: {error}") from None
    if not words:
        raise BadArgument("from-mcp", "expected the URL of an MCP server, or the command that starts it")
    return StdioServer(words[0], tuple(words[1:]), env=dict(os.environ))


def _with_remote(document: dict[str, Any], url: str) -> dict[str, Any]:
    """Return the card with the MCP endpoint of the server in its MCP extension."""
    declared = params_of(document, MCP_URI)
    if declared is None:
        return document
    index, params = declared
    items = list(document["capabilities"]["extensions"])
    server = {"remotes": [{"type": "streamable-http", "url": url}]}
    items[index] = {**items[index], "params": {**params, "server": server}}
    return {**document, "capabilities": {**document["capabilities"], "extensions": items}}
