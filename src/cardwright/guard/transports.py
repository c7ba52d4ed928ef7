"""The guarded client under the HTTP clients of the official SDKs, each imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.extras import requires_extra
from cardwright.guard.exchange import MAX_ANSWER, Route

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.guard import httpx2_transport as for_httpx2
    from cardwright.guard import httpx_transport as for_httpx
    from cardwright.guard.answers import Timeouts
    from cardwright.guard.client import GuardedClient


def httpx_transport(
    client: GuardedClient,
    *,
    credentials_for: Mapping[str, Mapping[str, str]] | None = None,
    max_bytes: int = MAX_ANSWER,
    timeouts: Timeouts | None = None,
    configured: str | None = None,
) -> for_httpx.GuardedTransport:
    """Return a transport for `httpx.AsyncClient`, as a2a-sdk's client takes one.

    No redirect is followed. An error of ours is the cause of httpx's, and `route.failure` of the transport.

    Args:
        client: What dials.
        credentials_for: By origin, such as `https://a.example`, header fields that it alone may see.
        max_bytes: How much of one answer is read.
        timeouts: How long to wait; the client's own where not given. httpx's own do not count.
        configured: An origin of the operator's configuration, which may be dialled wherever it is.

    Raises:
        MissingPackage: If httpx is not installed.
    """
    with requires_extra("a2a"):
        from cardwright.guard.httpx_transport import GuardedTransport
    return GuardedTransport(Route(client, credentials_for or {}, max_bytes, timeouts, configured))


def httpx2_transport(
    client: GuardedClient,
    *,
    credentials_for: Mapping[str, Mapping[str, str]] | None = None,
    max_bytes: int = MAX_ANSWER,
    timeouts: Timeouts | None = None,
    configured: str | None = None,
) -> for_httpx2.GuardedTransport:
    """Return a transport for `httpx2.AsyncClient`, as mcp's client takes one.

    Arguments and behaviour are those of `httpx_transport`.

    Raises:
        MissingPackage: If httpx2 is not installed.
    """
    with requires_extra("mcp"):
        from cardwright.guard.httpx2_transport import GuardedTransport
    return GuardedTransport(Route(client, credentials_for or {}, max_bytes, timeouts, configured))
