"""A backend as the SDK runs agents: each turn a task of asyncio, told and ended through the SDK's queue."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from a2a.server.agent_execution import AgentExecutor
from a2a.server.agent_execution.active_task import INTERRUPTED_TASK_STATES
from a2a.server.tasks import TaskUpdater
from a2a.types.a2a_pb2 import TaskState

from cardwright.errors import BadAnswer, CardError
from cardwright.http.problem import Problem
from cardwright_gateway.a2a.problems import AGENT_FAILED, turn_problem
from cardwright_gateway.a2a_server.messages import Running, turn_of
from cardwright_gateway.backends.backend import Cancellable, TurnResult
from cardwright_gateway.errors import AgentBusy, BadTurn

if TYPE_CHECKING:
    from a2a.server.agent_execution import RequestContext
    from a2a.server.context import ServerCallContext
    from a2a.server.events import EventQueue

    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.backends.backend import Backend

_LOG: Final = logging.getLogger("cardwright_gateway")
# Where a call's context has the place of its turn.
PLACE: Final = "place"
# How long a cancelled turn may take to let go before nobody waits for it any more (ours).
LETTING_GO_SECONDS: Final = 5.0
# How long a backend that may answer by a message alone has for that, before its turn is told to be a task (ours).
MESSAGE_SECONDS: Final = 1.0


class Place:
    """A turn that was let in and has not begun."""


@dataclass(slots=True)
class Executor(AgentExecutor):
    """Runs the turns of one backend.

    Attributes:
        backend: What answers them.
        agent_id: Whose they are, for the log.
        concurrency: How many run at once.
        messages: Whether the backend may answer by a message alone, without a task.
    """

    backend: Backend
    agent_id: str
    concurrency: int = 256
    messages: bool = False
    _running: dict[str, Running] = field(default_factory=dict[str, Running])
    # Places of turns that were let in, until their calls are answered.
    _places: set[Place] = field(default_factory=set[Place])
    # Turns that were cancelled and have not let go yet.
    _leaving: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])

    def let_in(self) -> Place:
        """Return a place for one more turn, which `give_back` frees where the turn has not begun.

        Raises:
            AgentBusy: If as many run as may, with those that were cancelled and have not let go.
        """
        if len(self._running) + len(self._leaving) + len(self._places) >= self.concurrency:
            raise AgentBusy(self.agent_id, retry_after=1.0)
        place = Place()
        self._places.add(place)
        return place

    def give_back(self, place: Place) -> None:
        """Free the place of a turn whose call is over."""
        self._places.discard(place)

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one message; every way that this can end is told as a state of the task."""
        task, message = context.current_task, context.message
        if message is None or not context.task_id or not context.context_id:
            raise RuntimeError("the SDK runs a turn without a message")
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        artifact_id = f"result-{len(task.artifacts) + 1 if task else 1}"
        running = Running(updater, artifact_id, context.call_context)
        self._running[context.task_id] = running
        # From here on it is counted as one that runs.
        self._places.discard(context.call_context.state[PLACE])
        try:
            if task is None:
                running.opening = message
            else:
                await updater.start_work()
            if not self._waits(context):
                await running.begin()
            call: Call = context.call_context.state["call"]
            owner = context.call_context.user.user_name
            turn = turn_of(
                message, context.metadata, earlier=task is not None, owner=owner, sender=call.sender
            )
            work = running.work = asyncio.create_task(self.backend.run(turn, running))
            try:
                # Waited for, not awaited: who cancels this does not wait until the backend lets go.
                await asyncio.wait({work}, timeout=MESSAGE_SECONDS if running.opening is not None else None)
                if not work.done():
                    await running.begin()
                    await asyncio.wait({work})
            finally:
                if not work.done():
                    self._let_go(work)
            await self._end(running, work)
        finally:
            running.ended = True
            del self._running[context.task_id]

    def _waits(self, context: RequestContext) -> bool:
        """Whether a task is told only when the backend has not answered without one."""
        configuration = context.configuration
        hurried = configuration is not None and (
            configuration.return_immediately or configuration.HasField("task_push_notification_config")
        )
        return self.messages and not hurried

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Tell that a task is cancelled; the SDK then cancels what executes it."""
        task, running = context.current_task, self._running.get(context.task_id or "")
        if running is not None:
            running.cancelling = True
            if running.work is not None:
                # BeeOS seed §4: it has some five seconds to take note, then it is cancelled whatever it does.
                running.work.cancel()
                await asyncio.wait({running.work}, timeout=LETTING_GO_SECONDS)
            await running.stop(TaskState.TASK_STATE_CANCELED)
        elif task is not None and task.status.state in INTERRUPTED_TASK_STATES:
            await self.give_up(task.id)
            await TaskUpdater(event_queue, task.id, task.context_id).cancel()

    async def give_up(self, task_id: str) -> None:
        """Let go of what the backend has for a task that is cancelled and that nothing runs here, as far as it can."""
        if isinstance(self.backend, Cancellable):
            try:
                await self.backend.give_up(task_id)
            except CardError as error:
                _LOG.warning("agent %s: task %s was not given up behind: %s", self.agent_id, task_id, error)

    @property
    def running(self) -> tuple[tuple[str, ServerCallContext], ...]:
        """The ids of the tasks that run, and for whom."""
        return tuple((task_id, running.context) for task_id, running in self._running.items())

    async def close(self) -> None:
        """Wait until what was cancelled has let go, or has had its time."""
        if self._leaving:
            await asyncio.wait(self._leaving, timeout=LETTING_GO_SECONDS)

    async def _end(self, running: Running, work: asyncio.Task[TurnResult]) -> None:
        try:
            await running.end(_outcome(work.result()))
        except BadTurn as error:
            await running.fail(turn_problem(error), TaskState.TASK_STATE_REJECTED)
        except CardError as error:
            _LOG.info("agent %s: a turn failed: %s", self.agent_id, error)
            await running.fail(turn_problem(error), TaskState.TASK_STATE_FAILED)
        except asyncio.CancelledError:
            if not work.cancelled():
                raise
            if running.cancelling:
                await running.stop(TaskState.TASK_STATE_CANCELED)
                return
            await running.fail(Problem(AGENT_FAILED, "the agent gave up"), TaskState.TASK_STATE_FAILED)
        except Exception:  # noqa: BLE001 - a bug in a backend ends its own turn, and nothing else
            _LOG.exception("agent %s: a turn failed", self.agent_id)
            await running.fail(Problem(AGENT_FAILED, "the agent failed"), TaskState.TASK_STATE_FAILED)

    def _let_go(self, work: asyncio.Task[TurnResult]) -> None:
        work.cancel()
        self._leaving.add(work)
        late = asyncio.get_running_loop().call_later(LETTING_GO_SECONDS, self._give_up, work)

        def gone(done: asyncio.Task[TurnResult]) -> None:
            late.cancel()
            self._leaving.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                _LOG.info("agent %s: a cancelled turn ended by %s", self.agent_id, type(error).__name__)

        work.add_done_callback(gone)

    def _give_up(self, work: asyncio.Task[TurnResult]) -> None:
        self._leaving.discard(work)
        _LOG.warning(
            "agent %s: a cancelled turn has not let go within %g s", self.agent_id, LETTING_GO_SECONDS
        )


def _outcome(ended: Any) -> TurnResult:
    if not isinstance(ended, TurnResult):
        raise BadAnswer("", "not-a-reply", "a turn ended without an outcome")
    return ended
