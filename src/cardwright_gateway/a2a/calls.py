"""A call as far as it is judged before the SDK sees it: its version, its envelope, its method."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import parse_qs

import orjson

from cardwright.canonical import Limits, decode
from cardwright.errors import MalformedDocument
from cardwright.http.negotiation import version
from cardwright.http.problem import (
    BAD_HEADER,
    BODY_TOO_LARGE,
    VERSION_NOT_SUPPORTED,
    HttpError,
    refuse,
)
from cardwright.http.request import read_request
from cardwright_gateway.a2a.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Refusal,
    refusal,
)
from cardwright_gateway.a2a.operations import ALIASES, LONGEST_ID, NEW, OLD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.http.request import Receive, Scope

Version = Literal["0.3", "1.0"]
VERSIONS: Final[tuple[Version, ...]] = ("1.0", "0.3")
# The gateway has bounded the body already; this is for those who mount a bridge alone (ours).
MAX_BODY_BYTES: Final = 16 * 1024 * 1024
# A level of data counts three times in the SDK's messages, and its 0.3 REST reads a hundred of them.
MAX_DATA_DEPTH: Final = 30
# jsonrpc's params, the message, its parts, one of them, and what that holds.
LIMITS: Final = Limits(max_bytes=MAX_BODY_BYTES, max_depth=MAX_DATA_DEPTH + 5, max_members=65_536)
# What is no JSON at all (JSON-RPC 2.0 §5.1), and not merely more than is read.
_NO_JSON: Final = frozenset({
    "decode/not-json", "decode/empty", "decode/encoding", "decode/byte-order-mark", "decode/number",
})  # fmt: skip
_OLD_PATH: Final = re.compile(r"/v1(?:/|$)")
# A2A 0.3.0 §3.2.3: what the SDK would turn into a number without a look.
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
    """One call, from what was asked to why it is refused.

    Attributes:
        rpc: Whether it is JSON-RPC, or else REST.
        path: Where it goes, below the agent.
        version: The version whose semantics it has.
        id: The JSON-RPC id.
        method: The JSON-RPC method, or "".
        body: What the SDK reads.
        value: What the body says.
        refused: Why it is refused; set where that is found out.
        sender: Who is asking, as the gateway tells agents; None where it says nothing of it.
    """

    rpc: bool
    path: str
    version: Version = "1.0"
    id: Any = None
    method: str = ""
    body: bytes = b""
    value: Any = None
    refused: Refusal | None = field(default=None)
    sender: Mapping[str, str] | None = None

    def refuse(self, why: Refusal) -> Stopped:
        """Note why the call is refused, and return what stops it."""
        self.refused = why
        return Stopped()


class Stopped(Exception):
    """Ends the reading of a call that is refused; it never leaves this package."""


async def read_body(receive: Receive) -> bytes:
    """Return the body of a request.

    Raises:
        HttpError: If it is longer than is read.
        ConnectionError: If the caller went before its end.
    """
    pieces: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError
        piece = message.get("body", b"")
        length += len(piece)
        if length > MAX_BODY_BYTES:
            raise refuse(BODY_TOO_LARGE, f"the body is longer than {MAX_BODY_BYTES:,} bytes: send less")
        pieces.append(piece)
        if not message.get("more_body", False):
            return b"".join(pieces)


def judge(call: Call, scope: Scope, body: bytes) -> None:
    """Judge a call, and note in it what the SDK needs.

    Raises:
        Stopped: If it is refused.
    """
    if call.rpc:
        _judge_rpc(call, body)
        named: Version = "0.3" if call.method in OLD else "1.0"
    else:
        _judge_rest(call, scope, body)
        named = "0.3" if _OLD_PATH.match(call.path) else "1.0"
    call.version = named
    try:
        asked = _asked(scope)
    except HttpError as refused:
        raise call.refuse(Refusal(refused.problem)) from None
    # Decided in the design: a name that is of one version only says which is meant where nothing else does.
    if asked is not None and asked != named:
        told = (
            f"this is called so in A2A {named} only: send A2A-Version {named}, or call it as A2A {asked} does"
        )
        raise call.refuse(refusal(VERSION_NOT_SUPPORTED, told, supportedVersions=", ".join(VERSIONS)))


def _asked(scope: Scope) -> str | None:
    headers = [(name, value) for name, value in scope["headers"] if name in (b"a2a-version", b"content-type")]
    request = read_request({**scope, "headers": headers})
    try:
        return version(request.fields.get("a2a-version"), request.version_parameter, VERSIONS)
    except HttpError as refused:
        if refused.problem.condition is BAD_HEADER:
            raise
        told = f"A2A {' and '.join(VERSIONS)} are spoken here: send one of them as A2A-Version"
        raise refuse(VERSION_NOT_SUPPORTED, told, supportedVersions=", ".join(VERSIONS)) from None


def _judge_rpc(call: Call, body: bytes) -> None:
    """Read an envelope (JSON-RPC 2.0 §4)."""
    value = _decoded(call, body)
    if isinstance(value, list):
        raise call.refuse(refusal(INVALID_REQUEST, "batches are not supported: send one request at a time"))
    if not isinstance(value, dict):
        raise call.refuse(
            refusal(INVALID_REQUEST, "a request is an object with jsonrpc, id, method and params")
        )
    request_id = value.get("id")
    if not (request_id is None or type(request_id) is int or _is_short(request_id)):
        told = f"id is an integer or a text of at most {LONGEST_ID} characters"
        raise call.refuse(refusal(INVALID_REQUEST, told))
    call.id = request_id
    if value.get("jsonrpc") != "2.0":
        raise call.refuse(refusal(INVALID_REQUEST, 'jsonrpc is "2.0"'))
    method = value.get("method")
    if not isinstance(method, str) or not method:
        raise call.refuse(refusal(INVALID_REQUEST, "method is the name of a method"))
    method = ALIASES.get(method, method)
    if method not in OLD and method not in NEW:
        told = "there is no such method: see A2A 1.0 §9.4, or A2A 0.3.0 §7 for the older names"
        raise call.refuse(refusal(METHOD_NOT_FOUND, told))
    call.method = method
    params = value.get("params")
    if method == "ListTasks" and isinstance(params, dict):
        _judge_state(call, params.get("status"))
    if not isinstance(params, dict) and not (params is None and method.startswith(("agent/", "GetExtended"))):
        raise call.refuse(refusal(INVALID_PARAMS, "params is an object", [("/params", "is not an object")]))
    # Whatever else stands in an envelope would be refused, though nothing forbids it.
    call.value = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}}
    call.body = orjson.dumps(call.value)


def _is_short(request_id: Any) -> bool:
    return isinstance(request_id, str) and len(request_id) <= LONGEST_ID


def _judge_rest(call: Call, scope: Scope, body: bytes) -> None:
    if body:
        call.value = _decoded(call, body)
        if not isinstance(call.value, dict):
            raise call.refuse(refusal(INVALID_PARAMS, "the body is an object"))
        call.body = body
    elif scope["method"] == "POST" and re.search(r"/message:(?:send|stream)$", call.path):
        raise call.refuse(refusal(INVALID_PARAMS, "the body is an object with a message"))
    if call.path == "/tasks":
        for told in parse_qs(scope.get("query_string", b"").decode("latin-1")).get("status", ()):
            _judge_state(call, told)
    message = call.value.get("message") if isinstance(call.value, dict) else None
    if _OLD_PATH.match(call.path) and isinstance(message, dict) and "role" not in message:
        # The SDK would read a role that is not there as the agent's own.
        raise call.refuse(refusal(INVALID_PARAMS, "a message has a role", [("/message/role", "is required")]))
    if _OLD_PATH.match(call.path) and _LENGTH.search(scope.get("query_string", b"")):
        raise call.refuse(
            refusal(INVALID_PARAMS, "historyLength is a number", [("/historyLength", "is no number")])
        )


def _judge_state(call: Call, status: Any) -> None:
    """Judge the state that tasks are listed by: the SDK lists all for a name, and fails at a number, that is none."""
    known = status in _STATES if isinstance(status, str) and status else True
    if type(status) is int:
        known = 0 <= status < len(_STATES)
    if not known:
        why = f"is none of {', '.join(_STATES[1:])}"
        raise call.refuse(refusal(INVALID_PARAMS, "status is the state of a task", [("/status", why)]))


def _decoded(call: Call, body: bytes) -> Any:
    try:
        return decode(body, LIMITS)
    except MalformedDocument as error:
        condition = PARSE_ERROR if error.rule in _NO_JSON else INVALID_REQUEST
        raise call.refuse(refusal(condition, str(error))) from None
