"""Transports that put the guarded client under the HTTP clients of the official SDKs; each is imported on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.extras import requires_extra
from cardwright.guard.exchange import MAX_ANSWER, Route
from cardwright.guard.message_limits import A2A_MESSAGES, MCP_MESSAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.guard import httpx2_transport as for_httpx2
    from cardwright.guard import httpx_transport as for_httpx
    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright.guard.client import GuardedClient
    from cardwright.guard.parsing_turns import ParsingTurn
    from cardwright.guard.responses import Timeouts


def httpx_transport(
    client: GuardedClient,
    *,
    credentials_for: Mapping[str, Mapping[str, str]] | None = None,
    max_bytes: int = MAX_ANSWER,
    timeouts: Timeouts | None = None,
    configured: str | None = None,
    hold: Callable[[], HeldAnswer] | None = None,
    parsing: ParsingTurn | None = None,
) -> for_httpx.GuardedTransport:
    """Return a transport for the `httpx.AsyncClient` of a2a-sdk.

    Redirects are not followed. A `CardError` is the cause of httpx's error, and the transport's `route.failure`.

    Args:
        client: The guarded HTTP client.
        credentials_for: Header fields by origin, such as `https://a.example`; each origin gets only its own.
        max_bytes: The maximum size of a response. Each message in it has the limits of its protocol.
        timeouts: The time limits; by default those of the client. Those of httpx have no effect.
        configured: An origin from the operator's configuration; connections to it are allowed at any address.
        hold: Returns the memory of an answer, which is released when it was read; None for no limit.
        parsing: The turn in which large responses are parsed; the code that gets the parsed response ends it. None: at once.

    Raises:
        MissingPackage: If httpx is not installed.
    """
    with requires_extra("a2a"):
        from cardwright.guard.httpx_transport import GuardedTransport
    return GuardedTransport(
        Route(client, credentials_for or {}, max_bytes, A2A_MESSAGES, timeouts, configured, hold, parsing)
    )


def httpx2_transport(
    client: GuardedClient,
    *,
    credentials_for: Mapping[str, Mapping[str, str]] | None = None,
    max_bytes: int = MAX_ANSWER,
    timeouts: Timeouts | None = None,
    configured: str | None = None,
    hold: Callable[[], HeldAnswer] | None = None,
) -> for_httpx2.GuardedTransport:
    """Return a transport for the `httpx2.AsyncClient` of mcp.

    Arguments and behaviour are those of `httpx_transport`.

    Raises:
        MissingPackage: If httpx2 is not installed.
    """
    with requires_extra("mcp"):
        from cardwright.guard.httpx2_transport import GuardedTransport
    return GuardedTransport(
        Route(client, credentials_for or {}, max_bytes, MCP_MESSAGES, timeouts, configured, hold)
    )
