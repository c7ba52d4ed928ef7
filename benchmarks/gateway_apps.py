"""An a2a-sdk agent, and a gateway in front of it. Each function is an application factory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from benchmarks.documents import card

if TYPE_CHECKING:
    from benchmarks.apps import Application

# Environment variable with the URL of the agent.
AGENT_URL = "CARDWRIGHT_BENCH_AGENT"
BYTES = 3_000


def agent() -> Any:
    """Return an a2a-sdk agent that responds to each message with a message."""
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
    from a2a.server.tasks import InMemoryTaskStore
    from a2a.types import AgentCard, AgentInterface, Message, Part, Role
    from starlette.applications import Starlette

    class Echo(AgentExecutor):
        async def execute(self, context: Any, event_queue: Any) -> None:
            part = Part(text=context.get_user_input())
            await event_queue.enqueue_event(Message(message_id="echo", role=Role.ROLE_AGENT, parts=[part]))

        async def cancel(self, context: Any, event_queue: Any) -> None:
            del context, event_queue

    url = os.environ[AGENT_URL]
    agent_card = AgentCard(
        name="Echo",
        description="Returns the text of the request.",
        version="1.0.0",
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
    )
    agent_card.capabilities.SetInParent()
    skill = agent_card.skills.add(id="echo", name="Echo", description="Returns the text of the request.")
    skill.tags.append("echo")
    handler = DefaultRequestHandler(Echo(), InMemoryTaskStore(), agent_card)
    return Starlette(routes=[*create_agent_card_routes(agent_card), *create_jsonrpc_routes(handler, "/")])


def gateway() -> Application:
    """Return a gateway with that agent, twenty unreachable agents and a managed card of 3 KB."""
    from cardwright_gateway import Gateway

    agents: dict[str, Any] = {
        "echo": {"url": os.environ[AGENT_URL]},
        "card": {"card": card("a2a-1.0", BYTES)},
    }
    # A closed port, and a server that accepts connections and never responds.
    agents |= {f"gone-{number}": {"url": f"http://127.0.0.1:1/{number}"} for number in range(10)}
    agents |= {
        f"mute-{number}": {"url": f"http://127.0.0.1:{os.environ['MUTE']}/{number}"} for number in range(10)
    }
    return Gateway({"agents": agents, "base_url": "https://gateway.example.com"})


def published() -> Application:
    """Return an application that serves the same card without a gateway."""
    from cardwright import Card
    from cardwright.serve import well_known_agent_card

    return well_known_agent_card(Card.from_document(card("a2a-1.0", BYTES)), publish_sensitive="all")
