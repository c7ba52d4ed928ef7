"""Resumption of a task whose process has stopped and that the upstream agent still has."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any, Final

from a2a.server.cluster import ConcurrentTaskModificationError
from a2a.server.context import ServerCallContext
from a2a.server.events.event_queue import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.server.tasks.task_manager import TaskManager
from a2a.types.a2a_pb2 import TaskState, TaskStatusUpdateEvent

from cardwright.errors import CardError, StoreError
from cardwright_gateway.a2a.problems import turn_problem
from cardwright_gateway.a2a_server.messages import Running
from cardwright_gateway.errors import BadTurn
from cardwright_gateway.tasks.retention import TaskOwner
from cardwright_gateway.tasks.states import RUNNING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from a2a.server.cluster import VersionedTaskStore
    from a2a.server.tasks import TaskStore
    from a2a.types.a2a_pb2 import Task

    from cardwright_gateway.backends.a2a import A2aBackend

_LOG: Final = logging.getLogger("cardwright_gateway")
# How often to check whether the task was cancelled meanwhile (BeeOS seed §4 allows five seconds).
_LOOK_SECONDS: Final = 2.0


class _Ended(Exception):
    """The task was ended elsewhere; never leaves this module."""


class ResumedTask:
    """One resumed task.

    Args:
        store: The task store.
        backend: The upstream agent.
        task_id: The task.
        owner: The owner of the task.
        notify: Called with status events, like a2a-sdk's push sender.
        check_seconds: How often to check whether another process ended the task.
    """

    def __init__(
        self,
        store: TaskStore | VersionedTaskStore,
        backend: A2aBackend,
        task_id: str,
        owner: str,
        notify: Callable[[str, Any], Awaitable[None]] | None,
        *,
        check_seconds: float = _LOOK_SECONDS,
    ) -> None:
        self._context = ServerCallContext(user=TaskOwner(owner))
        self._manager = TaskManager(
            task_id=task_id, context_id=None, task_store=store, initial_message=None, context=self._context
        )
        self._backend = backend
        self._task_id = task_id
        self._notify = notify
        self._check_seconds = check_seconds

    async def run(self) -> None:
        """Poll the upstream task until it has ended, and end the gateway's task in the same way."""
        try:
            task = await self._fresh()
            updater = TaskUpdater(_Direct(self._process), task.id, task.context_id)
            running = Running(updater, f"result-{len(task.artifacts) + 1}", self._context)
            # Claims the task for this process: others do not resume it then.
            await updater.start_work()
            await self._resume(running, task)
        except (_Ended, ConcurrentTaskModificationError):
            _LOG.info("task %s was ended by another process", self._task_id)

    async def _resume(self, running: Running, task: Task) -> None:
        reported = {artifact.artifact_id: len(artifact.parts) for artifact in task.artifacts}
        polling = asyncio.create_task(self._backend.resume(self._task_id, reported, running))
        try:
            while not polling.done():
                await asyncio.wait({polling}, timeout=self._check_seconds)
                with contextlib.suppress(StoreError):
                    # Retried soon; raising here would cancel the upstream task.
                    await self._fresh()
            await running.end(polling.result())
        except StoreError:
            # The task itself has not failed: it is resumed when the database is available again.
            raise
        except BadTurn as error:
            await running.fail(turn_problem(error), TaskState.TASK_STATE_REJECTED)
        except CardError as error:
            _LOG.info("task %s could not be resumed: %s", self._task_id, error)
            await running.fail(turn_problem(error), TaskState.TASK_STATE_FAILED)
        finally:
            polling.cancel()
            await asyncio.gather(polling, return_exceptions=True)

    async def _fresh(self) -> Task:
        """Return the task as it is stored now.

        Raises:
            _Ended: If it is not running any more.
        """
        self._manager.invalidate()
        task = await self._manager.get_task()
        if task is None or TaskState.Name(task.status.state) not in RUNNING:
            raise _Ended
        self._manager.context_id = task.context_id
        return task

    async def _process(self, event: Any) -> None:
        await self._fresh()
        await self._manager.process(event)
        if self._notify is not None and isinstance(event, TaskStatusUpdateEvent):
            with contextlib.suppress(CardError):
                # The outbox has the event: the dispatcher delivers it later.
                await self._notify(self._task_id, event)


class _Direct(EventQueue):
    """Event queue that processes each event at once."""

    def __init__(self, process: Callable[[Any], Awaitable[None]]) -> None:
        self._process = process

    async def enqueue_event(self, event: Any) -> None:
        """Process an event."""
        await self._process(event)
