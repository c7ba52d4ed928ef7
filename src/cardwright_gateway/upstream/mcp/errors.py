"""Errors of MCP servers for callers and operators, without the server's address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mcp import MCPError
from mcp_types import INTERNAL_ERROR
from pydantic import ValidationError

from cardwright.discovery.calling.failures import chain
from cardwright.discovery.calling.mcp_results import mcp_failure
from cardwright.errors import (
    AccessDenied,
    BadResponse,
    CallFailed,
    CardError,
    ConnectionDenied,
    PeerError,
    PeerTimeout,
    PeerUnreachable,
    SessionFailed,
)
from cardwright_gateway.errors import UpstreamInvalid

if TYPE_CHECKING:
    from cardwright.guard.exchange import Route

DENIED: Final = "the gateway may not connect to its address; the operator can allow it (allow)"
# Many servers respond with 400, in words of their own: the examples of the TypeScript SDK, older Python and Go SDKs. They
# do so before they pass a request on.
_NO_SESSION: Final = re.compile(
    r"(no valid|invalid|unknown|expired) session|session (id )?(is |was )?(not found|invalid|unknown|expired|terminated)",
    re.IGNORECASE,
)


def with_server_name(error: CardError, name: str) -> CardError:
    """Return an error with the server's name in place of its URL."""
    match error:
        case AccessDenied():
            return AccessDenied(name, error.status, error.schemes)
        case BadResponse():
            return BadResponse(
                name, error.kind, error.reason, status=error.status, retry_after=error.retry_after
            )
        case CallFailed():
            return error
        case PeerTimeout():
            return PeerTimeout(name, error.reason)
        case PeerError():
            return PeerUnreachable(name, error.reason)
        case ConnectionDenied():
            return PeerUnreachable(name, f"{DENIED} [{error.rule}]")
        case _:
            return error


def error_of(error: CallFailed) -> MCPError:
    """Return the server's error for a caller over MCP, with at most 1,000 characters of its text."""
    data = next((cause.error.data for cause in chain(error) if isinstance(cause, MCPError)), None)
    return MCPError(error.code if error.code is not None else INTERNAL_ERROR, error.remote_text, data)


def has_no_session(error: Exception, route: Route) -> bool:
    """Return whether a server rejected a request because it no longer has the session that the request names.

    404 says so, whatever the body is (MCP 2025-06-18, Transports, Session Management).
    """
    status = route.posted[0] if route.posted and route.in_session else 0
    return status == 404 or (
        status == 400
        and any(isinstance(one, MCPError) and _NO_SESSION.search(one.message) for one in chain(error))
    )


def failure_reason(error: Exception, route: Route | None) -> str:
    """Return why a session did not start, or ended, without text from the server.

    Args:
        error: The exception.
        route: The route of the last request; None for a stdio server.
    """
    for cause in chain(error):
        match cause:
            case UpstreamInvalid():
                return cause.reason
            case ValidationError():
                return "its response is not valid MCP"
            case FileNotFoundError() | NotADirectoryError():
                return "its command or working directory does not exist"
            case PermissionError():
                return "permission to run its command was denied"
            case _:
                continue
    failure = mcp_failure(error, route, "")
    match failure:
        case SessionFailed():
            return "the connection ended before the session began"
        case CallFailed():
            return f"it responded to the start of the session with error {failure.code}"
        case PeerError():
            return failure.reason
        case ConnectionDenied():
            return DENIED
        case _:
            return "its response is not valid MCP"
