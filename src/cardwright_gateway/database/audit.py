"""Audit log: rows that are written in the transaction of the change, and never modified."""

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
# The actor for changes with the `admin_token`, or by a program.
OPERATOR: Final = "operator"
# Maximum rows of one query (project decision).
MAX_ROWS: Final = 1000


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One change.

    Attributes:
        number: Its sequence number.
        at: When it happened, in seconds since 1970.
        actor: Who made it: `user:…`, `cli:<system user>`, `operator`, or `gateway` for automatic changes.
        action: What was done, such as `key.issue`.
        agent_id: The agent.
        subject: What was changed, such as the id of a key.
        detail: Details; never a secret.
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
    """Write a row in the transaction of the change."""
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
    """Return the detail that names the agent's owner; empty without an owner."""
    return {"owner_id": owner_id} if owner_id else {}


class Audit:
    """Reader of the audit log; every method raises `StoreError` if the database is unavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(
        self, agent_id: str | None = None, *, limit: int = 100, before: int | None = None
    ) -> list[AuditRecord]:
        """Return changes, newest first.

        Args:
            agent_id: Only changes of this agent.
            limit: Maximum number of changes; at most 1,000.
            before: Only changes with a smaller number, to continue after the previous list.
        """
        query = select(AUDIT).order_by(_A.number.desc()).limit(max(1, min(limit, MAX_ROWS)))
        if agent_id is not None:
            query = query.where(_A.agent_id == agent_id)
        if before is not None:
            query = query.where(_A.number < before)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [
            AuditRecord(
                row.number, row.at, row.actor, row.action, row.agent_id, row.subject, orjson.loads(row.detail)
            )
            for row in rows
        ]
