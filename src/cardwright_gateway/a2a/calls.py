"""Calls of A2A: JSON-RPC requests and REST requests, checked before anything answers them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import parse_qs

from cardwright.canonical import Limits
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
from cardwright.http.request import decode_body, read_request
from cardwright_gateway.a2a.operations import ALIASES, LONGEST_ID, NEW, OLD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.http.request import Scope

Version = Literal["0.3", "1.0"]
VERSIONS: Final[tuple[Version, ...]] = ("1.0", "0.3")
# What is read of any one value, whatever the limit of a request body is (project decision).
MAX_BODY_BYTES: Final = 16 * 1024 * 1024
# A level of data counts three times in the SDK's messages, and its 0.3 REST reads a hundred of them.
MAX_DATA_DEPTH: Final = 30
# jsonrpc's params, the message, its parts, one of them, and what that holds.
MAX_DEPTH: Final = MAX_DATA_DEPTH + 5
# A message has a handful of members; what an artifact holds may have many (project decision).
LIMITS: Final = Limits(max_bytes=MAX_BODY_BYTES, max_depth=64, max_members=100_000)
_OLD_PATH: Final = re.compile(r"/v1(?:/|$)")
# A2A 0.3.0 §3.2.3: values that the SDK would turn into a number without a check.
_LENGTH: Final = re.compile(rb"(?:^|&)historyLength=(?![0-9]{1,9}(?:&|$))")
# A2A 1.0 §4.1.3, in the order of their numbers.
_STATES: Final = tuple(
    f"TASK_STATE_{name}"
    for name in (
        "UNSPECIFIED", "SUBMITTED", "WORKING", "COMPLETED", "FAILED", "CANCELED", "INPUT_REQUIRED", "REJECTED",
        "AUTH_REQUIRED",
    )
)  # fmt: skip
# The same by the name that the proto of 0.3 has: readers of ProtoJSON take either.
_PROTO_LENGTH: Final = re.compile(rb"(^|&)history_length=")


def older_query(path: str, query: bytes) -> bytes:
    """Return the query of a path of A2A 0.3 with the one name that its servers read (A2A 0.3.0 §3.2.3)."""
    if not _OLD_PATH.match(path) or b"historyLength=" in query:
        return query
    return _PROTO_LENGTH.sub(rb"\1historyLength=", query)


@dataclass(slots=True)
class Call:
    """One call, from its request to why it is refused.

    Attributes:
        rpc: Whether it is JSON-RPC, or else REST.
        path: Its path below the agent.
        body: The body as it was sent.
        value: The decoded body; None for a REST request whose body nobody has decoded yet.
        id: The JSON-RPC id.
        method: The JSON-RPC method, or "".
        version: The version whose semantics it has.
        refused: Why it is refused, where the SDK passes on no reasons.
        sender: The caller as agents are told of it; None where the gateway says nothing about it.
        user: The owner of its tasks, as Starlette knows users; None where it is found by the credentials.
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

    @property
    def params(self) -> dict[str, Any]:
        """The params of a JSON-RPC request, where they are an object."""
        params = self.value.get("params")
        return params if type(params) is dict else {}

    def decoded(self) -> Any:
        """Return the value of the body, decoded once.

        Raises:
            HttpError: If it is not JSON.
        """
        if self.value is None and self.body:
            self.value = decode_body(self.body, LIMITS)
        return self.value


def read_call(body: bytes) -> Call:
    """Read a JSON-RPC request strictly: two readers must not see two methods in it (JSON-RPC 2.0 §4).

    Raises:
        HttpError: If it is none.
    """
    value = decode_body(body, LIMITS)
    if type(value) is list:
        raise refuse(INVALID_REQUEST, "batches are not supported: send one request at a time")
    if type(value) is not dict:
        raise refuse(INVALID_REQUEST, "a request is an object with jsonrpc, id, method and params")
    call_id, method = value.get("id"), value.get("method")
    short = type(call_id) is str and len(call_id) <= LONGEST_ID
    if not (call_id is None or type(call_id) is int or short):
        raise refuse(INVALID_REQUEST, f"id is an integer or a text of at most {LONGEST_ID} characters")
    if value.get("jsonrpc") != "2.0":
        raise refuse(INVALID_REQUEST, 'jsonrpc is "2.0"', call_id=call_id)
    if type(method) is not str:
        raise refuse(INVALID_REQUEST, "method is the name of a method", call_id=call_id)
    return Call(rpc=True, path="/", body=body, value=value, id=call_id, method=method)


