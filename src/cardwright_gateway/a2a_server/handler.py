"""The SDK's request handler, extended: a turn is validated before its task is created."""

from __future__ import annotations

import asyncio
import inspect
import logging
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING, Final

from a2a.server.agent_execution.active_task import INTERRUPTED_TASK_STATES, TERMINAL_TASK_STATES
from a2a.server.cluster import VersionedEvent
from a2a.server.request_handlers.default_request_handler_v2 import DefaultRequestHandlerV2
from a2a.server.request_handlers.request_handler import validate_request_params
from a2a.types.a2a_pb2 import GetTaskPushNotificationConfigRequest, Task, TaskState, TaskStatusUpdateEvent
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

from cardwright.a2a_sdk import to_a2a_sdk
from cardwright.errors import CardError
from cardwright.http.problem import Problem
from cardwright_gateway.a2a.problems import AGENT_FAILED, turn_problem
from cardwright_gateway.a2a.task_size import off_loop
from cardwright_gateway.a2a_server.cancelling import cancel_until_done, ending
from cardwright_gateway.a2a_server.executor import OPEN, SLOT, STREAM_ENDED, TURN
from cardwright_gateway.a2a_server.joining import JoiningRegistry
from cardwright_gateway.a2a_server.memory_store import MemoryTaskStore
from cardwright_gateway.a2a_server.messages import turn_of
from cardwright_gateway.a2a_server.polling import tail
from cardwright_gateway.a2a_server.required import check_required
from cardwright_gateway.a2a_server.stores import secrets_of
from cardwright_gateway.a2a_server.stream_end import until_ended
from cardwright_gateway.errors import AgentBusy, BadTurn, TasksFull

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Collection, Generator

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

    from cardwright.card import Card
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.a2a_server.executor import Executor
    from cardwright_gateway.a2a_server.stores import TaskStores
    from cardwright_gateway.backends.backend import Turn

_LOG: Final = logging.getLogger("cardwright_gateway")
# A task that waits for its caller holds three asyncio tasks until the SDK releases it; the store has it anyway
# (project decision).
_PARKED_SECONDS: Final = 1.0
# How often to look whether a task is stored, for a caller that need not wait for its end (project decision).
_STORED_SECONDS: Final = 0.05
_RUNNING: Final = (
    "the task is running; wait until it requires input, or until the agent has answered the last message"
)
# The SDK's methods without their decorators, which validate again what `check_required` has validated.
_SEND: Final = inspect.unwrap(DefaultRequestHandlerV2.on_message_send)
_STREAM: Final = inspect.unwrap(DefaultRequestHandlerV2.on_message_send_stream)


