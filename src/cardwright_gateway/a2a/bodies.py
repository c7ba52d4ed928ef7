"""Bodies of requests: read whole, in bounds of size and time, and handed on as they came."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.http.problem import (
    BODY_TOO_LARGE,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorCode,
    HttpError,
    Problem,
    refuse,
)
from cardwright_gateway.a2a.operations import LONGEST_ID

if TYPE_CHECKING:
    from cardwright.http.request import Message, Receive, Scope

_NOT_JSON: Final = ErrorCode(415, "UNSUPPORTED_MEDIA_TYPE", code=-32600)
# A body makes headway within so long (reliability 2e, Slow clients).
_HEADWAY_SECONDS: Final = 10.0
# A message has a handful of members; what an artifact holds may have many (ours).
_DEPTH: Final = 64
_MEMBERS: Final = 100_000


class Gone(Exception):
    """Whoever asked has left: nobody is to be answered."""


@dataclass(frozen=True, slots=True)
class Call:
    """A JSON-RPC request, as far as the gateway reads it.

    Attributes:
        id: As it was sent.
        method: As it was sent.
        params: As they were sent.
    """

    id: str | int | None
    method: str
    params: dict[str, Any]


class CallRefused(HttpError):
    """Carries why a call is refused, and the id that its answer has."""

    def __init__(self, problem: Problem, call_id: Any = None) -> None:
        super().__init__(problem)
        self.call_id = call_id


async def read_body(receive: Receive, max_bytes: int) -> bytes:
    """Return the body of a request.

    Raises:
        HttpError: If it is too large, or makes no headway.
        Gone: If it broke off.
    """
    pieces: list[bytes] = []
    size = 0
    while True:
        try:
            async with asyncio.timeout(_HEADWAY_SECONDS):
                message = await receive()
        except TimeoutError:
            told = f"nothing of the body came for {_HEADWAY_SECONDS:.0f} seconds"
            raise refuse(INVALID_REQUEST, told) from None
        if message["type"] != "http.request":
            raise Gone
        piece = message.get("body", b"")
        size += len(piece)
        if size > max_bytes:
            raise refuse(BODY_TOO_LARGE, f"the body has more than {max_bytes:,} bytes")
        pieces.append(piece)
        if not message.get("more_body", False):
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def check_json(scope: Scope) -> None:
    """Refuse a body that is not JSON: a form of another site's page could not say otherwise.

    Raises:
        HttpError: If its media type is another.
    """
    told = [value for name, value in scope["headers"] if name == b"content-type"]
    kind = (told[0] if told else b"application/json").partition(b";")[0].strip().lower()
    if len(told) > 1 or not (kind == b"application/json" or kind.endswith(b"+json")):
        raise refuse(_NOT_JSON, "calls come as application/json: say so in Content-Type")


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that was read already, and then what comes after it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def value_of(body: bytes, max_bytes: int) -> Any:
    """Return what a body says, read strictly.

    Raises:
        HttpError: If it is no JSON that may be read.
    """
    try:
        return decode(body, Limits(max_bytes=max_bytes, max_depth=_DEPTH, max_members=_MEMBERS))
    except MalformedDocument as error:
        raise refuse(PARSE_ERROR, f"the body is no JSON that may be read ({error.rule})") from None


def read_call(body: bytes, max_bytes: int) -> Call:
    """Read a JSON-RPC request strictly: two readers must not see two methods in it.

    Raises:
        CallRefused: If it is none.
    """
    try:
        value = value_of(body, max_bytes)
    except HttpError as refused:
        raise CallRefused(refused.problem) from None
    if type(value) is not dict:
        raise CallRefused(Problem(INVALID_REQUEST, "a JSON-RPC request is one object; batches are not taken"))
    call_id = value.get("id")
    if not _is_id(call_id):
        raise CallRefused(Problem(INVALID_REQUEST, "the id of a request is text or a whole number"))
    method, params = value.get("method"), value.get("params", {})
    if value.get("jsonrpc") != "2.0" or type(method) is not str:
        raise CallRefused(
            Problem(INVALID_REQUEST, 'a JSON-RPC request has jsonrpc "2.0" and a method'), call_id
        )
    return Call(call_id, method, params if type(params) is dict else {})


def _is_id(value: Any) -> bool:
    if type(value) is str:
        return len(value) <= LONGEST_ID
    return value is None or type(value) is int
