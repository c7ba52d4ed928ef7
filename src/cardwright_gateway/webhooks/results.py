"""End of an attempt: updates the attempt, its event and its receiver in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.database.audit import owned, record
from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS
from cardwright_gateway.database.task_bytes import ROW_BYTES, Change, count
from cardwright_gateway.webhooks.claims import due_after
from cardwright_gateway.webhooks.rows import DEAD, DELIVERED, DROPPED, REDELIVERY, WAITING, Result

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

    from cardwright_gateway.webhooks.rows import Delivery

_E: Final = EVENTS.c
_R: Final = ENDPOINTS.c
# Standard Webhooks, Operational considerations: the receiver is gone, or asks to slow down.
GONE: Final = 410
_SLOW: Final = frozenset({429, 502, 504})
_NOTHING_DUE: Final[dict[str, Any]] = {"due_at": None, "lease_owner": None, "redelivery": None}
# An endpoint that fails for so long is switched off (project decision).
_FAILING_SECONDS: Final = 5 * 86400.0


@dataclass(frozen=True, slots=True)
class EndedAttempt:
    """An attempt that has ended.

    Attributes:
        delivery: Its row, as written at its start.
        endpoint: Its receiver.
        result: Its result.
        now: When it ended.
        wait: Seconds until the next attempt if this one failed; None if it was the last.
        slow_seconds: The pause for a receiver that asks to slow down.
        owner_id: The owner of the agent, for the audit log; "" for none.
    """

    delivery: Delivery
    endpoint: str
    result: Result
    now: float
    wait: float | None
    slow_seconds: float
    owner_id: str = ""


def finish(connection: Connection, attempt: EndedAttempt, replica: str = "") -> float | None:
    """Record the end of an attempt; return when the next attempt of its event is due, or None.

    The receiver's row is locked before any event's, so that two attempts that end at once do not deadlock.
    """
    _end_row(connection, attempt)
    insert_new(connection, ENDPOINTS, {"id": attempt.endpoint, "why": ""})
    if attempt.result.outcome == DELIVERED:
        _delivered(connection, attempt)
        return None
    return _failed(connection, attempt, replica)


def insert_new(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key exists; return whether it was inserted."""
    statement = postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
    inserted = statement.values(**row).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(inserted).first() is not None


def _end_row(connection: Connection, attempt: EndedAttempt) -> None:
    result = attempt.result
    connection.execute(
        update(DELIVERIES)
        .where(DELIVERIES.c.id == attempt.delivery.id)
        .values(
            ended_at=attempt.now,
            outcome=result.outcome,
            status=result.status,
            reason=result.reason,
            duration_ms=round(result.duration_ms, 1),
            response_bytes=result.response_bytes,
        )
    )


def _delivered(connection: Connection, attempt: EndedAttempt) -> None:
    # A successful redelivery enables a disabled receiver again.
    values: dict[str, Any] = {"failing_since": None, "slow_until": None}
    if attempt.delivery.cause == REDELIVERY:
        values |= {"disabled_at": None, "why": ""}
    connection.execute(update(ENDPOINTS).where(_R.id == attempt.endpoint).values(**values))
    event_row = _E.id == attempt.delivery.event_id
    event = and_(event_row, _E.state != DELIVERED)
    attempts: dict[str, Any] = (
        {} if attempt.delivery.cause == REDELIVERY else {"attempts": attempt.delivery.number}
    )
    delivered = connection.execute(
        update(EVENTS)
        .where(event)
        .values(state=DELIVERED, next_at=None, ended_at=attempt.now, body=b"", **_NOTHING_DUE, **attempts)
        .returning(_E.task_id, _E.charged_to, _E.owner, _E.size)
    ).one_or_none()
    if delivered is not None and delivered.size > ROW_BYTES:
        # The body is not needed any more, and the row is kept for long.
        connection.execute(update(EVENTS).where(event_row).values(size=ROW_BYTES))
        freed = Change(delivered.task_id, delivered.charged_to, delivered.owner, ROW_BYTES - delivered.size)
        count(connection, (freed,))


def _failed(connection: Connection, attempt: EndedAttempt, replica: str) -> float | None:
    now, status = attempt.now, attempt.result.status
    values: dict[str, Any] = {"failing_since": func.coalesce(_R.failing_since, now)}
    if status in _SLOW:
        values["slow_until"] = now + max(attempt.slow_seconds, attempt.result.retry_after or 0.0)
    endpoint = update(ENDPOINTS).where(_R.id == attempt.endpoint)
    connection.execute(endpoint.values(**values))
    since = connection.execute(select(_R.failing_since).where(_R.id == attempt.endpoint)).scalar_one()
    is_gone = status == GONE
    disabled = is_gone or now - since >= _FAILING_SECONDS
    due = None if disabled or attempt.wait is None else now + attempt.wait
    if attempt.delivery.cause == REDELIVERY:
        _end_redelivery(connection, attempt)
    else:
        _advance(connection, attempt, due, replica)
    if disabled:
        _disable(connection, attempt, "it answered 410" if is_gone else "it has failed for five days")
        waiting = update(EVENTS).where(_E.endpoint == attempt.endpoint, _E.state == WAITING)
        connection.execute(waiting.values(state=DROPPED, next_at=None, ended_at=now))
        idle = update(EVENTS).where(
            _E.endpoint == attempt.endpoint, _E.state == DROPPED, _E.redelivery.is_(None)
        )
        connection.execute(idle.where(_E.due_at.is_not(None)).values(**_NOTHING_DUE))
    return due if attempt.delivery.cause != REDELIVERY else None


def _disable(connection: Connection, attempt: EndedAttempt, why: str) -> None:
    """Disable a receiver, and record it in the audit log for the owner of the agent."""
    enabled = update(ENDPOINTS).where(_R.id == attempt.endpoint, _R.disabled_at.is_(None))
    if connection.execute(enabled.values(disabled_at=attempt.now, why=why)).rowcount:
        record(
            connection,
            at=attempt.now,
            actor="gateway",
            action="webhook.disabled",
            agent_id=attempt.delivery.agent_id,
            subject=attempt.delivery.config_id,
            detail={"task_id": attempt.delivery.task_id, "why": why, **owned(attempt.owner_id)},
        )


def _end_redelivery(connection: Connection, attempt: EndedAttempt) -> None:
    """Continue the schedule of an event, if it has attempts left."""
    this_redelivery = and_(_E.id == attempt.delivery.event_id, _E.redelivery == attempt.delivery.id)
    connection.execute(
        update(EVENTS).where(this_redelivery).values(redelivery=None, lease_owner=None, due_at=_E.next_at)
    )


def _advance(connection: Connection, attempt: EndedAttempt, due: float | None, replica: str) -> None:
    number = attempt.delivery.number
    end_values: dict[str, Any] = {} if due is not None else {"state": DEAD, "ended_at": attempt.now}
    # A process that lost its lease meanwhile changes nothing.
    own_event = and_(
        _E.id == attempt.delivery.event_id,
        _E.state == WAITING,
        _E.attempts < number,
        _E.lease_owner == replica,
    )
    connection.execute(
        update(EVENTS)
        .where(own_event)
        .values(
            attempts=number,
            next_at=due,
            unreadable=False,
            due_at=due_after(attempt.now, due),
            lease_owner=None,
            **end_values,
        )
    )
