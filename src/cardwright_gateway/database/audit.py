"""Who changed what: rows that are written with the change itself, and never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import insert, select

from cardwright_gateway.database.tables import AUDIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from cardwright.store.database import Database

_A = AUDIT.c
# Who changes agents with the `admin_token`, or in a program.
OPERATOR: Final = "operator"
# More rows than this nobody reads at once (ours).
MOST_ROWS: Final = 1000


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One change.

    Attributes:
        number: Its place in the order of all changes.
        at: When, in seconds since 1970.
        actor: Who: `user:…`, `cli:<user of the system>`, or `gateway` for what it does by itself.
        action: What, such as `key.issue`.
        agent_id: Of which agent.
        subject: What was changed, such as the id of a key.
        detail: More of it; never a secret.
    """

    number: int
    at: float
    actor: str
    action: str
    agent_id: str
    subject: str
    detail: Mapping[str, Any] = field(default_factory=dict[str, Any])


def record(
    connection: Connection,
    *,
    at: float,
    actor: str,
    action: str,
    agent_id: str,
    subject: str = "",
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Write a row in the transaction of the change: there is never the one without the other."""
    connection.execute(
        insert(AUDIT).values(
            at=at,
            actor=actor,
            action=action,
            agent_id=agent_id,
            subject=subject,
            detail=orjson.dumps(dict(detail or {}), option=orjson.OPT_SORT_KEYS).decode(),
        )
    )


def owned(owner_id: str) -> dict[str, str]:
    """Return what says in a change's detail whose agent it was of; nothing for nobody's."""
    return {"owner_id": owner_id} if owner_id else {}


class Audit:
    """Reads the rows; every method raises `StoreError` where the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(
        self, agent_id: str | None = None, *, limit: int = 100, before: int | None = None
    ) -> list[AuditRecord]:
        """Return changes, the newest first.

        Args:
            agent_id: Only those of one agent.
            limit: How many at most; never more than 1,000.
            before: Only those with a smaller number, to go on where the last list ended.
        """
        asked = select(AUDIT).order_by(_A.number.desc()).limit(max(1, min(limit, MOST_ROWS)))
        if agent_id is not None:
            asked = asked.where(_A.agent_id == agent_id)
        if before is not None:
            asked = asked.where(_A.number < before)
        with self._database.reading() as connection:
            rows = connection.execute(asked).all()
        return [
            AuditRecord(
                row.number, row.at, row.actor, row.action, row.agent_id, row.subject, orjson.loads(row.detail)
            )
            for row in rows
        ]
