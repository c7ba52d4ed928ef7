"""Two servers for the same durable work: a2a-sdk with its SQL task store, and the gateway. Application factories."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.apps import Application

# Environment variables: the database, and the file for the API key of the callers.
DATABASE = "CARDWRIGHT_BENCH_DATABASE"
KEY_FILE = "CARDWRIGHT_BENCH_KEY"


def echo(text: str) -> str:
    """Return the text of the request."""
    return text


def sdk() -> Any:
    """Return the a2a-sdk server: an echo agent that creates tasks in its SQL store."""
    from a2a.helpers import new_task_from_user_message, new_text_part
    from a2a.server.agent_execution import AgentExecutor
    from a2a.server.request_handlers import DefaultRequestHandler
    from a2a.server.routes import create_jsonrpc_routes
    from a2a.server.tasks import DatabaseTaskStore, TaskUpdater
    from a2a.types import AgentCard, AgentInterface
    from starlette.applications import Starlette

    from cardwright_gateway.database.async_engine import async_engine

    class Echo(AgentExecutor):
        async def execute(self, context: Any, event_queue: Any) -> None:
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
            updater = TaskUpdater(event_queue, task.id, task.context_id)
            await updater.start_work()
            await updater.add_artifact([new_text_part(context.get_user_input())])
            await updater.complete()

        async def cancel(self, context: Any, event_queue: Any) -> None:
            del context, event_queue

    agent_card = AgentCard(
        name="Echo",
        description="Returns the text of the request.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url="http://127.0.0.1/", protocol_binding="JSONRPC", protocol_version="1.0")
        ],
    )
    agent_card.capabilities.SetInParent()
    # The same engine as the gateway: the same driver, pool and commit guarantee.
    store = DatabaseTaskStore(async_engine(os.environ[DATABASE]))
    handler = DefaultRequestHandler(Echo(), store, agent_card)
    return Starlette(routes=[*create_jsonrpc_routes(handler, "/echo")])


def gateway() -> Application:
    """Return a gateway with the same echo agent, with API key, rate limit and durable tasks."""
    from pathlib import Path

    from benchmarks.documents import card
    from cardwright_gateway import Gateway

    application = Gateway(
        {
            "base_url": "https://gateway.example.com",
            "store": os.environ[DATABASE],
            "owners": {"acme": {"name": "Acme"}},
            "limits": {"requests": 1_000_000},
            "webhooks": {"encryption_key": "A" * 43},
            "agents": {
                "echo": {
                    "card": card("a2a-1.0", 3_000),
                    "backend": {"python": "benchmarks.durable_apps:echo"},
                    "owner": "acme",
                }
            },
        }
    )
    _, secret = application.keys.issue("echo", "acme", actor="benchmark")
    Path(os.environ[KEY_FILE]).write_text(secret, encoding="ascii")
    return application
