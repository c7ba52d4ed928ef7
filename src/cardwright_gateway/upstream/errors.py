"""Upstream errors as they are returned to callers: rebuilt from their code and reason, with A2A's own messages.

An agent's text and data may hold addresses, traces and names of its internal systems: none of it is passed on.
"""

from __future__ import annotations

import re
from typing import Any, Final

from cardwright.http.problem import A2A_DOMAIN, INTERNAL_ERROR
from cardwright_rules.a2a_operations import ERRORS

# The message of an error that A2A does not define.
OTHER: Final = "the agent responded with an error; the gateway does not repeat its text"
# The default messages (A2A 0.3.0, JSON Schema; A2A 1.0 §5.4), by code and by reason.
MESSAGES: Final = {error.code: error.message for error in ERRORS.values()}
_TEXTS_OF_A2A: Final = frozenset(MESSAGES.values())
_BY_REASON: Final = {reason: error.message for reason, error in ERRORS.items()}
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


def rpc_error(error: Any) -> dict[str, Any] | None:
    """Return a JSON-RPC error for the caller (JSON-RPC 2.0 §5.1); None if the value is not one."""
    if type(error) is not dict or type(error.get("code")) is not int or type(error.get("message")) is not str:
        return None
    code = error["code"] if abs(error["code"]) < _INT32 else INTERNAL_ERROR.code
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
            # REST of 0.3 has no codes: A2A's own texts tell its errors apart.
            returned[name] = value if value in _TEXTS_OF_A2A and message == OTHER else message
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
