"""The outbox: rows of events, attempts, receivers and secrets; each change is one transaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import and_, case, insert, or_, select, update

from cardwright_gateway.database.audit import record
from cardwright_gateway.database.deletion import EVENT_COLUMNS, delete_events, delete_webhooks
from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS, WEBHOOKS
from cardwright_gateway.database.task_bytes import Change, count
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
    from cardwright_gateway.webhooks.results import EndedAttempt

_E: Final = EVENTS.c
_D: Final = DELIVERIES.c
_W: Final = WEBHOOKS.c
_R: Final = ENDPOINTS.c
# All columns of an event except its body.
_EVENT_COLUMNS: Final = tuple(_E[name] for name in Event.__slots__)
_CHUNK: Final = 500
_T = TypeVar("_T")


class Outbox:
    """The webhook tables, accessed in threads, because their driver blocks.

    An event row is the only record of what is to be delivered: it is written in the transaction that ends its task, and
    leased by one process at a time until the event has ended.

    Args:
        database: The store.
        replica: The id of this process: it changes only events that it has leased.
    """

    def __init__(self, database: Database, replica: str) -> None:
        self._database = database
        self._replica = replica

    async def outlook(self) -> Outlook:
        """Return when the next event is due, and which other processes have leases."""
        return await self._reading(outlook, self._replica)

    async def claim(self, request: ClaimRequest) -> Claims:
        """Lease due events to this process."""
        return await self._writing(claim, request)

    async def release(self, ids: Collection[str], at: float) -> None:
        """Release leased events; those with something left to deliver become due at `at`."""
        await self._writing(release, self._replica, ids, at)

    async def event(self, event_id: str) -> tuple[Event, bytes] | None:
        """Return an event and its body."""
        return await self._reading(_event, event_id)

    async def endpoint(self, endpoint: str) -> Endpoint:
        """Return the state of a receiver."""
        return await self._reading(_endpoint, endpoint)

    async def begin(self, delivery: Delivery) -> None:
        """Record the start of an attempt."""
        await self._writing(_begin, delivery)

    async def finish(self, ended: EndedAttempt) -> float | None:
        """Record the end of an attempt; return when the next one is due, or None."""
        return await self._writing(finish, ended, self._replica)

    async def postpone(self, event_id: str, number: int, until: float, *, unreadable: bool = False) -> None:
        """Postpone an attempt whose receiver is slow or cannot be decrypted, without counting it."""
        statement = update(EVENTS).where(
            _E.id == event_id, _E.state == WAITING, _E.attempts < number, _E.lease_owner == self._replica
        )
        # A redelivery that was requested meanwhile is due at once.
        due = case((_E.redelivery.is_not(None), _E.created_at), else_=until)
        values = {"next_at": until, "unreadable": unreadable, "due_at": due, "lease_owner": None}
        await self._writing(_run, statement.values(**values))

    async def drop(self, event_id: str, now: float) -> None:
        """Drop an event before the end of its schedule; a requested redelivery is still made."""
        await self._writing(_drop, event_id, now)

    async def abandon(self, event_id: str, now: float) -> None:
        """Drop an event and its redelivery: its receiver no longer exists."""
        await self._writing(_abandon, event_id, now)

    async def redeliver(self, event_id: str, delivery_id: str, now: float, change: Mapping[str, Any]) -> bool:
        """Queue an event for immediate redelivery, and record it in the audit log, in one transaction.

        Returns:
            True if this redelivery is queued; False if another one of the event is.
        """
        return await self._writing(_redeliver, event_id, delivery_id, now, change)

    async def deliveries(
        self, agent_id: str, task_id: str, config_id: str, limit: int, before: str | None
    ) -> list[Delivery]:
        """Return the attempts of a configuration, newest first, starting after `before`."""
        return await self._reading(_deliveries, agent_id, task_id, config_id, limit, before)

    async def delivery(self, delivery_id: str) -> Delivery | None:
        """Return one attempt."""
        return await self._reading(_delivery, delivery_id)

    async def check(self, check_space: Callable[..., None], *args: Any) -> None:
        """Call `check_space` with a connection and the arguments."""
        await self._reading(check_space, *args)

    async def keep_secrets(self, row: dict[str, Any], also: Callable[[Connection], None]) -> None:
        """Store encrypted secrets, and call `also` in the same transaction."""
        await self._writing(_keep_secrets, row, also)

    async def secrets(self, task_id: str) -> dict[str, bytes | None]:
        """Return the encrypted secrets of a task by configuration."""
        return await self._reading(_secrets, task_id)

    async def agent_of(self, task_id: str) -> str | None:
        """Return the agent of a task that has push configurations, or None."""
        return await self._reading(_agent_of, task_id)

    async def forget_secrets(self, task_id: str, owner: str, config_id: str | None) -> None:
        """Delete the secrets of one configuration, or of all of an owner's for a task."""
        of_owner = and_(_W.task_id == task_id, _W.owner == owner)
        await self._writing(
            delete_webhooks, of_owner if config_id is None else and_(of_owner, _W.config_id == config_id)
        )

    async def purge(self, before: float, limit: int) -> int:
        """Delete events that ended before a time, with everything that belongs only to them; return how many."""
        ids = await self._reading(_ended, before, limit)
        chunks = [ids[at : at + _CHUNK] for at in range(0, len(ids), _CHUNK)]
        return sum([await self._writing(_forget, before, chunk) for chunk in chunks])

    async def _reading(self, operation: Callable[..., _T], *args: Any) -> _T:
        def work() -> _T:
            with self._database.reading() as connection:
                return operation(connection, *args)

        return await asyncio.to_thread(work)

    async def _writing(self, operation: Callable[..., _T], *args: Any) -> _T:
        def work() -> _T:
            with self._database.writing() as connection:
                return operation(connection, *args)

        return await asyncio.to_thread(work)


