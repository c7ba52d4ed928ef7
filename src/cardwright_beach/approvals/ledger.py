"""Which approvals one application waits for, and which are answered."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from cardwright.dates import rfc3339
from cardwright.errors import BadArgument
from cardwright_beach.approvals.answers import answer, answered_part, now_of, request_part, utc_now
from cardwright_beach.approvals.records import EXPIRY, Record, Records
from cardwright_beach.approvals.tokens import is_issued, issued, looks_issued
from cardwright_beach.errors import ApprovalRefused
from cardwright_beach.parts import Part, part

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

# No shorter secret is worth its name (ours); RFC 2104 §3 advises 32 bytes, the length of the hash.
_SECRET_BYTES: Final = 16
# Told of a foreign, a forged and an unknown id alike, so that the answer says nothing of other sessions.
_NOT_HERE: Final = "no approval of that id waits in this session: answer the request that was sent to you"


class Approvals:
    """The ledger of one application: asks, and matches every answer once (Beach protocol seed, Approval part schemas).

    An id that it issues is 10 random bytes and 10 of an HMAC over them and the session, in base32, so that it can
    be typed, shouted and folded. Ids are compared without case.

    What waits outlives a restart if the application keeps `pending()` and `answered()` and gives them back: a reply
    by email comes hours later. Of the latest 10,000 answers the ledger knows that they were given; an older id
    of its own is refused as late, and an adopted one as unknown. The secret has to stay the same.

    It may be used from one event loop; it takes no lock.

    Args:
        secret: At least 16 random bytes; ids issued with another one are forged here.
        clock: Says what time it is.
        randomness: Gives as many random bytes as it is asked for.
        pending: Requests that wait already. One that is among the answers, too, does not; its denial by expiry is
            told by `expire`, as nobody was told of it.
        answered: Answers given already, each with its session.

    Raises:
        BadArgument: If the secret is too short, or the session of an answer no text.
        BadPart: If a request is none.
        ApprovalRefused: As malformed, if an answer is none.
        DuplicateEntry: If two requests or two answers of one session have the same id.
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
        if not isinstance(secret, bytes) or len(secret) < _SECRET_BYTES:
            raise BadArgument(
                "secret", f"must be at least {_SECRET_BYTES} bytes; secrets.token_bytes(32) gives some"
            )
        self._secret = secret
        self._clock = clock
        self._randomness = randomness
        self._records = Records()
        for session, response in answered:
            self._restore(session, response)
        for request in pending:
            self._resume(*request_part(request))

    def request(  # the members of the request, by name
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
        """Return an approval-request part with an id of its own, and wait for its answer.

        Args:
            tool_name: The tool that waits.
            tool_call_id: The model's own name for this call.
            args: What the tool would run with; a JSON object, copied.
            handler: Who asked for the tool.
            turn: The event of the handler's invocation.
            session: The session; no other one can answer.
            expires_at: When no answer means no; with its zone.
            expires_in: The same, from now on.

        Raises:
            BadArgument: If the expiry is told twice or is no time, the session is no text, or the clock returns no time
                with its zone.
            BadPart: If the request's schema refuses what is given.
        """
        _check_session(session)
        given = {
            "approvalId": issued(self._secret, session, self._randomness),
            "toolName": tool_name,
            "toolCallId": tool_call_id,
            "args": args,
            "handler": handler,
            "turn": turn,
            "session": session,
        }
        moment = self._expiry(expires_at, expires_in)
        asked = part(
            "approval-request", data=given if moment is None else {**given, "expiresAt": rfc3339(moment)}
        )
        self._take_in(asked, moment)
        return asked

    def adopt(self, request: Part | Mapping[str, Any]) -> Part:
        """Wait for the answer of a request that the application made itself, and return it as a part.

        Raises:
            BadPart: If it is no approval request, or its `expiresAt` is no RFC 3339 time.
            DuplicateEntry: If its session has that id, whatever its case.
        """
        asked, expires_at = request_part(request)
        self._take_in(asked, expires_at)
        return asked

    def receive(self, response: Part | Mapping[str, Any], *, session: str) -> Part:
        """Match an answer to the request that waits for it, once, and return it with the id as it was issued.

        Args:
            response: An approval-response part.
            session: The session that the channel of the answer belongs to; never taken from the answer itself.

        Raises:
            ApprovalRefused: If it counts for nothing. `kind` is `malformed` if it cannot be read; `foreign` if another
                session waits or waited for that id; `forged` if the id looks like one of a ledger and was not issued
                with this secret for this session; `unknown` if nobody asked; `late` if it ran out, or is one of this
                ledger's that it no longer knows; `duplicate` if it was answered before.
            BadArgument: If the session is no text, or the clock returns no time with its zone.
        """
        _check_session(session)
        given = answered_part(response)
        approval_id, now = given.data["approvalId"], now_of(self._clock)
        # Asked first and always, so that the time it takes does not tell what is held.
        genuine = is_issued(self._secret, session, approval_id)
        records = self._records.named(approval_id)
        record = records.get(session)
        if record is None:
            raise _refusal(genuine=genuine, foreign=bool(records), approval_id=approval_id)
        if record.answer is None and _ran_out(record, now):
            # Settled as it is told: the clock may be set back, and the same answer come again.
            self._records.settle(record, _denial(record))
        if record.expired:
            raise ApprovalRefused("late", "the approval ran out before the answer came, and counts as denied")
        if record.answer is not None:
            raise ApprovalRefused("duplicate", "the approval is answered already: the first answer counts")
        document = {**given.document, "data": {**given.data, "approvalId": record.approval_id}}
        self._records.settle(record, Part(document))
        return self._told(record)

    def expire(self) -> list[Part]:
        """Return a denial for every request that ran out, each once, the earliest first.

        What was told to somebody who waited in `decision` is not told again.
        """
        now = now_of(self._clock)
        late = [record for record in self._records.waiting() if record.answer or _ran_out(record, now)]
        return [self._deny(record) for record in sorted(late, key=_expiry_of)]

    def next_expiry(self) -> datetime | None:
        """Return when the next request runs out; in the past if `expire` has not told it; None if none does."""
        return min(
            (one.expires_at for one in self._records.waiting() if one.expires_at is not None), default=None
        )

    async def decision(
        self,
        approval_id: str,
        *,
        session: str | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> Part:
        """Wait for the answer of a request and return it; at its `expiresAt` that is a denial.

        Any number may wait. Who stops waiting leaves the request as it is.

        Args:
            approval_id: The request.
            session: Its session; needed where several sessions have the id.
            sleep: Waits as many seconds.

        Raises:
            ApprovalRefused: As unknown, if nothing of that id is held, or its session is forgotten meanwhile.
            BadArgument: If several sessions have the id.
        """
        record = self._held(approval_id, session)
        while record.answer is None:
            if record.forgotten:
                raise ApprovalRefused(
                    "unknown", "the session of the approval was forgotten: nobody will answer"
                )
            left = _seconds_left(record, now_of(self._clock))
            if left is not None and left <= 0:
                return self._deny(record)
            await _first(record.wait(), *(() if left is None else (sleep(left),)))
        return self._told(record)

    def pending(self, session: str | None = None) -> list[Part]:
        """Return the requests that wait, in the order of asking; also those that ran out and nobody was told of."""
        held = self._records.waiting()
        return [Part.of(one.request) for one in held if one.request and session in (None, one.session)]

    def answered(self, session: str | None = None) -> list[tuple[str, Part]]:
        """Return the remembered answers with their sessions, the latest last."""
        held = self._records.answered()
        return [
            (one.session, Part.of(one.answer))
            for one in held
            if one.answer and session in (None, one.session)
        ]

    def forget(self, session: str) -> None:
        """Forget a session that is over: nothing of it waits, and who waits for it gets a refusal."""
        self._records.drop(session)

    def _expiry(self, expires_at: datetime | None, expires_in: timedelta | None) -> datetime | None:
        if expires_at is not None and expires_in is not None:
            raise BadArgument("expires_in", "expires_at says it already: give one of them")
        now = now_of(self._clock)
        try:
            if expires_in is not None:
                if not isinstance(expires_in, timedelta) or expires_in < timedelta(0):
                    raise BadArgument("expires_in", "must be a timedelta that is not negative")
                return (now + expires_in).astimezone(UTC)
            if expires_at is None:
                return None
            if not isinstance(expires_at, datetime) or expires_at.utcoffset() is None:
                raise BadArgument("expires_at", "is no time with its zone: write datetime(…, tzinfo=UTC)")
            return expires_at.astimezone(UTC)
        except OverflowError:
            raise BadArgument("expires_at", "lies beyond the years that can be written") from None

    def _take_in(self, asked: Part, expires_at: datetime | None) -> None:
        data = asked.data
        # A copy, so that nobody changes what was asked by changing the part that was returned.
        self._records.add(Record(data["approvalId"], data["session"], Part.of(asked), expires_at))

    def _restore(self, session: str, response: Part | Mapping[str, Any]) -> None:
        _check_session(session)
        given = answered_part(response)
        self._records.add(Record(given.data["approvalId"], session, None, answer=given))

    def _resume(self, asked: Part, expires_at: datetime | None) -> None:
        record = self._records.named(asked.data["approvalId"]).get(asked.data["session"])
        if record is None or record.request is not None:
            self._take_in(asked, expires_at)
        elif record.expired and expires_at is not None:
            self._records.untold(record, asked, expires_at)

    def _held(self, approval_id: str, session: str | None) -> Record:
        records = self._records.named(approval_id)
        if session is None and len(records) > 1:
            raise BadArgument("session", "several sessions have an approval of that id: name one")
        found = next(iter(records.values()), None) if session is None else records.get(session)
        if found is None:
            raise ApprovalRefused("unknown", _NOT_HERE)
        return found

    def _deny(self, record: Record) -> Part:
        if record.answer is None:
            self._records.settle(record, _denial(record))
        return self._told(record)

    def _told(self, record: Record) -> Part:
        """Return a copy of the answer of a record that is settled, which is told thereby."""
        if record.answer is None:
            raise LookupError("the request is not answered")
        self._records.told(record)
        return Part.of(record.answer)


def _check_session(session: object) -> None:
    if not isinstance(session, str):
        raise BadArgument("session", "must be the session's id, a text")


def _denial(record: Record) -> Part:
    told = "nobody answered in time"
    return answer(record.approval_id, "denied", at=_expiry_of(record), decided_by=EXPIRY, reason=told)


def _refusal(*, genuine: bool, foreign: bool, approval_id: str) -> ApprovalRefused:
    if genuine:
        return ApprovalRefused("late", "the approval no longer waits for an answer")
    kind = "foreign" if foreign else "forged" if looks_issued(approval_id) else "unknown"
    return ApprovalRefused(kind, _NOT_HERE)


def _ran_out(record: Record, now: datetime) -> bool:
    return record.expires_at is not None and now >= record.expires_at


def _expiry_of(record: Record) -> datetime:
    if record.expires_at is None:
        raise LookupError("the request never runs out")
    return record.expires_at


def _seconds_left(record: Record, now: datetime) -> float | None:
    return None if record.expires_at is None else (record.expires_at - now).total_seconds()


async def _first(*waits: Awaitable[object]) -> None:
    """Wait for the first of these, and stop the others."""
    tasks = [asyncio.ensure_future(one) for one in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    for task in done:
        task.result()
