"""The agent under test of the A2A compatibility kit for 0.3, made with a2a-sdk 0.3: JSON-RPC at `/`, REST below `/v1`.

`python tck.py PORT`. It does what `tests/tck/agent.py` does: it leaves a task open that can be continued and cancelled.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING

import httpx
import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.utils import new_task
from agent import _text, card

if TYPE_CHECKING:
    from a2a.server.events import EventQueue

# Twice the two seconds that the kit waits for the next event of a stream, and some.
ACTIVE_SECONDS = 5.0


class Tested(AgentExecutor):
    """Asks a question; a task that is resubscribed to is at work for some seconds."""

    def __init__(self) -> None:
        self._at_work: dict[str, asyncio.Event] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        task = context.current_task
        if task is None:
            task = new_task(context.message)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        if context.message.message_id.startswith("test-resubscribe-message-id"):
            await self._work(updater)
        else:
            await updater.requires_input(updater.new_agent_message([_text("And then?")]), final=True)

    async def _work(self, updater: TaskUpdater) -> None:
        cancelled = self._at_work[updater.task_id] = asyncio.Event()
        for _ in range(int(ACTIVE_SECONDS * 2)):
            await updater.start_work(updater.new_agent_message([_text("At work.")]))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(cancelled.wait(), 0.5)
                return
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
        if context.task_id in self._at_work:
            self._at_work.pop(context.task_id).set()


def main(port: int) -> None:
    document = card(f"http://127.0.0.1:{port}/", "high")
    document.additional_interfaces[0].url = document.url
    document.supports_authenticated_extended_card = False
    configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        Tested(),
        InMemoryTaskStore(),
        push_config_store=configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
    )
    application = A2AStarletteApplication(document, handler).build()
    application.mount("/", A2ARESTFastAPIApplication(document, handler).build())
    uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")


if __name__ == "__main__":
    main(int(sys.argv[1]))
