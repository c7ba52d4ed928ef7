"""Deletion of tasks and of webhook events, with everything that belongs to them and what is counted for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, delete, exists, not_, or_

from cardwright_gateway.database.tables import (
    DELIVERIES,
    ENDPOINTS,
    EVENTS,
    PUSH_CONFIGS,
    TASK_EVENTS,
    TASK_VERSIONS,
    TASKS,
    UPSTREAM_TASKS,
    WEBHOOKS,
)
from cardwright_gateway.database.task_bytes import Change, count

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection, Table

# The columns that `delete_tasks` and `delete_events` need.
TASK_COLUMNS: Final = TASKS.c.id, TASKS.c.agent_owner, TASKS.c.owner, TASKS.c.size
EVENT_COLUMNS: Final = tuple(
    EVENTS.c[name] for name in ("id", "task_id", "endpoint", "charged_to", "owner", "size")
)


def delete_tasks(connection: Connection, rows: Sequence[Any]) -> None:
    """Delete tasks; events that wait for their delivery stay, with what is needed to deliver them.

    Args:
        connection: A connection in a transaction that writes.
        rows: `TASK_COLUMNS` of the tasks.
    """
    ids = [row.id for row in rows]
    for table in (TASK_EVENTS, TASK_VERSIONS, UPSTREAM_TASKS):
        connection.execute(delete(table).where(table.c.task_id.in_(ids)))
    connection.execute(delete(TASKS).where(TASKS.c.id.in_(ids)))
    connection.execute(delete(PUSH_CONFIGS).where(_unneeded(PUSH_CONFIGS, ids)))
    removed = _delete_webhooks(connection, _unneeded(WEBHOOKS, ids))
    # All at once: two transactions that count in different orders would wait for each other.
    tasks = (Change(row.id, row.agent_owner, row.owner or "", -row.size) for row in rows)
    count(connection, (*tasks, *removed))


def delete_events(connection: Connection, rows: Sequence[Any]) -> None:
    """Delete webhook events with their attempts, and what no other event or task needs any more.

    Args:
        connection: A connection in a transaction that writes.
        rows: `EVENT_COLUMNS` of the events.
    """
    ids = [row.id for row in rows]
    connection.execute(delete(DELIVERIES).where(DELIVERIES.c.event_id.in_(ids)))
    connection.execute(delete(EVENTS).where(EVENTS.c.id.in_(ids)))
    tasks, receivers = {row.task_id for row in rows}, {row.endpoint for row in rows}
    connection.execute(delete(PUSH_CONFIGS).where(_left_over(PUSH_CONFIGS, tasks)))
    removed = _delete_webhooks(connection, _left_over(WEBHOOKS, tasks))
    # Keep disabled receivers; the state of others is known again after their next event.
    unused = not_(exists().where(EVENTS.c.endpoint == ENDPOINTS.c.id))
    idle = and_(ENDPOINTS.c.disabled_at.is_(None), unused)
    connection.execute(delete(ENDPOINTS).where(ENDPOINTS.c.id.in_(receivers), idle))
    events = (Change(row.task_id, row.charged_to, row.owner, -row.size) for row in rows)
    count(connection, (*events, *removed))


def delete_webhooks(connection: Connection, condition: Any) -> None:
    """Delete the rows of `WEBHOOKS` for which a condition holds, and what is counted for them."""
    count(connection, _delete_webhooks(connection, condition))


def _delete_webhooks(connection: Connection, condition: Any) -> list[Change]:
    """Return what is to be counted for deleted rows."""
    columns = WEBHOOKS.c.task_id, WEBHOOKS.c.charged_to, WEBHOOKS.c.owner, WEBHOOKS.c.size
    rows = connection.execute(delete(WEBHOOKS).where(condition).returning(*columns))
    return [Change(row.task_id, row.charged_to, row.owner, -row.size) for row in rows]


def _left_over(table: Table, tasks: Collection[str]) -> Any:
    """Return the condition for push configurations of tasks that are not stored, and have no events."""
    needed = or_(
        exists().where(TASKS.c.id == table.c.task_id), exists().where(EVENTS.c.task_id == table.c.task_id)
    )
    return and_(table.c.task_id.in_(tasks), not_(needed))


def _unneeded(table: Table, ids: Collection[str]) -> Any:
    """Return the condition for push configurations of these deleted tasks that have nothing left to deliver.

    The others are deleted together with their events.
    """
    waiting = exists().where(EVENTS.c.task_id == table.c.task_id, EVENTS.c.state.in_(("waiting", "dead")))
    return and_(table.c.task_id.in_(ids), not_(waiting))
