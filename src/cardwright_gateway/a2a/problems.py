"""The table of error codes, and of the problem for each error (interop §5, SuperX: Error Handling).

No message contains the URL of an upstream agent, or text from it.
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Final

from cardwright.errors import (
    AccessDenied,
    BadArgument,
    BadConfiguration,
    BadResponse,
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
    A2A_ERRORS,
    DOMAIN,
    FORBIDDEN,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
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
    OwnerConflict,
    SecretsFull,
    SessionNotReady,
    TasksFull,
    UnknownAgent,
    UnknownKey,
    UnknownOwner,
    UnknownToken,
    UnknownWork,
    UpstreamInvalid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LOG: Final = logging.getLogger("cardwright_gateway")
_INTERNAL: Final = INTERNAL_ERROR.code
_INVALID_PARAMS: Final = INVALID_PARAMS.code

AGENT_NOT_FOUND: Final = ErrorCode(404, "AGENT_NOT_FOUND", code=_INTERNAL)
AGENT_OFFLINE: Final = ErrorCode(503, "AGENT_OFFLINE", code=_INTERNAL)
AGENT_PAUSED: Final = ErrorCode(503, "AGENT_PAUSED", code=_INTERNAL)
UPSTREAM_UNREACHABLE: Final = ErrorCode(502, "UPSTREAM_UNREACHABLE", code=_INTERNAL, name="UNAVAILABLE")
UPSTREAM_ERROR: Final = ErrorCode(502, "UPSTREAM_ERROR", code=_INTERNAL, name="UNAVAILABLE")
UPSTREAM_INVALID: Final = ErrorCode(502, "UPSTREAM_INVALID", code=_INTERNAL, name="INTERNAL")
UPSTREAM_TIMEOUT: Final = ErrorCode(504, "UPSTREAM_TIMEOUT", code=_INTERNAL, name="DEADLINE_EXCEEDED")
UPSTREAM_NOT_FOUND: Final = ErrorCode(404, "UPSTREAM_NOT_FOUND", code=_INTERNAL)
OVERLOADED: Final = ErrorCode(503, "OVERLOADED", code=_INTERNAL)
SESSION_NOT_READY: Final = ErrorCode(503, "SESSION_NOT_READY", code=_INTERNAL)
RATE_LIMITED: Final = ErrorCode(429, "RATE_LIMITED", code=_INTERNAL, name="RESOURCE_EXHAUSTED")
NO_BACKEND: Final = ErrorCode(503, "NO_BACKEND", code=_INTERNAL)
NOT_OFFERED: Final = ErrorCode(404, "BINDING_NOT_OFFERED", code=METHOD_NOT_FOUND.code)
KEY_NOT_FOUND: Final = ErrorCode(404, "KEY_NOT_FOUND", code=_INTERNAL)
OWNER_NOT_FOUND: Final = ErrorCode(404, "OWNER_NOT_FOUND", code=_INTERNAL)
TOKEN_NOT_FOUND: Final = ErrorCode(404, "TOKEN_NOT_FOUND", code=_INTERNAL)
CONFLICT: Final = ErrorCode(409, "CONFLICT", code=_INTERNAL, name="ABORTED")
BAD_ARGUMENT: Final = ErrorCode(400, "BAD_ARGUMENT", code=_INVALID_PARAMS)
FAULT: Final = ErrorCode(500, "INTERNAL", code=_INTERNAL, name="INTERNAL")
BAD_PARAMS: Final = ErrorCode(400, "INVALID_PARAMS", code=_INVALID_PARAMS)
INVALID_ARGUMENTS: Final = ErrorCode(400, "INVALID_ARGUMENTS", code=_INVALID_PARAMS)
# RFC 4918 §11.5: insufficient storage.
FULL: Final = ErrorCode(507, "FULL", code=_INTERNAL, name="RESOURCE_EXHAUSTED")
# RFC 5842 §7.2.
LOOP_DETECTED: Final = ErrorCode(508, "LOOP_DETECTED", code=_INTERNAL, name="FAILED_PRECONDITION")
TURN_FAILED: Final = ErrorCode(502, "TURN_FAILED", code=_INTERNAL, name="INTERNAL")
TURN_FAULT: Final = ErrorCode(500, "AGENT_FAILED", code=_INTERNAL, name="INTERNAL")
TURN_REJECTED: Final = ErrorCode(422, "TURN_REJECTED", code=_INTERNAL, name="FAILED_PRECONDITION")
UNKNOWN_WORK: Final = ErrorCode(404, "UNKNOWN_WORK")
BAD_WORK: Final = ErrorCode(400, "BAD_WORK")
# A managed agent failed (A2A 1.0 §5.4).
AGENT_FAILED: Final = INTERNAL_ERROR
# The gateway's own codes, which its documentation lists.
OWN: Final = frozenset({
    AGENT_NOT_FOUND, AGENT_OFFLINE, AGENT_PAUSED, UPSTREAM_UNREACHABLE, UPSTREAM_ERROR, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, UPSTREAM_NOT_FOUND,
    SESSION_NOT_READY, RATE_LIMITED, OVERLOADED, NO_BACKEND, NOT_OFFERED, FORBIDDEN, FAULT, BAD_PARAMS, NOT_READY,
    KEY_NOT_FOUND, OWNER_NOT_FOUND, TOKEN_NOT_FOUND, CONFLICT, LOOP_DETECTED,
})  # fmt: skip
# Rules of responses without a usable card (SuperX: Invalid card format); any other rule means no response.
_INVALID: Final = ("decode/", "dialect/", "fetch/not-a-card", "fetch/too-large", "fetch/encoding", "card/")
_TIMEOUT: Final = "fetch/timeout"
# Messages of failed fetches, by the rule that is stored with them.
_FETCHES: Final = {
    "fetch/unreachable": "the connection to the agent failed",
    _TIMEOUT: "the agent did not respond in time",
    "fetch/denied": "the agent requires credentials; its bearer or headers in the gateway's configuration"
    " are missing or wrong",
    "fetch/not-found": "the agent has no card at its well-known paths",
    "fetch/status": "the agent responded to the card request with an HTTP error",
    "fetch/redirects": "the agent redirected the card request too often",
    "fetch/not-a-card": "the agent's response is not a card",
    "fetch/too-large": "the agent's card exceeds the maximum size",
    "fetch/encoding": "the agent's card has a content coding that the gateway did not request",
    "dialect/unknown": "the agent's response is not a card of a known dialect",
    "guard/address": "the gateway may not connect to the agent's address; its operator can allow it (allow)",
    "card/no-interface": "the agent's card has no interface that the gateway supports",
    "card/no-name": "the agent's card has no name",
    "card/invalid": "the agent's card has errors, and its configuration refuses cards with errors",
}
# A2A 1.0 §5.4: the reason that goes with a JSON-RPC code.
REASONS: Final = {error.code: reason for reason, error in A2A_ERRORS.items()}
_LOOP: Final = (
    "the request came back to a gateway that it had passed: the URL of an agent leads back to the gateway. Operator: set"
    " the url (or card_url) of the agent to the agent itself"
)
_NO_AGENT: Final = "no agent has this id"
_UNUSABLE: Final = "the agent sent an invalid response"
_NO_SESSION: Final = "the agent's MCP session is not available; try again later"
_SESSIONS: Final = {
    "starting": "the agent's MCP session is starting; try again later",
    "crashed": "the agent's MCP session failed and is being restarted; try again later",
}


class SourceFailed(CardError):
    """The card of an agent cannot be fetched; the rule says why, without the agent's address.

    Attributes:
        rule: The rule of the failed fetch, as the registry stores it.
        retry_after: Seconds to wait before a retry, or None.
    """

    def __init__(self, rule: str, *, retry_after: float | None = None) -> None:
        super().__init__(fetch_message(rule))
        self.rule = rule
        self.retry_after = retry_after


def fetch_message(rule: str) -> str:
    """Return the message about a failed fetch of a card, without the agent's address."""
    if rule in _FETCHES:
        return _FETCHES[rule]
    if rule.startswith("decode/"):
        return f"the agent's card is not valid JSON [{rule}]"
    return f"the agent's card cannot be fetched [{rule}]"


