"""Answers of the gateway's own, as JSON-RPC and as REST have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.http.problem import BODY_TOO_LARGE, UNAUTHENTICATED
from cardwright.http.representation import json_bytes
from cardwright_gateway.a2a.problems import OWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.http.problem import Problem
    from cardwright.http.request import Send

Fields = tuple[tuple[bytes, bytes], ...]
_ALWAYS: Fields = ((b"x-content-type-options", b"nosniff"),)
_NOT_KEPT: Fields = ((b"cache-control", b"no-store"), (b"content-type", b"application/json"))


@dataclass(frozen=True, slots=True)
class Reply:
    """A status, a header and bytes."""

    status: int
    headers: Fields
    body: bytes = b""

    async def send(self, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers]})
        await send({"type": "http.response.body", "body": self.body})


def body_reply(status: int, body: bytes, fields: Iterable[tuple[bytes, bytes]]) -> Reply:
    """Return a reply with its length told."""
    return Reply(status, (*fields, (b"content-length", str(len(body)).encode()), *_ALWAYS), body)


def json_reply(status: int, value: Any, fields: Iterable[tuple[bytes, bytes]] = ()) -> Reply:
    """Return a JSON value that nobody keeps."""
    return body_reply(status, json_bytes(value), (*_NOT_KEPT, *fields))


def result_reply(call_id: Any, result: Any) -> Reply:
    """Return the result of a JSON-RPC call."""
    return json_reply(200, {"jsonrpc": "2.0", "id": call_id, "result": result})


def problem_reply(problem: Problem, call_id: Any) -> Reply:
    """Return the error of a JSON-RPC call.

    What is the gateway's own, or HTTP's, has its HTTP status too; what is A2A's or JSON-RPC's comes with
    200, as the SDKs send it.
    """
    own = problem.condition in OWN or problem.condition in (UNAUTHENTICATED, BODY_TOO_LARGE)
    error = {"code": problem.condition.code, "message": problem.message, "data": problem.details}
    status = problem.condition.status if own or problem.condition.status in (401, 403, 415) else 200
    return json_reply(status, {"jsonrpc": "2.0", "id": call_id, "error": error}, problem.headers)


def rest_problem_reply(problem: Problem) -> Reply:
    """Return the error of a request of REST (A2A 1.0 §11.6)."""
    return json_reply(problem.condition.status, problem.to_json(), problem.headers)
