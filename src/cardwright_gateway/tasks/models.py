"""a2a-sdk's tables as its stores see them, under our names and with what the gateway needs to know of a task.

`cardwright_gateway.database.tables` makes them: the SDK's own have ids of 36 characters, and callers longer ones.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from a2a.server.models import Base, TaskEventMixin, TaskMixin, TaskVersionMixin
from a2a.types.a2a_pb2 import TaskState
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs
from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from cardwright_gateway.database.tables import TASK_EVENTS, TASK_VERSIONS, TASKS

if TYPE_CHECKING:
    from a2a.types.a2a_pb2 import Task


class TaskRow(TaskMixin, Base):
    """A task, with whose agent's it is, how it is, and which process wrote it last."""

    __tablename__ = TASKS.name

    agent_id: Mapped[str] = mapped_column(String, nullable=False)
    state: Mapped[str] = mapped_column(String, nullable=False)
    replica: Mapped[str] = mapped_column(String, nullable=False)


class EventRow(TaskEventMixin, Base):
    """What happened to a task, for processes that do not run it."""

    __tablename__ = TASK_EVENTS.name


class VersionRow(TaskVersionMixin, Base):
    """How often a task was written."""

    __tablename__ = TASK_VERSIONS.name


def row_of(task: Task, owner: str, replica: str) -> TaskRow:
    """Return a task as it is kept, in the form that a2a-sdk's stores read."""
    status = MessageToDict(task.status)
    told = task.status.timestamp.ToDatetime() if task.status.HasField("timestamp") else None
    return TaskRow(
        id=task.id,
        context_id=task.context_id,
        kind="task",
        owner=owner,
        # Without a time a task would never be old enough to be forgotten.
        last_updated=told or datetime.now(UTC).replace(tzinfo=None),
        status=status,
        artifacts=[MessageToDict(artifact) for artifact in task.artifacts],
        history=[MessageToDict(message) for message in task.history],
        task_metadata=MessageToDict(task.metadata) if task.metadata.fields else None,
        protocol_version="1.0",
        agent_id=owner.partition(":")[0],
        state=TaskState.Name(task.status.state),
        replica=replica,
    )
