"""The rows of webhooks: events, attempts, receivers and secrets, each change one transaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import and_, delete, exists, not_, or_, select, tuple_, update

from cardwright.gateway.webhooks.finishing import finish, insert_new
from cardwright.gateway.webhooks.records import DROPPED, UNKNOWN, WAITING, Delivery, Endpoint, Event
from cardwright.store.audit import record
from cardwright.store.tables import DELIVERIES, ENDPOINTS, EVENTS, PUSH_CONFIGS, TASKS, WEBHOOKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import Connection, Select

    from cardwright.gateway.webhooks.finishing import Ending
    from cardwright.store.database import Database

_E: Final = EVENTS.c
_D: Final = DELIVERIES.c
_W: Final = WEBHOOKS.c
_P: Final = ENDPOINTS.c
# All of an event but its body, which few ask for.
_SHOWN: Final = tuple(_E[name] for name in Event.__slots__)
_CHUNK: Final = 500
_T = TypeVar("_T")


class Ledger:
    """The tables, asked and written in threads, since their driver blocks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accept(self, rows: Sequence[dict[str, Any]]) -> list[Event]:
        """Keep events that are not there yet, dropped where their receiver is disabled; return those that wait."""
        return await self._writing(_accept, rows)

    async def known(self, ids: Iterable[str]) -> set[str]:
        """Return which of these events are there."""
        return await self._reading(_known, list(ids))

    async def event(self, event_id: str) -> tuple[Event, bytes] | None:
        """Return an event and its body."""
        return await self._reading(_event, event_id)

    async def endpoint(self, endpoint: str) -> Endpoint:
        """Return how a receiver does."""
        return await self._reading(_endpoint, endpoint)

    async def begin(self, delivery: Delivery) -> bool:
        """Write that an attempt begins; False where it has ended already."""
        return await self._writing(_begin, delivery)

    async def finish(self, ending: Ending) -> float | None:
        """Write how an attempt ended, and return when the next one is due, if there is one."""
        return await self._writing(finish, ending)

    async def postpone(self, event_id: str, number: int, until: float, *, unreadable: bool = False) -> None:
        """Put an attempt off, since its receiver is slow or cannot be read; it counts as none."""
        changed = update(EVENTS).where(_E.id == event_id, _E.state == WAITING, _E.attempts < number)
        await self._writing(_run, changed.values(next_at=until, unreadable=unreadable))

    async def drop(self, event_id: str, now: float) -> None:
        """Give an event up before its schedule's end."""
        changed = update(EVENTS).where(_E.id == event_id, _E.state == WAITING)
        await self._writing(_run, changed.values(state=DROPPED, next_at=None, ended_at=now))

    async def overdue(self, before: float, after: tuple[float, str], limit: int) -> list[Event]:
        """Return waiting events that were due before some time, in their order after one of them."""
        asked = (
            select(*_SHOWN)
            .where(_E.state == WAITING, _E.next_at < before, tuple_(_E.next_at, _E.id) > after)
            .order_by(_E.next_at, _E.id)
            .limit(limit)
        )
        return await self._reading(_events, asked)

    async def deliveries(
        self, agent_id: str, task_id: str, config_id: str, limit: int, before: str | None
    ) -> list[Delivery]:
        """Return the attempts of a configuration, newest first, after one of them."""
        return await self._reading(_deliveries, agent_id, task_id, config_id, limit, before)

    async def delivery(self, delivery_id: str) -> Delivery | None:
        """Return one attempt."""
        return await self._reading(_delivery, delivery_id)

    async def note(self, **change: Any) -> None:
        """Write who changed what into the audit, as `cardwright.store.audit.record` takes it."""
        await self._writing(lambda connection: record(connection, **change))

    async def keep_secrets(self, row: dict[str, Any]) -> None:
        """Keep what is encrypted already."""
        await self._writing(_keep_secrets, row)

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


def _accept(connection: Connection, rows: Sequence[dict[str, Any]]) -> list[Event]:
    asked = select(_P.id).where(_P.id.in_({row["endpoint"] for row in rows}), _P.disabled_at.is_not(None))
    disabled = set(connection.execute(asked).scalars())
    for row in rows:
        closed = row["endpoint"] in disabled
        ended = {"state": DROPPED, "next_at": None, "ended_at": row["created_at"]} if closed else {}
        insert_new(connection, EVENTS, {**row, **ended})
    ids = [row["id"] for row in rows]
    waiting = select(*_SHOWN).where(_E.id.in_(ids), _E.state == WAITING, _E.attempts == 0)
    return _events(connection, waiting)


def _known(connection: Connection, ids: list[str]) -> set[str]:
    found: set[str] = set()
    for at in range(0, len(ids), _CHUNK):
        found.update(connection.execute(select(_E.id).where(_E.id.in_(ids[at : at + _CHUNK]))).scalars())
    return found


def _event(connection: Connection, event_id: str) -> tuple[Event, bytes] | None:
    row: Any = connection.execute(select(*_SHOWN, _E.body).where(_E.id == event_id)).one_or_none()
    return None if row is None else (Event(*row[:-1]), bytes(row[-1]))


def _events(connection: Connection, asked: Select[Any]) -> list[Event]:
    rows: Sequence[Any] = connection.execute(asked).all()
    return [Event(*row) for row in rows]


def _endpoint(connection: Connection, endpoint: str) -> Endpoint:
    asked = select(_P.failing_since, _P.slow_until, _P.disabled_at).where(_P.id == endpoint)
    row = connection.execute(asked).one_or_none()
    return Endpoint() if row is None else Endpoint(*row)


def _begin(connection: Connection, delivery: Delivery) -> bool:
    ended = connection.execute(select(_D.ended_at).where(_D.id == delivery.id)).one_or_none()
    if ended is None:
        insert_new(connection, DELIVERIES, delivery.to_json())
        return True
    # A redelivery that was cut off begins anew.
    connection.execute(update(DELIVERIES).where(_D.id == delivery.id).values(started_at=delivery.started_at))
    return ended.ended_at is None


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


def _keep_secrets(connection: Connection, row: dict[str, Any]) -> None:
    insert_new(connection, WEBHOOKS, row)
    kept = update(WEBHOOKS).where(_W.task_id == row["task_id"], _W.config_id == row["config_id"])
    connection.execute(kept.values(**row))


def _secrets(connection: Connection, task_id: str) -> dict[str, bytes | None]:
    asked = select(_W.config_id, _W.secrets).where(_W.task_id == task_id)
    return {row.config_id: row.secrets for row in connection.execute(asked)}


def _agent_of(connection: Connection, task_id: str) -> str | None:
    return connection.execute(select(_W.agent_id).where(_W.task_id == task_id).limit(1)).scalar()


def _ended(connection: Connection, before: float, limit: int) -> list[str]:
    return list(connection.execute(select(_E.id).where(_E.ended_at < before).limit(limit)).scalars())


def _forget(connection: Connection, before: float, ids: Sequence[str]) -> int:
    # One that is to be delivered again meanwhile has no end any more.
    asked = select(_E.id, _E.task_id, _E.endpoint).where(_E.id.in_(ids), _E.ended_at < before)
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
