"""The agents that were added to a gateway while it ran: kept as they were said, tokens too.

Several processes may change them: each says which state of an agent its change is based on, and where another one
has changed that meanwhile, nothing is written.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.database.audit import record
from cardwright_gateway.database.tables import AGENTS
from cardwright_gateway.errors import ChangedMeanwhile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.store.database import Database

_A = AGENTS.c
# What of an agent an audit tells: where it is and what it is sent are secrets.
_TOLD = ("protocol", "visibility", "access", "tasks", "invoke")


@dataclass(frozen=True, slots=True)
class AddedAgent:
    """An agent as it is kept.

    Attributes:
        said: What is said of it.
        changed_at: When that was said, in seconds since 1970; no two states of an agent have the same.
    """

    said: Mapping[str, Any] = field(repr=False)
    changed_at: float


class AddedAgents:
    """A table of agents by their ids; every method raises `StoreError` where the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, AddedAgent]:
        """Return all, by their ids."""
        with self._database.reading() as connection:
            rows = connection.execute(select(AGENTS).order_by(_A.id)).all()
        return {row.id: AddedAgent(orjson.loads(row.said), row.changed_at) for row in rows}

    def changed(self) -> dict[str, float]:
        """Return when each was changed last, in seconds since 1970."""
        with self._database.reading() as connection:
            rows = connection.execute(select(_A.id, _A.changed_at)).all()
        return {row.id: row.changed_at for row in rows}

    def one(self, agent_id: str) -> AddedAgent | None:
        """Return one; None where it is not there."""
        with self._database.reading() as connection:
            row = connection.execute(select(AGENTS).where(_A.id == agent_id)).first()
        return None if row is None else AddedAgent(orjson.loads(row.said), row.changed_at)

    def put(
        self, agent_id: str, said: Mapping[str, Any], *, before: float | None = None, at: float, actor: str
    ) -> float:
        """Keep an agent, and who says so; return when it was changed, as it is kept.

        Args:
            agent_id: The agent.
            said: What is said of it.
            before: When what is kept of it was said; None where nothing may be.
            at: The time.
            actor: Who says it.

        Raises:
            ChangedMeanwhile: If something else is kept of it.
        """
        # Two changes within one tick of the clock, or of clocks that differ, are two.
        at = at if at != before else math.nextafter(at, math.inf)
        told = {"said": orjson.dumps(dict(said)).decode(), "changed_at": at}
        with self._database.writing() as connection:
            if before is None:
                dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
                new = dialect.insert(AGENTS).values(id=agent_id, **told).on_conflict_do_nothing()
                written = connection.execute(new.returning(_A.id))
            else:
                changed = update(AGENTS).where(_A.id == agent_id, _A.changed_at == before).values(**told)
                written = connection.execute(changed.returning(_A.id))
            if written.first() is None:
                raise ChangedMeanwhile(agent_id)
            action = "agent.add" if before is None else "agent.update"
            detail = {name: said[name] for name in _TOLD if name in said} | _whose(said.get("owner", ""))
            record(connection, at=at, actor=actor, action=action, agent_id=agent_id, detail=detail)
        return at

    def drop(
        self, agent_id: str, *, before: float | None = None, at: float, actor: str, owner_id: str = ""
    ) -> None:
        """Keep an agent no longer, and who says so.

        Args:
            agent_id: The agent.
            before: When what is kept of it was said; None where nothing is, as of one of a file.
            at: The time.
            actor: Who says it.
            owner_id: Whose it was.

        Raises:
            ChangedMeanwhile: If something else is kept of it.
        """
        with self._database.writing() as connection:
            gone = delete(AGENTS).where(_A.id == agent_id, _A.changed_at == before)
            if before is not None and not connection.execute(gone).rowcount:
                raise ChangedMeanwhile(agent_id)
            detail = _whose(owner_id)
            record(connection, at=at, actor=actor, action="agent.remove", agent_id=agent_id, detail=detail)


def _whose(owner_id: str) -> dict[str, str]:
    return {"owner_id": owner_id} if owner_id else {}
