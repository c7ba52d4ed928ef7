"""The SDK's executor for a backend: each turn is an asyncio task that reports to the SDK's event queue."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from a2a.server.agent_execution import AgentExecutor
from a2a.server.agent_execution.active_task import INTERRUPTED_TASK_STATES
from a2a.server.tasks import TaskUpdater
from a2a.types.a2a_pb2 import TaskState

from cardwright.errors import BadResponse, CardError
from cardwright.http.problem import Problem
from cardwright_gateway.a2a.problems import AGENT_FAILED, turn_problem
from cardwright_gateway.a2a_server.messages import Running
from cardwright_gateway.auth.principal import anonymous_share
from cardwright_gateway.backends.backend import Cancellable, TurnResult
from cardwright_gateway.errors import AgentBusy, BadTurn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from a2a.server.agent_execution import RequestContext
    from a2a.server.context import ServerCallContext
    from a2a.server.events import EventQueue

    from cardwright_gateway.a2a.calls import Call, Memory
    from cardwright_gateway.backends.backend import Backend

_LOG: Final = logging.getLogger("cardwright_gateway")
# The key of the turn's slot in the state of a call context.
SLOT: Final = "slot"
# The key of the event that is set when the agent works on by itself, and the turn only waits.
OPEN: Final = "open"
# The same for the end of the stream of an agent that works on.
STREAM_ENDED: Final = "stream-ended"
_CANCELLED: Final = Problem(AGENT_FAILED, "the agent cancelled the turn")
_NOTED: Final = {"open": OPEN, "stream_ended": STREAM_ENDED}
# The key of the turn, of which the SDK then chooses the ids.
TURN: Final = "turn"
# How long a cancelled turn may take to stop; after that, nothing waits for it (project decision).
STOP_SECONDS: Final = 5.0
# How long a backend may take to respond with only a message, before its turn becomes a task (project decision).
MESSAGE_SECONDS: Final = 1.0
# Turns that only wait are not concurrent ones, but have a limit, too: this many for each concurrent turn (project
# decision).
_PER_CONCURRENT: Final = 16
# The maximum size of the messages of callers without credentials, of one agent (project decision).
_STRANGERS_BYTES: Final = 8 * 1024 * 1024
_LEFT_OPEN: Final = Problem(AGENT_FAILED, "the agent left too many tasks open; send the message again")


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """The slot of an admitted turn.

    Attributes:
        anonymous: Whether its caller has no credentials, and other callers of the agent have keys.
    """

    anonymous: bool


@dataclass(slots=True)
class Executor(AgentExecutor):
    """Executor of the turns of one backend.

    Attributes:
        backend: The backend.
        agent_id: The agent, for the log.
        concurrency: The maximum number of concurrent turns.
        messages: Whether the backend may respond with only a message, without a task.
        stop_seconds: How long a cancelled turn may take to stop; after that, nothing waits for it.
        message_seconds: How long a response with only a message may take, before the turn becomes a task.
    """

    backend: Backend
    agent_id: str
    concurrency: int = 256
    messages: bool = False
    stop_seconds: float = STOP_SECONDS
    message_seconds: float = MESSAGE_SECONDS
    _running: dict[str, Running] = field(default_factory=dict[str, Running])
    # The slots of admitted turns that have not begun.
    _slots: set[Slot] = field(default_factory=set[Slot])
    # The slots among them of messages that continue a task, by its id.
    _continuing: dict[str, Slot] = field(default_factory=dict[str, Slot])
    # Cancelled turns that have not stopped yet.
    _stopping: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])

    def admit(self, *, anonymous: bool = False) -> Slot:
        """Return a slot for one more turn; `release` frees it if the turn does not begin.

        Args:
            anonymous: Whether the caller has no credentials, and others have: a turn goes on when its caller
                disconnects, so that strangers would otherwise take all slots and leave.

        Raises:
            AgentBusy: If the limit is reached; cancelled turns that have not stopped count too.
        """
        waiting = sum(running.open.is_set() for running in self._running.values())
        active = len(self._running) - waiting + len(self._stopping) + len(self._slots)
        if active >= self.concurrency or waiting >= self.concurrency * _PER_CONCURRENT:
            raise AgentBusy(self.agent_id, retry_after=1.0)
        if anonymous and self._anonymous_turns() >= anonymous_share(self.concurrency):
            raise AgentBusy(self.agent_id, retry_after=1.0)
        slot = Slot(anonymous)
        self._slots.add(slot)
        return slot

    def _anonymous_turns(self) -> int:
        begun = sum(running.anonymous and not running.open.is_set() for running in self._running.values())
        return begun + sum(slot.anonymous for slot in self._slots)

    def _drop_superfluous(self) -> None:
        for running in _superfluous(self._running.values(), self.concurrency):
            running.dropped = True
            if running.work is not None:
                running.work.cancel()

    def abandon(self, slot: Slot) -> None:
        """Stop the turn of a slot, if it has begun, without a report: its task could not be stored."""
        for running in self._running.values():
            if running.context.state[SLOT] is slot:
                running.ended = True
                if running.work is not None:
                    running.work.cancel()

    def continues(self, task_id: str, slot: Slot) -> bool:
        """Return whether the message of a slot may continue a task now: one message after the other.

        A turn that only waits for the task to change ends for it. Of several messages at once, a2a-sdk would keep all but
        one until the task has ended, and then drop them.
        """
        running = self._running.get(task_id)
        if task_id in self._continuing or (
            running is not None and not (running.ended or running.open.is_set())
        ):
            return False
        self._continuing[task_id] = slot
        if running is not None:
            running.continued.set()
        return True

    def task_of(self, slot: Slot) -> str | None:
        """Return the id of the task of a running turn; None if it has not begun, or has ended."""
        turns = self._running.items()
        return next((task_id for task_id, running in turns if running.context.state[SLOT] is slot), None)

    def release(self, slot: Slot) -> None:
        """Free the slot of a turn whose call has ended."""
        self._begun(slot)

    def _begun(self, slot: Slot) -> None:
        self._slots.discard(slot)
        for task_id in [task_id for task_id, waiting in self._continuing.items() if waiting is slot]:
            del self._continuing[task_id]

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Execute the turn of one message; every outcome becomes a state of the task."""
        task, message = context.current_task, context.message
        if message is None or not context.task_id or not context.context_id:
            raise RuntimeError("the SDK started a turn without a message")
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        artifact_id = f"result-{len(task.artifacts) + 1 if task else 1}"
        state = context.call_context.state
        noted = {name: state[key] for name, key in _NOTED.items() if key in state}
        call: Call = state["call"]
        memory = call.memory
        running = Running(
            updater,
            artifact_id,
            context.call_context,
            on_open=self._drop_superfluous,
            caller=memory.caller if memory is not None else "",
            anonymous=state[SLOT].anonymous,
            size=memory.size if memory is not None else 0,
            artifacts={artifact.artifact_id for artifact in task.artifacts} if task else set(),
            **noted,
        )
        self._running[context.task_id] = running
        # From here on it counts as a running turn.
        self._begun(context.call_context.state[SLOT])
        if memory is not None:
            # The turn may go on after its request.
            memory.keep()
        try:
            if task is None:
                running.opening = message
            else:
                await updater.start_work()
            if not self._waits(context):
                await running.begin()
            turn = replace(
                context.call_context.state.pop(TURN), task_id=message.task_id, context_id=message.context_id
            )
            call.drop_body()
            work = running.work = asyncio.create_task(self.backend.run(turn, running))
            if running.ended:
                # It was abandoned or cancelled while its task was being stored.
                work.cancel()
            try:
                # Not awaited directly: a cancellation must not wait until the backend stops.
                await asyncio.wait(
                    {work}, timeout=self.message_seconds if running.opening is not None else None
                )
                if not work.done():
                    await running.begin()
                    await asyncio.wait({work})
            finally:
                if not work.done():
                    self._stop(work)
            if not running.continued.is_set():
                await self._end(running, work)
        finally:
            running.ended = True
            del self._running[context.task_id]
            if memory is not None:
                _release(memory, running.work)

    def _waits(self, context: RequestContext) -> bool:
        """Whether to report a task only after the time for a response without a task."""
        configuration = context.configuration
        immediate = configuration is not None and (
            configuration.return_immediately or configuration.HasField("task_push_notification_config")
        )
        return self.messages and not immediate

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Report that a task is cancelled; the SDK then cancels its execution."""
        task, running = context.current_task, self._running.get(context.task_id or "")
        if running is not None:
            running.cancelling = True
            if running.work is not None:
                # BeeOS seed §4: the turn has about five seconds to stop; then the task is cancelled anyway.
                running.work.cancel()
                await asyncio.wait({running.work}, timeout=self.stop_seconds)
            await running.stop(TaskState.TASK_STATE_CANCELED)
        elif task is not None and task.status.state in INTERRUPTED_TASK_STATES:
            await self.cancel_upstream(task.id)
            await TaskUpdater(event_queue, task.id, task.context_id).cancel()

    async def cancel_upstream(self, task_id: str) -> None:
        """Cancel the backend's part of a cancelled task that does not run in this process, if the backend can."""
        if isinstance(self.backend, Cancellable):
            try:
                await self.backend.cancel_upstream(task_id)
            except CardError as error:
                _LOG.warning("agent %s: upstream task of %s not cancelled: %s", self.agent_id, task_id, error)

    @property
    def running(self) -> tuple[tuple[str, ServerCallContext], ...]:
        """The ids of the running tasks, each with its call context."""
        return tuple((task_id, running.context) for task_id, running in self._running.items())

    async def close(self) -> None:
        """Wait until cancelled turns have stopped, or the timeout is reached."""
        if self._stopping:
            await asyncio.wait(self._stopping, timeout=self.stop_seconds)

    async def _end(self, running: Running, work: asyncio.Task[TurnResult]) -> None:
        try:
            await running.end(_turn_result(work.result()))
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
            problem = _LEFT_OPEN if running.dropped else _CANCELLED
            await running.fail(problem, TaskState.TASK_STATE_FAILED)
        except Exception:  # noqa: BLE001 - a bug in a backend must end only its own turn
            _LOG.exception("agent %s: a turn failed", self.agent_id)
            await running.fail(Problem(AGENT_FAILED, "the agent failed"), TaskState.TASK_STATE_FAILED)

    def _stop(self, work: asyncio.Task[TurnResult]) -> None:
        work.cancel()
        self._stopping.add(work)
        timer = asyncio.get_running_loop().call_later(self.stop_seconds, self._abandon, work)

        def stopped(done: asyncio.Task[TurnResult]) -> None:
            timer.cancel()
            self._stopping.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                _LOG.info("agent %s: a cancelled turn ended by %s", self.agent_id, type(error).__name__)

        work.add_done_callback(stopped)

    def _abandon(self, work: asyncio.Task[TurnResult]) -> None:
        self._stopping.discard(work)
        _LOG.warning("agent %s: a cancelled turn did not stop within %g s", self.agent_id, self.stop_seconds)


