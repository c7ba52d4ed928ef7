"""What stands behind and before: an agent made with a2a-sdk, and a gateway before it. Each is a factory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from benchmarks.documents import card

if TYPE_CHECKING:
    from benchmarks.apps import Application

# Where the agent listens, for the gateway that is started beside it.
AGENT_URL = "CARDWRIGHT_BENCH_AGENT"
BYTES = 3_000


def agent() -> Any:
    """Return an agent of a2a-sdk that answers each message with a message."""
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
    from a2a.server.tasks import InMemoryTaskStore
    from a2a.types import AgentCard, AgentInterface, Message, Part, Role
    from starlette.applications import Starlette

    class Echo(AgentExecutor):
        async def execute(self, context: Any, event_queue: Any) -> None:
            said = Part(text=context.get_user_input())
            await event_queue.enqueue_event(Message(message_id="echo", role=Role.ROLE_AGENT, parts=[said]))

        async def cancel(self, context: Any, event_queue: Any) -> None:
            del context, event_queue

    url = os.environ[AGENT_URL]
    shown = AgentCard(
        name="Echo",
        description="Says what was said.",
        version="1.0.0",
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
    )
    shown.capabilities.SetInParent()
    skill = shown.skills.add(id="echo", name="Echo", description="Says what was said.")
    skill.tags.append("echo")
    handler = DefaultRequestHandler(Echo(), InMemoryTaskStore(), shown)
    return Starlette(routes=[*create_agent_card_routes(shown), *create_jsonrpc_routes(handler, "/")])


def gateway() -> Application:
    """Return a gateway before that agent, before twenty that are dead, and before a card of 3 KB."""
    from cardwright_gateway import Gateway

    agents: dict[str, Any] = {
        "echo": {"url": os.environ[AGENT_URL]},
        "card": {"card": card("a2a-1.0", BYTES)},
    }
    # A port that nothing listens on, and one that takes connections and never answers.
    agents |= {f"gone-{number}": {"url": f"http://127.0.0.1:1/{number}"} for number in range(10)}
    agents |= {
        f"mute-{number}": {"url": f"http://127.0.0.1:{os.environ['MUTE']}/{number}"} for number in range(10)
    }
    return Gateway({"agents": agents, "base_url": "https://gateway.example.com"})


def published() -> Application:
    """Return what serves the same card without a gateway."""
    from cardwright import Card
    from cardwright.serve import well_known_agent_card

    return well_known_agent_card(Card.from_document(card("a2a-1.0", BYTES)), publish_sensitive="all")
