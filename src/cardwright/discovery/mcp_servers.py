"""Recognition of MCP servers, which have no agent card, so that a lookup that finds none can say what is there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from cardwright.canonical import decode
from cardwright.card import Card
from cardwright.errors import BadResponse, CardError, MalformedDocument
from cardwright.guard import target_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.guard import GuardedClient

# MCP 2025-06-18, Utilities, Ping: it changes nothing, and the result is empty. No method of A2A has this name.
_PING: Final = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
_FIELDS: Final = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
_SESSION: Final = "Mcp-Session-Id"
_SECONDS: Final = 5.0
_MAX_BYTES: Final = 16 * 1024
AnyError = TypeVar("AnyError", bound=CardError)
_ADVICE: Final = (
    "this is an MCP server, which has no agent card; the gateway makes one for it: write its URL in gateway.yml as"
    " transport: {type: http, url: ...}"
)


async def explained(
    error: AnyError, client: GuardedClient, url: str, headers: Mapping[str, str] | None = None
) -> AnyError | BadResponse:
    """Return the error of a lookup, which says that there is an MCP server if the lookup found no card for this reason.

    Args:
        error: The error of the lookup; any but `not-found` at all candidates is returned as it is.
        client: The client; it sends one more request.
        url: The URL that was looked up.
        headers: Header fields for its origin only: credentials.
    """
    found = await mcp_server_at(error, client, url, headers)
    return BadResponse(target_of(url).safe_url, "not-found", _ADVICE) if found else error


async def mcp_server_at(
    error: CardError, client: GuardedClient, url: str, headers: Mapping[str, str] | None = None
) -> Card | None:
    """Return a card that has only the URL of the MCP server which a lookup without a result found; otherwise None.

    The arguments are those of `explained`.
    """
    if not isinstance(error, BadResponse) or error.kind != "not-found" or error.url:
        return None
    try:
        async with asyncio.timeout(_SECONDS):
            found = await _answers_ping(client, url, headers)
    except (CardError, TimeoutError):
        return None
    server = {"name": target_of(url).host, "url": url}
    return Card.from_document(server, dialect="mcp-2024-11-05") if found else None


async def _answers_ping(client: GuardedClient, url: str, credentials: Mapping[str, str] | None) -> bool:
    async with client.stream(
        "POST", url, headers=_FIELDS, credentials=credentials, content=_PING, max_bytes=_MAX_BYTES,
        repeatable=True,
    ) as answer:  # fmt: skip
        session = answer.headers.get(_SESSION)
        body = b""
        async for piece in answer.chunks():
            body += piece
            # A stream of events may stay open.
            if b"\n\n" in body or b"\r\n\r\n" in body:
                break
        status = answer.status
    if session:
        fields = {_SESSION: session}
        async with client.stream(
            "DELETE", url, headers=fields, credentials=credentials, max_bytes=_MAX_BYTES
        ):
            return True
    return status == 200 and _result(body) == {}


def _result(body: bytes) -> object:
    """Return the result of a JSON-RPC response, alone or in the first event of a stream; None for anything else."""
    events = [line[5:] for line in body.splitlines() if line.startswith(b"data:")]
    try:
        value = decode(events[0] if events else body)
    except MalformedDocument:
        return None
    return value.get("result") if type(value) is dict and value.get("jsonrpc") == "2.0" else None