def _release(memory: Memory, work: asyncio.Task[TurnResult] | None) -> None:
    """Release the memory of a turn once its work has stopped: a cancelled one may still use the message."""
    if work is None or work.done():
        memory.release()
    else:
        work.add_done_callback(lambda _: memory.release())


def _turn_result(returned: Any) -> TurnResult:
    if not isinstance(returned, TurnResult):
        raise BadResponse("", "not-a-reply", "the backend did not return a TurnResult")
    return returned


def _superfluous(turns: Iterable[Running], concurrency: int) -> Sequence[Running]:
    """Return the waiting turns of callers without credentials that have to end for younger ones, the oldest first.

    Otherwise strangers could take the places and the memory of all callers with messages to an agent that ends no task.

    Args:
        turns: The turns of one agent, the oldest first.
        concurrency: The maximum number of its concurrent turns.
    """
    waiting = [turn for turn in turns if turn.open.is_set() and not turn.ended and not turn.caller]
    anonymous = sum(turn.anonymous for turn in waiting)
    size = sum(turn.size for turn in waiting)
    ended: list[Running] = []
    for turn in waiting[:-1]:
        many = turn.anonymous and anonymous > anonymous_share(concurrency * _PER_CONCURRENT)
        if not many and size <= _STRANGERS_BYTES:
            break
        ended.append(turn)
        anonymous -= turn.anonymous
        size -= turn.size
    return ended
