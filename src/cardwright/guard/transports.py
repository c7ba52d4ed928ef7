"""Transports that put the guarded client under the HTTP clients of the official SDKs; each is imported on demand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.extras import requires_extra
from cardwright.guard.message_limits import MCP_MESSAGES

if TYPE_CHECKING:
    from cardwright.guard import httpx2_transport as for_httpx2
    from cardwright.guard import httpx_transport as for_httpx
    from cardwright.guard.exchange import Route


def httpx_transport(route: Route) -> for_httpx.GuardedTransport:
    """Return a transport for the `httpx.AsyncClient` of a2a-sdk.

    Redirects are not followed, and the timeouts of httpx have no effect. A `CardError` is the cause of httpx's error,
    and the transport's `route.failure`.

    Raises:
        MissingPackage: If httpx is not installed.
    """
    with requires_extra("a2a"):
        from cardwright.guard.httpx_transport import GuardedTransport
    return GuardedTransport(route)


def httpx2_transport(route: Route) -> for_httpx2.GuardedTransport:
    """Return a transport for the `httpx2.AsyncClient` of mcp; the limits are those of MCP's messages.

    Raises:
        MissingPackage: If httpx2 is not installed.
    """
    with requires_extra("mcp"):
        from cardwright.guard.httpx2_transport import GuardedTransport
    return GuardedTransport(replace(route, messages=MCP_MESSAGES))
