"""What owners set for agents apart from their settings: whether an agent is paused."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.database.audit import owned, record
from cardwright_gateway.database.tables import AGENT_STATES

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.store.database import Database

_S: Final = AGENT_STATES.c


@dataclass(frozen=True, slots=True)
class _State:
    owner_id: str
    paused_at: float | None


class AgentStates:
    """The paused agents, in memory; `refresh` brings them up to date with the database.

    Args:
        database: The database.
        clock: Seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._states: dict[str, _State] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read all rows: there is one for each agent that was ever paused.

        Raises:
            StoreError: If the database cannot be used.
        """
        with self._database.reading() as connection:
            rows = connection.execute(select(_S.agent_id, _S.owner_id, _S.paused_at)).all()
        self._states = {row.agent_id: _State(row.owner_id, row.paused_at) for row in rows}

    def paused_at(self, agent_id: str, owner_id: str) -> float | None:
        """Return since when an agent is paused, in seconds since 1970; None if it is not.

        Args:
            agent_id: The agent.
            owner_id: Its owner; a pause by another owner of the id does not count.
        """
        state = self._states.get(agent_id)
        return state.paused_at if state is not None and state.owner_id == owner_id else None

    def set_paused(self, agent_id: str, owner_id: str, *, paused: bool, actor: str) -> None:
        """Pause an agent, or resume it; an agent that is paused already stays as it is.

        Raises:
            StoreError: If the database cannot be used; nothing changed.
        """
        self.refresh()
        if (self.paused_at(agent_id, owner_id) is not None) == paused:
            return
        now = self._clock()
        values = {"owner_id": owner_id, "paused_at": now if paused else None, "changed_at": now}
        with self._database.writing() as connection:
            dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
            statement = dialect.insert(AGENT_STATES).values(agent_id=agent_id, **values)
            connection.execute(statement.on_conflict_do_update(index_elements=[_S.agent_id], set_=values))
            action = "agent.pause" if paused else "agent.resume"
            record(connection, at=now, actor=actor, action=action, agent_id=agent_id, detail=owned(owner_id))
        self.refresh()

    def forget(self, agent_id: str) -> None:
        """Delete what is stored for an agent that was removed.

        Raises:
            StoreError: If the database cannot be used.
        """
        with self._database.writing() as connection:
            connection.execute(delete(AGENT_STATES).where(_S.agent_id == agent_id))
        self.refresh()
