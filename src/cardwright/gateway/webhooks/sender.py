"""From a task's state to events that are kept: a2a-sdk's push sender, which dials nobody itself."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from a2a.server.tasks.push_notification_sender import PushNotificationSender
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatusUpdateEvent
from sqlalchemy import select

from cardwright.errors import StoreError
from cardwright.gateway.webhooks.attempts import enqueue_next
from cardwright.gateway.webhooks.events import TOLD, Told, body_of, event_id, state_name, task_of
from cardwright.gateway.webhooks.records import WAITING
from cardwright.store.faults import translated
from cardwright.store.tables import TASKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.tasks.push_notification_sender import PushNotificationEvent
    from sqlalchemy.ext.asyncio import AsyncEngine

    from cardwright.gateway.webhooks.attempts import Enqueue
    from cardwright.gateway.webhooks.configs import Configs
    from cardwright.gateway.webhooks.ledger import Ledger

LOG: Final = logging.getLogger("cardwright.gateway.webhooks")


class Sender(PushNotificationSender):
    """Accepts events: once this has returned, they are delivered whatever becomes of the process.

    Args:
        engine: The database with the tasks.
        ledger: Where events are kept.
        configs: Who is told.
        enqueue: What has them delivered.
        clock: Seconds since 1970.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        ledger: Ledger,
        configs: Configs,
        enqueue: Enqueue,
        *,
        clock: Callable[[], float],
    ) -> None:
        self._engine = engine
        self._ledger = ledger
        self._configs = configs
        self._enqueue = enqueue
        self._clock = clock

    async def send_notification(self, task_id: str, event: PushNotificationEvent) -> None:
        """Tell every receiver of a task of a state in which it has ended or waits for its caller.

        Raises:
            StoreError: If it cannot be kept.
        """
        if not isinstance(event, Task | TaskStatusUpdateEvent):
            return
        state = str(TaskState.Name(event.status.state))
        if state not in TOLD:
            return
        told = await self.told(task_id)
        if told is None or told.state != state:
            # The row is the same for whoever tells it; a whole task that has none yet tells itself.
            if not isinstance(event, Task):
                return
            told = Told(event, state, "" if told is None else told.agent_id)
        await self.accept(told)

    async def told(self, task_id: str) -> Told | None:
        """Return a task as its row has it.

        Raises:
            StoreError: If it cannot be read.
        """
        asked = select(TASKS).where(TASKS.c.id == task_id)
        with translated("the database of tasks"):
            async with self._engine.connect() as connection:
                row = (await connection.execute(asked)).mappings().one_or_none()
        if row is None:
            return None
        task = task_of(dict(row))
        return Told(task, state_name(task), row["agent_id"])

    async def accept(self, told: Told, only: frozenset[str] | None = None) -> int:
        """Keep an event for each of a task's receivers, or for some, by their ids; return how many now wait.

        Raises:
            StoreError: If they cannot be kept.
        """
        receivers = await self._configs.receivers(told.task.id)
        agent_id = told.agent_id or await self._ledger.agent_of(told.task.id) or ""
        now = self._clock()
        rows: list[dict[str, object]] = []
        bodies: dict[str, tuple[str, bytes]] = {}
        for receiver in receivers:
            if only is not None and receiver.config_id not in only:
                continue
            if receiver.version not in bodies:
                bodies[receiver.version] = body_of(told.task, receiver.version)
            media_type, body = bodies[receiver.version]
            rows.append({
                "id": event_id(told, receiver.config_id), "task_id": told.task.id,
                "config_id": receiver.config_id, "agent_id": agent_id, "owner": receiver.owner,
                "endpoint": receiver.endpoint, "media_type": media_type, "state": WAITING, "attempts": 0,
                "created_at": now, "next_at": now, "ended_at": None, "unreadable": False,
                "body": body,
            })  # fmt: skip
        if not rows:
            return 0
        waiting = await self._ledger.accept(rows)
        for event in waiting:
            try:
                await enqueue_next(event, now, now, self._enqueue)
            except StoreError:
                # It is kept: whoever reconciles enqueues it.
                LOG.warning("the event %s was kept, and is enqueued later", event.id)
        return len(waiting)
