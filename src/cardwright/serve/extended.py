"""JSON-RPC requests for the extended card (A2A 1.0 §9.4.8, 0.3 §7.10)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.http.problem import (
    BAD_HEADER,
    BODY_TOO_LARGE,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNAUTHENTICATED,
    refuse,
)
from cardwright.http.representation import json_bytes
from cardwright.http.response import Response, fleeting

if TYPE_CHECKING:
    from cardwright.http.problem import Problem
    from cardwright.http.request import Receive, Request

# The A2A version of each method; the last method name is the one of context-forge.
METHODS: Final = {
    "GetExtendedAgentCard": "1.0",
    "agent/getAuthenticatedExtendedCard": "0.3",
    "agent/getExtendedCard": "0.3",
}
_JSON: Final = "application/json"
# A request for the card has about 80 bytes (project decision).
MAX_BODY_BYTES: Final = 64 * 1024
_LIMITS: Final = Limits(max_bytes=MAX_BODY_BYTES, max_depth=32, max_members=64)
# A slow client gets no more time for a body (project decision).
_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Call:
    """One JSON-RPC request for the extended card.

    Attributes:
        id: The id of the request.
        version: The A2A version of the method.
    """

    id: str | float | None
    version: str


async def read_body(receive: Receive) -> bytes:
    """Return the body of a request; b"" if it is incomplete.

    Raises:
        HttpError: If it is larger than 64 KiB, or incomplete after ten seconds.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return b""
                body += message.get("body", b"")
                if len(body) > MAX_BODY_BYTES:
                    raise refuse(BODY_TOO_LARGE, f"the body is larger than {MAX_BODY_BYTES:,} bytes")
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise refuse(INVALID_REQUEST, f"the body was not complete within {_SECONDS:.0f} seconds") from None


def read_call(request: Request, body: bytes) -> Call:
    """Read a JSON-RPC request.

    Raises:
        HttpError: If it is malformed, or of another method.
    """
    media_type = request.fields.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise refuse(BAD_HEADER, "JSON-RPC requires Content-Type: application/json")
    try:
        value = decode(body, _LIMITS)
    except MalformedDocument as error:
        raise refuse(PARSE_ERROR, f"the body is not JSON, or exceeds a limit ({error.rule})") from None
    if type(value) is not dict:
        raise refuse(INVALID_REQUEST, "expected a JSON-RPC request, which is a JSON object")
    call_id = value.get("id")
    if isinstance(call_id, bool) or not isinstance(call_id, (str, int, float, type(None))):
        raise refuse(INVALID_REQUEST, "the id of a JSON-RPC request must be a string or a number")
    if value.get("jsonrpc") != "2.0" or type(value.get("method")) is not str or "id" not in value:
        raise refuse(
            INVALID_REQUEST, 'a JSON-RPC request requires jsonrpc "2.0", a method and an id', call_id=call_id
        )
    version = METHODS.get(value["method"])
    if version is None:
        raise refuse(
            METHOD_NOT_FOUND, f"unknown method; known methods: {', '.join(METHODS)}", call_id=call_id
        )
    return Call(call_id, version)


def is_call(body: bytes) -> bool:
    """Return whether a body is a request for the extended card."""
    try:
        value = decode(body, _LIMITS)
    except MalformedDocument:
        return False
    return type(value) is dict and value.get("method") in tuple(METHODS)


def result(call: Call, document: Any) -> Response:
    """Return the response with a card."""
    body = {"jsonrpc": "2.0", "id": call.id, "result": document}
    return fleeting(200, _JSON, json_bytes(body))


def error(problem: Problem, call_id: Any) -> Response:
    """Return the response with an error; its HTTP status is 401, 413 or, for all others, 200."""
    status = problem.error_code.status if problem.error_code in (UNAUTHENTICATED, BODY_TOO_LARGE) else 200
    return fleeting(status, _JSON, json_bytes(problem.to_rpc(call_id)), problem.headers)
