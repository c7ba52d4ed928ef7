"""Agents that were added to a running gateway, with their settings as given, including tokens.

Several processes may change them. Each change names the state that it is based on; if another process has changed the
agent meanwhile, nothing is written.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.database.audit import record
from cardwright_gateway.database.owners import check_not_removed
from cardwright_gateway.database.tables import AGENTS
from cardwright_gateway.errors import ChangedMeanwhile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.store.database import Database

_A = AGENTS.c
_COLUMNS = (_A.id, _A.settings.label("settings"), _A.changed_at)
# Settings of an agent in the audit log: its URL and its headers may be secret.
_AUDITED = ("protocol", "visibility", "access", "tasks", "invoke")


@dataclass(frozen=True, slots=True)
class AddedAgent:
    """A stored agent.

    Attributes:
        settings: Its settings.
        changed_at: When they were changed, in seconds since 1970; unique among the states of an agent.
    """

    settings: Mapping[str, Any] = field(repr=False)
    changed_at: float


class AddedAgents:
    """The table of added agents; every method raises `StoreError` if the database is unavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, AddedAgent]:
        """Return all agents by id."""
        query = select(*_COLUMNS).order_by(_A.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return {row.id: AddedAgent(orjson.loads(row.settings), row.changed_at) for row in rows}

    def changed(self) -> dict[str, float]:
        """Return when each agent was last changed, in seconds since 1970."""
        with self._database.reading() as connection:
            rows = connection.execute(select(_A.id, _A.changed_at)).all()
        return {row.id: row.changed_at for row in rows}

    def one(self, agent_id: str) -> AddedAgent | None:
        """Return one agent, or None."""
        with self._database.reading() as connection:
            row = connection.execute(select(*_COLUMNS).where(_A.id == agent_id)).first()
        return None if row is None else AddedAgent(orjson.loads(row.settings), row.changed_at)

    def put(
        self,
        agent_id: str,
        settings: Mapping[str, Any],
        *,
        before: float | None = None,
        at: float,
        actor: str,
    ) -> float:
        """Store an agent, and write the audit log; return the new `changed_at`.

        Args:
            agent_id: The agent.
            settings: Its settings.
            before: The `changed_at` that the change is based on; None for a new agent.
            at: The current time.
            actor: Who changes it.

        Raises:
            ChangedMeanwhile: If the stored state is another one.
            UnknownOwner: If its owner was removed.
        """
        # Unique, even for two changes within one tick of the clock or by clocks that differ.
        at = at if at != before else math.nextafter(at, math.inf)
        values = {"settings": orjson.dumps(dict(settings)).decode(), "changed_at": at}
        with self._database.writing() as connection:
            check_not_removed(connection, str(settings.get("owner", "")))
            if before is None:
                dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
                statement = dialect.insert(AGENTS).values(id=agent_id, **values).on_conflict_do_nothing()
                written = connection.execute(statement.returning(_A.id))
            else:
                statement = update(AGENTS).where(_A.id == agent_id, _A.changed_at == before).values(**values)
                written = connection.execute(statement.returning(_A.id))
            if written.first() is None:
                raise ChangedMeanwhile(agent_id)
            action = "agent.add" if before is None else "agent.update"
            detail = {name: settings[name] for name in _AUDITED if name in settings} | _owner_detail(
                settings.get("owner", "")
            )
            record(connection, at=at, actor=actor, action=action, agent_id=agent_id, detail=detail)
        return at

    def drop(
        self, agent_id: str, *, before: float | None = None, at: float, actor: str, owner_id: str = ""
    ) -> None:
        """Delete an agent, and write the audit log.

        Args:
            agent_id: The agent.
            before: The `changed_at` that the deletion is based on; None if it is not stored (an agent of the file).
            at: The current time.
            actor: Who deletes it.
            owner_id: Its owner.

        Raises:
            ChangedMeanwhile: If the stored state is another one.
        """
        with self._database.writing() as connection:
            statement = delete(AGENTS).where(_A.id == agent_id, _A.changed_at == before)
            if before is not None and not connection.execute(statement).rowcount:
                raise ChangedMeanwhile(agent_id)
            detail = _owner_detail(owner_id)
            record(connection, at=at, actor=actor, action="agent.remove", agent_id=agent_id, detail=detail)


def _owner_detail(owner_id: str) -> dict[str, str]:
    return {"owner_id": owner_id} if owner_id else {}
