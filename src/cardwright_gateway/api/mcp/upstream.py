"""Resources, prompts and completions of the MCP server behind an agent; importing this module imports mcp.

The lists are those that the gateway read from the server. Requests are passed on, and results and errors come back as the
server sent them: a caller over MCP is a caller of the server, whose tools have been checked by the card alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import mcp_types as types
import orjson
from mcp import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from cardwright.errors import CallFailed, CardError
from cardwright_gateway.a2a.problems import turn_problem
from cardwright_gateway.backends.mcp import McpBackend
from cardwright_gateway.telemetry.tracing import traced
from cardwright_gateway.upstream.mcp.errors import error_of
from cardwright_gateway.upstream.mcp.requests import McpCaller

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.server.context import ServerRequestContext

    from cardwright_gateway.api.mcp.tools import Offered
    from cardwright_gateway.upstream.mcp.inventory import Inventory
    from cardwright_gateway.upstream.mcp.requests import Method
    from cardwright_gateway.upstream.mcp.session import McpSession

    Handler = Callable[[ServerRequestContext[Any], Any], Awaitable[Any]]
ItemT = TypeVar("ItemT", bound=BaseModel)
# The items of a page: many clients read only the first one (project decision).
PAGE: Final = 1_024
_CONTINUED: Final = ("inputResponses", "requestState")


def upstream_handlers(offered: Offered) -> dict[str, Any]:
    """Return the handlers of what the server behind declares, as arguments of `Server`; empty for any other agent.

    Only what has a handler is declared in the capabilities.
    """
    if offered.upstream is None or not isinstance(offered.backend, McpBackend):
        return {}
    return _Upstream(offered, offered.backend.session, offered.upstream).handlers()


def caller_of(context: ServerRequestContext[Any]) -> McpCaller:
    """Return the parts of a request that the server behind gets as they are.

    A caller of a version with sessions has none: this endpoint has no sessions, so its client cannot be asked.
    """
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return McpCaller()
    declared = context.session.client_capabilities or types.ClientCapabilities()
    capabilities = declared.model_dump(mode="json", by_alias=True, exclude_none=True)
    params = context.params or {}
    return McpCaller(capabilities, {name: params[name] for name in _CONTINUED if name in params})


def own_result(result: Any) -> Any:
    """Return the result of the server behind as a result of the gateway; None if the agent is not an MCP server.

    Raises:
        MCPError: If it is an error.
    """
    if isinstance(result, MCPError):
        raise result
    if not isinstance(result, types.Result):
        return None
    # Since MCP 2026-07-28, results name the server that sends them: here that is the gateway.
    rest = {name: value for name, value in (result.meta or {}).items() if name != types.SERVER_INFO_META_KEY}
    updated: dict[str, Any] = {"meta": rest or None}
    if (
        isinstance(result, types.CallToolResult)
        and not result.content
        and result.structured_content is not None
    ):
        # MCP 2025-11-25, Structured Content: older clients read it as text.
        text = orjson.dumps(result.structured_content).decode()
        updated["content"] = [types.TextContent(text=text)]
    return result.model_copy(update=updated)


class _Upstream:
    """The server behind an agent, for one request."""

    def __init__(self, offered: Offered, session: McpSession, inventory: Inventory) -> None:
        self._held = offered.held
        self._session = session
        self._inventory = inventory

    def handlers(self) -> dict[str, Any]:
        declared = self._inventory.capabilities
        handlers: dict[str, Handler] = {}
        if declared.get("resources") is not None:
            handlers |= {
                "on_list_resources": self._resources,
                "on_list_resource_templates": self._templates,
                "on_read_resource": self._passed("resources/read"),
            }
        if declared.get("prompts") is not None:
            handlers |= {"on_list_prompts": self._prompts, "on_get_prompt": self._passed("prompts/get")}
        if declared.get("completions") is not None:
            handlers["on_completion"] = self._passed("completion/complete")
        return handlers

    async def _resources(self, context: ServerRequestContext[Any], params: Any) -> types.ListResourcesResult:
        del context
        items, following = _page(types.Resource, self._inventory.resources, params)
        return types.ListResourcesResult(resources=items, next_cursor=following)

    async def _templates(
        self, context: ServerRequestContext[Any], params: Any
    ) -> types.ListResourceTemplatesResult:
        del context
        items, following = _page(types.ResourceTemplate, self._inventory.resource_templates, params)
        return types.ListResourceTemplatesResult(resource_templates=items, next_cursor=following)

    async def _prompts(self, context: ServerRequestContext[Any], params: Any) -> types.ListPromptsResult:
        del context
        items, following = _page(types.Prompt, self._inventory.prompts, params)
        return types.ListPromptsResult(prompts=items, next_cursor=following)

    def _passed(self, method: Method) -> Handler:
        """Return the handler that passes a request on, without the fields of `_meta`."""

        async def handler(context: ServerRequestContext[Any], params: BaseModel) -> Any:
            fields = params.model_dump(mode="json", by_alias=True, exclude_none=True)
            rest = {name: value for name, value in fields.items() if name not in ("_meta", *_CONTINUED)}
            try:
                with traced("call"):
                    result = await self._session.send(method, rest, caller=caller_of(context))
                if self._held is not None:
                    self._held.add(len(result.model_dump_json()))
            except CallFailed as error:
                raise error_of(error) from error
            except CardError as error:
                raise MCPError(types.INTERNAL_ERROR, turn_problem(error).message) from error
            return own_result(result)

        return handler


def _page(
    model: type[ItemT], items: tuple[dict[str, Any], ...], params: types.PaginatedRequestParams | None
) -> tuple[list[ItemT], str | None]:
    """Return a page of a list, without the items that are not valid, and the cursor of the next page.

    Raises:
        MCPError: If the cursor is not one of this list (MCP 2025-11-25, Pagination).
    """
    cursor = (params.cursor if params else None) or "0"
    start = int(cursor) if cursor.isdecimal() and len(cursor) < 8 else -1
    if start < 0 or start % PAGE or start > len(items):
        raise MCPError(types.INVALID_PARAMS, "unknown cursor; start again without a cursor")
    following = start + PAGE
    listed = [found for item in items[start:following] if (found := _item(model, item)) is not None]
    return listed, str(following) if following < len(items) else None


def _item(model: type[ItemT], item: dict[str, Any]) -> ItemT | None:
    try:
        return model.model_validate(item, by_name=False)
    except ValidationError:
        return None
