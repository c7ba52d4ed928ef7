"""List changes of an MCP server: notifications, and since MCP 2026-07-28 a subscription stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp import MCPError
from mcp.client.subscriptions import SubscriptionLost
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp import Client

# MCP 2025-11-25, Tools, Resources and Prompts: List Changed Notification.
_CHANGES: Final = (
    types.ToolListChangedNotification,
    types.ResourceListChangedNotification,
    types.PromptListChangedNotification,
)
# Seconds until a stream that ended is reopened: doubled while no event arrives (project decision).
_FIRST_WAIT: Final = 0.5
_MAX_WAIT: Final = 60.0
# Error codes of a server that does not support the stream.
_UNSUPPORTED: Final = (types.METHOD_NOT_FOUND, types.INVALID_PARAMS)


def is_list_change(message: Any) -> bool:
    """Return whether a message is a notification that a list changed."""
    return isinstance(message, _CHANGES)


async def listen(
    client: Client,
    changed: Callable[[], None],
    lost: Callable[[], None],
    sleep: Callable[[float], Awaitable[None]],
) -> None:
    """Listen for list changes as long as the session lasts, if the server supports the stream.

    Args:
        client: A connected client.
        changed: Called at each change, and when the stream opens: earlier changes are not sent.
        lost: Called when the session has ended.
        sleep: Waits until the next attempt.
    """
    capabilities = client.server_capabilities
    tools = bool(capabilities.tools and capabilities.tools.list_changed)
    prompts = bool(capabilities.prompts and capabilities.prompts.list_changed)
    resources = bool(capabilities.resources and capabilities.resources.list_changed)
    if client.protocol_version not in MODERN_PROTOCOL_VERSIONS or not (tools or prompts or resources):
        return
    wait = _FIRST_WAIT
    while True:
        try:
            async with client.listen(
                tools_list_changed=tools, prompts_list_changed=prompts, resources_list_changed=resources
            ) as events:
                # Changes since the lists were last read are not sent again.
                changed()
                async for _ in events:
                    wait = _FIRST_WAIT
                    changed()
        except MCPError as error:
            if error.code in _UNSUPPORTED:
                return
            if error.code == types.CONNECTION_CLOSED:
                lost()
        except SubscriptionLost:
            pass
        await sleep(wait)
        wait = min(_MAX_WAIT, wait * 2)
