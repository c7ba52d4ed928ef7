"""Problems: the error codes of HTTP and A2A, and one shape for all (A2A 1.0 §11.6).

Messages never repeat text of the request, so that it cannot be returned as markup or logged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.a2a_operations import ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable

A2A_DOMAIN: Final = "a2a-protocol.org"
DOMAIN: Final = "cardwright.dev"
_ERROR_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"
_BAD_REQUEST: Final = "type.googleapis.com/google.rpc.BadRequest"
# The maximum number of faults in a response (project decision).
_MAX_FAULTS: Final = 64
# The google.rpc.Code of each status (A2A 1.0 §5.4, §11.6).
_NAMES: Final = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "UNIMPLEMENTED",
    406: "INVALID_ARGUMENT",
    412: "FAILED_PRECONDITION",
    413: "INVALID_ARGUMENT",
    414: "INVALID_ARGUMENT",
    415: "INVALID_ARGUMENT",
    431: "INVALID_ARGUMENT",
    503: "UNAVAILABLE",
}


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """A kind of problem: its HTTP status, the reason and domain of its ErrorInfo, and its JSON-RPC code."""

    status: int
    reason: str
    domain: str = DOMAIN
    code: int = -32600
    name: str | None = None

    @property
    def grpc_name(self) -> str:
        """The google.rpc.Code of the status."""
        return self.name or _NAMES[self.status]


# The errors of JSON-RPC and A2A (A2A 1.0 §5.4), by reason.
A2A_ERRORS: Final = {
    reason: ErrorCode(error.http, reason, A2A_DOMAIN, error.code, error.grpc)
    for reason, error in ERRORS.items()
}
VERSION_NOT_SUPPORTED: Final = A2A_ERRORS["VERSION_NOT_SUPPORTED"]
UNSUPPORTED_OPERATION: Final = A2A_ERRORS["UNSUPPORTED_OPERATION"]
EXTENDED_CARD_NOT_CONFIGURED: Final = A2A_ERRORS["EXTENDED_AGENT_CARD_NOT_CONFIGURED"]
PARSE_ERROR: Final = A2A_ERRORS["PARSE_ERROR"]
INVALID_REQUEST: Final = A2A_ERRORS["INVALID_REQUEST"]
METHOD_NOT_FOUND: Final = A2A_ERRORS["METHOD_NOT_FOUND"]
INVALID_PARAMS: Final = A2A_ERRORS["INVALID_PARAMS"]
INTERNAL_ERROR: Final = A2A_ERRORS["INTERNAL_ERROR"]
# HTTP (project decision).
BAD_HEADER: Final = ErrorCode(400, "BAD_HEADER")
BAD_QUERY: Final = ErrorCode(400, "BAD_QUERY")
BODY_NOT_ALLOWED: Final = ErrorCode(400, "BODY_NOT_ALLOWED")
UNAUTHENTICATED: Final = ErrorCode(401, "UNAUTHENTICATED", code=INTERNAL_ERROR.code)
FORBIDDEN: Final = ErrorCode(403, "FORBIDDEN", code=INTERNAL_ERROR.code)
CARD_NOT_FOUND: Final = ErrorCode(404, "CARD_NOT_FOUND")
NO_SUCH_PATH: Final = ErrorCode(404, "NO_SUCH_PATH")
PRECONDITION_FAILED: Final = ErrorCode(412, "PRECONDITION_FAILED")
METHOD_NOT_ALLOWED: Final = ErrorCode(405, "METHOD_NOT_ALLOWED")
NOT_ACCEPTABLE: Final = ErrorCode(406, "NOT_ACCEPTABLE")
BODY_TOO_LARGE: Final = ErrorCode(413, "BODY_TOO_LARGE")
UNSUPPORTED_MEDIA_TYPE: Final = ErrorCode(415, "UNSUPPORTED_MEDIA_TYPE")
QUERY_TOO_LONG: Final = ErrorCode(414, "QUERY_TOO_LONG")
HEADER_TOO_LARGE: Final = ErrorCode(431, "HEADER_TOO_LARGE")
NOT_READY: Final = ErrorCode(503, "NOT_READY", code=INTERNAL_ERROR.code)


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why a request is refused.

    Attributes:
        error_code: The kind of problem.
        message: What is wrong and what to do, without any text of the request.
        metadata: More for programs; text by name.
        headers: Additional header fields of the response.
        faults: The errors in the body: JSON Pointers, each with a message.
    """

    error_code: ErrorCode
    message: str
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    headers: tuple[tuple[bytes, bytes], ...] = ()
    faults: tuple[tuple[str, str], ...] = ()

    @property
    def details(self) -> list[dict[str, Any]]:
        """The `google.rpc.ErrorInfo`, and a `google.rpc.BadRequest` if there are faults in the body."""
        info: dict[str, Any] = {
            "@type": _ERROR_INFO,
            "reason": self.error_code.reason,
            "domain": self.error_code.domain,
            "metadata": self.metadata,
        }
        if not self.faults:
            return [info]
        faults = [
            {"field": pointer, "description": message} for pointer, message in self.faults[:_MAX_FAULTS]
        ]
        return [info, {"@type": _BAD_REQUEST, "fieldViolations": faults}]

    def to_json(self) -> dict[str, Any]:
        """Return the body of an HTTP response (A2A 1.0 §11.6)."""
        return {
            "error": {
                "code": self.error_code.status,
                "status": self.error_code.grpc_name,
                "message": self.message,
                "details": self.details,
            }
        }

    def to_rpc(self, call_id: Any) -> dict[str, Any]:
        """Return the response of a JSON-RPC call (A2A 1.0 §9.5)."""
        error = {"code": self.error_code.code, "message": self.message, "data": self.details}
        return {"jsonrpc": "2.0", "id": call_id, "error": error}

    @property
    def title(self) -> str:
        """The phrase of the status, such as `Not Found`."""
        return HTTPStatus(self.error_code.status).phrase


class HttpError(Exception):
    """Exception with a problem, to be sent as the response; it never leaves the application.

    Attributes:
        problem: Why the request is refused.
        call_id: The id of the JSON-RPC call, if it is known here.
    """

    def __init__(self, problem: Problem, call_id: Any = None) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.call_id = call_id


def refuse(
    error_code: ErrorCode,
    message: str,
    *,
    headers: tuple[tuple[bytes, bytes], ...] = (),
    faults: Iterable[tuple[str, str]] = (),
    call_id: Any = None,
    **metadata: str,
) -> HttpError:
    """Return the exception that refuses a request, to be raised."""
    return HttpError(Problem(error_code, message, metadata, headers, tuple(faults)), call_id)


def method_not_allowed(methods: Iterable[str], message: str = "") -> HttpError:
    """Return the exception for a disallowed method, to be raised; its response has Allow (RFC 9110 §15.5.6)."""
    allowed = ", ".join(methods)
    headers = ((b"allow", allowed.encode()),)
    return refuse(METHOD_NOT_ALLOWED, message or f"use one of {allowed}", headers=headers)
