"""What went wrong with an MCP server, without where it is: callers and operators read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from cardwright.discovery.calling.failures import chain
from cardwright.discovery.calling.mcp_answers import mcp_failure
from cardwright.errors import (
    AccessDenied,
    BadAnswer,
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


def named(error: CardError, name: str) -> CardError:
    """Return an error with the server's name where its URL stood."""
    match error:
        case AccessDenied():
            return AccessDenied(name, error.status, error.schemes)
        case BadAnswer():
            return BadAnswer(
                name, error.kind, error.reason, status=error.status, retry_after=error.retry_after
            )
        case CallFailed():
            return error
        case PeerTimeout():
            return PeerTimeout(name, error.reason)
        case PeerError():
            return PeerUnreachable(name, error.reason)
        case ConnectionDenied():
            return PeerUnreachable(name, f"the guard lets nobody connect there [{error.rule}]")
        case _:
            return error


def told(error: Exception, route: Route | None) -> str:
    """Return why a session did not come about or broke, in words of ours.

    Args:
        error: What came of it.
        route: How the last request went out; None where it speaks over pipes.
    """
    for one in chain(error):
        match one:
            case UpstreamInvalid():
                return one.reason
            case ValidationError():
                return "its answer is none of MCP"
            case FileNotFoundError() | NotADirectoryError():
                return "its program or its folder is not there"
            case PermissionError():
                return "its program may not be run"
            case _:
                continue
    failure = mcp_failure(error, route, "")
    match failure:
        case SessionFailed():
            return "the connection ended before the session began"
        case CallFailed():
            return f"it answers with the error {failure.code} where the session begins"
        case PeerError():
            return failure.reason
        case ConnectionDenied():
            return f"the guard lets nobody connect there [{failure.rule}]"
        case _:
            return "its answer is none of MCP"
