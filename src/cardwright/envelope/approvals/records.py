"""What a ledger holds: requests that wait, and the latest answers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.envelope.approvals.tokens import folded
from cardwright.errors import DuplicateEntry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from cardwright.envelope.parts import Part

# How many answers are remembered, so that a second one is told from a late one (ours).
REMEMBERED: Final = 10_000


@dataclass(slots=True, eq=False)
class Record:
    """One request: what was asked, till when, and what was answered.

    Attributes:
        approval_id: As it was issued.
        session: Where it was asked.
        request: The part; None once it is answered.
        expires_at: When no answer means no; None if never.
        answer: The part, once there is one.
        expired: Whether nobody gave that answer.
        forgotten: Whether its session was forgotten.
    """

    approval_id: str
    session: str
    request: Part | None
    expires_at: datetime | None = None
    answer: Part | None = None
    expired: bool = False
    forgotten: bool = False
    # Made when the first one waits: thousands of answers are held, and few of them were waited for.
    _settled: asyncio.Event | None = None

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
        # In the order of asking and of answering; values are not used.
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

    def settle(self, record: Record, answer: Part, *, expired: bool) -> None:
        """Note the answer of a record that waits, and wake who waits for it."""
        record.request, record.answer, record.expired = None, answer, expired
        self._waiting.pop(record, None)
        self._remember(record)
        record.wake()

    def named(self, approval_id: str) -> dict[str, Record]:
        """Return the records of an id, by session."""
        return self._by_id.get(folded(approval_id), {})

    def waiting(self) -> list[Record]:
        """Return what waits, in the order of asking."""
        return list(self._waiting)

    def answered(self) -> list[Record]:
        """Return what was answered, the latest last."""
        return list(self._answered)

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
