"""The stored tasks of a caller, over all agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, or_, select

from cardwright_gateway.database.tables import TASKS

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from cardwright.store.database import Database

_T: Final = TASKS.c


@dataclass(frozen=True, slots=True)
class CallerTask:
    """A task, without its content.

    Attributes:
        id: Its id.
        agent_id: The agent.
        context_id: The conversation.
        state: Its state, as A2A 1.0 names it: `TASK_STATE_COMPLETED`.
        last_updated: When it changed last, in UTC.
    """

    id: str
    agent_id: str
    context_id: str
    state: str
    last_updated: datetime


_COLUMNS: Final = tuple(_T[name] for name in CallerTask.__slots__)


@dataclass(frozen=True, slots=True)
class CallerTasks:
    """The stored tasks; every method raises `StoreError` if the database is unavailable.

    Tasks of agents whose tasks the gateway does not store are not among them.
    """

    database: Database

    def list(
        self,
        owners: Collection[str],
        *,
        state: str | None = None,
        limit: int,
        before: tuple[datetime, str] | None = None,
    ) -> list[CallerTask]:
        """Return the tasks of a caller, those first that changed last.

        Args:
            owners: The caller as the owner of tasks, for each agent.
            state: Only tasks in this state.
            limit: The maximum number of tasks.
            before: The time and the id of the last task of the previous page.
        """
        matching: list[ColumnElement[bool]] = [_T.owner.in_(owners), _T.last_updated.is_not(None)]
        if state is not None:
            matching.append(_T.state == state)
        if before is not None:
            time, task_id = before
            matching.append(or_(_T.last_updated < time, and_(_T.last_updated == time, _T.id < task_id)))
        query = select(*_COLUMNS).where(*matching).order_by(_T.last_updated.desc(), _T.id.desc()).limit(limit)
        with self.database.reading() as connection:
            return [CallerTask(*row) for row in connection.execute(query)]

    def find(self, owners: Collection[str], task_id: str) -> CallerTask | None:
        """Return a task of a caller; None if it has no such task."""
        query = select(*_COLUMNS).where(_T.id == task_id, _T.owner.in_(owners))
        with self.database.reading() as connection:
            row = connection.execute(query).first()
        return None if row is None else CallerTask(*row)
