"""The agents that were added to a gateway while it ran: kept as they were said, tokens too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import delete, insert, select, update

from cardwright.store.audit import record
from cardwright.store.tables import AGENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.store.database import Database

_A = AGENTS.c
# What of an agent an audit tells: where it is and what it is sent are secrets.
_TOLD = ("protocol", "visibility", "access", "tasks", "invoke")


class AddedAgents:
    """A table of agents by their ids; every method raises `StoreError` where the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, dict[str, Any]]:
        """Return what is said of each, by its id."""
        with self._database.reading() as connection:
            rows = connection.execute(select(_A.id, _A.said).order_by(_A.id)).all()
        return {row.id: orjson.loads(row.said) for row in rows}

    def changed(self) -> dict[str, float]:
        """Return when each was changed last, in seconds since 1970."""
        with self._database.reading() as connection:
            rows = connection.execute(select(_A.id, _A.changed_at)).all()
        return {row.id: row.changed_at for row in rows}

    def one(self, agent_id: str) -> dict[str, Any] | None:
        """Return what is said of one; None where it is not there."""
        with self._database.reading() as connection:
            said = connection.execute(select(_A.said).where(_A.id == agent_id)).scalar()
        return None if said is None else orjson.loads(said)

    def put(self, agent_id: str, said: Mapping[str, Any], *, at: float, actor: str) -> None:
        """Keep an agent, instead of what was kept of it, and who says so."""
        text = orjson.dumps(dict(said)).decode()
        with self._database.writing() as connection:
            changed = update(AGENTS).where(_A.id == agent_id).values(said=text, changed_at=at)
            known = bool(connection.execute(changed).rowcount)
            if not known:
                connection.execute(insert(AGENTS).values(id=agent_id, said=text, changed_at=at))
            action = "agent.update" if known else "agent.add"
            detail = {name: said[name] for name in _TOLD if name in said}
            record(connection, at=at, actor=actor, action=action, agent_id=agent_id, detail=detail)

    def drop(self, agent_id: str, *, at: float, actor: str) -> None:
        """Keep an agent no longer, and who says so."""
        with self._database.writing() as connection:
            connection.execute(delete(AGENTS).where(_A.id == agent_id))
            record(connection, at=at, actor=actor, action="agent.remove", agent_id=agent_id)
