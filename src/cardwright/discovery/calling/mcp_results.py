"""Conversion of MCP results: content blocks to parts, exceptions to `CardError`."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Final

import mcp_types as types
from mcp import MCPError

from cardwright.discovery.calling.failures import by_status, card_error_in, chain, no_reply
from cardwright.discovery.calling.parts import Part
from cardwright.errors import CallFailed, CardError, SessionFailed
from cardwright_runtime.message_fixes import standard_base64

if TYPE_CHECKING:
    from cardwright.guard.exchange import Route

# Messages of mcp itself, where the server sent no response that it can read.
_CLIENT_MESSAGES: Final = (
    "Not Found",
    "Server returned an error response",
    "Unexpected content type",
    "Redirect to",
)
_NO_REPLY: Final = ("Failed to parse", "server answered a request with 202", "SSE stream")
_ENDED: Final = ("Session terminated", "Connection closed")


def parts_of_block(block: types.ContentBlock) -> list[Part]:
    """Return a content block of a tool result as parts; none for an unknown or invalid block (MCP, Tools)."""
    match block:
        case types.TextContent():
            return [Part("text", block.text)]
        case types.ImageContent() | types.AudioContent():
            return _file(block.data, block.mime_type, "")
        case types.ResourceLink():
            return [Part("url", block.uri, block.name, block.mime_type or "")]
        case types.EmbeddedResource(resource=types.TextResourceContents() as held):
            return [Part("text", held.text, "", held.mime_type or "")]
        case types.EmbeddedResource(resource=types.BlobResourceContents() as held):
            return _file(held.blob, held.mime_type or "", held.uri)
        case _:
            return []


def _file(data: str, media_type: str, filename: str) -> list[Part]:
    digits = standard_base64(data)
    return [] if digits is None else [Part("raw", b64decode(digits), filename, media_type)]


def mcp_failure(error: Exception, route: Route | None, url: str) -> CardError:
    """Return the `CardError` for an exception of mcp, which keeps few causes.

    Args:
        error: The exception.
        route: The HTTP route of its requests; None over stdio.
        url: The name of the server in messages.
    """
    known = card_error_in(error) or (route.failure if route else None)
    if known is not None:
        return known
    mcp_error = next((cause for cause in chain(error) if isinstance(cause, MCPError)), None)
    status, headers = (route.posted if route else None) or (0, None)
    if headers is not None and (
        status in (401, 403)
        or (status >= 300 and (mcp_error is None or mcp_error.message.startswith(_CLIENT_MESSAGES)))
    ):
        return by_status(url, status, headers)
    if mcp_error is None or mcp_error.message.startswith(_NO_REPLY + _CLIENT_MESSAGES):
        return no_reply(url, "MCP")
    if mcp_error.message.startswith(_ENDED):
        return SessionFailed(url, "the MCP session ended before the response; try again")
    return CallFailed(url, code=mcp_error.code, remote_text=mcp_error.message)
