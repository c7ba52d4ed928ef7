"""Acceptance of events: their outbox rows are written in the transaction that ends a task."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from google.protobuf.json_format import ParseError  # type: ignore[import-untyped] # it has no stubs
from sqlalchemy import select

from cardwright.store.database import advisory_lock
from cardwright_gateway.database.tables import PUSH_CONFIGS, TASKS
from cardwright_gateway.database.task_bytes import ROW_BYTES
from cardwright_gateway.errors import TasksFull
from cardwright_gateway.webhooks.events import (
    NOTIFIED_STATES,
    TaskSnapshot,
    body_of,
    event_id,
    partition_of,
    task_of,
    without_content,
)
from cardwright_gateway.webhooks.outbox import accept
from cardwright_gateway.webhooks.rows import WAITING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import Connection

    from cardwright_gateway.webhooks.configs import Configs, Receiver

    CheckSpace = Callable[[Connection, str, str, int], None]

LOG: Final = logging.getLogger("cardwright_gateway.webhooks")


class Acceptance:
    """Writer of one event for each receiver of a task that has ended or waits for its caller.

    Args:
        configs: The receivers.
        clock: Seconds since 1970.
        check_space: Called with the owner of an agent, the caller, and how many bytes more are stored for them;
            raises `TasksFull` if there is no space. None for no limit.
    """

    def __init__(
        self, configs: Configs, clock: Callable[[], float], check_space: CheckSpace | None = None
    ) -> None:
        self._configs = configs
        self._clock = clock
        self._check_space = check_space

    def accept_task(self, connection: Connection, row: Mapping[str, Any]) -> bool:
        """Accept the events of a task's row that this transaction has written; return whether it has any; idempotent.

        Args:
            connection: A connection in a transaction that writes.
            row: The columns of `a2a_tasks`.

        Raises:
            SQLAlchemyError: If they cannot be written: the whole transaction fails.
        """
        if row["state"] not in NOTIFIED_STATES:
            return False
        if connection.dialect.name == "postgresql":
            # Held until the end of the transaction: a configuration that is created meanwhile either sees the ended
            # task, or is seen here.
            connection.execute(advisory_lock(f"push:{row['id']}"))
        query = select(PUSH_CONFIGS).where(PUSH_CONFIGS.c.task_id == row["id"])
        receivers = [self._configs.receiver(config, None) for config in connection.execute(query)]
        if not receivers:
            return False
        try:
            rows = self._rows(row, receivers)
        except (ValueError, ParseError) as error:
            # The caller can still read the task itself, if anyone can.
            LOG.warning("cannot send the task %s to its webhooks: %s", row["id"], type(error).__name__)
            return False
        if not self._has_space(connection, row, rows):
            # The receiver learns that the task has changed, and can get it: that loses least.
            LOG.warning(
                "task %s: its webhooks get only its state: there is no space for its content", row["id"]
            )
            rows = self._rows(row, receivers, short=True)
        accept(connection, rows)
        return True

    def accept_stored_task(self, connection: Connection, task_id: str) -> None:
        """Accept the events of a stored task, which may have ended before its receiver was configured.

        Raises:
            SQLAlchemyError: If they cannot be written.
        """
        if connection.dialect.name == "postgresql":
            connection.execute(advisory_lock(f"push:{task_id}"))
        query = select(TASKS).where(TASKS.c.id == task_id, TASKS.c.state.in_(NOTIFIED_STATES))
        row = connection.execute(query).mappings().one_or_none()
        if row is not None:
            self.accept_task(connection, dict(row))

    def _has_space(
        self, connection: Connection, row: Mapping[str, Any], rows: Sequence[dict[str, Any]]
    ) -> bool:
        if self._check_space is None:
            return True
        # The task itself may not be counted yet.
        size = int(row["size"]) + sum(event["size"] for event in rows)
        try:
            self._check_space(connection, row["agent_owner"] or "", row["owner"] or "", size)
        except TasksFull:
            return False
        return True

    def _rows(
        self, row: Mapping[str, Any], receivers: Sequence[Receiver], *, short: bool = False
    ) -> list[dict[str, Any]]:
        snapshot = TaskSnapshot(task_of(row), row["state"], row["agent_id"])
        now = self._clock()
        task = without_content(snapshot.task) if short else snapshot.task
        bodies = {version: body_of(task, version) for version in {receiver.version for receiver in receivers}}
        return [
            {
                "id": event_id(snapshot, receiver.config_id), "task_id": row["id"],
                "config_id": receiver.config_id, "agent_id": snapshot.agent_id, "owner": receiver.owner,
                "endpoint": receiver.endpoint, "partition": partition_of(receiver.endpoint),
                "media_type": bodies[receiver.version][0], "state": WAITING, "attempts": 0, "created_at": now,
                "next_at": now, "due_at": now, "ended_at": None, "unreadable": False,
                "body": bodies[receiver.version][1], "charged_to": row["agent_owner"] or "",
                "size": len(bodies[receiver.version][1]) + ROW_BYTES,
            }
            for receiver in receivers
        ]  # fmt: skip
