"""Answers to approval requests as parts."""

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
    """Return the time of day."""
    return datetime.now(UTC)


def now_of(clock: Callable[[], datetime]) -> datetime:
    """Return what a clock says.

    Raises:
        BadArgument: If it is no time that knows its zone.
    """
    now = clock()
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise BadArgument("clock", "must return a time with its zone: write clock=lambda: datetime.now(UTC)")
    return now


def answer(
    approval_id: str, decision: Decision, *, at: datetime, decided_by: str | None, reason: str | None = None
) -> Part:
    """Return an approval-response part.

    Raises:
        BadPart: If its schema refuses what is given.
    """
    given = {"approvalId": approval_id, "decision": decision, "decidedAt": rfc3339(at)}
    said = {"reason": reason, "decidedBy": decided_by}
    return part("approval-response", data={**given, **{k: v for k, v in said.items() if v is not None}})


def read_answer(
    approval_id: str,
    decision: str,
    *,
    clock: Callable[[], datetime],
    decided_by: str | None,
    reason: str | None = None,
) -> Part:
    """Return an approval-response part of what was read from a message.

    Raises:
        ApprovalRefused: As malformed, if it is none.
    """
    if decision not in ("granted", "denied"):
        raise malformed(f'{quote(decision)} is no decision: "granted" or "denied" is expected')
    try:
        return answer(
            approval_id,
            "granted" if decision == "granted" else "denied",
            at=now_of(clock),
            decided_by=decided_by,
            reason=reason,
        )
    except BadPart as error:
        raise malformed(str(error)) from None


def answered_part(response: Part | Mapping[str, Any]) -> Part:
    """Return an answer that came in, if it is one.

    Raises:
        ApprovalRefused: As malformed, if it is none.
    """
    try:
        given = Part.of(response)
    except BadPart as error:
        raise malformed(str(error)) from None
    if given.type != "approval-response":
        raise malformed(f"an approval-response part is expected, not {quote(given.type)}")
    if rfc3339_time(given.data["decidedAt"]) is None:
        raise malformed(f"/data/decidedAt: {told_of_time(given.data['decidedAt'])}")
    return given


def request_part(request: Part | Mapping[str, Any]) -> tuple[Part, datetime | None]:
    """Return an approval request, and when it runs out.

    Raises:
        BadPart: If it is none, or its time is none.
    """
    asked = Part.of(request)
    if asked.type != "approval-request":
        told = f"an approval-request part is expected, not {quote(asked.type)}"
        raise BadPart(
            asked.type, [Violation("envelope/approval", "error", "/metadata/partType", told, "ours")]
        )
    written = asked.data.get("expiresAt")
    expires_at = rfc3339_time(written)
    if written is not None and expires_at is None:
        spec = "Beach protocol 0.6.0, Approval part schemas; RFC 3339 §5.6"
        fault = Violation("envelope/date-time", "error", "/data/expiresAt", told_of_time(written), spec)
        raise BadPart(asked.type, [fault])
    return asked, expires_at


def told_of_time(value: object) -> str:
    """Say how times are written."""
    return f"{quote(value)} is no RFC 3339 time with its zone, such as 2026-05-04T07:00:00Z"


def malformed(reason: str) -> ApprovalRefused:
    """Return the refusal of what cannot be read as an answer."""
    return ApprovalRefused("malformed", reason)
