"""ORM models of a2a-sdk's tables, with the gateway's table names and additional columns.

`cardwright_gateway.database.tables` creates the tables: the SDK's own allow ids of 36 characters, and callers may
send longer ones.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from a2a.server.models import Base, TaskEventMixin, TaskMixin
from a2a.server.tasks import DatabaseTaskStore
from a2a.types.a2a_pb2 import TaskState
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs
from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from cardwright_gateway.a2a.task_size import task_content
from cardwright_gateway.database.tables import TASK_EVENTS, TASKS
from cardwright_gateway.database.task_bytes import ROW_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.types.a2a_pb2 import Task
    from sqlalchemy.ext.asyncio import AsyncEngine


class TaskRow(TaskMixin, Base):
    """A task, with its agent and the owner of that, its state and size, and the process that wrote it last."""

    __tablename__ = TASKS.name

    agent_id: Mapped[str] = mapped_column(String, nullable=False)
    state: Mapped[str] = mapped_column(String, nullable=False)
    replica: Mapped[str] = mapped_column(String, nullable=False)
    agent_owner: Mapped[str] = mapped_column(String, nullable=False, server_default="")
    size: Mapped[int] = mapped_column(BigInteger, nullable=False, server_default="0")
    event_bytes: Mapped[int] = mapped_column(BigInteger, nullable=False, server_default="0")
    value_count: Mapped[int] = mapped_column(BigInteger, nullable=False, server_default="0")
    text_bytes: Mapped[int] = mapped_column(BigInteger, nullable=False, server_default="0")


class EventRow(TaskEventMixin, Base):
    """An event of a task, for processes that do not run it."""

    __tablename__ = TASK_EVENTS.name


class TaskTable(DatabaseTaskStore):
    """a2a-sdk's table of tasks, which reads the gateway's rows."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(engine, create_table=False)
        # The SDK creates a model for each store by its table name, and fails for a second one of the same name.
        self.task_model = TaskRow  # type: ignore[assignment] # replaces the SDK's own model


def values_of(
    task: Task, owner: str, replica: str, agent_owner: Callable[[str], str | None] = lambda _: ""
) -> dict[str, Any]:
    """Return the values of a task's row by their attributes.

    Args:
        task: The task.
        owner: Its caller: the agent and the name of the caller.
        replica: The id of this process.
        agent_owner: Returns the owner of an agent; None for an unknown agent, whose tasks keep their owner.
    """
    agent_id = owner.partition(":")[0]
    agent_owner_id = agent_owner(agent_id)
    more = {} if agent_owner_id is None else {"agent_owner": agent_owner_id}
    content = task_content(task)
    status = MessageToDict(task.status)
    updated_at = task.status.timestamp.ToDatetime() if task.status.HasField("timestamp") else None
    return {
        "id": task.id,
        "context_id": task.context_id,
        "kind": "task",
        "owner": owner,
        # Without a time, the task would never be old enough to be deleted.
        "last_updated": updated_at or datetime.now(UTC).replace(tzinfo=None),
        "status": status,
        "artifacts": [MessageToDict(artifact) for artifact in task.artifacts],
        "history": [MessageToDict(message) for message in task.history],
        "task_metadata": MessageToDict(task.metadata) if task.metadata.fields else None,
        "protocol_version": "1.0",
        "agent_id": agent_id,
        "state": TaskState.Name(task.status.state),
        "replica": replica,
        "size": content.size + ROW_BYTES,
        "value_count": content.values,
        "text_bytes": content.text,
        **more,
    }
