"""a2a-sdk 0.3: an agent at the ports `HTTP GRPC` in the arguments, or without arguments a client."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

from a2a.grpc import a2a_pb2_grpc
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, Message, Part
from client_a2a_0 import Sdk
from echo import Echo, main

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steps import Content

CARD = AgentCard(
    name="Echo", description="Echo.", version="1", url="http://echo.example", skills=[],
    capabilities=AgentCapabilities(streaming=True), default_input_modes=[], default_output_modes=[],
)  # fmt: skip


def message(role: str, made: Sequence[Content]) -> Message:
    files = {"raw": lambda value: {"bytes": b64encode(value).decode()}, "url": lambda value: {"uri": value}}
    parts = [
        {"kind": "file", "file": files[kind](value)} if kind in files else {"kind": kind, kind: value}
        for kind, value in made
    ]
    return Message(message_id="m", role=role, parts=[Part.model_validate(one) for one in parts])


def contents(found: Sequence[Part]) -> list[Content]:
    return [content(one.root.model_dump()) for one in found]


def content(part: dict[str, Any]) -> Content:
    if part["kind"] != "file":
        return part["kind"], part[part["kind"]]
    file = part["file"]
    return ("url", file["uri"]) if "uri" in file else ("raw", b64decode(file["bytes"], validate=True))


async def send(call: dict[str, Any], sent: Sequence[Content]) -> list[Content]:
    client = await Sdk(call).client(call["binding"])
    [reply] = [one async for one in client.send_message(message("user", sent))]
    return contents(reply.parts)


def application(server: Any) -> Any:
    handler = DefaultRequestHandler(Echo(contents, message), InMemoryTaskStore())
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(CARD, handler), server)
    served = A2AStarletteApplication(CARD, handler).build(rpc_url="/rpc")
    served.mount("/rest", A2ARESTFastAPIApplication(CARD, handler).build())
    return served


if __name__ == "__main__":
    main(send, application)
