"""The size of tasks, counted in the transactions that save them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright_gateway.a2a.task_size import ENDING_BYTES, Content
from cardwright_gateway.database.task_bytes import Change, count
from cardwright_gateway.tasks.states import TERMINAL

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from cardwright_gateway.tasks.quota import TaskQuota


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
