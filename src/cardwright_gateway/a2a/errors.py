"""Why a call is not answered: the conditions of A2A beside the gateway's own, and the two shapes they have on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.http.problem import A2A_DOMAIN, DOMAIN, ErrorCode, Problem
from cardwright_gateway.a2a.problems import FAULT, UPSTREAM_INVALID, Faulty, problem_of
from cardwright_gateway.errors import BadTurn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.errors import CardError
    from cardwright_runtime.violation import Violation

# More of them help nobody (ours).
_MOST_VIOLATIONS: Final = 64
_INTERNAL: Final = -32603
_PARAMS: Final = -32602

# What is wrong with a call itself.
INVALID_ARGUMENTS: Final = ErrorCode(400, "INVALID_ARGUMENTS", code=_PARAMS)
AGENT_FAILED: Final = ErrorCode(500, "INTERNAL_ERROR", A2A_DOMAIN, _INTERNAL, "INTERNAL")
INVALID_PARAMS: Final = ErrorCode(400, "INVALID_PARAMS", A2A_DOMAIN, _PARAMS)
INVALID_REQUEST: Final = ErrorCode(400, "INVALID_REQUEST", A2A_DOMAIN, -32600)
PARSE_ERROR: Final = ErrorCode(400, "PARSE_ERROR", A2A_DOMAIN, -32700)
METHOD_NOT_FOUND: Final = ErrorCode(404, "METHOD_NOT_FOUND", A2A_DOMAIN, -32601)

_INVALID: Final = "the agent answered what cannot be used"

# A2A 1.0 §5.4: the reason that goes with a code.
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


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one call is refused, and where exactly it is wrong.

    Attributes:
        problem: The kind, and what is said of it.
        faults: Where the call breaks the rules: JSON Pointers and messages.
    """

    problem: Problem
    faults: tuple[tuple[str, str], ...] = field(default=())

    @property
    def shown(self) -> Faulty:
        """Return it as a problem that names the places."""
        told = self.problem
        return Faulty(told.condition, told.message, told.metadata, told.headers, faults=self.faults)

    @property
    def details(self) -> list[dict[str, Any]]:
        """Return the ErrorInfo, and a `google.rpc.BadRequest` where faults are known (A2A 1.0 §11.6)."""
        return self.shown.details

    @property
    def rpc_status(self) -> int:
        """Return the HTTP status of a JSON-RPC answer: 200 but for what is HTTP's, or went wrong behind."""
        condition = self.problem.condition
        return condition.status if condition.domain == DOMAIN and condition is not INVALID_ARGUMENTS else 200

    def to_rpc(self, request_id: Any) -> dict[str, Any]:
        """Return the JSON-RPC answer (A2A 1.0 §9.5)."""
        told = {"code": self.problem.condition.code, "message": self.problem.message, "data": self.details}
        return {"jsonrpc": "2.0", "id": request_id, "error": told}

    def to_rest(self) -> dict[str, Any]:
        """Return the body of a REST answer (A2A 1.0 §11.6)."""
        error = self.problem.to_json()["error"]
        return {"error": {**error, "details": self.details}}


def refusal(
    condition: ErrorCode, message: str, faults: Iterable[tuple[str, str]] = (), **metadata: str
) -> Refusal:
    """Return why a call is refused."""
    return Refusal(Problem(condition, message, metadata), tuple(faults)[:_MOST_VIOLATIONS])


def refusal_of(error: CardError) -> Refusal:
    """Return what a caller is told of an error, in words of ours: neither an address nor a stranger's text.

    Only a `BadTurn` speaks for itself: it is about what the caller sent.
    """
    if isinstance(error, BadTurn):
        return refusal(INVALID_ARGUMENTS, str(error), faults_of(error.violations))
    problem = problem_of(error)
    # What is no condition of the gateway went wrong in the agent.
    return Refusal(problem) if problem.condition is not FAULT else refusal(UPSTREAM_INVALID, _INVALID)


def faults_of(violations: Sequence[Violation]) -> list[tuple[str, str]]:
    """Return where and what of violations."""
    return [(violation.pointer, violation.message) for violation in violations]
