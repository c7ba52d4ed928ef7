"""The rows of webhooks: events, attempts, receivers and secrets, each change one transaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import and_, case, delete, exists, insert, not_, or_, select, update

from cardwright_gateway.database.audit import record
from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS, PUSH_CONFIGS, TASKS, WEBHOOKS
from cardwright_gateway.webhooks.claims import claim, outlook, release
from cardwright_gateway.webhooks.results import finish, insert_new
from cardwright_gateway.webhooks.rows import (
    DELIVERED,
    DROPPED,
    REDELIVERY,
    UNKNOWN,
    WAITING,
    Delivery,
    Endpoint,
    Event,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from sqlalchemy import Connection

    from cardwright.store.database import Database
    from cardwright_gateway.webhooks.claims import ClaimRequest, Claims, Outlook
    from cardwright_gateway.webhooks.results import Ending

_E: Final = EVENTS.c
_D: Final = DELIVERIES.c
_W: Final = WEBHOOKS.c
_P: Final = ENDPOINTS.c
# All of an event but its body, which few ask for.
_SHOWN: Final = tuple(_E[name] for name in Event.__slots__)
_CHUNK: Final = 500
_T = TypeVar("_T")


class Outbox:
    """The tables, read and written in threads, since their driver blocks.

    A row of an event is the one record of what is to be delivered: it is written in the transaction that ends its
    task, and claimed until it has ended.

    Args:
        database: The store.
        replica: The id of this process: it changes only events that it has leased.
    """

    def __init__(self, database: Database, replica: str) -> None:
        self._database = database
        self._replica = replica

    async def outlook(self) -> Outlook:
        """Return what there is to do."""
        return await self._reading(outlook, self._replica)

    async def claim(self, request: ClaimRequest) -> Claims:
        """Lease due events to this process."""
        return await self._writing(claim, request)

    async def release(self, ids: Collection[str], at: float) -> None:
        """Give leased events back; those that have something to be delivered are due at a time."""
        await self._writing(release, self._replica, ids, at)

    async def event(self, event_id: str) -> tuple[Event, bytes] | None:
        """Return an event and its body."""
        return await self._reading(_event, event_id)

    async def endpoint(self, endpoint: str) -> Endpoint:
        """Return how a receiver does."""
        return await self._reading(_endpoint, endpoint)

    async def begin(self, delivery: Delivery) -> None:
        """Write that an attempt begins."""
        await self._writing(_begin, delivery)

    async def finish(self, ending: Ending) -> float | None:
        """Write how an attempt ended, and return when the next one is due, if there is one."""
        return await self._writing(finish, ending, self._replica)

    async def postpone(self, event_id: str, number: int, until: float, *, unreadable: bool = False) -> None:
        """Put an attempt off, since its receiver is slow or cannot be read; it counts as none."""
        changed = update(EVENTS).where(
            _E.id == event_id,
            _E.state == WAITING,
            _E.attempts < number,
            _E.lease_owner == self._replica,
        )
        # A redelivery that was asked for meanwhile waits for no slow receiver.
        due = case((_E.redelivery.is_not(None), _E.created_at), else_=until)
        values = {"next_at": until, "unreadable": unreadable, "due_at": due, "lease_owner": None}
        await self._writing(_run, changed.values(**values))

    async def drop(self, event_id: str, now: float) -> None:
        """Give an event up before its schedule's end; a redelivery that was asked for is still made."""
        await self._writing(_drop, event_id, now)

    async def abandon(self, event_id: str, now: float) -> None:
        """Give an event up for good: its receiver is there no more."""
        await self._writing(_abandon, event_id, now)

    async def redeliver(self, event_id: str, delivery_id: str, now: float, change: Mapping[str, Any]) -> bool:
        """Have an event delivered again at once, and write that into the audit, in one transaction.

        Returns:
            Whether this redelivery is under way; False where another one of the event is.
        """
        return await self._writing(_redeliver, event_id, delivery_id, now, change)

    async def deliveries(
        self, agent_id: str, task_id: str, config_id: str, limit: int, before: str | None
    ) -> list[Delivery]:
        """Return the attempts of a configuration, newest first, after one of them."""
        return await self._reading(_deliveries, agent_id, task_id, config_id, limit, before)

    async def delivery(self, delivery_id: str) -> Delivery | None:
        """Return one attempt."""
        return await self._reading(_delivery, delivery_id)

    async def keep_secrets(self, row: dict[str, Any], also: Callable[[Connection], None]) -> None:
        """Keep what is encrypted already, and do something else in the same transaction."""
        await self._writing(_keep_secrets, row, also)

    async def secrets(self, task_id: str) -> dict[str, bytes | None]:
        """Return what is kept for a task, still encrypted, by configuration."""
        return await self._reading(_secrets, task_id)

    async def agent_of(self, task_id: str) -> str | None:
        """Return whose the task of some configuration is."""
        return await self._reading(_agent_of, task_id)

    async def forget_secrets(self, task_id: str, owner: str, config_id: str | None) -> None:
        """Forget the secrets of one configuration, or of all of an owner's for a task."""
        gone = delete(WEBHOOKS).where(_W.task_id == task_id, _W.owner == owner)
        await self._writing(_run, gone if config_id is None else gone.where(_W.config_id == config_id))

    async def purge(self, before: float, limit: int) -> int:
        """Forget events that ended before some time, and what is of no use without them; return how many there were."""
        ids = await self._reading(_ended, before, limit)
        chunks = [ids[at : at + _CHUNK] for at in range(0, len(ids), _CHUNK)]
        return sum([await self._writing(_forget, before, chunk) for chunk in chunks])

    async def _reading(self, do: Callable[..., _T], *args: Any) -> _T:
        def work() -> _T:
            with self._database.reading() as connection:
                return do(connection, *args)

        return await asyncio.to_thread(work)

    async def _writing(self, do: Callable[..., _T], *args: Any) -> _T:
        def work() -> _T:
            with self._database.writing() as connection:
                return do(connection, *args)

        return await asyncio.to_thread(work)


