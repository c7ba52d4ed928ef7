"""Check of an MCP request before the SDK reads it; importing this module imports mcp.

The SDK responds to an invalid message with pydantic's text: the names of its classes, and the message itself.
"""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types
from pydantic import ValidationError
from pydantic_core import from_json

from cardwright.http.problem import INVALID_REQUEST, PARSE_ERROR
from cardwright_gateway.a2a.field_limits import MAX_TEXT_CHARACTERS, has_too_much_text
from cardwright_gateway.a2a.operations import MAX_ID_CHARACTERS

_MAX_INTEGER: Final = 2**53 - 1


def envelope_error(body: bytes) -> dict[str, Any] | None:
    """Return the JSON-RPC error for a body that is not one JSON-RPC message of MCP; None if it is.

    It has the id of the request, if that can be read.
    """
    try:
        # As the SDK reads it: arguments may have integers that the JSON of A2A has not.
        value = from_json(body)
    except ValueError:
        return _error(PARSE_ERROR.code, "the body is not JSON, or is nested too deeply", None)
    fault = _fault(value)
    return _error(INVALID_REQUEST.code, fault, value) if fault else None


def _fault(value: Any) -> str:
    if type(value) is list:
        # MCP 2025-06-18, Key Changes; versions with batches are older than those that this endpoint supports.
        return "batches are not supported (MCP 2025-06-18 removed them); send one message in each request"
    if type(value) is not dict:
        return "the body must be an object with jsonrpc, id, method and params"
    if value.get("jsonrpc") != "2.0":
        return 'jsonrpc must be "2.0"'
    if type(value.get("method", "")) is not str:
        return "method must be a string"
    if type(value.get("params", {})) not in (dict, type(None)):
        return "params must be an object"
    if has_too_much_text(value):
        return f"params must have at most {MAX_TEXT_CHARACTERS:,} characters of text"
    try:
        types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        return "the body must be a request or notification with a method, or a response with a result or an error"
    return ""


def _error(code: int, message: str, value: Any) -> dict[str, Any]:
    call_id = value.get("id") if type(value) is dict else None
    # JSON of A2A, which the response is written as, has no larger integers.
    is_integer = type(call_id) is int and abs(call_id) <= _MAX_INTEGER
    named = is_integer or (type(call_id) is str and len(call_id) <= MAX_ID_CHARACTERS)
    return {"jsonrpc": "2.0", "id": call_id if named else None, "error": {"code": code, "message": message}}