def check_call(call: Call, scope: Scope) -> None:
    """Check a call that is answered here, and set its version.

    Raises:
        HttpError: If it is refused.
    """
    if call.rpc:
        _check_rpc(call)
        named: Version = "0.3" if call.method in OLD else "1.0"
    else:
        _check_rest(call, scope)
        named = "0.3" if _OLD_PATH.match(call.path) else "1.0"
    _check_depth(call)
    call.version = named
    requested = _requested_version(scope)
    # Project decision: a name that only one version has says which version is meant, if nothing else does.
    if requested is not None and requested != named:
        message = (
            f"only A2A {named} has this name: send A2A-Version {named}, or use the name of A2A {requested}"
        )
        raise refuse(VERSION_NOT_SUPPORTED, message, supportedVersions=", ".join(VERSIONS))


def _requested_version(scope: Scope) -> str | None:
    headers = [(name, value) for name, value in scope["headers"] if name in (b"a2a-version", b"content-type")]
    request = read_request({**scope, "headers": headers})
    try:
        return version(request.fields.get("a2a-version"), request.version_parameter, VERSIONS)
    except HttpError as refused:
        if refused.problem.condition is BAD_HEADER:
            raise
        message = f"A2A {' and '.join(VERSIONS)} are supported here: send one of them as A2A-Version"
        raise refuse(VERSION_NOT_SUPPORTED, message, supportedVersions=", ".join(VERSIONS)) from None


def _check_rpc(call: Call) -> None:
    call.method = method = ALIASES.get(call.method, call.method)
    if method not in OLD and method not in NEW:
        raise refuse(
            METHOD_NOT_FOUND,
            "there is no such method: see A2A 1.0 §9.4, or A2A 0.3.0 §7 for the older names",
        )
    params = call.value.get("params")
    if method == "ListTasks" and isinstance(params, dict):
        _check_state(params.get("status"))
    if not isinstance(params, dict) and not (params is None and method.startswith(("agent/", "GetExtended"))):
        raise refuse(INVALID_PARAMS, "params is an object", faults=[("/params", "is not an object")])
    # The SDK would refuse other members of an envelope, though nothing forbids them.
    call.value = {"jsonrpc": "2.0", "id": call.id, "method": method, "params": params or {}}


def _check_rest(call: Call, scope: Scope) -> None:
    value = call.decoded()
    if call.body and not isinstance(value, dict):
        raise refuse(INVALID_PARAMS, "the body is an object")
    if not call.body and scope["method"] == "POST" and re.search(r"/message:(?:send|stream)$", call.path):
        raise refuse(INVALID_PARAMS, "the body is an object with a message")
    query = scope.get("query_string", b"")
    if call.path == "/tasks":
        for status in parse_qs(query.decode("latin-1")).get("status", ()):
            _check_state(status)
    if not _OLD_PATH.match(call.path):
        return
    message = value.get("message") if isinstance(value, dict) else None
    if isinstance(message, dict) and "role" not in message:
        # The SDK would read a missing role as the agent's own.
        raise refuse(INVALID_PARAMS, "a message has a role", faults=[("/message/role", "is required")])
    if _LENGTH.search(query):
        raise refuse(INVALID_PARAMS, "historyLength is a number", faults=[("/historyLength", "is no number")])


def _check_state(status: Any) -> None:
    """Check the state that tasks are listed by: of an unknown name the SDK lists all, at such a number it fails."""
    known = status in _STATES if isinstance(status, str) and status else True
    if type(status) is int:
        known = 0 <= status < len(_STATES)
    if not known:
        fault = f"is none of {', '.join(_STATES[1:])}"
        raise refuse(INVALID_PARAMS, "status is the state of a task", faults=[("/status", fault)])


def _check_depth(call: Call) -> None:
    """Refuse what nests deeper than the SDK reads."""
    if call.body.count(b"{") + call.body.count(b"[") <= MAX_DEPTH:
        return
    level: list[Any] = [call.value]
    for _ in range(MAX_DEPTH):
        inner = [one for node in level for one in (node.values() if type(node) is dict else node)]
        level = [one for one in inner if type(one) is dict or type(one) is list]
        if not level:
            return
    raise refuse(INVALID_REQUEST, f"the body nests more than {MAX_DEPTH} levels (decode/too-deep)")