def accept(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Insert and count events unless they exist; events of a disabled receiver are inserted as dropped."""
    query = select(_R.id).where(_R.id.in_({row["endpoint"] for row in rows}), _R.disabled_at.is_not(None))
    disabled = set(connection.execute(query).scalars())
    added: list[Change] = []
    for row in rows:
        is_disabled = row["endpoint"] in disabled
        dropped = {"state": DROPPED, "next_at": None, "due_at": None, "ended_at": row["created_at"]}
        if insert_new(connection, EVENTS, {**row, **(dropped if is_disabled else {})}):
            added.append(Change(row["task_id"], row["charged_to"], row["owner"], row["size"]))
    count(connection, added)


def _drop(connection: Connection, event_id: str, now: float) -> None:
    _give_up(connection, event_id, now)
    due = case((_E.redelivery.is_not(None), now), else_=None)
    connection.execute(update(EVENTS).where(_E.id == event_id).values(due_at=due, lease_owner=None))


def _abandon(connection: Connection, event_id: str, now: float) -> None:
    _give_up(connection, event_id, now)
    cleared = {"due_at": None, "lease_owner": None, "redelivery": None}
    connection.execute(update(EVENTS).where(_E.id == event_id).values(**cleared))


def _give_up(connection: Connection, event_id: str, now: float) -> None:
    statement = update(EVENTS).where(_E.id == event_id, _E.state == WAITING)
    connection.execute(statement.values(state=DROPPED, next_at=None, ended_at=now))


def _redeliver(
    connection: Connection, event_id: str, delivery_id: str, now: float, change: Mapping[str, Any]
) -> bool:
    # While an attempt is running, its end makes the row due.
    due = case((_E.lease_owner.is_not(None), _E.due_at), else_=now)
    statement = update(EVENTS).where(_E.id == event_id, _E.redelivery.is_(None), _E.state != DELIVERED)
    if connection.execute(statement.values(redelivery=delivery_id, due_at=due)).rowcount:
        record(connection, **change)
        return True
    query = select(_E.redelivery).where(_E.id == event_id)
    return connection.execute(query).scalar() == delivery_id


def _event(connection: Connection, event_id: str) -> tuple[Event, bytes] | None:
    row: Any = connection.execute(select(*_EVENT_COLUMNS, _E.body).where(_E.id == event_id)).one_or_none()
    return None if row is None else (Event(*row[:-1]), bytes(row[-1]))


def _endpoint(connection: Connection, endpoint: str) -> Endpoint:
    query = select(_R.failing_since, _R.slow_until, _R.disabled_at).where(_R.id == endpoint)
    row = connection.execute(query).one_or_none()
    return Endpoint() if row is None else Endpoint(*row)


def _begin(connection: Connection, delivery: Delivery) -> None:
    if delivery.cause == REDELIVERY:
        # A redelivery that was interrupted starts again.
        statement = update(DELIVERIES).where(_D.id == delivery.id).values(started_at=delivery.started_at)
        if connection.execute(statement).rowcount:
            return
    connection.execute(insert(DELIVERIES).values(**delivery.to_json()))


def _delivery(connection: Connection, delivery_id: str) -> Delivery | None:
    row = connection.execute(select(DELIVERIES).where(_D.id == delivery_id)).mappings().one_or_none()
    return None if row is None else Delivery(**row)


def _deliveries(
    connection: Connection, agent_id: str, task_id: str, config_id: str, limit: int, before: str | None
) -> list[Delivery]:
    query = select(DELIVERIES).where(
        _D.task_id == task_id, _D.config_id == config_id, _D.agent_id == agent_id
    )
    last = None if before is None else _delivery(connection, before)
    if last is not None:
        query = query.where(
            _D.started_at <= last.started_at, or_(_D.started_at < last.started_at, _D.id < last.id)
        )
    query = query.order_by(_D.started_at.desc(), _D.id.desc()).limit(limit)
    return [Delivery(**row) for row in connection.execute(query).mappings()]


def _keep_secrets(connection: Connection, row: dict[str, Any], also: Callable[[Connection], None]) -> None:
    key = _W.task_id == row["task_id"], _W.config_id == row["config_id"]
    insert_new(connection, WEBHOOKS, {**row, "size": 0})
    stored = connection.execute(select(_W.charged_to, _W.owner, _W.size).where(*key).with_for_update()).one()
    connection.execute(update(WEBHOOKS).where(*key).values(**row))
    count(
        connection,
        (
            Change(row["task_id"], stored.charged_to, stored.owner, -stored.size),
            Change(row["task_id"], row["charged_to"], row["owner"], row["size"]),
        ),
    )
    also(connection)


def _secrets(connection: Connection, task_id: str) -> dict[str, bytes | None]:
    query = select(_W.config_id, _W.secrets).where(_W.task_id == task_id)
    return {row.config_id: row.secrets for row in connection.execute(query)}


def _agent_of(connection: Connection, task_id: str) -> str | None:
    return connection.execute(select(_W.agent_id).where(_W.task_id == task_id).limit(1)).scalar()


def _ended(connection: Connection, before: float, limit: int) -> list[str]:
    query = select(_E.id).where(_E.ended_at < before, _E.due_at.is_(None)).limit(limit)
    return list(connection.execute(query).scalars())


def _forget(connection: Connection, before: float, ids: Sequence[str]) -> int:
    # Check again: an event that was revived meanwhile has no end time, or is due.
    ended = (_E.id.in_(ids), _E.ended_at < before, _E.due_at.is_(None))
    rows: Sequence[Any] = connection.execute(select(*EVENT_COLUMNS).where(*ended).with_for_update()).all()
    delete_events(connection, rows)
    return len(rows)


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)


def new_delivery(event: Event, delivery_id: str, number: int, cause: str, now: float) -> Delivery:
    """Return the row of a new attempt."""
    return Delivery(
        delivery_id, event.id, event.task_id, event.config_id, event.agent_id, number, cause, now,
        None, UNKNOWN, None, None, None,
    )  # fmt: skip
