"""Conversion of the status of a failed gRPC call to `CardError`; nothing here imports gRPC."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, Final

from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # it has no stubs
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped] # it has no stubs

from cardwright.discovery.card_lookup import challenges, retry_after
from cardwright.errors import AccessDenied, BadResponse, PeerTimeout, PeerUnreachable
from cardwright.guard import Headers

if TYPE_CHECKING:
    from cardwright.errors import PeerError

_DETAILS: Final = "grpc-status-details-bin"
_A2A_DOMAIN: Final = "a2a-protocol.org"
# The reason of a gateway for a call that came back to it.
_LOOP: Final = "LOOP_DETECTED"
# The HTTP status of each google.rpc.Code (google/rpc/code.proto); any other is 500. A loop has one of its own.
_HTTP: Final = {
    "INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "OUT_OF_RANGE": 400, "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403, "NOT_FOUND": 404, "ALREADY_EXISTS": 409, "ABORTED": 409, "RESOURCE_EXHAUSTED": 429,
    "CANCELLED": 499, "UNIMPLEMENTED": 501, "UNAVAILABLE": 503, "DEADLINE_EXCEEDED": 504,
}  # fmt: skip
# google/rpc/error_details.proto, ErrorInfo.reason.
_REASON: Final = re.compile(r"[A-Z][A-Z0-9_]{0,61}[A-Z0-9]")
# What gRPC itself says about a response that exceeds its limit; no text of the peer.
_TOO_LARGE: Final = "CLIENT: Received message larger than max"


def is_rpc_error(error: BaseException) -> Any:
    """Return whether an exception is the status of a gRPC call."""
    return hasattr(error, "trailing_metadata") and hasattr(error, "code")


def reasons_of(error: Any) -> list[str]:
    """Return the reasons of A2A in the details of a status (A2A 1.0 §10.6)."""
    return [info.reason for info in _infos(error) if info.domain == _A2A_DOMAIN]


def http_status(name: str) -> int:
    """Return the HTTP status for the name of a google.rpc.Code."""
    return _HTTP.get(name, 500)


def fields_of(error: Any) -> Headers:
    """Return the trailing metadata of a failed call that is text."""
    return Headers([(key, value) for key, value in error.trailing_metadata() or () if isinstance(value, str)])


def by_grpc_status(url: str, error: Any) -> PeerError:
    """Return the error for a status that is not OK; no message contains text of the peer, but the reason.

    Args:
        url: The address, for messages.
        error: The exception of gRPC.
    """
    name = str(error.code().name)
    text = str(error.details() or "")
    headers, infos = fields_of(error), _infos(error)
    status = 508 if any(info.reason == _LOOP for info in infos) else http_status(name)
    if name in ("UNAUTHENTICATED", "PERMISSION_DENIED"):
        return AccessDenied(url, status, challenges(headers))
    if name == "DEADLINE_EXCEEDED" and not infos:
        return PeerTimeout(url, "no response within the time limit")
    if name == "UNAVAILABLE" and not infos:
        return PeerUnreachable(url, _why_unreachable(text))
    if name == "RESOURCE_EXHAUSTED" and _TOO_LARGE in text:
        return BadResponse(url, "too-large", "a message of the response is too large")
    after = retry_after(headers, time.time())
    reasons = [info.reason for info in infos if _REASON.fullmatch(info.reason)]
    reason = " ".join([f"gRPC status {name}", *(f"({reason})" for reason in reasons[:1])])
    return BadResponse(url, "status", reason, status=status, retry_after=after)


def _why_unreachable(text: str) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in text or "Hostname Verification Check failed" in text:
        return "the TLS certificate is not trusted"
    return "the TLS connection failed" if "handshake" in text.lower() else "the connection failed"


def _infos(error: Any) -> list[Any]:
    """Return each `google.rpc.ErrorInfo` in the details of a status."""
    infos: list[Any] = []
    for key, value in error.trailing_metadata() or ():
        if key != _DETAILS or not isinstance(value, bytes):
            continue
        try:
            details = status_pb2.Status.FromString(value).details
            for detail in details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info):
                    infos.append(info)
        except DecodeError:
            return infos
    return infos
