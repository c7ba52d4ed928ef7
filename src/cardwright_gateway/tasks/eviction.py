"""Space for callers without credentials: their oldest tasks are deleted before they expire, so that no caller fills it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from cardwright_gateway.database.deletion import EVENT_COLUMNS, TASK_COLUMNS, delete_events, delete_tasks
from cardwright_gateway.database.tables import EVENTS, TASKS
from cardwright_gateway.database.task_bytes import used_bytes
from cardwright_gateway.tasks.states import RUNNING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection

    from cardwright.store.database import Database

# Rows deleted in one transaction: none holds the database for long (project decision).
_AT_ONCE: Final = 500


def make_room(database: Database, agent_owner: str, maximum: int, *, keep: str = "") -> None:
    """Delete the oldest of what callers without credentials caused, until it is no more than a maximum.

    Running tasks stay. Tasks go before webhook events, but with their own: a receiver that never accepts its events
    cannot keep the space.

    Args:
        database: The database.
        agent_owner: The owner of the agents; "" for all agents without an owner.
        maximum: The bytes that may remain.
        keep: A task that stays, or "".

    Raises:
        StoreError: If the database is unavailable.
    """
    while True:
        with database.writing() as connection:
            surplus = used_bytes(connection, agent_owner).anonymous - maximum
            if surplus <= 0 or not _delete_oldest(connection, agent_owner, surplus, keep):
                return


def _delete_oldest(connection: Connection, agent_owner: str, surplus: int, keep: str) -> int:
    """Delete rows of at least `surplus` bytes, up to a number of rows; return how many."""
    tasks = select(*TASK_COLUMNS).where(
        TASKS.c.agent_owner == agent_owner,
        _anonymous(TASKS.c.owner),
        TASKS.c.state.not_in(RUNNING),
        TASKS.c.id != keep,
    )
    rows = _oldest(connection, tasks.order_by(TASKS.c.last_updated), surplus)
    events = select(*EVENT_COLUMNS).where(EVENTS.c.charged_to == agent_owner, _anonymous(EVENTS.c.owner))
    if rows:
        delete_tasks(connection, rows)
        of_tasks = events.where(EVENTS.c.task_id.in_([row.id for row in rows]))
        delete_events(connection, connection.execute(of_tasks).all())
        return len(rows)
    rows = _oldest(connection, events.order_by(EVENTS.c.created_at), surplus)
    delete_events(connection, rows)
    return len(rows)


def _anonymous(caller: ColumnElement[str]) -> Any:
    """Return the condition of `is_anonymous`."""
    return caller.like("%:")


def _oldest(connection: Connection, query: Any, surplus: int) -> Sequence[Any]:
    rows: list[Any] = []
    # Rows that another process deletes or changes just now are skipped.
    for row in connection.execute(query.limit(_AT_ONCE).with_for_update(skip_locked=True)).all():
        if surplus <= 0:
            break
        rows.append(row)
        surplus -= row.size
    return rows
