"""a2a-sdk 1.3 agent that returns what it was sent: `python echo.py PORT`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import uvicorn
from a2a.helpers import new_text_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs
from starlette.applications import Starlette

if TYPE_CHECKING:
    from a2a.server.events import EventQueue


class Echo(AgentExecutor):
    """Answers with the message, and with the header that it came with."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        message = context.message
        assert message is not None
        assert context.call_context is not None
        echoed = {
            "message": MessageToDict(message),
            "metadata": context.metadata,
            "headers": dict(context.call_context.state.get("headers", {})),
        }
        await event_queue.enqueue_event(new_text_message(json.dumps(echoed), context_id=context.context_id))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        raise NotImplementedError


def application(url: str) -> Starlette:
    card = AgentCard(
        name="Echo",
        description="Says what it was sent.",
        version="1.0.0",
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="echo", name="Echo", description="Says what it was sent.", tags=["echo"])],
    )
    handler = DefaultRequestHandler(Echo(), InMemoryTaskStore(), card)
    return Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])


if __name__ == "__main__":
    port = int(sys.argv[1])
    uvicorn.run(application(f"http://127.0.0.1:{port}/"), host="127.0.0.1", port=port, log_level="critical")
