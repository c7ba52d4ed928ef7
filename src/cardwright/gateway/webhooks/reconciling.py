"""What a process that was killed left undone, done by one that lives: every few seconds, and at the start."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError
from cardwright.gateway.webhooks.attempts import attempt_key, is_redelivery
from cardwright.gateway.webhooks.events import INTERRUPTED, TERMINAL, TOLD, Told, event_id, partition_of
from cardwright.gateway.webhooks.records import SCHEDULE
from cardwright.store.faults import translated
from cardwright.store.tables import PUSH_CONFIGS, TASKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.gateway.replicas import Replicas
    from cardwright.gateway.webhooks.durable import Durable
    from cardwright.gateway.webhooks.ledger import Ledger
    from cardwright.gateway.webhooks.records import Event
    from cardwright.gateway.webhooks.sender import Sender

LOG: Final = logging.getLogger("cardwright.gateway.webhooks")
_PAGE: Final = 500
# How many are looked at in one round, so that a round has an end (ours).
_MOST_OVERDUE: Final = 2_000
# How far back tasks are looked at after the first round: more than the longest wait for a lock, by far.
_LOOK_BACK: Final = timedelta(hours=1)
# DBOS's own rows are of no use once ours say how it ended.
_FORGET_SECONDS: Final = 3600.0
_FIRST: Final = (-1.0, "")


class Reconciling:
    """One round of it does nothing twice: all that it tells and enqueues has ids.

    Args:
        engine: The database with the tasks.
        ledger: The events.
        sender: What accepts them.
        durable: What delivers them.
        replicas: Who is alive, and whose turn it is.
        clock: Seconds since 1970.
        lost_seconds: After how long without a heartbeat a process is gone.
        overdue_seconds: How long an event may be due before somebody looks whether it is enqueued.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        ledger: Ledger,
        sender: Sender,
        durable: Durable,
        replicas: Replicas,
        *,
        clock: Callable[[], float],
        lost_seconds: float,
        overdue_seconds: float,
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._sender = sender
        self._durable = durable
        self._replicas = replicas
        self._clock = clock
        self._lost_seconds = lost_seconds
        self._overdue_seconds = overdue_seconds
        self._first = True
        self._after = _FIRST

    async def round(self) -> None:
        """Mend what is to be mended, if it is this process's turn.

        Raises:
            StoreError: If the database cannot be used now.
        """
        if not await self._replicas.leads(self._lost_seconds):
            return
        alive = await self._replicas.alive(self._lost_seconds)
        taken = await self._durable.take_over(alive)
        if taken:
            LOG.warning("took over %d deliveries of processes that are gone", taken)
        await self._tell()
        await self._enqueue()
        before = datetime.fromtimestamp(self._clock() - _FORGET_SECONDS, UTC)
        await self._durable.forget(before.isoformat())
        self._first = False

    async def _tell(self) -> None:
        """Accept the events of tasks whose process ended between their row and the event's."""
        last = ("", "")
        while True:
            rows = await self._page(last)
            if not rows:
                return
            last = (rows[-1][0], rows[-1][1])
            for task_id, configs in (await self._wanted(rows)).items():
                try:
                    await self._tell_one(task_id, configs)
                except (CardError, SQLAlchemyError):
                    raise
                except Exception as error:  # noqa: BLE001 - a task that cannot be read keeps no other from being told
                    LOG.warning("the task %s cannot be told: %s", task_id, type(error).__name__)

    async def _page(self, last: tuple[str, str]) -> list[tuple[str, str, str]]:
        configs, tasks = PUSH_CONFIGS.c, TASKS.c
        asked = (
            select(configs.task_id, configs.config_id, tasks.state)
            .join(TASKS, tasks.id == configs.task_id)
            .where(tasks.state.in_(TOLD), tuple_(configs.task_id, configs.config_id) > last)
            .order_by(configs.task_id, configs.config_id)
            .limit(_PAGE)
        )
        if not self._first:
            since = datetime.fromtimestamp(self._clock(), UTC).replace(tzinfo=None) - _LOOK_BACK
            asked = asked.where(tasks.last_updated.is_(None) | (tasks.last_updated > since))
        with translated("the database of tasks"):
            async with self._engine.connect() as connection:
                return [(row[0], row[1], row[2]) for row in (await connection.execute(asked)).all()]

    async def _wanted(self, rows: list[tuple[str, str, str]]) -> dict[str, set[str]]:
        """Return the tasks of which some event may not be there, with the configurations it is for."""
        from a2a.types.a2a_pb2 import Task

        ended = {
            event_id(Told(Task(id=task_id), state, ""), config_id): (task_id, config_id)
            for task_id, config_id, state in rows
            if state in TERMINAL
        }
        known = await self._ledger.known(ended)
        wanted: dict[str, set[str]] = {}
        for key, (task_id, config_id) in ended.items():
            if key not in known:
                wanted.setdefault(task_id, set()).add(config_id)
        for task_id, config_id, state in rows:
            # Which interruption it is stands in the task itself; few are interrupted at a time.
            if state in INTERRUPTED:
                wanted.setdefault(task_id, set()).add(config_id)
        return wanted

    async def _tell_one(self, task_id: str, configs: set[str]) -> None:
        told = await self._sender.told(task_id)
        if told is None or told.state not in TOLD:
            return
        ids = {event_id(told, config_id): config_id for config_id in configs}
        there = await self._ledger.known(ids)
        missing = frozenset(config_id for key, config_id in ids.items() if key not in there)
        count = await self._sender.accept(told, missing) if missing else 0
        if count:
            # Often their own process was about to.
            LOG.info("accepted %d events that nobody had told", count)

    async def _enqueue(self) -> None:
        """Enqueue events that wait and are not in the queue, though they are due for long."""
        before = self._clock() - (0.0 if self._first else self._overdue_seconds)
        looked = 0
        while looked < _MOST_OVERDUE:
            overdue = await self._ledger.overdue(before, self._after, _PAGE)
            if not overdue:
                # The next round begins with the oldest again.
                self._after = _FIRST
                return
            self._after = (overdue[-1].next_at or 0.0, overdue[-1].id)
            looked += len(overdue)
            waiting, ended = await self._durable.queued([f"{one.id}:" for one in overdue])
            # What an owner has sent again beside the schedule does not go on with it.
            there = {key.partition(":")[0] for key in waiting if not is_redelivery(key)}
            for event in overdue:
                if event.id not in there:
                    await self._enqueue_one(event, ended)

    async def _enqueue_one(self, event: Event, ended: set[str]) -> None:
        number = event.attempts + 1
        key = attempt_key(event.id, number)
        if key in ended:
            # What had that key came to an end without the event, as when the disk was full: a key of its own.
            key = f"{key}:{int(self._clock() * 1000)}"
        await self._durable.enqueue(
            (event.id, number, SCHEDULE, ""), partition=partition_of(event.endpoint), key=key
        )
