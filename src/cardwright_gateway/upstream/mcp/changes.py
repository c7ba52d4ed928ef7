"""How a server tells that its lists changed: by notifications, and since 2026-07-28 on a stream of its own."""

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
# Seconds until a stream that ended is opened again: doubled while it brings nothing (ours).
_FIRST_WAIT: Final = 0.5
_LONGEST_WAIT: Final = 60.0
# A server that answers so never has such a stream.
_NEVER: Final = (types.METHOD_NOT_FOUND, types.INVALID_PARAMS)


def tells_of_change(message: Any) -> bool:
    """Whether a message of a server says that one of its lists changed."""
    return isinstance(message, _CHANGES)


async def listen(
    client: Client,
    changed: Callable[[], None],
    lost: Callable[[], None],
    sleep: Callable[[float], Awaitable[None]],
) -> None:
    """Listen for changes as long as the session lasts, where the server has a stream of them.

    Args:
        client: A client that has come in.
        changed: Called at each change, and when the stream opens: one before that is told to nobody.
        lost: Called when the session itself is gone.
        sleep: What waits until the next try.
    """
    has = client.server_capabilities
    tools = bool(has.tools and has.tools.list_changed)
    prompts = bool(has.prompts and has.prompts.list_changed)
    resources = bool(has.resources and has.resources.list_changed)
    if client.protocol_version not in MODERN_PROTOCOL_VERSIONS or not (tools or prompts or resources):
        return
    wait = _FIRST_WAIT
    while True:
        try:
            async with client.listen(
                tools_list_changed=tools,
                prompts_list_changed=prompts,
                resources_list_changed=resources,
            ) as events:
                # Nothing is sent again: what changed since the lists were read is not told any more.
                changed()
                async for _ in events:
                    wait = _FIRST_WAIT
                    changed()
        except MCPError as error:
            if error.code in _NEVER:
                return
            if error.code == types.CONNECTION_CLOSED:
                lost()
        except SubscriptionLost:
            pass
        await sleep(wait)
        wait = min(_LONGEST_WAIT, wait * 2)
