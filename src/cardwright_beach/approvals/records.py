"""What a ledger holds: requests that wait, and the latest answers."""

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

# How many answers are remembered, so that a second one is told from a late one (ours).
REMEMBERED: Final = 10_000
# Who decided when nobody did (ours).
EXPIRY: Final = "expiry"


@dataclass(slots=True, eq=False)
class Record:
    """One request: what was asked, till when, and what was answered.

    Attributes:
        approval_id: As it was issued.
        session: Where it was asked.
        request: The part, of the ledger's own; None once whoever asked is told the answer.
        expires_at: When no answer means no; None if never.
        answer: The part, of the ledger's own, once there is one.
        forgotten: Whether its session was forgotten.
    """

    approval_id: str
    session: str
    request: Part | None
    expires_at: datetime | None = None
    answer: Part | None = None
    forgotten: bool = False
    # Made when the first one waits: thousands of answers are held, and few of them were waited for.
    _settled: asyncio.Event | None = None

    @property
    def expired(self) -> bool:
        """Whether nobody gave the answer; read from the answer, which is all that outlives a restart."""
        said = {} if self.answer is None else self.answer.data
        return said.get("decidedBy") == EXPIRY and said["decision"] == "denied"

    async def wait(self) -> None:
        """Wait until there is an answer, or the session is forgotten."""
        if self.answer is None and not self.forgotten:
            self._settled = self._settled or asyncio.Event()
            await self._settled.wait()

    def wake(self) -> None:
        """Wake whoever waits."""
        if self._settled is not None:
            self._settled.set()


class Records:
    """Records by id and session; an id may be that of several sessions (Beach protocol seed, Approval part schemas)."""

    def __init__(self) -> None:
        self._by_id: dict[str, dict[str, Record]] = {}
        # In the order of asking and of answering; values are not used. What waits may be settled, and only to be told.
        self._waiting: dict[Record, None] = {}
        self._answered: OrderedDict[Record, None] = OrderedDict()

    def add(self, record: Record) -> None:
        """Take in a record.

        Raises:
            DuplicateEntry: If its session has that id.
        """
        sessions = self._by_id.setdefault(folded(record.approval_id), {})
        if record.session in sessions:
            raise DuplicateEntry("approvals of the session", record.approval_id)
        sessions[record.session] = record
        if record.answer is None:
            self._waiting[record] = None
        else:
            self._remember(record)

    def settle(self, record: Record, answer: Part) -> None:
        """Note the answer of a record that waits, and wake who waits for it; `told` ends the waiting."""
        record.answer = answer
        record.wake()

    def told(self, record: Record) -> None:
        """Note that whoever asked knows the answer of a record."""
        if record in self._waiting:
            del self._waiting[record]
            record.request = None
            self._remember(record)

    def untold(self, record: Record, request: Part, expires_at: datetime | None) -> None:
        """Let an answer that was restored be told, since its request still waits."""
        del self._answered[record]
        record.request, record.expires_at = request, expires_at
        self._waiting[record] = None

    def named(self, approval_id: str) -> dict[str, Record]:
        """Return the records of an id, by session."""
        return self._by_id.get(folded(approval_id), {})

    def waiting(self) -> list[Record]:
        """Return what waits to be answered, or for its answer to be told, in the order of asking."""
        return list(self._waiting)

    def answered(self) -> list[Record]:
        """Return what was answered, what is told first, and of that the latest last."""
        return [*self._answered, *(one for one in self._waiting if one.answer)]

    def drop(self, session: str) -> None:
        """Forget a session; who waits there is woken without an answer."""
        for record in [one for one in self._all() if one.session == session]:
            self._remove(record)
            record.forgotten = True
            record.wake()

    def _all(self) -> Iterator[Record]:
        yield from self._waiting
        yield from self._answered

    def _remember(self, record: Record) -> None:
        self._answered[record] = None
        if len(self._answered) > REMEMBERED:
            self._remove(next(iter(self._answered)))

    def _remove(self, record: Record) -> None:
        self._waiting.pop(record, None)
        self._answered.pop(record, None)
        key = folded(record.approval_id)
        sessions = self._by_id.get(key, {})
        sessions.pop(record.session, None)
        if not sessions:
            self._by_id.pop(key, None)
