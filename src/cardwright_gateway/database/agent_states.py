"""What owners set for agents apart from their settings: pauses, and changes of agents of the configuration file."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.database.audit import owned, record
from cardwright_gateway.database.tables import AGENT_STATES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import Connection

    from cardwright.store.database import Database

_S: Final = AGENT_STATES.c


@dataclass(frozen=True, slots=True)
class _State:
    owner_id: str
    paused_at: float | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict[str, Any])


class AgentStates:
    """The paused and changed agents, in memory; `refresh` brings them up to date with the database.

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
        """Read all rows: there is one for each agent that was ever paused or changed.

        Raises:
            StoreError: If the database cannot be used.
        """
        query = select(_S.agent_id, _S.owner_id, _S.paused_at, _S.overrides)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        self._states = {
            row.agent_id: _State(row.owner_id, row.paused_at, _overrides(row.overrides)) for row in rows
        }

    def paused_at(self, agent_id: str, owner_id: str) -> float | None:
        """Return since when an agent is paused, in seconds since 1970; None if it is not.

        Args:
            agent_id: The agent.
            owner_id: Its owner; a pause by another owner of the id does not count.
        """
        return self._of(agent_id, owner_id).paused_at

    def overrides(self, agent_id: str, owner_id: str) -> Mapping[str, Any]:
        """Return the settings that replace those of the configuration file: `{name: value}`.

        Args:
            agent_id: The agent.
            owner_id: Its owner; changes by another owner of the id do not count.
        """
        return self._of(agent_id, owner_id).overrides

    def set_paused(self, agent_id: str, owner_id: str, *, paused: bool, actor: str) -> None:
        """Pause an agent, or resume it; an agent that is paused already stays as it is.

        Raises:
            StoreError: If the database cannot be used; nothing changed.
        """
        self.refresh()
        if (self.paused_at(agent_id, owner_id) is not None) == paused:
            return
        now = self._clock()
        with self._database.writing() as connection:
            self._set(connection, agent_id, owner_id, now, paused_at=now if paused else None)
            action = "agent.pause" if paused else "agent.resume"
            record(connection, at=now, actor=actor, action=action, agent_id=agent_id, detail=owned(owner_id))
        self.refresh()

    def override(self, agent_id: str, owner_id: str, changes: Mapping[str, Any], *, actor: str) -> None:
        """Replace settings of an agent of the configuration file.

        Args:
            agent_id: The agent.
            owner_id: Its owner.
            changes: The new values; None for the value of the file.
            actor: Who does it, for the audit log.

        Raises:
            StoreError: If the database cannot be used; nothing changed.
        """
        now = self._clock()
        with self._database.writing() as connection:
            query = select(_S.overrides).where(_S.agent_id == agent_id, _S.owner_id == owner_id)
            stored = _overrides(connection.execute(query.with_for_update()).scalar())
            kept = {name: value for name, value in {**stored, **changes}.items() if value is not None}
            self._set(connection, agent_id, owner_id, now, overrides=json.dumps(kept) if kept else None)
            detail = {**owned(owner_id), **changes}
            record(connection, at=now, actor=actor, action="agent.override", agent_id=agent_id, detail=detail)
        self.refresh()

    def forget(self, agent_id: str) -> None:
        """Delete what is stored for an agent that was removed.

        Raises:
            StoreError: If the database cannot be used.
        """
        with self._database.writing() as connection:
            connection.execute(delete(AGENT_STATES).where(_S.agent_id == agent_id))
        self.refresh()

    def _of(self, agent_id: str, owner_id: str) -> _State:
        state = self._states.get(agent_id)
        return state if state is not None and state.owner_id == owner_id else _State(owner_id)

    def _set(self, connection: Connection, agent_id: str, owner_id: str, now: float, **values: Any) -> None:
        """Set columns of an agent's row; those of another owner are emptied."""
        others = select(_S.agent_id).where(_S.agent_id == agent_id, _S.owner_id != owner_id)
        if connection.execute(others).first() is not None:
            connection.execute(delete(AGENT_STATES).where(_S.agent_id == agent_id))
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        row = {"owner_id": owner_id, "changed_at": now, **values}
        statement = dialect.insert(AGENT_STATES).values(agent_id=agent_id, **row)
        connection.execute(statement.on_conflict_do_update(index_elements=[_S.agent_id], set_=row))


def _overrides(text: str | None) -> Mapping[str, Any]:
    stored: dict[str, Any] = json.loads(text) if text else {}
    return stored
