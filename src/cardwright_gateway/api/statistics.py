"""Statistics of tasks, deliveries and replicas in the database, with a limit on how often they are counted."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select

from cardwright.errors import StoreError
from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS, REPLICAS, TASKS
from cardwright_gateway.settings.config import LOST_SECONDS
from cardwright_gateway.telemetry.metrics import Counted, Replica
from cardwright_gateway.webhooks.rows import DEAD, WAITING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from cardwright.store.database import Database

_HOUR: Final = 3600.0
_DAY: Final = 86_400.0
# The maximum wait for the counts (project decision).
_TIMEOUT_SECONDS: Final = 2.0
# Counting takes at most one twentieth of the time, however large the tables are (project decision).
_PAUSE_FACTOR: Final = 20.0
# The maximum number of listed replicas (project decision).
_MAX_REPLICAS: Final = 100
_STATE: Final = "TASK_STATE_"
_UNREADABLE: Final = "unreadable"


class Statistics:
    """The counts in the database; at most one query runs at a time.

    Args:
        database: The database.
        lost_seconds: After how long without a heartbeat a replica counts as lost.
        clock: A monotonic clock, in seconds.
        wall: Seconds since 1970.
        timeout_seconds: How long to wait for a query.
    """

    def __init__(
        self,
        database: Database,
        *,
        lost_seconds: float = LOST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        timeout_seconds: float = _TIMEOUT_SECONDS,
    ) -> None:
        self._database = database
        self._timeout_seconds = timeout_seconds
        self._lost_seconds = lost_seconds
        self._clock = clock
        self._wall = wall
        self._last: Counted | None = None
        self._at = float("-inf")
        self._rest_until = float("-inf")
        self._counting: asyncio.Task[None] | None = None

    async def now(self, max_age_seconds: float = 1.0) -> Counted | None:
        """Return the counts, not much older than the maximum age; None if the database is unavailable."""
        if self._clock() < max(self._at + max_age_seconds, self._rest_until):
            return self._last
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count_again())
        done, _ = await asyncio.wait({self._counting}, timeout=self._timeout_seconds)
        return self._last if done else None

    async def close(self) -> None:
        """Wait until a running query has ended."""
        if self._counting is not None:
            await asyncio.wait({self._counting})

    async def _count_again(self) -> None:
        began = self._clock()
        try:
            self._last = await asyncio.to_thread(self._read)
        except StoreError:
            self._last = None
        self._at = self._clock()
        self._rest_until = self._at + _PAUSE_FACTOR * (self._at - began)

    def _read(self) -> Counted:
        with self._database.reading() as connection:
            return _counted(connection, self._wall(), self._lost_seconds)


def _counted(connection: Connection, now: float, lost_seconds: float) -> Counted:
    tasks = select(TASKS.c.state, func.count()).group_by(TASKS.c.state)
    events = (
        select(EVENTS.c.state, EVENTS.c.unreadable, func.count())
        .where(EVENTS.c.state.in_((WAITING, DEAD)))
        .group_by(EVENTS.c.state, EVENTS.c.unreadable)
    )
    attempts = (
        select(DELIVERIES.c.outcome, func.count())
        .where(DELIVERIES.c.started_at >= now - _HOUR)
        .group_by(DELIVERIES.c.outcome)
    )
    endpoints = connection.execute(
        select(func.count(ENDPOINTS.c.failing_since), func.count(ENDPOINTS.c.disabled_at))
    ).one()
    living = select(func.count()).where(REPLICAS.c.seen_at >= now - lost_seconds)
    seen = (
        select(REPLICAS.c.id, REPLICAS.c.started_at, REPLICAS.c.seen_at)
        .where(func.abs(REPLICAS.c.seen_at) >= now - _DAY)
        # A negative time marks a replica that has shut down.
        .order_by(REPLICAS.c.seen_at.desc())
        .limit(_MAX_REPLICAS)
    )
    by_state = {WAITING: 0, _UNREADABLE: 0, DEAD: 0}
    for row in connection.execute(events):
        by_state[_UNREADABLE if row[0] == WAITING and row[1] else row[0]] += row[2]
    return Counted(
        tasks={row[0].removeprefix(_STATE).lower(): row[1] for row in connection.execute(tasks)},
        events=by_state,
        endpoints={"failing": endpoints[0], "disabled": endpoints[1]},
        attempts={row[0]: row[1] for row in connection.execute(attempts)},
        replicas=tuple(
            Replica(row[0], now - row[1], now - abs(row[2]), row[2] >= now - lost_seconds)
            for row in connection.execute(seen)
        ),
        alive=connection.execute(living).scalar_one(),
    )