def problem_of(error: CardError) -> Problem:
    """Return the problem to send to a caller for an error."""
    code, message = _row(error)
    retry_after = 5.0 if isinstance(error, StoreError) else getattr(error, "retry_after", None)
    soon = (AGENT_OFFLINE, RATE_LIMITED, SESSION_NOT_READY, NOT_READY, UPSTREAM_ERROR)
    retryable = code in soon or isinstance(error, SourceFailed)
    headers = (
        ((b"retry-after", str(max(1, math.ceil(retry_after))).encode()),)
        if retryable and retry_after is not None
        else ()
    )
    violations = error.violations if isinstance(error, (BadTurn, BadWork)) else ()
    faults = tuple((violation.pointer, violation.message) for violation in violations)
    return Problem(code, message, headers=headers, faults=faults)


def turn_problem(error: CardError) -> Problem:
    """Return the problem to send to a caller for an error of a turn.

    An error that is not in the table is the agent's, not the gateway's.
    """
    problem = problem_of(error)
    return problem if problem.error_code is not FAULT else Problem(UPSTREAM_INVALID, _UNUSABLE)


def _row(error: CardError) -> tuple[ErrorCode, str]:  # noqa: C901, PLR0912 - a table, one row an error
    match error:
        case UnknownAgent():
            return AGENT_NOT_FOUND, _NO_AGENT
        case UnknownKey():
            return KEY_NOT_FOUND, str(error)
        case UnknownOwner():
            return OWNER_NOT_FOUND, str(error)
        case UnknownToken():
            return TOKEN_NOT_FOUND, str(error)
        case UnknownWork():
            return UNKNOWN_WORK, str(error)
        case BadWork():
            return BAD_WORK, str(error)
        case BadTurn():
            return INVALID_ARGUMENTS, str(error)
        case TasksFull() | SecretsFull():
            return FULL, str(error)
        case BadArgument():
            return BAD_ARGUMENT, str(error)
        case ChangedMeanwhile() | OwnerConflict():
            return CONFLICT, str(error)
        case SourceFailed():
            return _code_of_fetch(error.rule), str(error)
        case SessionNotReady() if error.state == "denied":
            return UPSTREAM_UNREACHABLE, fetch_message("guard/address")
        case SessionNotReady():
            return SESSION_NOT_READY, _SESSIONS.get(error.state, _NO_SESSION)
        case AgentOffline():
            return AGENT_OFFLINE, "the agent is offline; try again later"
        case AgentBusy():
            return RATE_LIMITED, "the agent's queue is full; try again later"
        case UpstreamInvalid():
            return UPSTREAM_INVALID, f"invalid card: {error.reason}"
        case InvalidCard():
            return UPSTREAM_INVALID, f"invalid card: {fetch_message('card/invalid')}"
        case MalformedDocument() | UnknownDialect():
            return UPSTREAM_INVALID, "invalid card: the agent's response is not a card"
        case BadConfiguration():
            return UPSTREAM_INVALID, "invalid card: the gateway cannot read the agent's card"
        case PeerTimeout():
            return UPSTREAM_TIMEOUT, "the agent did not respond in time"
        case BadResponse() if error.kind == "too-large":
            return UPSTREAM_INVALID, f"the agent's response is too large: {error.reason}"
        case BadResponse() if error.kind in ("not-a-reply", "encoding"):
            return UPSTREAM_INVALID, _UNUSABLE
        case AccessDenied():
            return UPSTREAM_UNREACHABLE, fetch_message("fetch/denied")
        case ConnectionDenied():
            return UPSTREAM_UNREACHABLE, fetch_message("guard/address")
        case BadResponse() if error.status is not None:
            return of_status(error.status)
        case PeerError():
            return UPSTREAM_UNREACHABLE, "the agent cannot be reached"
        case StoreError():
            return NOT_READY, "the gateway's database is temporarily unavailable; try again later"
        case _:
            _LOG.error("no problem is known for this error", exc_info=error)
            return FAULT, "internal error of the gateway; its log has the details"


