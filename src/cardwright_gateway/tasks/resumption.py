"""Tasks that go on though the process that ran them is gone: the agent behind has them still."""

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
from cardwright_gateway.tasks.retention import RUNNING, Owner

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from a2a.server.cluster import VersionedTaskStore
    from a2a.server.tasks import TaskStore
    from a2a.types.a2a_pb2 import Task

    from cardwright_gateway.backends.a2a import A2aBackend

_LOG: Final = logging.getLogger("cardwright_gateway")
# How often it is looked whether somebody cancelled the task meanwhile (the seed's five seconds bound it).
_LOOK_SECONDS: Final = 2.0


class _Ended(Exception):
    """Somebody else has ended the task; it never leaves this module."""


class Resumed:
    """One task that goes on.

    Args:
        store: Where it is kept.
        backend: The agent behind.
        task_id: The task.
        owner: Whose it is.
        told: Is told of its end as a2a-sdk's push sender is.
    """

    def __init__(
        self,
        store: TaskStore | VersionedTaskStore,
        backend: A2aBackend,
        task_id: str,
        owner: str,
        told: Callable[[str, Any], Awaitable[None]] | None,
    ) -> None:
        self._context = ServerCallContext(user=Owner(owner))
        self._manager = TaskManager(
            task_id=task_id, context_id=None, task_store=store, initial_message=None, context=self._context
        )
        self._backend = backend
        self._task_id = task_id
        self._told = told

    async def run(self) -> None:
        """Ask the agent behind for the task until it has ended there, and end it here likewise."""
        try:
            task = await self._fresh()
            updater = TaskUpdater(_Direct(self._process), task.id, task.context_id)
            running = Running(updater, f"result-{len(task.artifacts) + 1}", self._context)
            # Whoever goes on with a task says so: others leave it alone.
            await updater.start_work()
            await self._ran(running, task)
        except (_Ended, ConcurrentTaskModificationError):
            _LOG.info("task %s was ended by somebody else", self._task_id)

    async def _ran(self, running: Running, task: Task) -> None:
        known = {artifact.artifact_id: len(artifact.parts) for artifact in task.artifacts}
        asking = asyncio.create_task(self._backend.resume(self._task_id, known, running))
        try:
            while not asking.done():
                await asyncio.wait({asking}, timeout=_LOOK_SECONDS)
                with contextlib.suppress(StoreError):
                    # Looked at again soon; to leave off here would cancel the task behind.
                    await self._fresh()
            await running.end(asking.result())
        except StoreError:
            # Nothing is wrong with the task: it is gone on with when the database is there again.
            raise
        except BadTurn as error:
            await running.fail(turn_problem(error), TaskState.TASK_STATE_REJECTED)
        except CardError as error:
            _LOG.info("task %s could not go on: %s", self._task_id, error)
            await running.fail(turn_problem(error), TaskState.TASK_STATE_FAILED)
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    async def _fresh(self) -> Task:
        """Return the task as it is now."""
        self._manager.invalidate()
        task = await self._manager.get_task()
        if task is None or TaskState.Name(task.status.state) not in RUNNING:
            raise _Ended
        self._manager.context_id = task.context_id
        return task

    async def _process(self, event: Any) -> None:
        await self._fresh()
        await self._manager.process(event)
        if self._told is not None and isinstance(event, TaskStatusUpdateEvent):
            with contextlib.suppress(CardError):
                # What is not told now is told by whoever looks for what was not.
                await self._told(self._task_id, event)


class _Direct(EventQueue):
    """Takes what is told of a task, and keeps it at once."""

    def __init__(self, process: Callable[[Any], Awaitable[None]]) -> None:
        self._process = process

    async def enqueue_event(self, event: Any) -> None:
        """Take an event."""
        await self._process(event)
