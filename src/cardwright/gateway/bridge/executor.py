"""A backend as the SDK runs agents: each turn a task of asyncio, told and ended through the SDK's queue."""

from __future__ import annotations

import asyncio
import logging
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from a2a.server.agent_execution import AgentExecutor
from a2a.server.tasks import TaskUpdater
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus

from cardwright.discovery.calling.parts import Part
from cardwright.errors import AgentBusy, BadAnswer, BadTurn, CardError
from cardwright.gateway.backend import Outcome
from cardwright.gateway.bridge.refusals import AGENT_FAILED, refusal, refusal_of
from cardwright.gateway.bridge.wire import STATES, turn_of, wire_metadata, wire_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from a2a.server.agent_execution import RequestContext
    from a2a.server.context import ServerCallContext
    from a2a.server.events import EventQueue
    from a2a.types.a2a_pb2 import Message

    from cardwright.gateway.backend import Artifact, Backend
    from cardwright.gateway.bridge.call import Call
    from cardwright.gateway.bridge.refusals import Refusal

_LOG: Final = logging.getLogger("cardwright.gateway")
# Where a call's context has the place of its turn.
PLACE: Final = "place"
# How long a cancelled turn may take to let go before nobody waits for it any more (ours).
LETTING_GO_SECONDS: Final = 5.0
# The SDK keeps each in the task's history, and copies that with every update: more would grow by the square (ours).
MOST_PROGRESS: Final = 1_000
# How long a backend that may answer by a message alone has for that, before its turn is told to be a task (ours).
MESSAGE_SECONDS: Final = 1.0


