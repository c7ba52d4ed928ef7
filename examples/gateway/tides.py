"""An A2A agent built with a2a-sdk: it returns the time of high water."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Part,
    Task,
    TaskState,
    TaskStatus,
)
from starlette.applications import Starlette

if TYPE_CHECKING:
    from a2a.server.events import EventQueue


class Tides(AgentExecutor):
    """Answers every message with the next high water."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one message."""
        task = Task(
            id=context.task_id,
            context_id=context.context_id,
            status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED),
        )
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, context.task_id or "", context.context_id or "")
        await updater.start_work()
        text = f"{context.get_user_input()}: high water at 14:20, 3.1 m."
        await updater.add_artifact([Part(text=text)], name="tides")
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Report the task as cancelled; nothing is running."""
        await TaskUpdater(event_queue, context.task_id or "", context.context_id or "").cancel()


def application(url: str) -> Starlette:
    """Return the agent as an ASGI application with this public URL."""
    card = AgentCard(
        name="Tides",
        description="Tells when the water is high.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0"),
            AgentInterface(url=url, protocol_binding="HTTP+JSON", protocol_version="1.0"),
            AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="0.3"),
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="high", name="High water", description="The next high water.", tags=["sea"])],
    )
    handler = DefaultRequestHandler(Tides(), InMemoryTaskStore(), card)
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True),
        *create_rest_routes(handler),
    ]
    return Starlette(routes=routes)


if __name__ == "__main__":
    port = int(sys.argv[1])
    uvicorn.run(application(f"http://127.0.0.1:{port}/"), host="127.0.0.1", port=port, log_level="warning")
