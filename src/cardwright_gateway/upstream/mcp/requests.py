"""Requests to an MCP server for one caller, who may be an MCP client too.

Since MCP 2026-07-28 there are no sessions: each request states what its client can do, and may continue an earlier one
(MCP 2026-07-28, Multi Round-Trip Requests). So a gateway can pass both on, although all callers share its connection.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter

from cardwright.errors import BadResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from mcp.client.session import ClientSession

    Progress = Callable[[float, float | None, str | None], Awaitable[None]]

Method = Literal["tools/call", "resources/read", "prompts/get", "completion/complete"]
_Kind = tuple[type[types.Request[Any, Any]], TypeAdapter[Any]]
_KINDS: Final[dict[Method, _Kind]] = {
    "tools/call": (types.CallToolRequest, TypeAdapter(types.CallToolResult | types.InputRequiredResult)),
    "resources/read": (
        types.ReadResourceRequest,
        TypeAdapter(types.ReadResourceResult | types.InputRequiredResult),
    ),
    "prompts/get": (types.GetPromptRequest, TypeAdapter(types.GetPromptResult | types.InputRequiredResult)),
    "completion/complete": (types.CompleteRequest, TypeAdapter(types.CompleteResult)),
}
_CAPABILITIES: ContextVar[dict[str, Any] | None] = ContextVar("capabilities", default=None)


@dataclass(frozen=True, slots=True)
class McpCaller:
    """The parts of an MCP caller's request that the server behind gets as they are.

    Attributes:
        capabilities: What its client can do; None for a version with sessions: the gateway has no way to ask its client.
        continued: The fields of a request that continues an earlier one: `inputResponses` and `requestState`.
    """

    capabilities: dict[str, Any] | None = None
    continued: dict[str, Any] = field(default_factory=dict[str, Any])


async def send_request(
    session: ClientSession,
    method: Method,
    params: dict[str, Any],
    caller: McpCaller | None,
    progress: Progress | None,
) -> Any:
    """Send a request, and return its result as a model of mcp.

    Args:
        session: The session.
        method: The method.
        params: Its parameters, by their names in JSON.
        caller: The caller, if it is an MCP client.
        progress: Called with the progress, the total and a text.

    Raises:
        BadResponse: If the server asks for input that the caller cannot give; with an empty URL.
        Exception: Whatever mcp raises.
    """
    kind, result = _KINDS[method]
    request = kind.model_validate(
        {"method": method, "params": {**params, **(caller.continued if caller else {})}}
    )
    # Not `call_tool` or the like: they validate the response with the standard library's `re`, which a pattern can stall.
    with _stating(caller.capabilities if caller else None):
        response = await session.send_request(
            request,
            result,
            progress_callback=progress,  # type: ignore[arg-type] # mcp calls it by position
        )
    if isinstance(response, types.InputRequiredResult) and (caller is None or caller.capabilities is None):
        raise BadResponse("", "not-a-reply", "the server asks for input, which this caller cannot give")
    return response


@contextmanager
def _stating(capabilities: dict[str, Any] | None) -> Generator[None]:
    token = _CAPABILITIES.set(capabilities)
    try:
        yield
    finally:
        _CAPABILITIES.reset(token)


def state_capabilities(session: ClientSession) -> None:
    """Let a connected session state the capabilities of the caller that a request is sent for.

    mcp states those of its own client, in a private function that it calls for each request: tests detect a change in
    the next version of mcp.
    """
    if session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return
    stamp: Callable[[dict[str, Any], Any], None] = session._stamp  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # see above

    def stated(data: dict[str, Any], options: Any) -> None:
        stamp(data, options)
        capabilities = _CAPABILITIES.get()
        if capabilities is not None:
            data["params"]["_meta"][types.CLIENT_CAPABILITIES_META_KEY] = capabilities

    session._stamp = stated  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # see above
