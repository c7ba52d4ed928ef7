"""The mcp SDK client, connected to an agent's MCP endpoint."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp import Client

from tests.discovery.calling.sdk_agents import serving

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.gateway.api.invoke.calling import InvokeClient

# With the handshake, and without.
MODES = ("legacy", "2026-07-28")


@asynccontextmanager
async def client(invoke_client: InvokeClient, mode: str) -> AsyncGenerator[Client]:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        await invoke_client.mcp(scope, receive, send)

    async with serving(application) as origin, Client(f"{origin}/mcp", mode=mode, cache=None) as connected:
        yield connected


def texts(result: types.CallToolResult) -> list[str]:
    """Return the texts of a result."""
    return [block.text for block in result.content if isinstance(block, types.TextContent)]