def accept(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Keep events that are not there yet, dropped where their receiver is disabled."""
    asked = select(_P.id).where(_P.id.in_({row["endpoint"] for row in rows}), _P.disabled_at.is_not(None))
    disabled = set(connection.execute(asked).scalars())
    for row in rows:
        closed = row["endpoint"] in disabled
        ended = {"state": DROPPED, "next_at": None, "due_at": None, "ended_at": row["created_at"]}
        insert_new(connection, EVENTS, {**row, **(ended if closed else {})})


def _drop(connection: Connection, event_id: str, now: float) -> None:
    _give_up(connection, event_id, now)
    due = case((_E.redelivery.is_not(None), now), else_=None)
    connection.execute(update(EVENTS).where(_E.id == event_id).values(due_at=due, lease_owner=None))


def _abandon(connection: Connection, event_id: str, now: float) -> None:
    _give_up(connection, event_id, now)
    nothing = {"due_at": None, "lease_owner": None, "redelivery": None}
    connection.execute(update(EVENTS).where(_E.id == event_id).values(**nothing))


def _give_up(connection: Connection, event_id: str, now: float) -> None:
    changed = update(EVENTS).where(_E.id == event_id, _E.state == WAITING)
    connection.execute(changed.values(state=DROPPED, next_at=None, ended_at=now))


def _redeliver(
    connection: Connection, event_id: str, delivery_id: str, now: float, change: Mapping[str, Any]
) -> bool:
    # While an attempt is under way, its end makes the row due.
    due = case((_E.lease_owner.is_not(None), _E.due_at), else_=now)
    free = update(EVENTS).where(_E.id == event_id, _E.redelivery.is_(None), _E.state != DELIVERED)
    if connection.execute(free.values(redelivery=delivery_id, due_at=due)).rowcount:
        record(connection, **change)
        return True
    asked = select(_E.redelivery).where(_E.id == event_id)
    return connection.execute(asked).scalar() == delivery_id


def _event(connection: Connection, event_id: str) -> tuple[Event, bytes] | None:
    row: Any = connection.execute(select(*_SHOWN, _E.body).where(_E.id == event_id)).one_or_none()
    return None if row is None else (Event(*row[:-1]), bytes(row[-1]))


def _endpoint(connection: Connection, endpoint: str) -> Endpoint:
    asked = select(_P.failing_since, _P.slow_until, _P.disabled_at).where(_P.id == endpoint)
    row = connection.execute(asked).one_or_none()
    return Endpoint() if row is None else Endpoint(*row)


def _begin(connection: Connection, delivery: Delivery) -> None:
    if delivery.cause == REDELIVERY:
        # One that was cut off begins anew.
        again = update(DELIVERIES).where(_D.id == delivery.id).values(started_at=delivery.started_at)
        if connection.execute(again).rowcount:
            return
    connection.execute(insert(DELIVERIES).values(**delivery.to_json()))


def _delivery(connection: Connection, delivery_id: str) -> Delivery | None:
    row = connection.execute(select(DELIVERIES).where(_D.id == delivery_id)).mappings().one_or_none()
    return None if row is None else Delivery(**row)


def _deliveries(
    connection: Connection, agent_id: str, task_id: str, config_id: str, limit: int, before: str | None
) -> list[Delivery]:
    asked = select(DELIVERIES).where(
        _D.task_id == task_id, _D.config_id == config_id, _D.agent_id == agent_id
    )
    last = None if before is None else _delivery(connection, before)
    if last is not None:
        asked = asked.where(
            _D.started_at <= last.started_at,
            or_(_D.started_at < last.started_at, _D.id < last.id),
        )
    asked = asked.order_by(_D.started_at.desc(), _D.id.desc()).limit(limit)
    return [Delivery(**row) for row in connection.execute(asked).mappings()]


def _keep_secrets(connection: Connection, row: dict[str, Any], also: Callable[[Connection], None]) -> None:
    insert_new(connection, WEBHOOKS, row)
    kept = update(WEBHOOKS).where(_W.task_id == row["task_id"], _W.config_id == row["config_id"])
    connection.execute(kept.values(**row))
    also(connection)


def _secrets(connection: Connection, task_id: str) -> dict[str, bytes | None]:
    asked = select(_W.config_id, _W.secrets).where(_W.task_id == task_id)
    return {row.config_id: row.secrets for row in connection.execute(asked)}


def _agent_of(connection: Connection, task_id: str) -> str | None:
    return connection.execute(select(_W.agent_id).where(_W.task_id == task_id).limit(1)).scalar()


def _ended(connection: Connection, before: float, limit: int) -> list[str]:
    asked = select(_E.id).where(_E.ended_at < before, _E.due_at.is_(None)).limit(limit)
    return list(connection.execute(asked).scalars())


def _forget(connection: Connection, before: float, ids: Sequence[str]) -> int:
    # One that is to be delivered again meanwhile has no end any more, or is due.
    ended = (_E.id.in_(ids), _E.ended_at < before, _E.due_at.is_(None))
    asked = select(_E.id, _E.task_id, _E.endpoint).where(*ended)
    rows: Sequence[Any] = connection.execute(asked.with_for_update()).all()
    gone = [row.id for row in rows]
    connection.execute(delete(DELIVERIES).where(_D.event_id.in_(gone)))
    connection.execute(delete(EVENTS).where(_E.id.in_(gone)))
    tasks, receivers = {row.task_id for row in rows}, {row.endpoint for row in rows}
    for table in (PUSH_CONFIGS, WEBHOOKS):
        kept = or_(
            exists().where(TASKS.c.id == table.c.task_id), exists().where(_E.task_id == table.c.task_id)
        )
        connection.execute(delete(table).where(table.c.task_id.in_(tasks), not_(kept)))
    # That it is disabled is remembered; how another does is known again after its next event.
    idle = and_(_P.disabled_at.is_(None), not_(exists().where(_E.endpoint == _P.id)))
    connection.execute(delete(ENDPOINTS).where(_P.id.in_(receivers), idle))
    return len(gone)


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


def new_delivery(event: Event, delivery_id: str, number: int, cause: str, now: float) -> Delivery:
    """Return the row of an attempt that begins."""
    return Delivery(
        delivery_id, event.id, event.task_id, event.config_id, event.agent_id, number, cause, now,
        None, UNKNOWN, None, None, None,
    )  # fmt: skip
