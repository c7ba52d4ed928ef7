"""A call by MCP, through mcp's client over streamable HTTP: one tool, called once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from cardwright.discovery.calling.mcp_answers import mcp_failure, parts_of_block
from cardwright.discovery.calling.parts import Part, arguments_of
from cardwright.discovery.calling.reply import Reply
from cardwright.errors import BadArgument
from cardwright.guard.transports import httpx2_transport
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from mcp.client.session import ClientSession

    from cardwright.discovery.calling.exchange import Call

# MCP has no number for it: a server whose list goes on is asked no further (ours).
_MOST_PAGES: Final = 20


async def call_mcp(call: Call, tool: str, schema: Any) -> Reply:
    """Call a tool with a message, and return what came of it.

    Args:
        call: What is sent, and where.
        tool: The tool's name.
        schema: Its input schema as the card has it; the server is asked where None and it is needed.

    Raises:
        CardError: As `call_agent`.
    """
    guarded = httpx2_transport(
        call.client, credentials_for=call.credentials, timeouts=call.timeouts, configured=call.configured
    )
    url = call.selection.interface.url
    try:
        async with (
            httpx2.AsyncClient(transport=guarded, trust_env=False, timeout=None) as http,
            Client(streamable_http_client(url, http_client=http), cache=None) as client,
        ):
            arguments = await _arguments(call, client.session, tool, schema)
            # `call_tool` would check the answer with the standard library's patterns, which can be stalled.
            request = types.CallToolRequest(
                params=types.CallToolRequestParams(name=tool, arguments=arguments)
            )
            result = await client.session.send_request(request, types.CallToolResult)
    except Exception as error:  # a foreign client reads a foreign answer: it raises anything
        raise mcp_failure(error, guarded.route, call.shown) from error
    parts = tuple(part for block in result.content for part in parts_of_block(block))
    if result.structured_content is not None:
        parts = (*parts, Part("data", result.structured_content))
    state = "failed" if result.is_error else "completed"
    raw = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return Reply(parts, None, None, state, call.selection, raw)


async def _arguments(call: Call, session: ClientSession, tool: str, schema: Any) -> dict[str, Any]:
    if schema is None and all(part.kind == "text" for part in call.parts):
        schema = await _listed(session, tool)
    return arguments_of(call.parts, tool, schema)


async def _listed(session: ClientSession, tool: str) -> Any:
    """Return the input schema of a tool, as the server lists it."""
    names: list[str] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
        for one in page.tools:
            if one.name == tool:
                return one.input_schema
            names.append(one.name)
        cursor = page.next_cursor
        if cursor is None:
            break
    told = ", ".join(map(quote, names[:16])) or "none"
    raise BadArgument("tool", f"the server has no tool {quote(tool)}; it has {told}")