def of_status(status: int) -> tuple[ErrorCode, str]:
    """Return the code and the message for an HTTP status with which an agent gave no reply of A2A."""
    match status:
        case 404:
            return UPSTREAM_NOT_FOUND, "the agent responded with 404: it has nothing at this URL"
        case 429:
            return RATE_LIMITED, "the agent responded with 429; try again later"
        case 503:
            return UPSTREAM_ERROR, "the agent is temporarily unavailable; try again later"
        case 504:
            return UPSTREAM_TIMEOUT, "the agent did not respond in time"
        case LOOP_DETECTED.status:
            return LOOP_DETECTED, _LOOP
        case _ if status >= 500:
            return UPSTREAM_ERROR, f"the agent responded with {status}, an error of its own"
        case _ if 300 <= status < 400:
            return UPSTREAM_ERROR, f"the agent redirects calls ({status}). Operator: configure the final URL"
        case _:
            return UPSTREAM_INVALID, _UNUSABLE


def _code_of_fetch(rule: str) -> ErrorCode:
    if rule == _TIMEOUT:
        return UPSTREAM_TIMEOUT
    return UPSTREAM_INVALID if rule.startswith(_INVALID) else UPSTREAM_UNREACHABLE


def unknown_agent() -> HttpError:
    """Return the error for an unknown agent id, to be raised."""
    return refuse(AGENT_NOT_FOUND, _NO_AGENT)


def loop_detected() -> HttpError:
    """Return the error for a request that came back to a gateway (RFC 8586 §4), to be raised."""
    return refuse(LOOP_DETECTED, _LOOP)


def version_not_supported(versions: Iterable[str]) -> HttpError:
    """Return the error for a version that an agent does not support (A2A 1.0 §3.6.2), to be raised."""
    offered = ", ".join(versions)
    message = f"the agent does not support this version of A2A; supported versions: {offered or 'none'}"
    return refuse(VERSION_NOT_SUPPORTED, message, supportedVersions=offered)


def faulty(faults: Sequence[tuple[str, str]], *, message: str = "") -> HttpError:
    """Return the error for a body with faults, to be raised.

    Args:
        faults: The JSON Pointer and the message of each; at least one.
        message: The message of the whole; by default the first fault, and how many there are.
    """
    if not message:
        pointer, first = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        message = (
            f"invalid body: {pointer or 'the body'}: {first}{more}; its schema is in /api/v1/openapi.json"
        )
    return refuse(BAD_ARGUMENT, message, faults=faults)


def rpc_status(code: ErrorCode) -> int:
    """Return the HTTP status of a JSON-RPC error.

    Error codes of HTTP and of the gateway have their status; those of A2A and JSON-RPC, and invalid arguments,
    have 200, as in the SDKs.
    """
    return code.status if code.domain == DOMAIN and code not in (INVALID_ARGUMENTS, BAD_ARGUMENT) else 200
