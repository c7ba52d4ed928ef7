"""One table of what goes wrong behind the gateway, and what its callers are told (interop §5, SuperX: Error Handling).

What they are told never names where an agent really is: no URL of a backend, and no word of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

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
from cardwright.http.problem import NOT_READY, VERSION_NOT_SUPPORTED, ErrorCode, HttpError, Problem
from cardwright_gateway.errors import (
    AgentBusy,
    AgentOffline,
    ChangedMeanwhile,
    SessionNotReady,
    UnknownAgent,
    UnknownKey,
    UpstreamInvalid,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_INTERNAL: Final = -32603
# More faults than these nobody reads (project decision).
_MAX_FAULTS: Final = 64
_BAD_REQUEST: Final = "type.googleapis.com/google.rpc.BadRequest"

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
INVALID_PARAMS: Final = ErrorCode(400, "INVALID_PARAMS", code=-32602)
# Those that are the gateway's own: over JSON-RPC their HTTP status is told, too.
OWN: Final = frozenset({
    AGENT_NOT_FOUND, AGENT_OFFLINE, UPSTREAM_UNREACHABLE, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, SESSION_NOT_READY,
    RATE_LIMITED, NO_BACKEND, NOT_OFFERED, FORBIDDEN, FAULT, INVALID_PARAMS, NOT_READY,
    KEY_NOT_FOUND, CONFLICT,
})  # fmt: skip
# What a card's answer was that cannot be served (SuperX: Invalid card format); all else is as if it had not come.
_INVALID: Final = ("decode/", "dialect/", "fetch/not-a-card", "fetch/too-large", "fetch/encoding", "card/")
_TIMEOUT: Final = "fetch/timeout"
# What is told of a look that failed, by the rule that it is kept with.
_TOLD: Final = {
    "fetch/unreachable": "no connection to the agent came about, or it broke",
    _TIMEOUT: "the agent did not answer in time",
    "fetch/accessdenied": "the agent asks who is asking: its bearer or headers are missing or wrong in the"
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


_NO_SESSION: Final = "the agent's MCP session is not there: try again later"
_SESSIONS: Final = {
    "starting": "the agent's MCP session is starting, and not ready yet",
    "crashed": "the agent's MCP session broke off, and is begun anew",
}


class SourceFailed(CardError):
    """No card of an agent can be had: the rule says why; told without saying where the agent is.

    Attributes:
        rule: As `discovery.telling.rule_of` gives it.
        retry_after: Seconds until it is worth asking again, or None.
    """

    def __init__(self, rule: str, *, retry_after: float | None = None) -> None:
        super().__init__(told_of(rule))
        self.rule = rule
        self.retry_after = retry_after


def told_of(rule: str) -> str:
    """Return what may be told of a look that failed."""
    if rule in _TOLD:
        return _TOLD[rule]
    if rule.startswith("decode/"):
        return f"the agent's card is no JSON that may be read [{rule}]"
    return f"the agent's card cannot be had [{rule}]"


def problem_of(error: CardError) -> Problem:
    """Return what a caller is told of an error."""
    condition, message, after = _read(error)
    headers = () if after is None else ((b"retry-after", str(max(1, math.ceil(after))).encode()),)
    return Problem(condition, message, headers=headers)


def _read(error: CardError) -> tuple[ErrorCode, str, float | None]:
    match error:
        case UnknownAgent():
            return AGENT_NOT_FOUND, "there is no agent of that id here", None
        case UnknownKey():
            return KEY_NOT_FOUND, str(error), None
        case ChangedMeanwhile():
            return CONFLICT, str(error), None
        case SourceFailed():
            return _of_rule(error.rule), str(error), error.retry_after
        case SessionNotReady():
            return SESSION_NOT_READY, _SESSIONS.get(error.state, _NO_SESSION), error.retry_after
        case AgentOffline():
            return AGENT_OFFLINE, "the agent is offline: nothing of it is connected", error.retry_after
        case AgentBusy():
            return RATE_LIMITED, "the agent has too much to do: come again", error.retry_after
        case UpstreamInvalid():
            return UPSTREAM_INVALID, f"invalid card: {error.reason}", None
        case InvalidCard():
            return UPSTREAM_INVALID, f"invalid card: {told_of('card/invalid')}", None
        case MalformedDocument() | UnknownDialect():
            return UPSTREAM_INVALID, "invalid card: what the agent answers is no card", None
        case BadConfiguration():
            return UPSTREAM_INVALID, "invalid card: the agent's card cannot be read here", None
        case PeerError() | ConnectionDenied():
            return _of_peer(error)
        case BadArgument():
            return BAD_ARGUMENT, str(error), None
        case StoreError():
            return NOT_READY, "the gateway's database cannot be used now", 5.0
        case _:
            return FAULT, "a fault of the gateway: its log says more", None


def _of_peer(error: PeerError | ConnectionDenied) -> tuple[ErrorCode, str, float | None]:
    match error:
        case PeerTimeout():
            return UPSTREAM_TIMEOUT, "the agent took too long", None
        case BadAnswer() if error.kind in ("not-a-reply", "too-large", "encoding"):
            return UPSTREAM_INVALID, "the agent answered what cannot be used", None
        case AccessDenied():
            return UPSTREAM_UNREACHABLE, told_of("fetch/accessdenied"), None
        case ConnectionDenied():
            return UPSTREAM_UNREACHABLE, told_of("guard/address"), None
        case _:
            return UPSTREAM_UNREACHABLE, "the agent cannot be reached", None


def _of_rule(rule: str) -> ErrorCode:
    if rule == _TIMEOUT:
        return UPSTREAM_TIMEOUT
    return UPSTREAM_INVALID if rule.startswith(_INVALID) else UPSTREAM_UNREACHABLE


def version_not_supported(versions: tuple[str, ...]) -> Problem:
    """Return the refusal of a version that an agent does not speak (A2A 1.0 §3.6.2)."""
    told = ", ".join(versions)
    problem = Problem(
        VERSION_NOT_SUPPORTED, f"this version of A2A is not supported here: {told or 'none'} is", {}
    )
    return replace(problem, metadata={"supportedVersions": told})


@dataclass(frozen=True)
class Faulty(Problem):
    """A problem that names the places where a request is wrong.

    Attributes:
        faults: JSON Pointers into the body, each with what is wrong there.
    """

    faults: tuple[tuple[str, str], ...] = field(default=())

    @property
    def details(self) -> list[dict[str, Any]]:
        """Return the `google.rpc.ErrorInfo`, and a `google.rpc.BadRequest` where places are known."""
        told = Problem(self.condition, self.message, self.metadata).details
        if not self.faults:
            return told
        named = [{"field": pointer, "description": message} for pointer, message in self.faults]
        return [*told, {"@type": _BAD_REQUEST, "fieldViolations": named}]


def faulty(
    faults: Iterable[tuple[str, str]],
    *,
    message: str = "the body breaks its schema, which /api/v1/openapi.json has",
    condition: ErrorCode = BAD_ARGUMENT,
) -> HttpError:
    """Return the refusal of a request that is wrong at some places, to be raised."""
    return HttpError(Faulty(condition, message, faults=tuple(faults)[:_MAX_FAULTS]))