@dataclass(slots=True)
class _Running:
    """A turn that goes on, and what was told of it; a `Tell`.

    Attributes:
        context: For whom it goes on.
        opening: The message that begins its task; None where there is a task.
        ended: Whether its end was told: nothing more is, then.
        begun: Whether a piece of its artifact was told.
        told: How often progress was told.
        work: What answers the turn, once it has begun.
        cancelling: Whether its caller has cancelled it.
    """

    updater: TaskUpdater
    artifact_id: str
    context: ServerCallContext
    opening: Message | None = None
    ended: bool = False
    begun: bool = False
    told: int = 0
    work: asyncio.Task[Outcome] | None = None
    cancelling: bool = False
    _beginning: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Tell that there is a task, once: nothing is told of it before."""
        async with self._beginning:
            if self.opening is None:
                return
            # It is worked on from the start: to say so later would be one more write of a durable task.
            status = TaskStatus(state=TaskState.TASK_STATE_WORKING)
            status.timestamp.GetCurrentTime()
            begun = Task(id=self.updater.task_id, context_id=self.updater.context_id, status=status)
            begun.history.append(self.opening)
            await self.updater.event_queue.enqueue_event(begun)
            self.opening = None

    async def progress(
        self, text: str = "", *, done: float | None = None, total: float | None = None
    ) -> None:
        """Tell how far it is; what is told past the first thousand is dropped."""
        if self.ended or self.told >= MOST_PROGRESS:
            return
        self.told += 1
        await self.begin()
        numbers = {"progress": done, "total": total}
        known = {name: one for name, one in numbers.items() if one is not None and math.isfinite(one)}
        await self.updater.update_status(
            TaskState.TASK_STATE_WORKING, message=self._said(text), metadata=known or None
        )

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None = None) -> None:
        """Tell a piece of the result, of an artifact of its own or of the turn's.

        Raises:
            BadAnswer: If it holds what cannot be sent.
        """
        if not self.ended:
            await self.begin()
        if not parts or self.ended:
            return
        if artifact is None:
            await self._add(parts, last=False)
            return
        await self.updater.add_artifact(
            wire_parts(parts),
            artifact_id=artifact.id,
            name=artifact.name or None,
            append=artifact.append,
            last_chunk=artifact.last,
            metadata=wire_metadata(artifact.metadata) or None,
        )

    async def end(self, outcome: Outcome) -> None:
        """Tell how it ended.

        Raises:
            BadAnswer: If the outcome holds what cannot be sent; nothing of it was told then.
        """
        if outcome.alone and self.opening is not None:
            await self._answer(outcome)
            return
        await self.begin()
        metadata = wire_metadata(outcome.metadata)
        message = self._told(outcome.said) if outcome.said else self._said(outcome.message)
        if outcome.parts or (metadata and self.begun):
            await self._add(outcome.parts, last=True, metadata=metadata)
        await self.stop(STATES[outcome.ending], message)

    async def fail(self, why: Refusal, state: TaskState) -> None:
        """Tell why it failed, in words of ours."""
        reason = {"reason": why.problem.condition.reason}
        await self.stop(state, self._said(why.problem.message, reason), reason)

    async def stop(
        self, state: TaskState, message: Any = None, metadata: dict[str, Any] | None = None
    ) -> None:
        """Tell its last state, once."""
        if not self.ended:
            self.ended = True
            await self.begin()
            await self.updater.update_status(state, message=message, metadata=metadata)

    async def _answer(self, outcome: Outcome) -> None:
        """Tell a message that is the whole answer: there is no task (A2A 1.0 §3.1.1)."""
        message = self._told(outcome.parts, wire_metadata(outcome.metadata) or None)
        message.ClearField("task_id")
        self.ended = True
        await self.updater.event_queue.enqueue_event(message)

    async def _add(
        self, parts: Sequence[Part], *, last: bool, metadata: dict[str, Any] | None = None
    ) -> None:
        wire = wire_parts(parts)
        append, self.begun = self.begun, True
        await self.updater.add_artifact(
            wire, artifact_id=self.artifact_id, append=append, last_chunk=last, metadata=metadata or None
        )

    def _said(self, text: str, metadata: dict[str, Any] | None = None) -> Any:
        return self._told((Part("text", text),), metadata) if text else None

    def _told(self, parts: Sequence[Part], metadata: dict[str, Any] | None = None) -> Any:
        return self.updater.new_agent_message(wire_parts(parts), metadata=metadata)


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
    _running: dict[str, _Running] = field(default_factory=dict[str, _Running])
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
        running = _Running(updater, artifact_id, context.call_context)
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
        asked = context.configuration
        hurried = asked is not None and (
            asked.return_immediately or asked.HasField("task_push_notification_config")
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
        elif task is not None and task.status.state == TaskState.TASK_STATE_INPUT_REQUIRED:
            await TaskUpdater(event_queue, task.id, task.context_id).cancel()

    @property
    def running(self) -> tuple[tuple[str, ServerCallContext], ...]:
        """The ids of the tasks that run, and for whom."""
        return tuple((task_id, running.context) for task_id, running in self._running.items())

    async def close(self) -> None:
        """Wait until what was cancelled has let go, or has had its time."""
        if self._leaving:
            await asyncio.wait(self._leaving, timeout=LETTING_GO_SECONDS)

    async def _end(self, running: _Running, work: asyncio.Task[Outcome]) -> None:
        try:
            await running.end(_outcome(work.result()))
        except BadTurn as error:
            await running.fail(refusal_of(error), TaskState.TASK_STATE_REJECTED)
        except CardError as error:
            _LOG.info("agent %s: a turn failed: %s", self.agent_id, error)
            await running.fail(refusal_of(error), TaskState.TASK_STATE_FAILED)
        except asyncio.CancelledError:
            if not work.cancelled():
                raise
            if running.cancelling:
                await running.stop(TaskState.TASK_STATE_CANCELED)
                return
            await running.fail(refusal(AGENT_FAILED, "the agent gave up"), TaskState.TASK_STATE_FAILED)
        except Exception:  # noqa: BLE001 - a bug of whoever wrote the backend ends its own turn, and nothing else
            _LOG.exception("agent %s: a turn failed", self.agent_id)
            await running.fail(refusal(AGENT_FAILED, "the agent failed"), TaskState.TASK_STATE_FAILED)

    def _let_go(self, work: asyncio.Task[Outcome]) -> None:
        work.cancel()
        self._leaving.add(work)
        late = asyncio.get_running_loop().call_later(LETTING_GO_SECONDS, self._give_up, work)

        def gone(done: asyncio.Task[Outcome]) -> None:
            late.cancel()
            self._leaving.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                _LOG.info("agent %s: a cancelled turn ended by %s", self.agent_id, type(error).__name__)

        work.add_done_callback(gone)

    def _give_up(self, work: asyncio.Task[Outcome]) -> None:
        self._leaving.discard(work)
        _LOG.warning(
            "agent %s: a cancelled turn has not let go within %g s", self.agent_id, LETTING_GO_SECONDS
        )


def _outcome(ended: Any) -> Outcome:
    if not isinstance(ended, Outcome):
        raise BadAnswer("", "not-a-reply", "a turn ended without an outcome")
    return ended
