"""Upstream errors as they are returned to callers: rebuilt from their code and reason, with A2A's own messages.

An agent's text and data may hold addresses, traces and names of its internal systems: none of it is passed on.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from cardwright.canonical import decode
from cardwright.errors import MalformedDocument
from cardwright.guard.message_limits import A2A_MESSAGES, each_event
from cardwright.http.problem import A2A_DOMAIN
from cardwright.http.representation import json_bytes
from cardwright_gateway.a2a.problems import REASONS

# The message of an error that A2A does not define.
OTHER: Final = "the agent responded with an error; the gateway does not repeat its text"
# A2A 0.3.0, JSON Schema: the default messages; A2A 1.0 §5.4 for the last two.
MESSAGES: Final = {
    -32700: "Invalid JSON payload",
    -32600: "Request payload validation error",
    -32601: "Method not found",
    -32602: "Invalid parameters",
    -32603: "Internal error",
    -32001: "Task not found",
    -32002: "Task cannot be canceled",
    -32003: "Push Notification is not supported",
    -32004: "This operation is not supported",
    -32005: "Incompatible content types",
    -32006: "Invalid agent response",
    -32007: "Authenticated Extended Card is not configured",
    -32008: "Extension support required",
    -32009: "Version not supported",
}
_BY_REASON: Final = {reason: MESSAGES[code] for code, reason in REASONS.items()}
_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"
# The names of google.rpc.Code.
_STATUS_NAMES: Final = frozenset({
    "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "UNAUTHENTICATED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
    "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
})  # fmt: skip
# Texts of a flat error: a2a-sdk 0.3, and problem+json (RFC 9457 §3.1).
_TEXTS: Final = ("message", "title", "detail")
# The problem types of A2A, and the one without a meaning (RFC 9457 §4.2.1).
_TYPE: Final = re.compile(r"about:blank|https://a2a-protocol\.org/errors/[a-z-]{1,64}")
_MAX_DETAILS: Final = 32
_INT32: Final = 2**31
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
# An error has this member, or an event of this name. A letter of the member may be escaped.
_MENTIONS_ERROR: Final = re.compile(rb"error|\\u00(?:65|72|6[fF])")
_BOM: Final = b"\xef\xbb\xbf"
# C1 control characters, and the line ends beyond ASCII: some clients end a line of an event there.
_UNPRINTABLE: Final = re.compile(rb"\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]")


def rpc_error(error: Any) -> dict[str, Any] | None:
    """Return a JSON-RPC error for the caller (JSON-RPC 2.0 §5.1); None if the value is not one."""
    if type(error) is not dict or type(error.get("code")) is not int or type(error.get("message")) is not str:
        return None
    code = error["code"] if abs(error["code"]) < _INT32 else -32603
    returned: dict[str, Any] = {"code": code, "message": MESSAGES.get(code, OTHER)}
    reason = _reason(error.get("data"))
    return {**returned, "data": [_info(reason)]} if reason else returned


def rest_error(value: Any) -> dict[str, Any] | None:
    """Return a REST error for the caller (A2A 1.0 §11.6, or a flat one); None if the value is not one."""
    if type(value) is not dict:
        return None
    if "error" not in value:
        return _flat(value) or None
    error = value["error"]
    if type(error) is not dict:
        return None
    flat = _flat(error)
    return {"error": flat} if flat else None


def _flat(error: dict[str, Any]) -> dict[str, Any]:
    reason = _reason(error.get("details")) or _known_reason(error.get("reason"))
    code = error.get("code")
    message = _BY_REASON.get(reason) or (MESSAGES.get(code, OTHER) if type(code) is int else OTHER)
    returned: dict[str, Any] = {}
    for name, value in error.items():
        if (name in ("code", "status") and type(value) is int and abs(value) < _INT32) or (
            name in ("code", "status") and type(value) is str and value in _STATUS_NAMES | _BY_REASON.keys()
        ):
            returned[name] = value
        elif name in _TEXTS and type(value) is str:
            returned[name] = message
        elif (name == "reason" and _known_reason(value)) or (
            name == "type" and type(value) is str and _TYPE.fullmatch(value)
        ):
            returned[name] = value
        elif name == "details" and type(value) is list:
            returned[name] = [_info(reason)] if reason else []
    return returned


def _info(reason: str) -> dict[str, Any]:
    return {"@type": _INFO, "reason": reason, "domain": A2A_DOMAIN, "metadata": {}}


def _reason(details: Any) -> str:
    """Return the reason that an ErrorInfo in the details of an error has in A2A; "" without one."""
    for detail in details[:_MAX_DETAILS] if type(details) is list else ():
        if type(detail) is dict and detail.get("@type") == _INFO and detail.get("domain") == A2A_DOMAIN:
            return _known_reason(detail.get("reason"))
    return ""


def _known_reason(reason: Any) -> str:
    return reason if type(reason) is str and reason in _BY_REASON else ""


class EventErrors:
    """Rebuilds the errors in the events of a stream; all other events are passed on byte by byte.

    Args:
        rpc: Whether the events are JSON-RPC responses.
        call_id: The id of the JSON-RPC call.
    """

    def __init__(self, *, rpc: bool, call_id: Any = None) -> None:
        self._rpc = rpc
        self._call_id = call_id

    def rebuilt(self, events: bytes) -> bytes:
        """Return complete events, as `EventBuffer.cut` returns them, for the caller.

        Raises:
            BadResponse: If an event that may be an error has too many values.
        """
        # Most events are never parsed.
        if not _MENTIONS_ERROR.search(events):
            return events
        return b"".join(map(self._event, each_event(events)))

    def _event(self, event: bytes) -> bytes:
        if not _MENTIONS_ERROR.search(event):
            return event
        lines = _LINE_END.split(event.removeprefix(_BOM))
        data = b"\n".join(line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:"))
        data = data.removeprefix(_BOM)
        named = any(
            line.partition(b":")[2].strip() == b"error" for line in lines if line.startswith(b"event:")
        )
        try:
            value = decode(data, A2A_MESSAGES.decoding)
        except MalformedDocument as error:
            if error.rule == "decode/too-many-values":
                raise A2A_MESSAGES.too_many_values("") from None
            # Without an error in it, it is text of the agent that no client of A2A can read.
            return self._sent({}, named=named) if named or _has_error(data) else event
        return self._sent(value, named=named) if named or self._is_error(value) else event

    def _sent(self, value: Any, *, named: bool) -> bytes:
        return (b"event: error\n" if named else b"") + event_of(self._rebuilt(value))

    def _is_error(self, value: Any) -> bool:
        return type(value) is dict and "error" in value

    def _rebuilt(self, value: Any) -> Any:
        if self._rpc:
            error = rpc_error(value.get("error") if type(value) is dict else None)
            unknown = {"code": -32603, "message": OTHER}
            return {"jsonrpc": "2.0", "id": self._call_id, "error": error or unknown}
        return rest_error(value) or {"error": {"code": 500, "status": "INTERNAL", "message": OTHER}}


def _has_error(data: bytes) -> bool:
    """Return whether data that `decode` refuses may be read as an object with an error, by whatever client.

    Of two fields with one name, some clients use the first, and others the last.
    """
    try:
        fields = json.loads(data, object_pairs_hook=tuple, parse_int=float)
    except ValueError:
        return False
    except RecursionError:
        return True
    return type(fields) is tuple and any(name == "error" for name, _ in fields)


def event_of(value: Any) -> bytes:
    """Return the data of an event with a JSON value, without characters that end a line anywhere."""
    data = _UNPRINTABLE.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), json_bytes(value))
    return b"data: " + data + b"\n\n"
