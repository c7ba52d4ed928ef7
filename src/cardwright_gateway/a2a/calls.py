"""A2A calls: JSON-RPC and REST requests, validated before they are dispatched."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import parse_qs

from cardwright.canonical import Limits
from cardwright.guard.message_reader import has_files, with_normalized_parts
from cardwright.http.negotiation import version
from cardwright.http.problem import (
    BAD_HEADER,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    VERSION_NOT_SUPPORTED,
    HttpError,
    Problem,
    refuse,
)
from cardwright.http.representation import json_bytes
from cardwright.http.request import decode_body, read_request
from cardwright_gateway.a2a.field_limits import check_field_limits, check_text
from cardwright_gateway.a2a.operations import ALIASES, MAX_ID_CHARACTERS, NEW, OLD
from cardwright_gateway.a2a.push_configs import drop_empty_authentication

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.http.request import Scope

Version = Literal["0.3", "1.0"]
VERSIONS: Final[tuple[Version, ...]] = ("1.0", "0.3")
# For the SDK, in place of the id null (JSON-RPC 2.0 §4 allows it); the response has null again.
_NULL_ID: Final = 0
# The version of a request that states none (A2A 1.0 §3.6.2).
UNSTATED: Final[Version] = "0.3"
# The maximum size of a parsed value, whatever the limit of a request body is (project decision).
MAX_BODY_BYTES: Final = 16 * 1024 * 1024
# A level of data counts three times in the SDK's messages, and its 0.3 REST reads a hundred levels.
MAX_DATA_DEPTH: Final = 30
# Plus the levels of the request: JSON-RPC's params, the message, its parts, one part, and its content.
MAX_DEPTH: Final = MAX_DATA_DEPTH + 5
# A message has few fields; the data of an artifact may have many (project decision).
# The values of a request were counted against the configured limit before it is decoded.
LIMITS: Final = Limits(MAX_BODY_BYTES, 64, max_members=100_000, max_values=1_000_000, exact=False)
_MAX_ID: Final = 2**63
_LONG_INTEGER: Final = re.compile(rb"[0-9]{16}")
_OLD_PATH: Final = re.compile(r"/v1(?:/|$)")
# A2A 0.3.0 §3.2.3: values that the SDK would convert to a number without a check.
_BAD_LENGTH: Final = re.compile(rb"(?:^|&)historyLength=(?![0-9]{1,9}(?:&|$))")
# A2A 1.0 §4.1.3, ordered by number.
_STATES: Final = tuple(
    f"TASK_STATE_{name}"
    for name in (
        "UNSPECIFIED", "SUBMITTED", "WORKING", "COMPLETED", "FAILED", "CANCELED", "INPUT_REQUIRED", "REJECTED",
        "AUTH_REQUIRED",
    )
)  # fmt: skip
# The name in the proto of 0.3: readers of ProtoJSON accept both.
_PROTO_LENGTH: Final = re.compile(rb"(^|&)history_length=")


def older_query(path: str, query: bytes) -> bytes:
    """Return the query of an A2A 0.3 path with the parameter name that its servers read (A2A 0.3.0 §3.2.3)."""
    if not _OLD_PATH.match(path) or b"historyLength=" in query:
        return query
    return _PROTO_LENGTH.sub(rb"\1historyLength=", query)


class Memory(Protocol):
    """The memory of a request body.

    Attributes:
        caller: Who sent it; "" for a caller without credentials.
        size: Its size in bytes.
    """

    caller: str
    size: int

    def keep(self) -> None:
        """Keep it for one more holder."""

    def release(self) -> None:
        """Release it for one holder."""


@dataclass(slots=True)
class Call:
    """One call: its request and, if it is refused, the problem.

    Attributes:
        rpc: Whether it is JSON-RPC; otherwise it is REST.
        path: Its path below the agent.
        body: The body as it was sent.
        value: The decoded body; None for a REST request whose body is not decoded yet, and after `drop_body`.
        id: The JSON-RPC id.
        method: The JSON-RPC method, or "".
        version: The A2A version of the call.
        refused: The problem, if the SDK's own error would lose the reason.
        sender: The caller as it is described to agents; None if the gateway does not describe it.
        user: The owner of its tasks, as a Starlette user; None if the credentials identify the owner.
        anonymous: Whether it has no credentials, and other callers of the agent have keys.
        memory: The memory of the body, which a turn keeps while it runs; None if it is not limited.
    """

    rpc: bool
    path: str
    body: bytes = b""
    value: Any = None
    id: Any = None
    method: str = ""
    version: Version = "1.0"
    refused: Problem | None = None
    sender: Mapping[str, str] | None = None
    user: Any = None
    anonymous: bool = False
    memory: Memory | None = None

    @property
    def params(self) -> dict[str, Any]:
        """The params of a JSON-RPC request; {} if they are not an object."""
        params = self.value.get("params")
        return params if type(params) is dict else {}

    def decoded(self) -> Any:
        """Return the decoded body; it is decoded once.

        Raises:
            HttpError: If it is not JSON.
        """
        if self.value is None and self.body:
            self.value = decode_body(self.body, LIMITS)
        return self.value

    def drop_body(self) -> None:
        """Drop the body: the turn has its own copy of the message, and may outlast the request by hours."""
        self.body, self.value = b"", None


def read_call(body: bytes) -> Call:
    """Parse a JSON-RPC request strictly: two parsers must not see different methods (JSON-RPC 2.0 §4).

    Raises:
        HttpError: If it is not a JSON-RPC request.
    """
    value = decode_body(body, LIMITS)
    if type(value) is list:
        raise refuse(INVALID_REQUEST, "batches are not supported; send one request at a time")
    if type(value) is not dict:
        raise refuse(INVALID_REQUEST, "the request must be an object with jsonrpc, id, method and params")
    call_id, method = value.get("id"), value.get("method")
    short_text = type(call_id) is str and len(call_id) <= MAX_ID_CHARACTERS
    whole = type(call_id) is int and abs(call_id) < _MAX_ID
    if not (call_id is None or whole or short_text):
        what = f"an integer of 64 bits or a string of at most {MAX_ID_CHARACTERS} characters"
        raise refuse(INVALID_REQUEST, f"id must be {what}")
    if value.get("jsonrpc") != "2.0":
        raise refuse(INVALID_REQUEST, 'jsonrpc must be "2.0"', call_id=call_id)
    if type(method) is not str:
        raise refuse(INVALID_REQUEST, "method must be a string", call_id=call_id)
    return Call(rpc=True, path="/", body=body, value=value, id=call_id, method=method)


def check_call(call: Call, scope: Scope) -> None:
    """Validate a call that the gateway itself answers, and set its version.

    Raises:
        HttpError: If the call is invalid.
    """
    if call.rpc:
        _check_rpc(call)
        implied: Version = "0.3" if call.method in OLD else "1.0"
    else:
        _check_rest(call, scope)
        implied = "0.3" if _OLD_PATH.match(call.path) else "1.0"
    _check_depth(call)
    if _LONG_INTEGER.search(call.body):
        # A stored task has its data as `google.protobuf.Value`, whose numbers are doubles.
        decode_body(call.body, replace(LIMITS, exact=True))
    changed = has_files(call.body)
    if changed:
        call.value = _with_files(call.value)
    params = call.params if call.rpc else call.value
    if (drop_empty_authentication(params) or changed) and not call.rpc:
        # The SDK reads the body of a REST request itself.
        call.body = json_bytes(call.value)
    check_field_limits(params)
    check_text(params, "/params" if call.rpc else "")
    call.version = implied
    stated = _requested_version(scope)
    if (stated or UNSTATED) != implied:
        raise other_version(implied, stated)


def _with_files(value: Any) -> Any:
    """Return a call whose files are in standard base64: a2a-sdk drops characters of the other alphabet."""
    try:
        return with_normalized_parts(value, newer=False)
    except ValueError as error:
        raise refuse(INVALID_PARAMS, str(error)) from None


def other_version(implied: str, stated: str | None) -> HttpError:
    """Return the error for a request whose method or path belongs to another version than it states, to be raised.

    Args:
        implied: The version that the method or path belongs to.
        stated: The version that the request states; None if it states none.
    """
    problem = (
        f"A2A-Version is {stated}" if stated else f"without A2A-Version, a request is one of A2A {UNSTATED}"
    )
    message = f"{problem}, but this method or path belongs to A2A {implied}; send A2A-Version: {implied}"
    return refuse(VERSION_NOT_SUPPORTED, message, supportedVersions=", ".join(VERSIONS))


def _requested_version(scope: Scope) -> str | None:
    headers = [(name, value) for name, value in scope["headers"] if name in (b"a2a-version", b"content-type")]
    request = read_request({**scope, "headers": headers})
    try:
        return version(request.fields.get("a2a-version"), request.version_parameter, VERSIONS)
    except HttpError as refused:
        if refused.problem.error_code is BAD_HEADER:
            raise
        message = f"unsupported A2A version; send A2A-Version {' or '.join(VERSIONS)}"
        raise refuse(VERSION_NOT_SUPPORTED, message, supportedVersions=", ".join(VERSIONS)) from None


def _check_rpc(call: Call) -> None:
    call.method = method = ALIASES.get(call.method, call.method)
    if method not in OLD and method not in NEW:
        raise refuse(
            METHOD_NOT_FOUND, "unknown method; see A2A 1.0 §9.4, or A2A 0.3.0 §7 for the older names"
        )
    params = call.value.get("params")
    if method == "ListTasks" and isinstance(params, dict):
        _check_state(params.get("status"))
    if not isinstance(params, dict) and not (params is None and method.startswith(("agent/", "GetExtended"))):
        raise refuse(INVALID_PARAMS, "params must be an object", faults=[("/params", "must be an object")])
    # The SDK would refuse other fields of the envelope, which JSON-RPC allows, and, with A2A 0.3, the id null.
    call_id = _NULL_ID if call.id is None else call.id
    call.value = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": params or {}}


def _check_rest(call: Call, scope: Scope) -> None:
    value = call.decoded()
    if call.body and not isinstance(value, dict):
        raise refuse(INVALID_PARAMS, "the body must be an object")
    if not call.body and scope["method"] == "POST" and re.search(r"/message:(?:send|stream)$", call.path):
        raise refuse(INVALID_PARAMS, "the body must be an object with a message")
    query = scope.get("query_string", b"")
    parameters = parse_qs(query.decode("latin-1"))
    if call.path == "/tasks":
        for status in parameters.get("status", ()):
            _check_state(status)
    check_field_limits(
        {name: parameters[name][-1] for name in ("historyLength", "pageSize") if name in parameters}
    )
    if not _OLD_PATH.match(call.path):
        return
    message = value.get("message") if isinstance(value, dict) else None
    if isinstance(message, dict) and "role" not in message:
        # The SDK would take a missing role for the agent's.
        raise refuse(INVALID_PARAMS, "message.role is required", faults=[("/message/role", "is required")])
    if _BAD_LENGTH.search(query):
        fault = "must be a whole number of at most 9 digits"
        raise refuse(INVALID_PARAMS, f"historyLength {fault}", faults=[("/historyLength", fault)])


def _check_state(status: Any) -> None:
    """Validate the state in a task list request: for an unknown name the SDK lists all, for such a number it fails."""
    known = status in _STATES if isinstance(status, str) and status else True
    if type(status) is int:
        known = 0 <= status < len(_STATES)
    if not known:
        fault = f"must be one of {', '.join(_STATES[1:])}"
        raise refuse(INVALID_PARAMS, "status must be a task state", faults=[("/status", fault)])


def _check_depth(call: Call) -> None:
    """Refuse a body that is nested deeper than the SDK can read."""
    if call.body.count(b"{") + call.body.count(b"[") <= MAX_DEPTH:
        return
    level: list[Any] = [call.value]
    for _ in range(MAX_DEPTH):
        inner = [child for node in level for child in (node.values() if type(node) is dict else node)]
        level = [child for child in inner if type(child) is dict or type(child) is list]
        if not level:
            return
    raise refuse(INVALID_REQUEST, f"the body has more than {MAX_DEPTH} levels of nesting (decode/too-deep)")
