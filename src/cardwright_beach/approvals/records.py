"""Records of a ledger: pending requests and the latest responses."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.errors import DuplicateEntry
from cardwright_beach.approvals.tokens import folded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from cardwright_beach.parts import Part

# Number of remembered responses; tells a duplicate from a late response (project decision).
MAX_ANSWERED: Final = 10_000
# `decidedBy` of a denial by expiry (project decision).
EXPIRY: Final = "expiry"


@dataclass(slots=True, eq=False)
class Record:
    """One approval request with its expiry time and response.

    Attributes:
        approval_id: The id in its issued form.
        session: The session of the request.
        request: The request part; None once the response has been reported.
        expires_at: When the request counts as denied; None if never.
        response: The response part, or None.
        forgotten: Whether the session was forgotten.
    """

    approval_id: str
    session: str
    request: Part | None
    expires_at: datetime | None = None
    response: Part | None = None
    forgotten: bool = False
    # Created when the first task waits: most of the thousands of records never need an event.
    _settled: asyncio.Event | None = None

    @property
    def expired(self) -> bool:
        """Whether the response is a denial by expiry; read from the response, which survives a restart."""
        data = {} if self.response is None else self.response.data
        return data.get("decidedBy") == EXPIRY and data["decision"] == "denied"

    async def wait(self) -> None:
        """Wait until there is a response, or the session is forgotten."""
        if self.response is None and not self.forgotten:
            self._settled = self._settled or asyncio.Event()
            await self._settled.wait()

    def wake(self) -> None:
        """Wake the waiting tasks."""
        if self._settled is not None:
            self._settled.set()


class Records:
    """Records by id and session; several sessions may use the same id (Beach protocol seed, Approval part schemas)."""

    def __init__(self) -> None:
        self._by_id: dict[str, dict[str, Record]] = {}
        # Ordered sets, by time of request and of response. A waiting record may be settled but not yet reported.
        self._waiting: dict[Record, None] = {}
        self._answered: OrderedDict[Record, None] = OrderedDict()

    def add(self, record: Record) -> None:
        """Add a record.

        Raises:
            DuplicateEntry: If its session already has this id.
        """
        sessions = self._by_id.setdefault(folded(record.approval_id), {})
        if record.session in sessions:
            raise DuplicateEntry("approvals of the session", record.approval_id)
        sessions[record.session] = record
        if record.response is None:
            self._waiting[record] = None
        else:
            self._remember(record)

    def settle(self, record: Record, response: Part) -> None:
        """Set the response of a waiting record and wake its tasks; `mark_reported` ends the waiting."""
        record.response = response
        record.wake()

    def mark_reported(self, record: Record) -> None:
        """Mark the response of a record as reported to the application."""
        if record in self._waiting:
            del self._waiting[record]
            record.request = None
            self._remember(record)

    def reopen(self, record: Record, request: Part, expires_at: datetime | None) -> None:
        """Move a restored response back to waiting, so that it is reported."""
        del self._answered[record]
        record.request, record.expires_at = request, expires_at
        self._waiting[record] = None

    def named(self, approval_id: str) -> dict[str, Record]:
        """Return the records with an id, by session."""
        return self._by_id.get(folded(approval_id), {})

    def waiting(self) -> list[Record]:
        """Return the records without a response or with an unreported one, oldest request first."""
        return list(self._waiting)

    def answered(self) -> list[Record]:
        """Return the records with a response: reported ones first, then unreported ones; latest last."""
        return [*self._answered, *(record for record in self._waiting if record.response)]

    def drop(self, session: str) -> None:
        """Forget a session; its waiting tasks wake without a response."""
        for record in [record for record in self._all() if record.session == session]:
            self._remove(record)
            record.forgotten = True
            record.wake()

    def _all(self) -> Iterator[Record]:
        yield from self._waiting
        yield from self._answered

    def _remember(self, record: Record) -> None:
        self._answered[record] = None
        if len(self._answered) > MAX_ANSWERED:
            self._remove(next(iter(self._answered)))

    def _remove(self, record: Record) -> None:
        self._waiting.pop(record, None)
        self._answered.pop(record, None)
        key = folded(record.approval_id)
        sessions = self._by_id.get(key, {})
        sessions.pop(record.session, None)
        if not sessions:
            self._by_id.pop(key, None)
