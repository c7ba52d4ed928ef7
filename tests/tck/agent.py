"""The agent under test of the A2A compatibility kit: on a2a-sdk's own server, or behind the gateway.

`python agent.py VERSION PORT GRPC_PORT RECORD [--works-on]`, the version being that of the kit: 0.3 or 1.0; what it is sent
over JSON-RPC and what it answers goes to the file RECORD. It does what the kit asks of a system
under test: for 1.0 what the prefix of a messageId says (a2a-tck 1.0-dev, `scenarios/*.feature`), for 0.3 it leaves a
task open that can be continued and cancelled.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import grpc
import httpx
import uvicorn
from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.helpers import new_data_part, new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part, a2a_pb2_grpc
from starlette.applications import Starlette

from tests.tck.traffic import recorded

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from a2a.server.events import EventQueue

# Card fields for each version of the kit.
SUPPORTED: Final = {"0.3": "0.3.0", "1.0": "1.0"}
# Twice the two seconds that the kit waits for the next event of a stream, and some.
ACTIVE_SECONDS: Final = 5.0
_FILE: Final = Part(raw=b"made by an agent", filename="output.txt", media_type="text/plain")
_FILE_URL: Final = Part(
    url="https://example.com/output.txt", filename="output.txt", media_type="text/plain"
)  # fmt: skip
# What each prefix selects, the longer ones first: chunks of an artifact, sent before the task is completed.
SCENARIOS: Final[Mapping[str, Sequence[Part]]] = {
    "tck-complete-task": (),
    "tck-artifact-text": (new_text_part("Generated text content"),),
    "tck-artifact-file-url": (_FILE_URL,),
    "tck-artifact-file": (_FILE,),
    "tck-artifact-data": (new_data_part({"key": "value", "count": 42}),),
    "tck-stream-001": (new_text_part("Stream hello from TCK"),),
    "tck-stream-002": (),
    "tck-stream-003": (new_text_part("Stream task lifecycle"),),
    "tck-stream-ordering-001": (new_text_part("Ordered output"),),
    "tck-stream-artifact-text": (new_text_part("Streamed text content"),),
    "tck-stream-artifact-file": (_FILE,),
    "tck-stream-artifact-chunked": (new_text_part("chunk-1 "), new_text_part("chunk-2")),
}


class Tested(AgentExecutor):
    """Does what the kit of one version asks for."""

    def __init__(self, version: str, *, works_on: bool) -> None:
        self._version = version
        self._works_on = works_on
        self._at_work: dict[str, asyncio.Event] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer one message."""
        message, task = context.message, context.current_task
        assert message is not None
        if message.message_id.startswith("tck-message-response"):
            reply = new_text_message("Direct message response", context_id=context.context_id)
            await event_queue.enqueue_event(reply)
            return
        if task is None:
            task = new_task_from_user_message(message)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        if message.message_id.startswith("test-resubscribe-message-id"):
            await self._work(updater)
        elif message.message_id.startswith("tck-reject-task"):
            await updater.reject(updater.new_agent_message([new_text_part("rejected")]))
        elif message.message_id.startswith("tck-input-required") or self._version == "0.3":
            await updater.start_work()
            if self._works_on:
                return
            await updater.requires_input(updater.new_agent_message([new_text_part("And then?")]))
        else:
            await self._complete(message.message_id, updater)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Cancel a task."""
        task_id = context.task_id or ""
        await TaskUpdater(event_queue, task_id, context.context_id or "").cancel()
        if task_id in self._at_work:
            self._at_work[task_id].set()

    async def _work(self, updater: TaskUpdater) -> None:
        """Work for some seconds, and report progress now and then."""
        cancelled = self._at_work[updater.task_id] = asyncio.Event()
        try:
            for _ in range(int(ACTIVE_SECONDS * 2)):
                await updater.start_work(updater.new_agent_message([new_text_part("At work.")]))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(cancelled.wait(), 0.5)
                    return
            await updater.complete()
        finally:
            del self._at_work[updater.task_id]

    async def _complete(self, message_id: str, updater: TaskUpdater) -> None:
        pieces = next((scenario for name, scenario in SCENARIOS.items() if message_id.startswith(name)), ())
        await updater.start_work()
        for index, piece in enumerate(pieces):
            last = index + 1 == len(pieces)
            await updater.add_artifact([piece], artifact_id="output", append=index > 0, last_chunk=last)
        await updater.complete(updater.new_agent_message([new_text_part("Hello from TCK")]))


def card(url: str, version: str, grpc_port: int) -> AgentCard:
    """Return the card: all bindings of one version, without credentials."""
    return AgentCard(
        name="Compatibility",
        description="Does what the A2A compatibility kit asks for.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=url, protocol_binding=binding, protocol_version=SUPPORTED[version])
            for binding in ("JSONRPC", "HTTP+JSON")
        ]
        + [
            AgentInterface(
                # The kit for 0.3 expects a URL, the kit for 1.0 an address.
                url=f"{'http://' if version == '0.3' else ''}127.0.0.1:{grpc_port}",
                protocol_binding="GRPC",
                protocol_version=SUPPORTED[version],
            )
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="tck", name="TCK", description="Is tested.", tags=["tck"])],
    )


def grpc_server(handler: DefaultRequestHandler, version: str, port: int) -> grpc.aio.Server:
    """Return a2a-sdk's own server of gRPC."""
    server = grpc.aio.server()
    if version == "0.3":
        a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), server)  # type: ignore[no-untyped-call] # generated
    else:
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), server)  # type: ignore[no-untyped-call] # generated
    server.add_insecure_port(f"127.0.0.1:{port}")
    return server


def application(url: str, version: str, grpc_port: int, *, works_on: bool) -> Starlette:
    """Return the agent on a2a-sdk's own server."""
    document = card(url, version, grpc_port)
    configs = InMemoryPushNotificationConfigStore()
    client = httpx.AsyncClient()
    handler = DefaultRequestHandler(
        Tested(version, works_on=works_on),
        InMemoryTaskStore(),
        document,
        push_config_store=configs,
        push_sender=BasePushNotificationSender(client, configs),
    )
    old = version == "0.3"
    routes = [
        *create_agent_card_routes(document),
        *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=old),
        *create_rest_routes(handler, enable_v0_3_compat=old),
    ]

    @contextlib.asynccontextmanager
    async def lifespan(_: Any) -> AsyncGenerator[None]:
        over_grpc = grpc_server(handler, version, grpc_port)
        await over_grpc.start()
        async with client:
            yield
        await over_grpc.stop(None)

    return Starlette(routes=routes, lifespan=lifespan)


if __name__ == "__main__":
    version, port, grpc_port, record = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    served = application(f"http://127.0.0.1:{port}", version, grpc_port, works_on="--works-on" in sys.argv)
    uvicorn.run(recorded(served, record), host="127.0.0.1", port=port, log_level="critical")
