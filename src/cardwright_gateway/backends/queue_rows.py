"""Rows of the work queue in the database, which several gateway processes may share.

Every method is one transaction, and raises `StoreError` if the database is unavailable.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import and_, delete, func, insert, or_, select, update

from cardwright_gateway.a2a.task_size import Content, report_content
from cardwright_gateway.backends.work import (
    MAX_ATTEMPTS,
    Work,
    Workers,
    check_reported,
    read_result,
    read_update,
    turn_from_wire,
    turn_to_wire,
)
from cardwright_gateway.database.tables import QUEUE_WORKERS, QUEUED_TURNS, QUEUED_WORDS
from cardwright_gateway.errors import AgentBusy, AgentOffline, TasksFull, UnknownWork

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from sqlalchemy import ColumnElement, Connection

    from cardwright.store.database import Database
    from cardwright_gateway.backends.backend import ReportLimit, Turn

_T: Final = QUEUED_TURNS.c
_U: Final = QUEUED_WORDS.c
_K: Final = QUEUE_WORKERS.c
# A process that has not extended `awaited_until` for so long is gone: its turn is discarded (project decision).
AWAITED_SECONDS: Final = 30.0
# Maximum number of updates of a turn that wait to be passed on; more are rejected (project decision).
MAX_UPDATES: Final = 1_000
# A process stores its waiting workers soon after their number changes; each waits at most 30 s.
_WAITING_SECONDS: Final = 35.0
_FORGOTTEN_SECONDS: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Awaited:
    """The state of a turn that a caller waits for.

    Attributes:
        updates: The updates that were not yet passed on: number and body.
        ended: The result as JSON; None until then.
        lost: Whether all workers that took it are gone.
    """

    updates: tuple[tuple[int, Any], ...] = ()
    ended: Any = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class QueueRows:
    """The queue rows of one agent.

    Attributes:
        database: The database.
        agent_id: The agent.
        clock: Seconds since 1970; the clocks of all machines must agree roughly.
        process: The id of this process in the table of workers.
    """

    database: Database
    agent_id: str
    clock: Callable[[], float] = time.time
    process: str = ""

    def put(self, turn: Turn, limit: int) -> int:
        """Add a turn to the queue, and return its number.

        Raises:
            AgentBusy: If `limit` turns wait.
        """
        body = orjson.dumps(turn_to_wire(turn))
        now = self.clock()
        with self.database.writing() as connection:
            _clean(connection, now)
            self._check_room(connection, limit, now)
            row = {
                "agent_id": self.agent_id, "attempts": 0, "reported": 0, "reported_bytes": 0, "lease_until": 0.0,
                "task_id": turn.task_id,
                "awaited_until": now + AWAITED_SECONDS, "body": body,
            }  # fmt: skip
            return int(connection.execute(insert(QUEUED_TURNS).values(row).returning(_T.number)).scalar_one())

    def check_ready(self, limit: int, *, waits: bool) -> None:
        """Check that one more turn may wait, and that a worker is online, unless the turn `waits` for one.

        Raises:
            AgentOffline: If no worker polled for work or reported on it within two long polls.
            AgentBusy: If `limit` turns wait.
        """
        now = self.clock()
        with self.database.reading() as connection:
            if not waits and not self._workers(connection, now).online:
                raise AgentOffline(self.agent_id)
            self._check_room(connection, limit, now)

    def available(self, limit: int) -> int:
        """Return how many turns are ready for a worker, counting at most `limit`."""
        ready = select(_T.number).where(self._ready(self.clock())).limit(limit).subquery()
        with self.database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(ready)).scalar_one())

    def claim(self, lease_seconds: float) -> Work | None:
        """Lease the oldest ready turn to a worker; return None if no turn is ready."""
        now = self.clock()
        # Skip a row that another process is leasing now, instead of waiting for it.
        oldest = (
            select(_T.number).where(self._ready(now)).order_by(_T.number).limit(1)
            .with_for_update(skip_locked=True).scalar_subquery()
        )  # fmt: skip
        values = {
            "work_id": secrets.token_urlsafe(16),
            "attempts": _T.attempts + 1,
            "lease_until": now + lease_seconds,
        }
        leased = update(QUEUED_TURNS).where(_T.number == oldest).values(values)
        returning = leased.returning(
            _T.work_id, _T.body.label("body"), _T.attempts, _T.reported.label("reported")
        )
        with self.database.writing() as connection:
            row = connection.execute(returning).first()
        if row is None:
            return None
        return Work(row.work_id, turn_from_wire(orjson.loads(row.body)), row.attempts, row.reported)

    def give_back(self, work: Work) -> None:
        """Requeue a turn that never reached its worker."""
        values = {"work_id": None, "attempts": _T.attempts - 1, "lease_until": 0.0}
        with self.database.writing() as connection:
            connection.execute(update(QUEUED_TURNS).where(_T.work_id == work.id).values(values))

    def check_held(self, work_id: str) -> None:
        """Check that a worker holds a turn, without a lock.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
        """
        query = select(_T.lease_until).where(_T.agent_id == self.agent_id, _T.work_id == work_id)
        with self.database.reading() as connection:
            lease_until = connection.execute(query).scalar()
        if lease_until is None or lease_until <= self.clock():
            raise UnknownWork

    def report(self, work_id: str, body: Any, lease_seconds: float, limit: ReportLimit | None = None) -> None:
        """Store a worker's update for the process that waits, and renew the lease.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
            BadWork: If the body is not valid.
            AgentBusy: If too many updates wait to be passed on.
            TasksFull: If the task would become too large; the turn has failed then.
        """
        encoded = orjson.dumps(body)
        with self.database.writing() as connection:
            held = self._held(connection, work_id)
            parsed = read_update(body)
            content = report_content(body, encoded)
            full = _refusal(connection, limit, held, content)
            if full is not None:
                _end_full(connection, held.number, full)
            else:
                if parsed.progressed or parsed.parts:
                    self._add_update(connection, held.number, encoded)
                values = {
                    "lease_until": self.clock() + lease_seconds,
                    "reported": _T.reported + len(parsed.parts),
                    "reported_bytes": _T.reported_bytes + content.size,
                    "reported_values": _T.reported_values + content.values,
                    "reported_text": _T.reported_text + content.text,
                }
                connection.execute(update(QUEUED_TURNS).where(_T.number == held.number).values(values))
        if full is not None:
            raise full

    def finish(self, work_id: str, body: Any, limit: ReportLimit | None = None) -> None:
        """Store the result of a turn for the process that waits.

        Raises:
            UnknownWork: If no worker holds a lease with this id.
            BadWork: If the body is not a valid result; the worker keeps the lease.
            TasksFull: If the task would become too large; the turn has failed then.
        """
        encoded = orjson.dumps(body)
        with self.database.writing() as connection:
            held = self._held(connection, work_id)
            read_result(body)
            full = _refusal(connection, limit, held, report_content(body, encoded))
            if full is not None:
                _end_full(connection, held.number, full)
            else:
                _end(connection, held.number, encoded)
        if full is not None:
            raise full

    def look(self, passed_on: Sequence[int], awaited: Collection[int], *, extend: bool) -> dict[int, Awaited]:
        """Return the state of the turns that callers of this process wait for, without those that were deleted.

        Args:
            passed_on: The numbers of the updates that were passed on; they are deleted.
            awaited: The numbers of the turns.
            extend: Whether to extend `awaited_until`.
        """
        now = self.clock()
        with self.database.writing() as connection:
            if extend:
                extended = update(QUEUED_TURNS).where(_T.number.in_(awaited))
                connection.execute(extended.values(awaited_until=now + AWAITED_SECONDS))
            if passed_on:
                connection.execute(delete(QUEUED_WORDS).where(_U.number.in_(passed_on)))
            # Read the turns first: then the updates that came before a result are all read below.
            turns = select(_T.number, _T.ended, _T.attempts, _T.work_id, _T.lease_until)
            rows = connection.execute(turns.where(_T.number.in_(awaited))).all()
            updates = (
                select(_U.number, _U.turn, _U.body.label("body"))
                .where(_U.turn.in_(awaited))
                .order_by(_U.number)
            )
            update_rows = connection.execute(updates).all()
        return {
            row.number: Awaited(
                tuple(
                    (entry.number, orjson.loads(entry.body))
                    for entry in update_rows
                    if entry.turn == row.number
                ),
                None if row.ended is None else orjson.loads(row.ended),
                row.ended is None and row.attempts >= MAX_ATTEMPTS and row.lease_until <= now,
            )
            for row in rows
        }

    def drop(self, number: int) -> None:
        """Delete a turn and its updates."""
        with self.database.writing() as connection:
            connection.execute(delete(QUEUED_TURNS).where(_T.number == number))
            connection.execute(delete(QUEUED_WORDS).where(_U.turn == number))

    def seen(self, waiting: int) -> None:
        """Store that this process has seen a worker now, and how many wait here."""
        now = self.clock()
        here = and_(_K.agent_id == self.agent_id, _K.process == self.process)
        with self.database.writing() as connection:
            updated = update(QUEUE_WORKERS).where(here).values(waiting=waiting, seen_at=now)
            if not connection.execute(updated).rowcount:
                row = {"agent_id": self.agent_id, "process": self.process, "waiting": waiting, "seen_at": now}
                connection.execute(insert(QUEUE_WORKERS).values(row))
                connection.execute(delete(QUEUE_WORKERS).where(_K.seen_at < now - _FORGOTTEN_SECONDS))

    def workers(self) -> Workers:
        """Return the state of the agent's workers, over all processes."""
        with self.database.reading() as connection:
            return self._workers(connection, self.clock())

    def _workers(self, connection: Connection, now: float) -> Workers:
        query = select(_K.waiting, _K.seen_at).where(_K.agent_id == self.agent_id)
        rows = connection.execute(query).all()
        if not rows:
            return Workers(0, None)
        waiting = sum(row.waiting for row in rows if row.seen_at > now - _WAITING_SECONDS)
        return Workers(waiting, max(0.0, now - max(row.seen_at for row in rows)))

    def _ready(self, now: float) -> ColumnElement[bool]:
        """Return the condition for a turn that is ready: no worker holds a lease on it, and a caller waits."""
        idle = or_(_T.work_id.is_(None), and_(_T.lease_until <= now, _T.attempts < MAX_ATTEMPTS))
        return and_(_T.agent_id == self.agent_id, _T.ended.is_(None), idle, _T.awaited_until > now)

    def _check_room(self, connection: Connection, limit: int, now: float) -> None:
        waiting = select(func.count()).select_from(QUEUED_TURNS).where(self._ready(now))
        if connection.execute(waiting).scalar_one() >= limit:
            raise AgentBusy(self.agent_id)

    def _add_update(self, connection: Connection, number: int, body: bytes) -> None:
        waiting = select(func.count()).select_from(QUEUED_WORDS).where(_U.turn == number)
        if connection.execute(waiting).scalar_one() >= MAX_UPDATES:
            raise AgentBusy(self.agent_id)
        connection.execute(insert(QUEUED_WORDS).values(turn=number, body=body))

    def _held(self, connection: Connection, work_id: str) -> Any:
        """Return the row of the turn that a worker holds, locked, without the bodies."""
        reported = _T.reported_bytes, _T.reported_values, _T.reported_text
        query = select(_T.number, _T.task_id, *reported, _T.lease_until)
        query = query.where(_T.agent_id == self.agent_id, _T.work_id == work_id)
        row = connection.execute(query.with_for_update()).first()
        if row is None or row.lease_until <= self.clock():
            raise UnknownWork
        return row


def _refusal(
    connection: Connection, limit: ReportLimit | None, held: Any, report: Content
) -> TasksFull | None:
    """Return why a report of a size may not be added to the task of a turn."""
    reported = Content(held.reported_bytes, held.reported_values, held.reported_text) + report
    try:
        check_reported(reported)
        if limit is not None:
            limit.check_report(held.task_id, report, reported, connection)
    except TasksFull as full:
        return full
    return None


def _end_full(connection: Connection, number: int, full: TasksFull) -> None:
    """Fail a turn whose task would become too large."""
    _end(connection, number, orjson.dumps({"state": "failed", "message": str(full)}))


def _end(connection: Connection, number: int, result: bytes) -> None:
    ended = update(QUEUED_TURNS).where(_T.number == number)
    connection.execute(ended.values(ended=result, work_id=None))


def _clean(connection: Connection, now: float) -> None:
    """Delete the turns whose waiting process is gone."""
    deleted = delete(QUEUED_TURNS).where(_T.awaited_until <= now).returning(_T.number)
    numbers = connection.execute(deleted).scalars().all()
    if numbers:
        connection.execute(delete(QUEUED_WORDS).where(_U.turn.in_(numbers)))
