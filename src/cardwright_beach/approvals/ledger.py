"""Approval ledger: pending approval requests and the responses to them."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from cardwright.dates import rfc3339
from cardwright.errors import BadArgument
from cardwright_beach.approvals.approval_parts import (
    check_response,
    now_of,
    request_part,
    response_part,
    utc_now,
)
from cardwright_beach.approvals.records import EXPIRY, Record, Records
from cardwright_beach.approvals.tokens import is_issued, issued, looks_issued
from cardwright_beach.errors import ApprovalRefused
from cardwright_beach.parts import Part, part

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

# Project decision; RFC 2104 §3 advises 32 bytes, the length of the hash.
_MIN_SECRET_BYTES: Final = 16
# The same message for foreign, forged and unknown ids, so that it reveals nothing about other sessions.
_NOT_PENDING: Final = (
    "no approval with this id is pending in this session; respond to the request that was sent to you"
)


class Approvals:
    """Approval ledger of one application: accepts one response per request (Beach protocol seed, Approval part schemas).

    An issued id is 10 random bytes and 10 bytes of an HMAC over them and the session, in base32: it survives typing,
    a change of case and line folding. Ids are compared without case.

    Requests outlive a restart if the application stores `pending()` and `answered()` and passes them to the new ledger;
    an email reply may arrive hours later. The ledger remembers the latest 10,000 responses. A response to an older id
    that it issued is refused as `late`, to an older adopted id as `unknown`. The secret must stay the same.

    Use a ledger from one event loop; it takes no lock.

    Args:
        secret: At least 16 random bytes. Ids issued with another secret are refused as forged.
        clock: Returns the current time.
        randomness: Returns the requested number of random bytes.
        pending: Pending requests. A request that is also in `answered` is not pending; if it was denied by expiry,
            `expire` returns that denial.
        answered: Earlier responses, each with its session.

    Raises:
        BadArgument: If the secret is too short, or a session is not a string.
        BadPart: If a request is not valid.
        ApprovalRefused: `malformed`, if a response is not valid.
        DuplicateEntry: If two requests or two responses of one session have the same id.
    """

    def __init__(
        self,
        secret: bytes,
        *,
        clock: Callable[[], datetime] = utc_now,
        randomness: Callable[[int], bytes] = os.urandom,
        pending: Iterable[Part | Mapping[str, Any]] = (),
        answered: Iterable[tuple[str, Part | Mapping[str, Any]]] = (),
    ) -> None:
        if not isinstance(secret, bytes) or len(secret) < _MIN_SECRET_BYTES:
            raise BadArgument(
                "secret", f"must be at least {_MIN_SECRET_BYTES} bytes, for example secrets.token_bytes(32)"
            )
        self._secret = secret
        self._clock = clock
        self._randomness = randomness
        self._records = Records()
        for session, response in answered:
            self._restore(session, response)
        for request in pending:
            self._resume(*request_part(request))

    def request(  # one keyword argument per field of the request
        self,
        *,
        tool_name: str,
        tool_call_id: str,
        args: Mapping[str, Any],
        handler: str,
        turn: str,
        session: str,
        expires_at: datetime | None = None,
        expires_in: timedelta | None = None,
    ) -> Part:
        """Create an approval request with a new id, add it to the ledger and return it as a part.

        Args:
            tool_name: The tool that needs approval.
            tool_call_id: The model's id of this call.
            args: Arguments of the tool call, a JSON object; copied.
            handler: The handler that requested the tool.
            turn: The event id of the handler's invocation.
            session: The session; a response from another session is refused.
            expires_at: When the request counts as denied; with a time zone.
            expires_in: The same, relative to the current time.

        Raises:
            BadArgument: If both expiries are given or one is not valid, the session is not a string, or the clock
                returns a time without a time zone.
            BadPart: If the request is not valid.
        """
        _check_session(session)
        data = {
            "approvalId": issued(self._secret, session, self._randomness),
            "toolName": tool_name,
            "toolCallId": tool_call_id,
            "args": args,
            "handler": handler,
            "turn": turn,
            "session": session,
        }
        expiry = self._expiry(expires_at, expires_in)
        request = part(
            "approval-request", data=data if expiry is None else {**data, "expiresAt": rfc3339(expiry)}
        )
        self._add(request, expiry)
        return request

    def adopt(self, request: Part | Mapping[str, Any]) -> Part:
        """Add a request that the application created itself, and return it as a part.

        Raises:
            BadPart: If it is not a valid approval request, or `expiresAt` is not an RFC 3339 time.
            DuplicateEntry: If the session already has this id (compared without case).
        """
        adopted, expires_at = request_part(request)
        self._add(adopted, expires_at)
        return adopted

    def receive(self, response: Part | Mapping[str, Any], *, session: str) -> Part:
        """Accept the first response to a pending request; return it with the id in its issued form.

        Args:
            response: An approval-response part.
            session: The session of the channel that the response came from; never taken from the response itself.

        Raises:
            ApprovalRefused: If the response is not accepted. `kind` is `malformed` if it cannot be read; `foreign` if
                the id belongs to another session; `forged` if the id has the form of an issued one but was not issued
                with this secret for this session; `unknown` if there is no such request; `late` if the request
                expired or the ledger no longer remembers it; `duplicate` if it has a response already.
            BadArgument: If the session is not a string, or the clock returns a time without a time zone.
        """
        _check_session(session)
        received = check_response(response)
        approval_id, now = received.data["approvalId"], now_of(self._clock)
        # Always computed, so that the response time does not reveal which ids are pending.
        genuine = is_issued(self._secret, session, approval_id)
        records = self._records.named(approval_id)
        record = records.get(session)
        if record is None:
            raise _refusal(genuine=genuine, foreign=bool(records), approval_id=approval_id)
        if record.response is None and _has_expired(record, now):
            # Settle now: the clock may be set back before the same response arrives again.
            self._records.settle(record, _denial(record))
        if record.expired:
            raise ApprovalRefused(
                "late", "the approval request expired before the response arrived; it counts as denied"
            )
        if record.response is not None:
            raise ApprovalRefused(
                "duplicate", "the approval request already has a response; only the first one counts"
            )
        document = {**received.document, "data": {**received.data, "approvalId": record.approval_id}}
        self._records.settle(record, Part(document))
        return self._report(record)

    def expire(self) -> list[Part]:
        """Return a denial for every expired request, earliest first; each denial is reported once.

        A denial that `decision` returned to a waiting task is not returned again.
        """
        now = now_of(self._clock)
        expired = [
            record for record in self._records.waiting() if record.response or _has_expired(record, now)
        ]
        return [self._deny(record) for record in sorted(expired, key=_expiry_of)]

    def next_expiry(self) -> datetime | None:
        """Return the next expiry time, None if no request expires; in the past if `expire` must be called."""
        return min(
            (record.expires_at for record in self._records.waiting() if record.expires_at is not None),
            default=None,
        )

    async def decision(
        self,
        approval_id: str,
        *,
        session: str | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> Part:
        """Wait for the response to a request and return it; at `expiresAt` that is a denial.

        Several tasks may wait. Cancelling one does not change the request.

        Args:
            approval_id: The id of the request.
            session: Its session; required if several sessions have the id.
            sleep: Waits for a number of seconds.

        Raises:
            ApprovalRefused: `unknown`, if there is no request with this id, or its session is forgotten while waiting.
            BadArgument: If several sessions have the id.
        """
        record = self._find(approval_id, session)
        while record.response is None:
            if record.forgotten:
                raise ApprovalRefused(
                    "unknown", "the session of the approval request was forgotten; no response will come"
                )
            seconds = _seconds_left(record, now_of(self._clock))
            if seconds is not None and seconds <= 0:
                return self._deny(record)
            await _first(record.wait(), *(() if seconds is None else (sleep(seconds),)))
        return self._report(record)

    def pending(self, session: str | None = None) -> list[Part]:
        """Return the pending requests, oldest first, including expired ones that were not reported yet."""
        records = self._records.waiting()
        return [
            Part.of(record.request)
            for record in records
            if record.request and session in (None, record.session)
        ]

    def answered(self, session: str | None = None) -> list[tuple[str, Part]]:
        """Return the remembered responses with their sessions, latest last."""
        records = self._records.answered()
        return [
            (record.session, Part.of(record.response))
            for record in records
            if record.response and session in (None, record.session)
        ]

    def forget(self, session: str) -> None:
        """Forget a session and its requests; a task that waits in `decision` gets `ApprovalRefused`."""
        self._records.drop(session)

    def _expiry(self, expires_at: datetime | None, expires_in: timedelta | None) -> datetime | None:
        if expires_at is not None and expires_in is not None:
            raise BadArgument("expires_in", "conflicts with expires_at; give only one of them")
        now = now_of(self._clock)
        try:
            if expires_in is not None:
                if not isinstance(expires_in, timedelta) or expires_in < timedelta(0):
                    raise BadArgument("expires_in", "must be a non-negative timedelta")
                return (now + expires_in).astimezone(UTC)
            if expires_at is None:
                return None
            if not isinstance(expires_at, datetime) or expires_at.utcoffset() is None:
                raise BadArgument(
                    "expires_at", "must be a datetime with a time zone: datetime(…, tzinfo=UTC)"
                )
            return expires_at.astimezone(UTC)
        except OverflowError:
            raise BadArgument("expires_at", "must be before the year 10000") from None

    def _add(self, request: Part, expires_at: datetime | None) -> None:
        data = request.data
        # A copy, so that changing the returned part does not change the stored request.
        self._records.add(Record(data["approvalId"], data["session"], Part.of(request), expires_at))

    def _restore(self, session: str, response: Part | Mapping[str, Any]) -> None:
        _check_session(session)
        received = check_response(response)
        self._records.add(Record(received.data["approvalId"], session, None, response=received))

    def _resume(self, request: Part, expires_at: datetime | None) -> None:
        record = self._records.named(request.data["approvalId"]).get(request.data["session"])
        if record is None or record.request is not None:
            self._add(request, expires_at)
        elif record.expired and expires_at is not None:
            self._records.reopen(record, request, expires_at)

    def _find(self, approval_id: str, session: str | None) -> Record:
        records = self._records.named(approval_id)
        if session is None and len(records) > 1:
            raise BadArgument(
                "session", "is required, because several sessions have an approval with this id"
            )
        record = next(iter(records.values()), None) if session is None else records.get(session)
        if record is None:
            raise ApprovalRefused("unknown", _NOT_PENDING)
        return record

    def _deny(self, record: Record) -> Part:
        if record.response is None:
            self._records.settle(record, _denial(record))
        return self._report(record)

    def _report(self, record: Record) -> Part:
        """Return a copy of the response of a settled record, and mark the record as reported."""
        if record.response is None:
            raise LookupError("the request has no response")
        self._records.mark_reported(record)
        return Part.of(record.response)


def _check_session(session: object) -> None:
    if not isinstance(session, str):
        raise BadArgument("session", "must be the session id, a string")


def _denial(record: Record) -> Part:
    reason = "the request expired without a response"
    return response_part(
        record.approval_id, "denied", at=_expiry_of(record), decided_by=EXPIRY, reason=reason
    )


def _refusal(*, genuine: bool, foreign: bool, approval_id: str) -> ApprovalRefused:
    if genuine:
        return ApprovalRefused("late", "the approval request is no longer pending")
    kind = "foreign" if foreign else "forged" if looks_issued(approval_id) else "unknown"
    return ApprovalRefused(kind, _NOT_PENDING)


def _has_expired(record: Record, now: datetime) -> bool:
    return record.expires_at is not None and now >= record.expires_at


def _expiry_of(record: Record) -> datetime:
    if record.expires_at is None:
        raise LookupError("the request has no expiry time")
    return record.expires_at


def _seconds_left(record: Record, now: datetime) -> float | None:
    return None if record.expires_at is None else (record.expires_at - now).total_seconds()


async def _first(*waits: Awaitable[object]) -> None:
    """Wait until the first of these finishes, then cancel the others."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    for task in done:
        task.result()
