"""Webhook deliveries of all agents, for the operator; a running gateway carries out what is requested here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, or_, select, update

from cardwright_gateway.database.audit import owned, record
from cardwright_gateway.database.tables import DELIVERIES, ENDPOINTS, EVENTS, WEBHOOKS
from cardwright_gateway.errors import UnknownDelivery
from cardwright_gateway.webhooks.rows import DEAD, WAITING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.store.database import Database

_D = DELIVERIES.c
_E = EVENTS.c
# Without the body and the lease columns.
_VISIBLE = (
    "id", "task_id", "config_id", "agent_id", "owner", "endpoint", "media_type", "state", "attempts", "created_at",
    "next_at", "ended_at", "unreadable",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WebhookSummary:
    """A webhook without its URL and secrets.

    Attributes:
        id: Its id.
        caller: Who configured it.
        events: The number of its events by state.
        disabled_at: Since when its receiver is disabled, in seconds since 1970.
    """

    id: str
    caller: str
    events: Mapping[str, int]
    disabled_at: float | None


@dataclass(frozen=True, slots=True)
class Deliveries:
    """The delivery attempts; every method raises `StoreError` if the database is unavailable."""

    database: Database

    def list(
        self, agent_id: str | None = None, *, state: str | None = None, limit: int = 100
    ) -> list[dict[str, Any]]:
        """Return attempts, newest first, each with the state of its event.

        Args:
            agent_id: Only attempts of this agent.
            state: Only attempts whose event has this state: `waiting`, `delivered`, `dead` or `dropped`.
            limit: Maximum number of attempts.
        """
        query = (
            select(DELIVERIES, _E.state.label("event_state"), _E.next_at)
            .join(EVENTS, _E.id == _D.event_id)
            .order_by(_D.started_at.desc(), _D.id.desc())
            .limit(limit)
        )
        if agent_id is not None:
            query = query.where(_D.agent_id == agent_id)
        if state is not None:
            query = query.where(_E.state == state)
        with self.database.reading() as connection:
            return [_plain(row) for row in connection.execute(query).mappings()]

    def show(self, delivery_id: str) -> dict[str, Any]:
        """Return the event of an attempt, and all its attempts.

        Raises:
            UnknownDelivery: If there is no such attempt.
        """
        with self.database.reading() as connection:
            event_id = connection.execute(select(_D.event_id).where(_D.id == delivery_id)).scalar()
            if event_id is None:
                raise UnknownDelivery(delivery_id)
            columns = [EVENTS.c[name] for name in _VISIBLE]
            event = connection.execute(select(*columns).where(_E.id == event_id)).mappings().first()
            attempts = connection.execute(
                select(DELIVERIES).where(_D.event_id == event_id).order_by(_D.number)
            )
            listed = [_plain(row) for row in attempts.mappings()]
        return {"event": None if event is None else _plain(event), "attempts": listed}

    def is_of_another_owner(self, agent_id: str, owner: str, task_id: str) -> bool:
        """Return whether a task with webhooks or events was one of another owner's agent with this id."""
        with self.database.reading() as connection:
            queries = (
                select(column.charged_to).where(column.agent_id == agent_id, column.task_id == task_id)
                for column in (WEBHOOKS.c, _E)
            )
            return any(
                connection.execute(query.where(query.selected_columns[0] != owner).limit(1)).first()
                is not None
                for query in queries
            )

    def webhooks(self, agent_id: str, task_id: str) -> Sequence[WebhookSummary]:
        """Return the webhooks of a task of an agent, sorted by id."""
        own = (WEBHOOKS.c.agent_id == agent_id, WEBHOOKS.c.task_id == task_id)
        query = select(WEBHOOKS.c.config_id, WEBHOOKS.c.owner).where(*own).order_by(WEBHOOKS.c.config_id)
        events = (
            select(
                _E.config_id,
                _E.state,
                func.count().label("number"),
                func.max(ENDPOINTS.c.disabled_at).label("at"),
            )
            .outerjoin(ENDPOINTS, ENDPOINTS.c.id == _E.endpoint)
            .where(_E.agent_id == agent_id, _E.task_id == task_id)
            .group_by(_E.config_id, _E.state)
        )
        with self.database.reading() as connection:
            webhooks = connection.execute(query).all()
            counts = connection.execute(events).all()
        return [
            WebhookSummary(
                webhook.config_id,
                webhook.owner.removeprefix(f"{agent_id}:"),
                {row.state: row.number for row in counts if row.config_id == webhook.config_id},
                max(
                    (row.at for row in counts if row.config_id == webhook.config_id and row.at), default=None
                ),
            )
            for webhook in webhooks
        ]

    def events(
        self, agent_id: str, task_id: str, config_id: str, *, limit: int, before: str = ""
    ) -> Sequence[Mapping[str, Any]]:
        """Return the events of a webhook, the newest first: one for each delivery, whatever its attempts.

        Args:
            agent_id: The agent.
            task_id: The task.
            config_id: The webhook.
            limit: The maximum number of events.
            before: The last event of the previous page; "" for the first page.
        """
        own = (_E.agent_id == agent_id, _E.task_id == task_id, _E.config_id == config_id)
        columns = (_E.id, _E.state, _E.attempts, _E.created_at, _E.next_at, _E.ended_at)
        query = select(*columns).where(*own).order_by(_E.created_at.desc(), _E.id.desc()).limit(limit)
        with self.database.reading() as connection:
            last = connection.execute(select(_E.created_at).where(*own, _E.id == before)).scalar()
            if last is not None:
                query = query.where(or_(_E.created_at < last, and_(_E.created_at == last, _E.id < before)))
            return [_plain(row) for row in connection.execute(query).mappings()]

    def revive(
        self, delivery_id: str, *, actor: str, now: float, owners: Mapping[str, str] | None = None
    ) -> str:
        """Queue a dead letter for redelivery by any running gateway process; return the event's id.

        Args:
            delivery_id: An attempt that failed.
            actor: Who requests it, for the audit log.
            now: Seconds since 1970.
            owners: The owner of each agent.

        Raises:
            UnknownDelivery: If there is no such attempt, or its event is not a dead letter.
        """
        with self.database.writing() as connection:
            query = select(_D.event_id, _D.agent_id).where(_D.id == delivery_id)
            row = connection.execute(query).first()
            revived = (
                update(EVENTS)
                .where(_E.id == (row.event_id if row else ""), _E.state == DEAD)
                .values(state=WAITING, ended_at=None, next_at=now, due_at=now)
            )
            if row is None or not connection.execute(revived).rowcount:
                raise UnknownDelivery(delivery_id)
            record(
                connection,
                at=now,
                actor=actor,
                action="delivery.redeliver",
                agent_id=row.agent_id,
                subject=delivery_id,
                detail=owned((owners or {}).get(row.agent_id, "")),
            )
            return str(row.event_id)


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row with plain `str` keys; SQLAlchemy's keys are a subclass."""
    return {str(name): value for name, value in row.items()}
