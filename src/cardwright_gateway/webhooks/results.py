"""How an attempt ends: what becomes of its row, of its event, and of its receiver, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.database.audit import owned, record
from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS
from cardwright_gateway.webhooks.claims import due_after
from cardwright_gateway.webhooks.rows import DEAD, DELIVERED, DROPPED, REDELIVERY, WAITING, Result

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

    from cardwright_gateway.webhooks.rows import Delivery

_E: Final = EVENTS.c
_P: Final = ENDPOINTS.c
# Standard Webhooks, Operational considerations: gone; and those that ask for less.
GONE: Final = 410
_SLOW: Final = frozenset({429, 502, 504})
_NOTHING_DUE: Final[dict[str, Any]] = {"due_at": None, "lease_owner": None, "redelivery": None}
# reliability.md 2f.
_FAILING_SECONDS: Final = 5 * 86400.0


@dataclass(frozen=True, slots=True)
class Ending:
    """An attempt that ended.

    Attributes:
        delivery: Its row, as it was at its beginning.
        endpoint: Its receiver.
        result: How it ended.
        now: When.
        wait: Seconds until the next attempt, if it has failed; None where that was the last.
        slow_seconds: How long a receiver that asks for less is left alone.
        owner_id: Whose agent it is, for the audit; "" where it is nobody's.
    """

    delivery: Delivery
    endpoint: str
    result: Result
    now: float
    wait: float | None
    slow_seconds: float
    owner_id: str = ""


def finish(connection: Connection, ending: Ending, replica: str = "") -> float | None:
    """Write the end of an attempt of a process; return when its event's next one is due, or None.

    Its receiver's row is locked before any event's: two that end at once wait for each other in turn.
    """
    _end_row(connection, ending)
    insert_new(connection, ENDPOINTS, {"id": ending.endpoint, "why": ""})
    if ending.result.outcome == DELIVERED:
        _delivered(connection, ending)
        return None
    return _failed(connection, ending, replica)


def insert_new(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Insert a row unless there is one of its key."""
    made = postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
    connection.execute(made.values(**row).on_conflict_do_nothing())


def _end_row(connection: Connection, ending: Ending) -> None:
    result = ending.result
    connection.execute(
        update(DELIVERIES)
        .where(DELIVERIES.c.id == ending.delivery.id)
        .values(
            ended_at=ending.now,
            outcome=result.outcome,
            status_class=None if result.status is None else result.status // 100,
            duration_ms=result.duration_ms,
            response_bytes=result.response_bytes,
        )
    )


def _delivered(connection: Connection, ending: Ending) -> None:
    # Who was disabled and takes what its owner sends it again works.
    works: dict[str, Any] = {"failing_since": None, "slow_until": None}
    if ending.delivery.cause == REDELIVERY:
        works |= {"disabled_at": None, "why": ""}
    connection.execute(update(ENDPOINTS).where(_P.id == ending.endpoint).values(**works))
    event = and_(_E.id == ending.delivery.event_id, _E.state != DELIVERED)
    attempts: dict[str, Any] = (
        {} if ending.delivery.cause == REDELIVERY else {"attempts": ending.delivery.number}
    )
    connection.execute(
        update(EVENTS)
        .where(event)
        .values(state=DELIVERED, next_at=None, ended_at=ending.now, **_NOTHING_DUE, **attempts)
    )


def _failed(connection: Connection, ending: Ending, replica: str) -> float | None:
    now, status = ending.now, ending.result.status
    changed: dict[str, Any] = {"failing_since": func.coalesce(_P.failing_since, now)}
    if status in _SLOW:
        changed["slow_until"] = now + max(ending.slow_seconds, ending.result.retry_after or 0.0)
    endpoint = update(ENDPOINTS).where(_P.id == ending.endpoint)
    connection.execute(endpoint.values(**changed))
    since = connection.execute(select(_P.failing_since).where(_P.id == ending.endpoint)).scalar_one()
    gone = status == GONE
    closed = gone or now - since >= _FAILING_SECONDS
    due = None if closed or ending.wait is None else now + ending.wait
    if ending.delivery.cause == REDELIVERY:
        _end_redelivery(connection, ending)
    else:
        _advance(connection, ending, due, replica)
    if closed:
        _disable(connection, ending, "it answered 410" if gone else "it has failed for five days")
        waiting = update(EVENTS).where(_E.endpoint == ending.endpoint, _E.state == WAITING)
        connection.execute(waiting.values(state=DROPPED, next_at=None, ended_at=now))
        idle = update(EVENTS).where(
            _E.endpoint == ending.endpoint, _E.state == DROPPED, _E.redelivery.is_(None)
        )
        connection.execute(idle.where(_E.due_at.is_not(None)).values(**_NOTHING_DUE))
    return due if ending.delivery.cause != REDELIVERY else None


def _disable(connection: Connection, ending: Ending, why: str) -> None:
    """Send a receiver nothing more, and say so to the owner of the agent."""
    open_ = update(ENDPOINTS).where(_P.id == ending.endpoint, _P.disabled_at.is_(None))
    if connection.execute(open_.values(disabled_at=ending.now, why=why)).rowcount:
        record(
            connection,
            at=ending.now,
            actor="gateway",
            action="webhook.disabled",
            agent_id=ending.delivery.agent_id,
            subject=ending.delivery.config_id,
            detail={"task_id": ending.delivery.task_id, "why": why, **owned(ending.owner_id)},
        )


def _end_redelivery(connection: Connection, ending: Ending) -> None:
    """Let the schedule of an event go on, where it has one still."""
    asked = and_(_E.id == ending.delivery.event_id, _E.redelivery == ending.delivery.id)
    connection.execute(
        update(EVENTS).where(asked).values(redelivery=None, lease_owner=None, due_at=_E.next_at)
    )


def _advance(connection: Connection, ending: Ending, due: float | None, replica: str) -> None:
    number = ending.delivery.number
    ended: dict[str, Any] = {} if due is not None else {"state": DEAD, "ended_at": ending.now}
    # Whoever comes back after another has taken its attempt over changes nothing.
    mine = and_(
        _E.id == ending.delivery.event_id,
        _E.state == WAITING,
        _E.attempts < number,
        _E.lease_owner == replica,
    )
    connection.execute(
        update(EVENTS)
        .where(mine)
        .values(
            attempts=number,
            next_at=due,
            unreadable=False,
            due_at=due_after(ending.now, due),
            lease_owner=None,
            **ended,
        )
    )
