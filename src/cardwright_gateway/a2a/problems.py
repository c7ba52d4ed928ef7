"""The one table of errors: from what went wrong to what a caller is told (interop §5, SuperX: Error Handling).

A message never names where an agent really is: no URL of an upstream, and no text of its own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from cardwright.errors import (
    AccessDenied,
    BadAnswer,
    BadArgument,
    BadConfiguration,
    CardError,
    ConnectionDenied,
    InvalidCard,
    MalformedDocument,
    PeerError,
    PeerTimeout,
    StoreError,
    UnknownDialect,
)
from cardwright.http.problem import (
    A2A_DOMAIN,
    DOMAIN,
    NOT_READY,
    VERSION_NOT_SUPPORTED,
    ErrorCode,
    HttpError,
    Problem,
    refuse,
)
from cardwright_gateway.errors import (
    AgentBusy,
    AgentOffline,
    BadTurn,
    BadWork,
    ChangedMeanwhile,
    SessionNotReady,
    UnknownAgent,
    UnknownKey,
    UnknownWork,
    UpstreamInvalid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_INTERNAL: Final = -32603

AGENT_NOT_FOUND: Final = ErrorCode(404, "AGENT_NOT_FOUND", code=_INTERNAL)
AGENT_OFFLINE: Final = ErrorCode(503, "AGENT_OFFLINE", code=_INTERNAL)
UPSTREAM_UNREACHABLE: Final = ErrorCode(502, "UPSTREAM_UNREACHABLE", code=_INTERNAL, name="UNAVAILABLE")
UPSTREAM_INVALID: Final = ErrorCode(502, "UPSTREAM_INVALID", code=_INTERNAL, name="INTERNAL")
UPSTREAM_TIMEOUT: Final = ErrorCode(504, "UPSTREAM_TIMEOUT", code=_INTERNAL, name="DEADLINE_EXCEEDED")
SESSION_NOT_READY: Final = ErrorCode(503, "SESSION_NOT_READY", code=_INTERNAL)
RATE_LIMITED: Final = ErrorCode(429, "RATE_LIMITED", code=_INTERNAL, name="RESOURCE_EXHAUSTED")
NO_BACKEND: Final = ErrorCode(503, "NO_BACKEND", code=_INTERNAL)
NOT_OFFERED: Final = ErrorCode(404, "BINDING_NOT_OFFERED", code=-32601)
FORBIDDEN: Final = ErrorCode(403, "FORBIDDEN", code=_INTERNAL)
KEY_NOT_FOUND: Final = ErrorCode(404, "KEY_NOT_FOUND", code=_INTERNAL)
CONFLICT: Final = ErrorCode(409, "CONFLICT", code=_INTERNAL, name="ABORTED")
BAD_ARGUMENT: Final = ErrorCode(400, "BAD_ARGUMENT", code=-32602)
FAULT: Final = ErrorCode(500, "INTERNAL", code=_INTERNAL, name="INTERNAL")
BAD_PARAMS: Final = ErrorCode(400, "INVALID_PARAMS", code=-32602)
INVALID_ARGUMENTS: Final = ErrorCode(400, "INVALID_ARGUMENTS", code=-32602)
# RFC 4918 §11.5: no room for what is to be stored.
FULL: Final = ErrorCode(507, "FULL", code=_INTERNAL, name="RESOURCE_EXHAUSTED")
TURN_FAILED: Final = ErrorCode(502, "TURN_FAILED", code=_INTERNAL, name="INTERNAL")
TURN_FAULT: Final = ErrorCode(500, "AGENT_FAILED", code=_INTERNAL, name="INTERNAL")
TURN_REJECTED: Final = ErrorCode(422, "TURN_REJECTED", code=_INTERNAL, name="FAILED_PRECONDITION")
UNKNOWN_WORK: Final = ErrorCode(404, "UNKNOWN_WORK")
BAD_WORK: Final = ErrorCode(400, "BAD_WORK")
# An agent that answers here failed (A2A 1.0 §5.4).
AGENT_FAILED: Final = ErrorCode(500, "INTERNAL_ERROR", A2A_DOMAIN, _INTERNAL, "INTERNAL")
# The gateway's own, which its documentation lists.
OWN: Final = frozenset({
    AGENT_NOT_FOUND, AGENT_OFFLINE, UPSTREAM_UNREACHABLE, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, SESSION_NOT_READY,
    RATE_LIMITED, NO_BACKEND, NOT_OFFERED, FORBIDDEN, FAULT, BAD_PARAMS, NOT_READY,
    KEY_NOT_FOUND, CONFLICT,
})  # fmt: skip
# Rules of responses that hold no card that can be served (SuperX: Invalid card format); any other rule: no response.
_INVALID: Final = ("decode/", "dialect/", "fetch/not-a-card", "fetch/too-large", "fetch/encoding", "card/")
_TIMEOUT: Final = "fetch/timeout"
# Messages of failed fetches, by the rule that is stored with them.
_FETCHES: Final = {
    "fetch/unreachable": "no connection to the agent came about, or it broke",
    _TIMEOUT: "the agent did not answer in time",
    "fetch/denied": "the agent requires credentials: its bearer or headers are missing or wrong in the"
    " gateway's configuration",
    "fetch/not-found": "the agent has no card at its well-known places",
    "fetch/status": "the agent answers with an HTTP error where its card should be",
    "fetch/redirects": "the agent redirects too often where its card should be",
    "fetch/not-a-card": "what the agent answers is no card",
    "fetch/too-large": "the agent's card is larger than a card may be",
    "fetch/encoding": "the agent's card comes in a content coding that was not asked for",
    "dialect/unknown": "what the agent answers is no card of a dialect that is known",
    "guard/address": "the agent's address may not be dialled from here",
    "card/no-interface": "the agent's card names no interface that the gateway can use",
    "card/invalid": "the agent's card has errors, and cards with errors are refused for it",
}
# A2A 1.0 §5.4: the reason that goes with a JSON-RPC code.
REASONS: Final = {
    -32001: "TASK_NOT_FOUND",
    -32002: "TASK_NOT_CANCELABLE",
    -32003: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    -32004: "UNSUPPORTED_OPERATION",
    -32005: "CONTENT_TYPE_NOT_SUPPORTED",
    -32006: "INVALID_AGENT_RESPONSE",
    -32007: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    -32008: "EXTENSION_SUPPORT_REQUIRED",
    -32009: "VERSION_NOT_SUPPORTED",
    -32700: "PARSE_ERROR",
    -32600: "INVALID_REQUEST",
    -32601: "METHOD_NOT_FOUND",
    -32602: "INVALID_PARAMS",
    -32603: "INTERNAL_ERROR",
}
_NO_AGENT: Final = "there is no agent of that id here"
_UNUSABLE: Final = "the agent answered what cannot be used"
_NO_SESSION: Final = "the agent's MCP session is not there: try again later"
_SESSIONS: Final = {
    "starting": "the agent's MCP session is starting, and not ready yet",
    "crashed": "the agent's MCP session broke off, and is begun anew",
}


class SourceFailed(CardError):
    """No card of an agent can be fetched: the rule says why, without saying where the agent is.

    Attributes:
        rule: The rule of the failed fetch, as the registry stores it.
        retry_after: Seconds until a new request makes sense, or None.
    """

    def __init__(self, rule: str, *, retry_after: float | None = None) -> None:
        super().__init__(fetch_message(rule))
        self.rule = rule
        self.retry_after = retry_after


def fetch_message(rule: str) -> str:
    """Return what a caller may know of a failed fetch of a card."""
    if rule in _FETCHES:
        return _FETCHES[rule]
    if rule.startswith("decode/"):
        return f"the agent's card is no JSON that may be read [{rule}]"
    return f"the agent's card cannot be had [{rule}]"


def problem_of(error: CardError) -> Problem:
    """Return the problem that a caller is told of an error."""
    code, message = _row(error)
    after = 5.0 if isinstance(error, StoreError) else getattr(error, "retry_after", None)
    known = code in (AGENT_OFFLINE, RATE_LIMITED, SESSION_NOT_READY, NOT_READY) or isinstance(
        error, SourceFailed
    )
    headers = (
        ((b"retry-after", str(max(1, math.ceil(after))).encode()),) if known and after is not None else ()
    )
    violations = error.violations if isinstance(error, (BadTurn, BadWork)) else ()
    faults = tuple((one.pointer, one.message) for one in violations)
    return Problem(code, message, headers=headers, faults=faults)


def turn_problem(error: CardError) -> Problem:
    """Return the problem that a caller is told of an error of an agent that answers here.

    An error that is not in the table came out of the agent, not out of the gateway.
    """
    problem = problem_of(error)
    return problem if problem.condition is not FAULT else Problem(UPSTREAM_INVALID, _UNUSABLE)


def _row(error: CardError) -> tuple[ErrorCode, str]:  # noqa: C901, PLR0912 - a table, one row an error
    match error:
        case UnknownAgent():
            return AGENT_NOT_FOUND, _NO_AGENT
        case UnknownKey():
            return KEY_NOT_FOUND, str(error)
        case UnknownWork():
            return UNKNOWN_WORK, str(error)
        case BadWork():
            return BAD_WORK, str(error)
        case BadTurn():
            return INVALID_ARGUMENTS, str(error)
        case BadArgument():
            return BAD_ARGUMENT, str(error)
        case ChangedMeanwhile():
            return CONFLICT, str(error)
        case SourceFailed():
            return _code_of_fetch(error.rule), str(error)
        case SessionNotReady():
            return SESSION_NOT_READY, _SESSIONS.get(error.state, _NO_SESSION)
        case AgentOffline():
            return AGENT_OFFLINE, "the agent is offline: nothing of it is connected"
        case AgentBusy():
            return RATE_LIMITED, "the agent has too much to do: come again"
        case UpstreamInvalid():
            return UPSTREAM_INVALID, f"invalid card: {error.reason}"
        case InvalidCard():
            return UPSTREAM_INVALID, f"invalid card: {fetch_message('card/invalid')}"
        case MalformedDocument() | UnknownDialect():
            return UPSTREAM_INVALID, "invalid card: what the agent answers is no card"
        case BadConfiguration():
            return UPSTREAM_INVALID, "invalid card: the agent's card cannot be read here"
        case PeerTimeout():
            return UPSTREAM_TIMEOUT, "the agent took too long"
        case BadAnswer() if error.kind in ("not-a-reply", "too-large", "encoding"):
            return UPSTREAM_INVALID, _UNUSABLE
        case AccessDenied():
            return UPSTREAM_UNREACHABLE, fetch_message("fetch/denied")
        case ConnectionDenied():
            return UPSTREAM_UNREACHABLE, fetch_message("guard/address")
        case PeerError():
            return UPSTREAM_UNREACHABLE, "the agent cannot be reached"
        case StoreError():
            return NOT_READY, "the gateway's database cannot be used now"
        case _:
            return FAULT, "a fault of the gateway: its log says more"


def _code_of_fetch(rule: str) -> ErrorCode:
    if rule == _TIMEOUT:
        return UPSTREAM_TIMEOUT
    return UPSTREAM_INVALID if rule.startswith(_INVALID) else UPSTREAM_UNREACHABLE


def unknown_agent() -> HttpError:
    """Return the refusal of a request that names no agent, to be raised."""
    return refuse(AGENT_NOT_FOUND, _NO_AGENT)


def version_not_supported(versions: Iterable[str]) -> HttpError:
    """Return the refusal of a version that an agent does not support (A2A 1.0 §3.6.2), to be raised."""
    offered = ", ".join(versions)
    message = f"this version of A2A is not supported here: {offered or 'none'} is"
    return refuse(VERSION_NOT_SUPPORTED, message, supportedVersions=offered)


def faulty(
    faults: Iterable[tuple[str, str]],
    *,
    message: str = "the body breaks its schema, which /api/v1/openapi.json has",
) -> HttpError:
    """Return the refusal of a request whose body is wrong at some places, to be raised."""
    return refuse(BAD_ARGUMENT, message, faults=faults)


def rpc_status(code: ErrorCode) -> int:
    """Return the HTTP status of a JSON-RPC error.

    What is HTTP's or the gateway's own has its status; what is A2A's or JSON-RPC's, or wrong with the
    arguments, comes with 200, as the SDKs send it.
    """
    return code.status if code.domain == DOMAIN and code not in (INVALID_ARGUMENTS, BAD_ARGUMENT) else 200
