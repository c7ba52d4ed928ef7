"""What happens in the transaction that saves a task: its size is counted, and its webhook events are stored."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.server.tasks import DatabaseTaskStore
from sqlalchemy import event as listening
from sqlalchemy import inspect
from sqlalchemy.orm import Session

from cardwright_gateway.a2a.task_size import ENDING_BYTES, Content
from cardwright_gateway.database.task_bytes import ROW_BYTES, Change, count
from cardwright_gateway.tasks.models import TaskRow
from cardwright_gateway.tasks.states import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from a2a.server.events.event_queue import Event
    from a2a.server.tasks import TaskStore
    from sqlalchemy import Connection

    from cardwright_gateway.tasks.quota import TaskQuota

    # Called with the row of each saved task, in the transaction that saves it.
    OnSave = Callable[[Connection, Mapping[str, Any]], None]

# The size of the event that is being stored with a task.
_EVENT_BYTES: Final = ContextVar("event_bytes", default=0)


@contextmanager
def storing(event: Event | None) -> Generator[None]:
    """Count the row of an event with the task that is saved in this block."""
    token = _EVENT_BYTES.set(0 if event is None else event.ByteSize() + ROW_BYTES)
    try:
        yield
    finally:
        _EVENT_BYTES.reset(token)


def watch_saves(store: TaskStore, on_save: OnSave | None, quota: TaskQuota | None) -> None:
    """Call `on_save` in the transaction of each save, and count the size; a2a-sdk has no hook for this."""

    class Watched(Session):
        """The sessions of this store alone."""

    @listening.listens_for(Watched, "before_flush")
    def flushing(session: Session, *_: Any) -> None:
        for row in (*session.new, *session.dirty):
            if isinstance(row, TaskRow):
                row.event_bytes = (row.event_bytes or 0) + _EVENT_BYTES.get()
                row.size += row.event_bytes

    @listening.listens_for(Watched, "after_flush")
    def flushed(session: Session, _: Any) -> None:
        for row in (*session.new, *session.dirty):
            if not isinstance(row, TaskRow):
                continue
            if _before(row, "state") in TERMINAL:
                # Events that were queued before the end, such as those of a task that became too large.
                raise ConcurrentTaskModificationError(row.id)
            if on_save is not None:
                columns = inspect(TaskRow).column_attrs
                values = {column.columns[0].name: getattr(row, column.key) for column in columns}
                on_save(session.connection(), values)
            # Last, because other transactions wait for this row.
            _count(session.connection(), row, quota)

    _ = flushing, flushed
    assert isinstance(store, DatabaseTaskStore)  # noqa: S101 - both stores over a database have one
    store.async_session_maker.configure(sync_session_class=Watched)


def _count(connection: Connection, row: TaskRow, quota: TaskQuota | None) -> None:
    """Count a task that was just written.

    Raises:
        TasksFull: If it has grown beyond a maximum.
    """
    caller, agent_owner = row.owner or "", row.agent_owner or ""
    before, owner_before = _before(row, "size") or 0, _before(row, "agent_owner") or ""
    removed = Change(row.id, owner_before, caller, -before)
    count(connection, (removed, Change(row.id, agent_owner, caller, row.size)))
    # A task of an older version has no size yet.
    ends = row.state in TERMINAL and (row.size - before <= ENDING_BYTES or _is_uncounted(row))
    if quota is not None and not ends:
        content = Content(row.size - row.event_bytes, row.value_count, row.text_bytes)
        stored = Content(
            before - (_before(row, "event_bytes") or 0),
            _before(row, "value_count") or 0,
            _before(row, "text_bytes") or 0,
        )
        quota.check_growth(
            connection, agent_owner, caller, growth=row.size - before, before=stored, content=content
        )


def _is_uncounted(row: TaskRow) -> bool:
    return inspect(row).persistent and not _before(row, "size")


def _before(row: TaskRow, column: str) -> Any:
    """Return the value of a column before the row was changed; None if it is new."""
    history = inspect(row).attrs[column].history
    return next(iter(history.deleted or history.unchanged or ()), None)
