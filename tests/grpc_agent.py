"""An a2a-sdk agent that supports only gRPC, run on loopback for one test."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard

from tests.grpc_modules import aio, services, services_of_0_3

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.discovery.calling.sdk_agents import ScriptedExecutor


@asynccontextmanager
async def serving(executor: ScriptedExecutor, credentials: Any = None) -> AsyncGenerator[str]:
    """Run an a2a-sdk agent that supports gRPC of 1.0 and 0.3; yield its address."""
    from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
    from a2a.server.request_handlers.grpc_handler import GrpcHandler

    handler = DefaultRequestHandler(
        executor, InMemoryTaskStore(), AgentCard(capabilities=AgentCapabilities(streaming=True))
    )
    server = aio.server()
    services.add_A2AServiceServicer_to_server(GrpcHandler(handler), server)
    services_of_0_3.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), server)
    if credentials is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        port = server.add_secure_port("127.0.0.1:0", credentials)
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
