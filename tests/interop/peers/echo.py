"""An agent of a2a-sdk that replies to a part, over JSON-RPC, REST and gRPC."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import grpc.aio
import scenario
import uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from steps import reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from a2a.server.events import EventQueue


class Echo(AgentExecutor):
    """Replies with the functions of a release: one returns the contents of parts, one a message with contents."""

    def __init__(self, contents: Callable[[Any], Any], message: Callable[..., Any]) -> None:
        self.contents = contents
        self.message = message

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        made = self.message("agent", reply(self.contents(context.message.parts)))
        made.context_id = context.context_id
        await event_queue.enqueue_event(made)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Do nothing: there is no task."""


def main(send: Callable[..., Any], application: Callable[[grpc.aio.Server], Any]) -> None:
    """Serve at the ports `HTTP GRPC` in the arguments, or without arguments send parts."""

    async def serve(port: int, grpc_port: int) -> None:
        server = grpc.aio.server()
        settings = uvicorn.Config(application(server), host="127.0.0.1", port=port, log_level="critical")
        server.add_insecure_port(f"127.0.0.1:{grpc_port}")
        await server.start()
        await uvicorn.Server(settings).serve()

    ports = map(int, sys.argv[1:])
    asyncio.run(serve(*ports) if sys.argv[1:] else scenario.send_parts("a2a-sdk", send))
