"""Approval-request and approval-response parts: build, read and validate them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from cardwright.dates import rfc3339, rfc3339_time
from cardwright.errors import BadArgument
from cardwright_beach.errors import ApprovalRefused, BadPart
from cardwright_beach.parts import Part, part
from cardwright_runtime.violation import Violation, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Decision = Literal["granted", "denied"]


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def now_of(clock: Callable[[], datetime]) -> datetime:
    """Return the time of a clock.

    Raises:
        BadArgument: If the time has no time zone.
    """
    now = clock()
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise BadArgument(
            "clock", "must return a time with a time zone, for example clock=lambda: datetime.now(UTC)"
        )
    return now


def response_part(
    approval_id: str, decision: Decision, *, at: datetime, decided_by: str | None, reason: str | None = None
) -> Part:
    """Return an approval-response part.

    Raises:
        BadPart: If the part is not valid.
    """
    required = {"approvalId": approval_id, "decision": decision, "decidedAt": rfc3339(at)}
    optional = {"reason": reason, "decidedBy": decided_by}
    return part(
        "approval-response", data={**required, **{k: v for k, v in optional.items() if v is not None}}
    )


def read_response(
    approval_id: str,
    decision: str,
    *,
    clock: Callable[[], datetime],
    decided_by: str | None,
    reason: str | None = None,
) -> Part:
    """Return an approval-response part for a decision that was read from a message.

    Raises:
        ApprovalRefused: `malformed`, if the decision or a value is not valid.
    """
    if decision not in ("granted", "denied"):
        raise malformed(f'unknown decision {quote(decision)}; expected "granted" or "denied"')
    try:
        return response_part(
            approval_id,
            "granted" if decision == "granted" else "denied",
            at=now_of(clock),
            decided_by=decided_by,
            reason=reason,
        )
    except BadPart as error:
        raise malformed(str(error)) from None


def check_response(response: Part | Mapping[str, Any]) -> Part:
    """Validate an incoming approval response and return it as a part.

    Raises:
        ApprovalRefused: `malformed`, if it is not a valid approval-response part.
    """
    try:
        received = Part.of(response)
    except BadPart as error:
        raise malformed(str(error)) from None
    if received.type != "approval-response":
        raise malformed(f"expected an approval-response part, found {quote(received.type)}")
    if rfc3339_time(received.data["decidedAt"]) is None:
        raise malformed(f"/data/decidedAt: {not_a_time(received.data['decidedAt'])}")
    return received


def request_part(request: Part | Mapping[str, Any]) -> tuple[Part, datetime | None]:
    """Validate an approval request; return it as a part with its expiry time.

    Raises:
        BadPart: If it is not a valid approval-request part, or `expiresAt` is not an RFC 3339 time.
    """
    received = Part.of(request)
    if received.type != "approval-request":
        message = f"expected an approval-request part, found {quote(received.type)}"
        raise BadPart(
            received.type,
            [Violation("envelope/approval", "error", "/metadata/partType", message, "project decision")],
        )
    expiry = received.data.get("expiresAt")
    expires_at = rfc3339_time(expiry)
    if expiry is not None and expires_at is None:
        spec = "Beach protocol 0.6.0, Approval part schemas; RFC 3339 §5.6"
        violation = Violation("envelope/date-time", "error", "/data/expiresAt", not_a_time(expiry), spec)
        raise BadPart(received.type, [violation])
    return received, expires_at


def not_a_time(value: object) -> str:
    """Return the message for a value that is not an RFC 3339 time."""
    return f"{quote(value)} is not an RFC 3339 time with a time zone, such as 2026-05-04T07:00:00Z"


def malformed(reason: str) -> ApprovalRefused:
    """Return the error for a response that cannot be read."""
    return ApprovalRefused("malformed", reason)
