"""An MCP server for one request, with an agent's skills as tools; importing this module imports mcp."""

from __future__ import annotations

import asyncio
import base64
import math
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
import orjson
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from cardwright.errors import CardError
from cardwright.http.problem import HttpError
from cardwright.outline import outline
from cardwright_gateway.a2a.problems import turn_problem
from cardwright_gateway.api.invoke.endpoint import turn_with
from cardwright_gateway.api.invoke.turns import reply_of
from cardwright_gateway.api.mcp.tools import tools_of
from cardwright_gateway.api.mcp.upstream import caller_of, own_result, upstream_handlers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

    from cardwright.discovery.calling.parts import Part
    from cardwright.http.problem import Problem
    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.api.invoke.turns import Reply
    from cardwright_gateway.api.mcp.tools import Offered, SkillTool
    from cardwright_gateway.backends.backend import Artifact

# The `_meta` key that marks a result as a question (project decision; MCP 2025-11-25, Overview: `_meta`).
STATE: Final = "cardwright.dev/state"
_DEFAULT_TYPE: Final = "application/octet-stream"


async def serve(offered: Offered, scope: Scope, receive: Receive, send: Send, *, max_bytes: int) -> None:
    """Handle one MCP request.

    There are no sessions, so any process of the gateway can handle it.

    Args:
        offered: The agent.
        scope: The ASGI scope.
        receive: The ASGI `receive`.
        send: The ASGI `send`.
        max_bytes: The maximum size of the body.
    """
    server = _Tools(offered).server()
    manager = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=max_bytes)
    async with manager.run():
        await manager.handle_request(scope, receive, send)  # type: ignore[arg-type] # starlette writes mutable mappings


class _Tools:
    """The tools of a server."""

    def __init__(self, offered: Offered) -> None:
        self._offered = offered
        self._tools = tools_of(offered.card, offered.upstream)

    def server(self) -> Server[Any]:
        summary = outline(self._offered.card)
        return Server(
            summary.name or self._offered.agent_id,
            version=summary.version,
            description=summary.description or None,
            website_url=summary.provider_url or None,
            get_tool_input_schema=self._schema,
            on_list_tools=self._list,
            on_call_tool=self._call,
            **upstream_handlers(self._offered),
        )

    def _schema(self, name: str) -> Mapping[str, Any] | None:
        tool = self._tools.get(name)
        return tool.schema if tool else None

    async def _list(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del context
        if params is not None and params.cursor is not None:
            raise MCPError(types.INVALID_PARAMS, "the tools have only one page; send no cursor")
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description or None,
                    input_schema=dict(tool.schema),
                    output_schema=None if tool.output is None else dict(tool.output),
                    annotations=types.ToolAnnotations.model_validate(tool.hints) if tool.hints else None,
                )
                for tool in self._tools.values()
            ]
        )

    async def _call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, "unknown tool; tools/list lists the tools")
        try:
            reply = await self._reply(tool, params.arguments or {}, context)
        except HttpError as refused:
            return _failed(refused.problem)
        except CardError as error:
            return _failed(turn_problem(error))
        return own_result(reply.mcp) or _result(reply)

    async def _reply(
        self, tool: SkillTool, arguments: dict[str, Any], context: ServerRequestContext[Any]
    ) -> Reply:
        offered = self._offered
        # In a thread, however small they are: a schema can make a single value costly, and is compiled at each call.
        part = await asyncio.to_thread(tool.part, offered.card, arguments)
        turn = turn_with((part,), str(uuid.uuid4()), offered.owner, offered.sender, skill=tool.skill)
        if offered.upstream is not None:
            turn = replace(turn, mcp=caller_of(context))
        listener = _Progress(context.session)
        return await reply_of(offered.agent_id, offered.backend, turn, listener, held=offered.held)


class _Progress:
    """Progress notifications with increasing numbers (MCP 2025-11-25, Progress)."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._last = -1.0

    async def progress(self, text: str, *, done: float | None, total: float | None) -> None:
        """Send a notification."""
        grown = done is not None and math.isfinite(done) and done > self._last
        self._last = done if grown and done is not None else self._last + 1
        known = total if grown and total is not None and math.isfinite(total) else None
        await self._session.report_progress(self._last, known, text or None)

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None) -> None:
        """Do nothing: MCP has no pieces of a result."""


def _result(reply: Reply) -> types.CallToolResult:
    blocks = [block for part in reply.parts if (block := _block(part)) is not None]
    failure, texts = reply.failure, [part.value for part in reply.parts if part.kind == "text"]
    if failure is not None and reply.message not in ("", "\n".join(texts)):
        # The reason comes last, as a question does.
        blocks.append(types.TextContent(text=reply.message))
    elif reply.message and (reply.asks or not reply.parts):
        blocks.append(types.TextContent(text=reply.message))
    if failure is not None and not blocks:
        return _failed(failure)
    objects = [part.value for part in reply.parts if part.kind == "data" and type(part.value) is dict]
    return types.CallToolResult(
        content=blocks or [types.TextContent(text="")],
        structured_content=objects[0] if objects else None,
        is_error=failure is not None,
        _meta={STATE: reply.ending} if reply.asks else None,
    )


def _block(part: Part) -> types.ContentBlock | None:
    """Return a part as a content block; data as JSON (MCP 2025-11-25, Structured Content); None for an empty text."""
    if part.kind == "text":
        return types.TextContent(text=part.value) if part.value else None
    if part.kind == "data":
        return types.TextContent(text=orjson.dumps(part.value).decode())
    if part.kind == "url":
        return types.ResourceLink(
            name=part.filename or "file", uri=part.value, mime_type=part.media_type or None
        )
    blob = base64.b64encode(part.value).decode()
    if part.media_type.startswith("image/"):
        return types.ImageContent(data=blob, mime_type=part.media_type)
    if part.media_type.startswith("audio/"):
        return types.AudioContent(data=blob, mime_type=part.media_type)
    contents = types.BlobResourceContents(
        uri=f"urn:uuid:{uuid.uuid4()}", blob=blob, mime_type=part.media_type or _DEFAULT_TYPE
    )
    return types.EmbeddedResource(resource=contents)


def _failed(problem: Problem) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=problem.message)], is_error=True)
