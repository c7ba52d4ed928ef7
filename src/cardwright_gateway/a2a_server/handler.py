"""The request handler of the SDK, with what a gateway adds: a turn is checked before its task begins."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from a2a.server.agent_execution.active_task import INTERRUPTED_TASK_STATES, TERMINAL_TASK_STATES
from a2a.server.cluster import VersionedEvent
from a2a.server.request_handlers.default_request_handler_v2 import DefaultRequestHandlerV2
from a2a.server.request_handlers.request_handler import validate_request_params
from a2a.types.a2a_pb2 import (
    GetTaskPushNotificationConfigRequest,
    Task,
    TaskState,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import (
    ExtendedAgentCardNotConfiguredError,
    InternalError,
    InvalidParamsError,
    PushNotificationNotSupportedError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs

from cardwright.errors import CardError
from cardwright.http.problem import Problem
from cardwright_gateway.a2a.problems import AGENT_FAILED, turn_problem
from cardwright_gateway.a2a_server.executor import PLACE
from cardwright_gateway.a2a_server.memory_store import Tasks
from cardwright_gateway.a2a_server.messages import turn_of
from cardwright_gateway.a2a_server.polling import tail
from cardwright_gateway.a2a_server.stores import secrets_of
from cardwright_gateway.errors import AgentBusy, BadTurn

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection, Coroutine, Generator

    from a2a.server.cluster import TaskVersion
    from a2a.server.context import ServerCallContext
    from a2a.server.events import Event
    from a2a.types.a2a_pb2 import (
        AgentCard,
        CancelTaskRequest,
        GetExtendedAgentCardRequest,
        GetTaskRequest,
        Message,
        SendMessageRequest,
        SubscribeToTaskRequest,
        TaskPushNotificationConfig,
    )

    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.a2a_server.executor import Executor
    from cardwright_gateway.a2a_server.stores import TaskStores

_LOG: Final = logging.getLogger("cardwright_gateway")
# A task that waits for its caller holds three tasks of asyncio until the SDK lets it go; the store keeps it (ours).
_PARKED_SECONDS: Final = 1.0
# a2a-sdk takes a cancellation for the end of a stream, and waits on: how long what was cancelled has to end before it
# is cancelled once more, and how often (project decision; needed while a2a-sdk swallows the first one).
AGAIN_SECONDS: Final = 1.0
_TIMES: Final = 5
_T = TypeVar("_T")


class Handler(DefaultRequestHandlerV2):
    """Handles what is asked of one agent."""

    def __init__(
        self, executor: Executor, keeping: TaskStores, card: AgentCard, extended: AgentCard | None = None
    ) -> None:
        super().__init__(
            executor,
            keeping.tasks,
            card,
            push_config_store=keeping.configs,
            push_sender=keeping.sender,
            event_stream=keeping.stream,
            extended_agent_card=extended,
            interrupted_task_timeout=_PARKED_SECONDS,
        )
        self._executor = executor
        self._tasks = keeping.tasks

    def exchange(self, card: AgentCard, extended: AgentCard | None = None) -> None:
        """Have another card from now on, and another extended one."""
        self._agent_card = card
        self.extended_agent_card = extended

    async def leave(self, task_ids: Collection[str]) -> None:
        """Let go of tasks that were cancelled elsewhere."""
        for task_id in task_ids:
            active = await self._active_task_registry.get(task_id)
            running = dict(self._executor.running).get(task_id)
            if active is not None and running is not None:
                await active.cancel(running)

    async def stop(self, task_id: str, context: ServerCallContext) -> None:
        """Cancel what runs, whether or not its task was kept already."""
        active = await self._active_task_registry.get(task_id)
        if active is not None:
            await active.cancel(context)

    @validate_request_params
    async def on_message_send(self, params: SendMessageRequest, context: ServerCallContext) -> Message | Task:
        """Answer a message when its turn has ended."""
        with self._let_in(context):
            await self._begin(params, context)
            # The SDK waits for a task that may never be, where its caller left before there was one.
            answer: Message | Task = await ending(super().on_message_send(params, context))
        if isinstance(answer, Task):
            await self._told(answer.id, answer.status.state, context)
        return answer

    @validate_request_params
    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Answer a message while its turn goes on."""
        if not self._agent_card.capabilities.streaming:
            raise UnsupportedOperationError("the agent does not offer streaming")
        state, task_id = TaskState.TASK_STATE_UNSPECIFIED, ""
        with self._let_in(context):
            await self._begin(params, context)
            async with aclosing(super().on_message_send_stream(params, context)) as events:
                async for event in events:
                    yield event
                    if isinstance(event, (Task, TaskStatusUpdateEvent)):
                        state = event.status.state
                        task_id = event.id if isinstance(event, Task) else event.task_id
        await self._told(task_id, state, context)

    @validate_request_params
    async def on_get_task(self, params: GetTaskRequest, context: ServerCallContext) -> Task | None:
        """Tell of a task."""
        task: Task | None = await super().on_get_task(params, context)
        if task is not None:
            await self._told(task.id, task.status.state, context)
        return task

    async def on_cancel_task(self, params: CancelTaskRequest, context: ServerCallContext) -> Task | None:
        """Cancel a task."""
        task: Task | None = await super().on_cancel_task(params, context)
        # It ended by itself while it was being cancelled.
        if task is not None and task.status.state != TaskState.TASK_STATE_CANCELED:
            raise TaskNotCancelableError
        return task

    async def _write_cancel(
        self, task_id: str, current: Task, version: TaskVersion, context: ServerCallContext
    ) -> Task:
        """Cancel a task that this process does not run: it waits for its caller, or is run elsewhere, or by nobody.

        a2a-sdk writes the state alone: with the time of the state before, so that it would be taken for an old one.
        """
        task = Task()
        task.CopyFrom(current)
        if task.status.HasField("message"):
            task.history.append(task.status.message)
        task.status.Clear()
        task.status.state = TaskState.TASK_STATE_CANCELED
        task.status.timestamp.GetCurrentTime()
        event = TaskStatusUpdateEvent(task_id=task_id, context_id=task.context_id, status=task.status)
        written = await self._versioned_store.save(
            task, event=event, prev=current, prev_version=version, context=context
        )
        if self._event_stream is not None:
            await self._event_stream.publish(task_id, VersionedEvent(event=event, version=written))
        if self._push_sender is not None:
            try:
                await self._push_sender.send_notification(task_id, event)
            except CardError as error:
                _LOG.warning("task %s: its webhooks are told later: %s", task_id, error)
        # Who runs it does so, too, when it sees that; it may be gone.
        await self._executor.give_up(task_id)
        return task

    @validate_request_params
    async def on_subscribe_to_task(
        self, params: SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Tell what becomes of a task; one that is not run by a call of this process is looked at in the store."""
        if self._agent_card.capabilities.streaming and self._event_stream is None:
            stored = await self._versioned_store.get(params.id, context)
            if stored is not None and await self._runs_elsewhere(stored.task):

                async def now() -> Task | None:
                    read = await self._versioned_store.get(params.id, context)
                    return None if read is None else read.task

                async for event in tail(stored.task, now):
                    yield event
                return
        async with aclosing(super().on_subscribe_to_task(params, context)) as events:
            async for event in events:
                yield event

    async def _runs_elsewhere(self, task: Task) -> bool:
        """Whether something else than a call to this process goes on with a task, or nothing does any more."""
        if task.status.state in TERMINAL_TASK_STATES | INTERRUPTED_TASK_STATES:
            return False
        active = await self._active_task_registry.get(task.id)
        return active is None or active.is_finished

    async def on_get_task_push_notification_config(
        self, params: GetTaskPushNotificationConfigRequest, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Tell of a configuration; in A2A 0.3.0 §7.6 its id may be left out, and the first one is meant."""
        call: Call = context.state["call"]
        if call.version == "0.3" and not params.id and self._push_config_store is not None:
            known = await self._push_config_store.get_info(params.task_id, context)
            if known:
                params = GetTaskPushNotificationConfigRequest(task_id=params.task_id, id=known[0].id)
        config: TaskPushNotificationConfig = await super().on_get_task_push_notification_config(
            params, context
        )
        return config

    async def on_get_extended_agent_card(
        self,
        params: GetExtendedAgentCardRequest,
        context: ServerCallContext,
    ) -> AgentCard:
        """Return the card as those see it who were let in, or say that there is none."""
        if self.extended_agent_card is not None:
            card: AgentCard = await super().on_get_extended_agent_card(params, context)
            return card
        call: Call = context.state["call"]
        # A2A 0.3.0 §8.2 has no other code for it; A2A 1.0 §3.3.4 keeps it for a card that is declared.
        if self._agent_card.capabilities.extended_agent_card or call.version == "0.3":
            raise ExtendedAgentCardNotConfiguredError
        raise UnsupportedOperationError("the agent declares no extended card")

    @contextmanager
    def _let_in(self, context: ServerCallContext) -> Generator[None]:
        """Have a place for a turn, or refuse it before anything of it is kept."""
        try:
            place = self._executor.let_in()
        except AgentBusy as error:
            call: Call = context.state["call"]
            call.refused = turn_problem(error)
            raise InternalError from None
        context.state[PLACE] = place
        try:
            yield
        finally:
            self._executor.give_back(place)

    async def _told(self, task_id: str, state: TaskState, context: ServerCallContext) -> None:
        """Note that a caller was told how its task is: what has ended may be too large to be kept after that."""
        if state in TERMINAL_TASK_STATES and isinstance(self._tasks, Tasks):
            await self._tasks.answered(task_id, context)

    async def _begin(self, params: SendMessageRequest, context: ServerCallContext) -> None:
        """Judge a turn before anything of it is kept, and complete what it goes on with."""
        if params.configuration.HasField("task_push_notification_config"):
            if self._push_config_store is None:
                raise PushNotificationNotSupportedError
            # Refused before a task begins where the secrets are none.
            secrets_of(context.state["call"].value)
        message = params.message
        earlier = bool(message.task_id)
        if earlier:
            await self._go_on(message, context)
        call: Call = context.state["call"]
        try:
            turn = turn_of(
                message,
                MessageToDict(params.metadata),
                earlier=earlier,
                owner=context.user.user_name,
                sender=call.sender,
            )
            await self._executor.backend.ready()
            await self._executor.backend.check(turn)
        except BadTurn as error:
            call.refused = turn_problem(error)
            raise InvalidParamsError from None
        except CardError as error:
            _LOG.info("agent %s: not ready: %s", self._executor.agent_id, error)
            call.refused = turn_problem(error)
            raise InternalError from None
        except Exception:  # noqa: BLE001 - a bug in a backend refuses one call, and nothing else
            _LOG.exception("agent %s: a turn could not be judged", self._executor.agent_id)
            call.refused = Problem(AGENT_FAILED, "the agent failed")
            raise InternalError from None

    async def _go_on(self, message: Message, context: ServerCallContext) -> None:
        """Complete a message by the task that it goes on with."""
        stored = await self._versioned_store.get(message.task_id, context)
        if stored is None:
            raise TaskNotFoundError
        task = stored.task
        if task.status.state in TERMINAL_TASK_STATES:
            raise UnsupportedOperationError("the task has ended: begin another")
        if await self._runs_elsewhere(task):
            # What is said here would begin a second turn beside the first.
            raise UnsupportedOperationError("the task is at work: wait until it asks for more")
        if message.context_id and message.context_id != task.context_id:
            raise InvalidParamsError(
                "the task belongs to another context: leave contextId out, or send its own"
            )
        # The SDK would make a fresh one up, which its own task manager then refuses.
        message.context_id = task.context_id


async def ending(work: Coroutine[Any, Any, _T]) -> _T:
    """Return the result of work; if the waiter is cancelled, the work is cancelled until it has ended."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.wait({doing})
    except asyncio.CancelledError:
        await _ended(doing)
        raise
    return doing.result()


async def ended(work: Coroutine[Any, Any, object], *, within_seconds: float) -> bool:
    """Do work within a time; past that it is cancelled until it has ended. Return whether it ended at all.

    The errors of the work are raised.
    """
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.wait({doing}, timeout=within_seconds)
    finally:
        await _ended(doing)
    if doing.done() and not doing.cancelled():
        doing.result()
    return doing.done()


async def _ended(doing: asyncio.Future[Any]) -> None:
    repeated = False
    for _ in range(_TIMES):
        if doing.done():
            break
        doing.cancel()
        try:
            await asyncio.wait({doing}, timeout=AGAIN_SECONDS)
        except asyncio.CancelledError:
            # The caller disconnects, and the agent is closed then: without another cancellation it would wait for ever.
            repeated = True
    doing.add_done_callback(_seen)
    if repeated:
        raise asyncio.CancelledError


def _seen(done: asyncio.Future[Any]) -> None:
    """Retrieve the exception of a task that perhaps nobody awaits: asyncio would report it."""
    if not done.cancelled():
        done.exception()
