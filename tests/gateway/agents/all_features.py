"""a2a-sdk 1.3 agent with all features; the first word of a message selects one.

`python all_features.py PORT`; its extended card names a host that only the operator should know.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import uvicorn
from a2a.helpers import new_data_part, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from a2a.utils.errors import ContentTypeNotSupportedError
from starlette.applications import Starlette

if TYPE_CHECKING:
    from a2a.server.events import EventQueue

INTERNAL = "http://tides.internal.example:8001"
SUPPORTED = [(binding, version) for version in ("1.0", "0.3") for binding in ("JSONRPC", "HTTP+JSON")]


class SampleAgent(AgentExecutor):
    """Does `task`, `ask`, `wait`, `refuse` and `die`; anything else comes back as a message."""

    def __init__(self) -> None:
        self._open: dict[str, asyncio.Event] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        message = context.message
        assert message is not None
        text = context.get_user_input()
        if context.current_task is not None:
            updater = TaskUpdater(event_queue, context.current_task.id, context.current_task.context_id)
            await updater.complete(updater.new_agent_message([new_text_part(f"so it is {text}")]))
            return
        if text == "refuse":
            raise ContentTypeNotSupportedError("no such words here")
        if text not in ("task", "ask", "wait", "die"):
            reply = new_text_message(f"you said {text}", context_id=context.context_id)
            await event_queue.enqueue_event(reply)
            return
        task = new_task_from_user_message(message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        await self._go_on(text, task.id, updater)

    async def _go_on(self, text: str, task_id: str, updater: TaskUpdater) -> None:
        match text:
            case "ask":
                await updater.requires_input(updater.new_agent_message([new_text_part("which port?")]))
            case "wait":
                self._open[task_id] = asyncio.Event()
                await self._open[task_id].wait()
            case "die":
                # By then, earlier reports have been sent.
                await asyncio.sleep(0.5)
                os._exit(1)
            case _:
                await updater.add_artifact([new_text_part("high ")], artifact_id="a", append=False)
                await updater.add_artifact([new_text_part("water")], artifact_id="a", append=True)
                await updater.add_artifact([new_data_part({"metres": 3.1})], artifact_id="b")
                await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        task_id = context.task_id or ""
        await TaskUpdater(event_queue, task_id, context.context_id or "").cancel()
        if task_id in self._open:
            self._open.pop(task_id).set()


def card(url: str, *skills: str) -> AgentCard:
    return AgentCard(
        name="Tides",
        description="Tells when the water is high.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=url, protocol_binding=binding, protocol_version=version)
            for binding, version in SUPPORTED
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True, extended_agent_card=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[
            AgentSkill(id=one, name=one, description=f"The {one} water.", tags=["sea"]) for one in skills
        ],
    )


def application(url: str) -> Starlette:
    public = card(url, "high")
    handler = DefaultRequestHandler(
        SampleAgent(),
        InMemoryTaskStore(),
        public,
        push_config_store=InMemoryPushNotificationConfigStore(),
        extended_agent_card=card(INTERNAL, "high", "low"),
    )
    routes = [
        *create_agent_card_routes(public),
        *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True),
        *create_rest_routes(handler, enable_v0_3_compat=True),
    ]
    return Starlette(routes=routes)


if __name__ == "__main__":
    port = int(sys.argv[1])
    uvicorn.run(application(f"http://127.0.0.1:{port}/"), host="127.0.0.1", port=port, log_level="critical")
