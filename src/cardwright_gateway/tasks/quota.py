"""The maximum size of a task, and of all tasks of one owner's agents."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from cardwright_gateway.a2a.task_size import Content, message_content
from cardwright_gateway.database.tables import TASKS
from cardwright_gateway.database.task_bytes import ROW_BYTES, UsedBytes, is_anonymous, used_bytes
from cardwright_gateway.errors import TasksFull
from cardwright_gateway.tasks.eviction import make_room

if TYPE_CHECKING:
    from a2a.types.a2a_pb2 import Message
    from sqlalchemy import Connection

    from cardwright.store.database import Database

# The maximum size of one stored task: each of its updates reads and writes all of it (project decision).
MAX_TASK_BYTES: Final = 16 * 1024 * 1024
# The share of callers without credentials in the space of an owner: one in 16 (project decision).
_ANONYMOUS_SHARE: Final = 16
# If that share is full, their oldest tasks are deleted until this part of it is free: a search for each message would
# cost more than the messages (project decision).
_FREED_PART: Final = 4


@dataclass(frozen=True, slots=True)
class TaskQuota:
    """The maximum total size of the tasks of one owner's agents, with their events in the outbox.

    Attributes:
        database: The database.
        owner_bytes: The maximum, in bytes; callers without credentials may cause a sixteenth of it.
    """

    database: Database
    owner_bytes: int

    async def check(self, agent_owner: str, message: Message, *, caller: str) -> None:
        """Check that a message may be stored, before its turn begins.

        Args:
            agent_owner: The owner of the agent; "" for all agents without an owner.
            message: The message; if it has a task id, that task belongs to the caller.
            caller: The caller, as a2a-sdk's stores name it.

        If the space of callers without credentials is full, their oldest tasks are deleted.

        Raises:
            TasksFull: If the task, or the tasks of the owner, would exceed a maximum.
            StoreError: If the database is unavailable.
        """
        await asyncio.to_thread(self._check, agent_owner, message, caller)

    def _check(self, agent_owner: str, message: Message, caller: str) -> None:
        content = message_content(message)
        size = content.size + ROW_BYTES
        with self.database.reading() as connection:
            row = _stored(connection, message.task_id) if message.task_id else None
            _check_task(content if row is None else _content(row) + content)
            used = used_bytes(connection, agent_owner)
        share = self._anonymous_share
        if is_anonymous(caller) and used.anonymous + size > share >= size:
            kept = min(share - share // _FREED_PART, share - size)
            make_room(self.database, agent_owner, kept, keep=message.task_id)
            with self.database.reading() as connection:
                used = used_bytes(connection, agent_owner)
        self._check_used(used, caller, size)

    def check_report(self, task_id: str, report: Content, reported: Content, connection: Connection) -> None:
        """Check that a worker's report may be added to a task; a task that is not stored passes.

        Args:
            task_id: The task.
            report: The size of the report.
            reported: The size of all reports on the turn, this one included: some may not be stored yet.
            connection: The connection to read with.

        Raises:
            TasksFull: If the task, or the tasks of the owner, would exceed a maximum.
            StoreError: If the database is unavailable.
        """
        row = _stored(connection, task_id)
        if row is not None:
            before = _content(row)
            after = before.with_report(report, reported)
            _check_task(after)
            self.check_space(connection, row.agent_owner, row.owner, after.size - before.size)

    def check_growth(
        self,
        connection: Connection,
        agent_owner: str,
        caller: str,
        *,
        growth: int,
        before: Content,
        content: Content,
    ) -> None:
        """Check a task that has grown, in the transaction that writes it.

        The other transactions that write now are not seen: at most one for each row of `TASK_BYTES`, so that the
        maximum is exceeded by a few tasks at most.

        Args:
            connection: The connection; the growth is counted already.
            agent_owner: The owner of the agent.
            caller: The caller that the task belongs to.
            growth: By how many bytes the task has grown, with its events.
            before: Its size before, without them.
            content: Its size now, without them.

        Raises:
            TasksFull: If the task, or the tasks of the owner, exceed a maximum.
        """
        content.check_growth(before)
        if growth > 0:
            _check_size(content.size)
            self.check_space(connection, agent_owner, caller, 0)

    def check_space(self, connection: Connection, agent_owner: str, caller: str, size: int) -> None:
        """Check that a number of bytes more may be stored for an owner.

        Raises:
            TasksFull: If the tasks of the owner would exceed a maximum.
        """
        self._check_used(used_bytes(connection, agent_owner), caller, size)

    def _check_used(self, used: UsedBytes, caller: str, size: int) -> None:
        if used.total + size > self.owner_bytes:
            raise TasksFull("owner", self.owner_bytes)
        if is_anonymous(caller) and used.anonymous + size > self._anonymous_share:
            raise TasksFull("anonymous", self._anonymous_share)

    @property
    def _anonymous_share(self) -> int:
        return self.owner_bytes // _ANONYMOUS_SHARE


def _stored(connection: Connection, task_id: str) -> Any:
    """Return the sizes of a task, and for whom it counts; None if it is not stored."""
    content = (TASKS.c.size - TASKS.c.event_bytes).label("content")
    columns = TASKS.c.agent_owner, TASKS.c.owner, content, TASKS.c.value_count, TASKS.c.text_bytes
    return connection.execute(select(*columns).where(TASKS.c.id == task_id)).one_or_none()


def _content(row: Any) -> Content:
    return Content(row.content, row.value_count, row.text_bytes)


def _check_task(content: Content) -> None:
    content.check()
    _check_size(content.size)


def _check_size(size: int) -> None:
    if size > MAX_TASK_BYTES:
        raise TasksFull("task", MAX_TASK_BYTES)
