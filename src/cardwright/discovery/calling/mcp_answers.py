"""What mcp's client gives back, in words of ours: blocks of an answer as parts, and what went wrong."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Final

import mcp_types as types
from mcp import MCPError

from cardwright.discovery.calling.failures import by_status, chain, no_reply, ours
from cardwright.discovery.calling.parts import Part
from cardwright.errors import CallFailed, CardError, SessionFailed

if TYPE_CHECKING:
    from cardwright.guard.exchange import Route

# What mcp says in the server's place, where it gave no answer that can be read.
_STANDS_IN: Final = (
    "Not Found",
    "Server returned an error response",
    "Unexpected content type",
    "Redirect to",
)
_NO_REPLY: Final = ("Failed to parse", "server answered a request with 202", "SSE stream")
_ENDED: Final = ("Session terminated", "Connection closed")


def parts_of_block(block: types.ContentBlock) -> list[Part]:
    """Return a block of a tool's answer as parts; none where it holds nothing that is known (MCP, Tools)."""
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
    try:
        return [Part("raw", base64.b64decode(data), filename, media_type)]
    except (binascii.Error, ValueError):
        return []


def mcp_failure(error: Exception, route: Route | None, url: str) -> CardError:
    """Return an error of ours for whatever came out of mcp, which keeps few causes.

    Args:
        error: What it raised.
        route: How its requests went out; None where it spoke over pipes.
        url: What the server is called in messages.
    """
    known = ours(error) or (route.failure if route else None)
    if known is not None:
        return known
    told = next((one for one in chain(error) if isinstance(one, MCPError)), None)
    status, headers = (route.posted if route else None) or (0, None)
    if headers is not None and (
        status in (401, 403) or (status >= 300 and (told is None or told.message.startswith(_STANDS_IN)))
    ):
        return by_status(url, status, headers)
    if told is None or told.message.startswith(_NO_REPLY + _STANDS_IN):
        return no_reply(url, "MCP")
    if told.message.startswith(_ENDED):
        return SessionFailed(url, "the MCP session ended before the answer came")
    return CallFailed(url, code=told.code, remote_text=told.message)
