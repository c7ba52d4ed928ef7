"""What happens in the transaction that saves a task: its size is counted, and its webhook events are stored."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
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


@dataclass(frozen=True, slots=True)
class Saved:
    """What a stored task counts for.

    Attributes:
        id: The task.
        caller: The caller that it belongs to, as a2a-sdk's stores name it.
        agent_owner: The owner of its agent.
        state: Its state.
        size: All of it, in bytes, with the rows of its events.
        event_bytes: These rows.
        value_count: Its JSON values.
        text_bytes: Its bytes without files.
    """

    id: str
    caller: str
    agent_owner: str
    state: str
    size: int
    event_bytes: int
    value_count: int
    text_bytes: int

    @property
    def content(self) -> Content:
        """Its size without its events."""
        return Content(self.size - self.event_bytes, self.value_count, self.text_bytes)


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
            before = _saved(row, partial(_before, row)) if inspect(row).persistent else None
            count_saved(session.connection(), before, _saved(row, partial(getattr, row)), quota)

    _ = flushing, flushed
    assert isinstance(store, DatabaseTaskStore)  # noqa: S101 - both stores over a database have one
    store.async_session_maker.configure(sync_session_class=Watched)


def count_saved(
    connection: Connection,
    before: Saved | None,
    after: Saved,
    quota: TaskQuota | None,
    parts: Saved | None = None,
) -> None:
    """Count a task in the transaction that has written it.

    Args:
        connection: The connection.
        before: The stored task before; None if it is new.
        after: The task.
        quota: The maximum sizes; None for none.
        parts: The task before its last change, if that was not written: the end of a task may exceed a maximum, but
            not what comes before.

    Raises:
        TasksFull: If it has grown beyond a maximum.
    """
    before_size = before.size if before else 0
    removed = Change(after.id, before.agent_owner if before else "", after.caller, -before_size)
    count(connection, (removed, Change(after.id, after.agent_owner, after.caller, after.size)))
    # A task of an older version has no size yet.
    is_uncounted = before is not None and not before.size
    ending_size = after.size - (parts.size if parts else before_size)
    ends = after.state in TERMINAL and (ending_size <= ENDING_BYTES or is_uncounted)
    for changed in (parts, None if ends else after):
        if quota is not None and changed is not None:
            quota.check_growth(
                connection,
                changed.agent_owner,
                changed.caller,
                growth=changed.size - before_size,
                before=before.content if before else Content(),
                content=changed.content,
            )


def _saved(row: TaskRow, value: Callable[[str], Any]) -> Saved:
    return Saved(
        row.id,
        row.owner or "",
        value("agent_owner") or "",
        value("state"),
        value("size") or 0,
        value("event_bytes") or 0,
        value("value_count") or 0,
        value("text_bytes") or 0,
    )


def _before(row: TaskRow, column: str) -> Any:
    """Return the value of a column before the row was changed; None if it is new."""
    history = inspect(row).attrs[column].history
    return next(iter(history.deleted or history.unchanged or ()), None)
