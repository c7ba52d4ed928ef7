"""A call over MCP, with the client of mcp over streamable HTTP: one tool, called once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from cardwright.discovery.calling.mcp_results import mcp_failure, parts_of_block
from cardwright.discovery.calling.parts import Part, arguments_of
from cardwright.discovery.calling.reply import Reply
from cardwright.errors import BadArgument
from cardwright.guard.exchange import Route
from cardwright.guard.transports import httpx2_transport
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from mcp.client.session import ClientSession

    from cardwright.discovery.calling.exchange import Call

# MCP sets no limit for the pages of a tool list (project decision).
_MAX_PAGES: Final = 20


async def call_mcp(call: Call, tool: str | None, schema: Any) -> Reply:
    """Call a tool with a message and return the reply.

    Args:
        call: The message and the interface.
        tool: The tool's name; None: the only tool of the server.
        schema: Its input schema from the card; None: read it from the server if needed.

    Raises:
        CardError: As `call_agent`.
    """
    route = Route(call.client, call.credentials, timeouts=call.timeouts, configured=call.configured)
    guarded = httpx2_transport(route)
    url = call.selection.interface.url
    try:
        async with (
            httpx2.AsyncClient(transport=guarded, trust_env=False, timeout=None) as http,
            # The guarded transport limits each event.
            Client(
                streamable_http_client(url, http_client=http, max_sse_event_size=None), cache=None
            ) as client,
        ):
            if tool is None or (schema is None and all(part.kind == "text" for part in call.parts)):
                tool, schema = await _listed(client.session, tool)
            arguments = arguments_of(call.parts, tool, schema)
            # `call_tool` would validate the result with the standard library's patterns, which can be stalled.
            request = types.CallToolRequest(
                params=types.CallToolRequestParams(name=tool, arguments=arguments)
            )
            result = await client.session.send_request(request, types.CallToolResult)
    except Exception as error:  # mcp parses a remote response: it may raise anything
        raise mcp_failure(error, guarded.route, call.safe_url) from error
    parts = tuple(part for block in result.content for part in parts_of_block(block))
    if result.structured_content is not None:
        parts = (*parts, Part("data", result.structured_content))
    state = "failed" if result.is_error else "completed"
    raw = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return Reply(parts, None, None, state, call.selection, raw)


async def _listed(session: ClientSession, tool: str | None) -> tuple[str, Any]:
    """Return a tool, None for the only one, and its input schema from the server's tool list."""
    schemas: dict[str, Any] = {}
    cursor: str | None = None
    seen: set[str | None] = set()
    while cursor not in seen and len(seen) < _MAX_PAGES:
        seen.add(cursor)
        page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
        schemas |= {listed.name: listed.input_schema for listed in page.tools}
        if tool in schemas:
            return tool, schemas[tool]
        cursor = page.next_cursor
    if tool is None and len(schemas) == 1:
        return next(iter(schemas.items()))
    known = ", ".join(map(quote, list(schemas)[:16])) or "no tools"
    wrong = "required: name the MCP tool to call" if tool is None else f"the server has no tool {quote(tool)}"
    raise BadArgument("tool", f"{wrong}; {'the server' if tool is None else 'it'} has {known}")