class Handler(DefaultRequestHandlerV2):
    """The request handler of one agent."""

    def __init__(
        self, executor: Executor, stores: TaskStores, card: AgentCard, extended: Card | None = None
    ) -> None:
        super().__init__(
            executor,
            stores.tasks,
            card,
            push_config_store=stores.configs,
            push_sender=stores.sender,
            event_stream=stores.stream,
            interrupted_task_timeout=_PARKED_SECONDS,
        )
        self._active_task_registry = JoiningRegistry(
            executor, self._versioned_store, stores.sender, stores.stream, _PARKED_SECONDS
        )
        self._extended = extended
        self._executor = executor
        self._tasks = stores.tasks
        self._check_size = stores.check_size
        self._blocking_seconds = stores.blocking_seconds

    def exchange(self, card: AgentCard, extended: Card | None = None) -> None:
        """Replace the card and the extended card."""
        self._agent_card = card
        self._extended = extended
        self.extended_agent_card = None

    async def leave(self, task_ids: Collection[str]) -> None:
        """Stop running tasks that another process cancelled."""
        for task_id in task_ids:
            active = await self._active_task_registry.get(task_id)
            running = dict(self._executor.running).get(task_id)
            if active is not None and running is not None:
                await active.cancel(running)

    async def stop(self, task_id: str, context: ServerCallContext) -> None:
        """Cancel a running turn, whether or not its task is stored yet."""
        active = await self._active_task_registry.get(task_id)
        if active is not None:
            await active.cancel(context)

    async def on_message_send(self, params: SendMessageRequest, context: ServerCallContext) -> Message | Task:
        """Return the response to a message when its turn has ended.

        If the agent leaves the task open, or the time for waiting is over, return the task as it is: its turn goes on.
        """
        check_required(params)
        with self._admitted(context):
            await self._begin(params, context)
            # If the caller disconnects before a task exists, the SDK would wait for that task.
            response = await ending(self._response(params, context))
        if isinstance(response, Task):
            await self._responded(response.id, response.status.state, context)
        return response

    async def _response(self, params: SendMessageRequest, context: ServerCallContext) -> Message | Task:
        opened: asyncio.Event = asyncio.Event()
        context.state[OPEN] = opened
        sending = asyncio.ensure_future(_SEND(self, params, context))
        waiting = asyncio.ensure_future(opened.wait())
        try:
            await asyncio.wait(
                {sending, waiting}, timeout=self._blocking_seconds, return_when=asyncio.FIRST_COMPLETED
            )
            while not sending.done():
                if (task := await self._stored(params.message.task_id, context)) is not None:
                    return task
                # The store is a moment behind the turn.
                await asyncio.wait({sending}, timeout=_STORED_SECONDS)
            response: Message | Task = sending.result()
            return response
        finally:
            waiting.cancel()
            # As when its caller disconnects: the turn goes on.
            await cancel_until_done(sending)

    async def _stored(self, earlier: str, context: ServerCallContext) -> Task | None:
        """Return the task of a turn as it is stored; None if it is not stored yet.

        Args:
            earlier: The task that the message continues, or "".
            context: The context of the call.
        """
        task_id = self._executor.task_of(context.state[SLOT]) or earlier
        stored = await self._versioned_store.get(task_id, context) if task_id else None
        return None if stored is None else stored.task

    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of the turn of a message."""
        check_required(params)
        if not self._agent_card.capabilities.streaming:
            raise UnsupportedOperationError("the agent does not support streaming")
        state, task_id = TaskState.TASK_STATE_UNSPECIFIED, ""
        stream_ended = context.state[STREAM_ENDED] = asyncio.Event()
        with self._admitted(context):
            await self._begin(params, context)
            async with aclosing(until_ended(_STREAM(self, params, context), stream_ended)) as events:
                async for event in events:
                    yield event
                    if isinstance(event, (Task, TaskStatusUpdateEvent)):
                        state = event.status.state
                        task_id = event.id if isinstance(event, Task) else event.task_id
        await self._responded(task_id, state, context)

    @validate_request_params
    async def on_get_task(self, params: GetTaskRequest, context: ServerCallContext) -> Task | None:
        """Return a task."""
        task: Task | None = await super().on_get_task(params, context)
        if task is not None:
            await self._responded(task.id, task.status.state, context)
        return task

    async def on_cancel_task(self, params: CancelTaskRequest, context: ServerCallContext) -> Task | None:
        """Cancel a task."""
        task: Task | None = await super().on_cancel_task(params, context)
        # The task ended in another way while it was being cancelled.
        if task is not None and task.status.state != TaskState.TASK_STATE_CANCELED:
            raise TaskNotCancelableError
        return task

    async def _write_cancel(
        self, task_id: str, current: Task, version: TaskVersion, context: ServerCallContext
    ) -> Task:
        """Cancel a task that does not run in this process: it waits for its caller, or runs elsewhere, or nowhere.

        a2a-sdk would write only the state and keep the old timestamp, so the state would look outdated.
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
                _LOG.warning("task %s: its webhooks are delivered later: %s", task_id, error)
        # The process that runs the task does the same when it notices, but that process may be dead.
        await self._executor.cancel_upstream(task_id)
        return task

    @validate_request_params
    async def on_subscribe_to_task(
        self, params: SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Yield the updates of a task; a task that no call of this process runs is polled from the store."""
        if self._agent_card.capabilities.streaming and self._event_stream is None:
            stored = await self._versioned_store.get(params.id, context)
            if stored is not None and await self._runs_elsewhere(stored.task):

                async def current() -> Task | None:
                    read = await self._versioned_store.get(params.id, context)
                    return None if read is None else read.task

                async for event in tail(stored.task, current):
                    yield event
                return
        async with aclosing(super().on_subscribe_to_task(params, context)) as events:
            async for event in events:
                yield event

    async def _runs_elsewhere(self, task: Task) -> bool:
        """Whether an unfinished task is not executed by a call to this process."""
        if task.status.state in TERMINAL_TASK_STATES | INTERRUPTED_TASK_STATES:
            return False
        active = await self._active_task_registry.get(task.id)
        return active is None or active.is_finished

    async def on_get_task_push_notification_config(
        self, params: GetTaskPushNotificationConfigRequest, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Return a push configuration; without an id (A2A 0.3.0 §7.6), return the first one."""
        call: Call = context.state["call"]
        if call.version == "0.3" and not params.id and self._push_config_store is not None:
            configs = await self._push_config_store.get_info(params.task_id, context)
            if configs:
                params = GetTaskPushNotificationConfigRequest(task_id=params.task_id, id=configs[0].id)
        config: TaskPushNotificationConfig = await super().on_get_task_push_notification_config(
            params, context
        )
        return config

    async def on_get_extended_agent_card(
        self, params: GetExtendedAgentCardRequest, context: ServerCallContext
    ) -> AgentCard:
        """Return the extended card for admitted callers; raise an error if it is not configured."""
        extended = self._extended
        if extended is not None:
            if self.extended_agent_card is None:
                converted = (await asyncio.to_thread(to_a2a_sdk, extended))[0]
                if extended is not self._extended:
                    # The card changed meanwhile.
                    return await self.on_get_extended_agent_card(params, context)
                self.extended_agent_card = converted
            card: AgentCard = await super().on_get_extended_agent_card(params, context)
            return card
        call: Call = context.state["call"]
        # A2A 0.3.0 §8.2 has only this code; A2A 1.0 §3.3.4 reserves it for a card that is declared.
        if self._agent_card.capabilities.extended_agent_card or call.version == "0.3":
            raise ExtendedAgentCardNotConfiguredError
        raise UnsupportedOperationError("the agent declares no extended card")

    @contextmanager
    def _admitted(self, context: ServerCallContext) -> Generator[None]:
        """Hold a slot for a turn, or refuse the turn before anything is stored."""
        call: Call = context.state["call"]
        try:
            slot = self._executor.admit(anonymous=call.anonymous)
        except AgentBusy as error:
            call.refused = turn_problem(error)
            raise InternalError from None
        context.state[SLOT] = slot
        try:
            yield
        except TasksFull:
            self._executor.abandon(slot)
            raise
        finally:
            self._executor.release(slot)

    async def _responded(self, task_id: str, state: TaskState, context: ServerCallContext) -> None:
        """Note that the caller has the state of its task: an ended task may be too large to keep after that."""
        if state in TERMINAL_TASK_STATES and isinstance(self._tasks, MemoryTaskStore):
            await self._tasks.responded(task_id, context)

    async def _begin(self, params: SendMessageRequest, context: ServerCallContext) -> None:
        """Validate a turn before anything is stored, and complete the message of a continued task."""
        if params.configuration.HasField("task_push_notification_config"):
            if self._push_config_store is None:
                raise PushNotificationNotSupportedError
            # Invalid secrets are refused before a task is created.
            secrets_of(context.state["call"].value)
        message = params.message
        earlier = bool(message.task_id)
        if earlier:
            await self._continue(message, context)
        call: Call = context.state["call"]
        try:
            size = params.ByteSize()
            turn = await off_loop(size, _turn_of, params, call, context.user.user_name, earlier=earlier)
            if self._check_size is not None:
                await self._check_size(context.user.user_name, message)
            await self._executor.backend.ready()
            await self._executor.backend.check(turn)
            context.state[TURN] = turn
        except BadTurn as error:
            call.refused = turn_problem(error)
            raise InvalidParamsError from None
        except CardError as error:
            _LOG.info("agent %s: not ready: %s", self._executor.agent_id, error)
            call.refused = turn_problem(error)
            raise InternalError from None
        except Exception:  # noqa: BLE001 - a bug in a backend must refuse only this call
            _LOG.exception("agent %s: a turn could not be validated", self._executor.agent_id)
            call.refused = Problem(AGENT_FAILED, "the agent failed")
            raise InternalError from None
        if earlier and not self._executor.continues(message.task_id, context.state[SLOT]):
            raise UnsupportedOperationError(_RUNNING)

    async def _continue(self, message: Message, context: ServerCallContext) -> None:
        """Complete a message that continues a task."""
        stored = await self._versioned_store.get(message.task_id, context)
        if stored is None:
            raise TaskNotFoundError
        task = stored.task
        if task.status.state in TERMINAL_TASK_STATES:
            raise UnsupportedOperationError("the task has ended; send the message without taskId")
        if await self._runs_elsewhere(task):
            # The message would start a second turn beside the first.
            raise UnsupportedOperationError(_RUNNING)
        if message.context_id and message.context_id != task.context_id:
            raise InvalidParamsError("the task belongs to another context; send its contextId, or none")
        # The SDK would generate a new one, which its own task manager then refuses.
        message.context_id = task.context_id


def _turn_of(params: SendMessageRequest, call: Call, owner: str, *, earlier: bool) -> Turn:
    metadata = MessageToDict(params.metadata)
    return turn_of(params.message, metadata, earlier=earlier, owner=owner, sender=call.sender)
