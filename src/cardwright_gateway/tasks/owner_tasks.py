"""The stored tasks of an agent, for the owner of the agent: list them without their content, and cancel one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, select

from cardwright_gateway.database.tables import TASKS

if TYPE_CHECKING:
    from cardwright.store.database import Database
    from cardwright_gateway.catalog.agent import Agent

_T: Final = TASKS.c
_COLUMNS: Final = (_T.id, _T.context_id, _T.state, _T.owner, _T.last_updated)


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """A stored task without its messages and artifacts.

    Attributes:
        id: Its id.
        context_id: Its context.
        state: Its state, as in A2A 1.0.
        caller: Who sent it: `key:` and the id of a key, `user:` and a digest, `owner:` and an id; "" without
            credentials.
        updated_at: When it last changed, in seconds since 1970.
    """

    id: str
    context_id: str
    state: str
    caller: str
    updated_at: float | None


def list_tasks(
    database: Database, agent: Agent, *, state: str | None, limit: int, after: str
) -> list[TaskSummary]:
    """Return tasks of an agent that belong to its owner, sorted by id.

    Args:
        database: The database.
        agent: The agent.
        state: Only tasks in this state.
        limit: The maximum number of tasks.
        after: Only tasks with greater ids.

    Raises:
        StoreError: If the database cannot be used.
    """
    query = select(*_COLUMNS).where(_own(agent), _T.id > after).order_by(_T.id).limit(limit)
    if state is not None:
        query = query.where(_T.state == state)
    with database.reading() as connection:
        return [_summary(agent, row) for row in connection.execute(query)]


def find_task(database: Database, agent: Agent, task_id: str) -> tuple[TaskSummary, str] | None:
    """Return a task of an agent and the owner of the task, or None.

    Raises:
        StoreError: If the database cannot be used.
    """
    with database.reading() as connection:
        row = connection.execute(select(*_COLUMNS).where(_own(agent), _T.id == task_id)).first()
    return None if row is None else (_summary(agent, row), row.owner or "")


async def cancel_task(agent: Agent, public: str, task_id: str, owner: str) -> bool:
    """Cancel a task as its caller would; return False if it has ended or cannot be cancelled.

    Args:
        agent: The agent.
        public: The public URL of the agent.
        task_id: The task.
        owner: The owner of the task.

    Raises:
        CardError: If the agent has no card now, or the database cannot be used.
    """
    from a2a.server.context import ServerCallContext
    from a2a.types import CancelTaskRequest
    from a2a.utils.errors import A2AError

    from cardwright_gateway.tasks.retention import TaskOwner

    served = agent.served_now(public) or (await agent.served_with_upstream(public))[0]
    context = ServerCallContext(user=TaskOwner(owner))
    try:
        await agent.a2a_server(served).handler.on_cancel_task(CancelTaskRequest(id=task_id), context)
    except A2AError:
        return False
    return True


def _own(agent: Agent) -> Any:
    """Return the condition for tasks of an agent: those of a former owner of its id are another's."""
    return and_(_T.agent_id == agent.id, _T.agent_owner == agent.config.owner)


def _summary(agent: Agent, row: Any) -> TaskSummary:
    updated: datetime | None = row.last_updated
    at = None if updated is None else updated.replace(tzinfo=updated.tzinfo or UTC).timestamp()
    return TaskSummary(row.id, row.context_id, row.state, (row.owner or "").removeprefix(f"{agent.id}:"), at)
