"""An agent made with a2a-sdk 0.3, in an environment of its own: JSON-RPC at `/`, REST below `/rest`.

`python agent.py PORT`
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, DataPart, Part, TextPart
from a2a.utils import new_agent_text_message, new_task

if TYPE_CHECKING:
    from a2a.server.events import EventQueue

INTERNAL = "http://tides.internal.example:8001"


class SampleAgent(AgentExecutor):
    """Does `task`, `ask` and `wait`; anything else comes back as a message."""

    def __init__(self) -> None:
        self._open: dict[str, asyncio.Event] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        text = context.get_user_input()
        if context.current_task is not None:
            updater = TaskUpdater(event_queue, context.current_task.id, context.current_task.context_id)
            await updater.complete(updater.new_agent_message([_text(f"so it is {text}")]))
            return
        if text not in ("task", "ask", "wait"):
            await event_queue.enqueue_event(new_agent_text_message(f"you said {text}", context.context_id))
            return
        task = new_task(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        if text == "ask":
            await updater.requires_input(updater.new_agent_message([_text("which port?")]), final=True)
        elif text == "wait":
            self._open[task.id] = asyncio.Event()
            await self._open[task.id].wait()
        else:
            await updater.add_artifact([_text("high ")], artifact_id="a", append=False)
            await updater.add_artifact([_text("water")], artifact_id="a", append=True)
            await updater.add_artifact([Part(root=DataPart(data={"metres": 3.1}))], artifact_id="b")
            await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
        if context.task_id in self._open:
            self._open.pop(context.task_id).set()


def _text(text: str) -> Part:
    return Part(root=TextPart(text=text))


def card(url: str, *skills: str) -> AgentCard:
    return AgentCard(
        name="Old tides",
        description="Tells when the water is high.",
        version="1.0.0",
        url=url,
        preferred_transport="JSONRPC",
        additional_interfaces=[AgentInterface(url=f"{url}rest", transport="HTTP+JSON")],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[
            AgentSkill(id=one, name=one, description=f"The {one} water.", tags=["sea"]) for one in skills
        ],
        supports_authenticated_extended_card=True,
    )


def main(port: int) -> None:
    public, extended = card(f"http://127.0.0.1:{port}/", "high"), card(f"{INTERNAL}/", "high", "low")
    handler = DefaultRequestHandler(
        SampleAgent(), InMemoryTaskStore(), push_config_store=InMemoryPushNotificationConfigStore()
    )
    application = A2AStarletteApplication(public, handler, extended_agent_card=extended).build()
    rest = A2ARESTFastAPIApplication(public, handler, extended_agent_card=extended)
    application.mount("/rest", rest.build())
    uvicorn.run(application, host="127.0.0.1", port=port, log_level="critical")


if __name__ == "__main__":
    main(int(sys.argv[1]))
