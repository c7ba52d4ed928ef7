"""Responses that the gateway itself creates, in the forms of JSON-RPC and REST."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.http.representation import json_bytes
from cardwright.http.response import Response
from cardwright_gateway.a2a.problems import rpc_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.http.problem import Problem

Fields = tuple[tuple[bytes, bytes], ...]
_ALWAYS: Fields = ((b"x-content-type-options", b"nosniff"),)
_NOT_CACHED: Fields = ((b"cache-control", b"no-store"), (b"content-type", b"application/json"))


def body_response(status: int, body: bytes, fields: Iterable[tuple[bytes, bytes]]) -> Response:
    """Return a response with its Content-Length."""
    return Response(status, (*fields, (b"content-length", str(len(body)).encode()), *_ALWAYS), body)


def json_response(status: int, value: Any, fields: Iterable[tuple[bytes, bytes]] = ()) -> Response:
    """Return a JSON response that must not be cached."""
    return body_response(status, json_bytes(value), (*_NOT_CACHED, *fields))


def rpc_result(call_id: Any, result: Any) -> Response:
    """Return the result of a JSON-RPC call."""
    return json_response(200, {"jsonrpc": "2.0", "id": call_id, "result": result})


def rpc_problem(problem: Problem, call_id: Any) -> Response:
    """Return the error of a JSON-RPC call."""
    return json_response(rpc_status(problem.error_code), problem.to_rpc(call_id), problem.headers)


def rest_problem(problem: Problem) -> Response:
    """Return the error of a REST request (A2A 1.0 §11.6)."""
    return json_response(problem.error_code.status, problem.to_json(), problem.headers)
