"""The turns of an agent that pulls its work as rows of a database that several processes share.

Every method is one transaction, and raises `StoreError` where the database cannot be used.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import and_, delete, func, insert, or_, select, update

from cardwright_gateway.backends.work import (
    MOST_ATTEMPTS,
    Work,
    Workers,
    read_result,
    read_told,
    turn_from_wire,
    turn_to_wire,
)
from cardwright_gateway.database.tables import QUEUE_WORKERS, QUEUED_TURNS, QUEUED_WORDS
from cardwright_gateway.errors import AgentBusy, UnknownWork

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy import ColumnElement, Connection

    from cardwright.store.database import Database
    from cardwright_gateway.backends.backend import Turn

_T: Final = QUEUED_TURNS.c
_W: Final = QUEUED_WORDS.c
_P: Final = QUEUE_WORKERS.c
# A process that has not said for so long that a turn is awaited is gone, and the turn nobody's (ours).
AWAITED_SECONDS: Final = 30.0
# What a worker tells ahead of the process that passes it on; more is refused until that has caught up (ours).
MOST_WORDS: Final = 1_000
# A process whose workers wait says so when each begins to, for 30 s at the most, and when it ends.
_WAITING_SECONDS: Final = 35.0
_FORGOTTEN_SECONDS: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Awaited:
    """How a turn is that a caller waits for.

    Attributes:
        words: What was told of it and not yet said to be passed on: number and body.
        ended: How it ended; None while it has not.
        lost: Whether the workers that were given it are all gone.
    """

    words: tuple[tuple[int, Any], ...] = ()
    ended: Any = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class QueueRows:
    """The rows of one agent.

    Attributes:
        database: The database.
        agent_id: The agent.
        clock: Seconds since 1970; the clocks of all machines are about the same.
        process: What this process is called among those that have workers.
    """

    database: Database
    agent_id: str
    clock: Callable[[], float] = time.time
    process: str = ""

    def put(self, turn: Turn, most: int) -> int:
        """Let a turn wait, and return its number.

        Raises:
            AgentBusy: If as much waits as may.
        """
        said = orjson.dumps(turn_to_wire(turn))
        now = self.clock()
        with self.database.writing() as connection:
            _clean(connection, now)
            self._check_room(connection, most, now)
            row = {
                "agent_id": self.agent_id, "attempts": 0, "told": 0, "lease_until": 0.0,
                "awaited_until": now + AWAITED_SECONDS, "said": said,
            }  # fmt: skip
            return int(connection.execute(insert(QUEUED_TURNS).values(row).returning(_T.number)).scalar_one())

    def check_room(self, most: int) -> None:
        """Return if one more turn may wait.

        Raises:
            AgentBusy: If as much waits as may.
        """
        with self.database.reading() as connection:
            self._check_room(connection, most, self.clock())

    def available(self, most: int) -> int:
        """Return how many turns can be given to workers now, of at most so many."""
        found = select(_T.number).where(self._free(self.clock())).limit(most).subquery()
        with self.database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(found)).scalar_one())

    def claim(self, lease_seconds: float) -> Work | None:
        """Give the turn that came first to a worker; None where there is none."""
        now = self.clock()
        # What another process is just giving away is passed over, and not waited for.
        first = (
            select(_T.number).where(self._free(now)).order_by(_T.number).limit(1)
            .with_for_update(skip_locked=True).scalar_subquery()
        )  # fmt: skip
        given = {
            "work_id": secrets.token_urlsafe(16),
            "attempts": _T.attempts + 1,
            "lease_until": now + lease_seconds,
        }
        taken = update(QUEUED_TURNS).where(_T.number == first).values(given)
        asked = taken.returning(_T.work_id, _T.said, _T.attempts, _T.told)
        with self.database.writing() as connection:
            row = connection.execute(asked).first()
        if row is None:
            return None
        return Work(row.work_id, turn_from_wire(orjson.loads(row.said)), row.attempts, row.told)

    def give_back(self, work: Work) -> None:
        """Let a turn wait again that its worker never got."""
        undone = {"work_id": None, "attempts": _T.attempts - 1, "lease_until": 0.0}
        with self.database.writing() as connection:
            connection.execute(update(QUEUED_TURNS).where(_T.work_id == work.id).values(undone))

    def tell(self, work_id: str, body: Any, lease_seconds: float) -> None:
        """Keep a word of a worker for the process that waits; the lease begins anew.

        Raises:
            UnknownWork: If no worker has such work now.
            BadWork: If the body is none.
            AgentBusy: If too many words wait to be passed on.
        """
        with self.database.writing() as connection:
            number = self._held(connection, work_id)
            told = read_told(body)
            values = {"lease_until": self.clock() + lease_seconds, "told": _T.told + len(told.parts)}
            if told.progressed or told.parts:
                waiting = select(func.count()).select_from(QUEUED_WORDS).where(_W.turn == number)
                if connection.execute(waiting).scalar_one() >= MOST_WORDS:
                    raise AgentBusy(self.agent_id)
                connection.execute(insert(QUEUED_WORDS).values(turn=number, said=orjson.dumps(body)))
            connection.execute(update(QUEUED_TURNS).where(_T.number == number).values(values))

    def finish(self, work_id: str, body: Any) -> None:
        """Keep how a turn ended for the process that waits.

        Raises:
            UnknownWork: If no worker has such work now.
            BadWork: If the body says no end; the worker still has the work.
        """
        with self.database.writing() as connection:
            number = self._held(connection, work_id)
            read_result(body)
            ended = {"ended": orjson.dumps(body), "work_id": None}
            connection.execute(update(QUEUED_TURNS).where(_T.number == number).values(ended))

    def look(self, passed_on: Sequence[int], awaited: Collection[int], *, say: bool) -> dict[int, Awaited]:
        """Return how the turns are that callers of this process wait for; those that are gone are not among them.

        Args:
            passed_on: The numbers of words that the callers have.
            awaited: The turns.
            say: Whether to say that they are awaited still.
        """
        now = self.clock()
        with self.database.writing() as connection:
            if say:
                still = update(QUEUED_TURNS).where(_T.number.in_(awaited))
                connection.execute(still.values(awaited_until=now + AWAITED_SECONDS))
            if passed_on:
                connection.execute(delete(QUEUED_WORDS).where(_W.number.in_(passed_on)))
            # The ends first: whatever was told before one of them is there when the words are read.
            asked = select(_T.number, _T.ended, _T.attempts, _T.work_id, _T.lease_until)
            rows = connection.execute(asked.where(_T.number.in_(awaited))).all()
            told = select(_W.number, _W.turn, _W.said).where(_W.turn.in_(awaited)).order_by(_W.number)
            words = connection.execute(told).all()
        return {
            row.number: Awaited(
                tuple((word.number, orjson.loads(word.said)) for word in words if word.turn == row.number),
                None if row.ended is None else orjson.loads(row.ended),
                row.ended is None and row.attempts >= MOST_ATTEMPTS and row.lease_until <= now,
            )
            for row in rows
        }

    def drop(self, number: int) -> None:
        """Forget a turn, and what was told of it."""
        with self.database.writing() as connection:
            connection.execute(delete(QUEUED_TURNS).where(_T.number == number))
            connection.execute(delete(QUEUED_WORDS).where(_W.turn == number))

    def seen(self, waiting: int) -> None:
        """Say that this process has seen a worker, and how many of them wait here."""
        now = self.clock()
        here = and_(_P.agent_id == self.agent_id, _P.process == self.process)
        with self.database.writing() as connection:
            told = update(QUEUE_WORKERS).where(here).values(waiting=waiting, seen_at=now)
            if not connection.execute(told).rowcount:
                row = {"agent_id": self.agent_id, "process": self.process, "waiting": waiting, "seen_at": now}
                connection.execute(insert(QUEUE_WORKERS).values(row))
                connection.execute(delete(QUEUE_WORKERS).where(_P.seen_at < now - _FORGOTTEN_SECONDS))

    def workers(self) -> Workers:
        """Return how the workers do, over all processes."""
        now = self.clock()
        asked = select(_P.waiting, _P.seen_at).where(_P.agent_id == self.agent_id)
        with self.database.reading() as connection:
            rows = connection.execute(asked).all()
        if not rows:
            return Workers(0, None)
        waiting = sum(row.waiting for row in rows if row.seen_at > now - _WAITING_SECONDS)
        return Workers(waiting, max(0.0, now - max(row.seen_at for row in rows)))

    def _free(self, now: float) -> ColumnElement[bool]:
        """Whether a turn may be given to a worker: no other has it, and somebody waits for it."""
        idle = or_(_T.work_id.is_(None), and_(_T.lease_until <= now, _T.attempts < MOST_ATTEMPTS))
        return and_(_T.agent_id == self.agent_id, _T.ended.is_(None), idle, _T.awaited_until > now)

    def _check_room(self, connection: Connection, most: int, now: float) -> None:
        waiting = select(func.count()).select_from(QUEUED_TURNS).where(self._free(now))
        if connection.execute(waiting).scalar_one() >= most:
            raise AgentBusy(self.agent_id)

    def _held(self, connection: Connection, work_id: str) -> int:
        """Return the number of the turn that a worker has, which nobody changes before it is told of."""
        asked = select(_T.number, _T.lease_until).where(_T.agent_id == self.agent_id, _T.work_id == work_id)
        row = connection.execute(asked.with_for_update()).first()
        if row is None or row.lease_until <= self.clock():
            raise UnknownWork
        return int(row.number)


def _clean(connection: Connection, now: float) -> None:
    """Forget the turns that a process waited for that is gone."""
    gone = delete(QUEUED_TURNS).where(_T.awaited_until <= now).returning(_T.number)
    numbers = connection.execute(gone).scalars().all()
    if numbers:
        connection.execute(delete(QUEUED_WORDS).where(_W.turn.in_(numbers)))
