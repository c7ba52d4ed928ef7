"""a2a-sdk 1.x: an agent at the ports `HTTP GRPC` in the arguments, or without arguments a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.helpers import new_data_part, new_message, new_raw_part, new_text_part, new_url_part
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.routes import create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, Message, Role, SendMessageRequest, a2a_pb2_grpc
from client_a2a_1 import Sdk
from echo import Echo, main
from google.protobuf.json_format import MessageToDict
from starlette.applications import Starlette

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steps import Content

MADE = {"text": new_text_part, "raw": new_raw_part, "url": new_url_part, "data": new_data_part}


def whole(value: Any) -> Any:
    """Return JSON with integers as integers: protobuf has only doubles."""
    if isinstance(value, dict):
        return {name: whole(one) for name, one in value.items()}
    if isinstance(value, list):
        return [whole(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def contents(found: Sequence[Any]) -> list[Content]:
    kinds = [(one.WhichOneof("content"), one) for one in found]
    return [
        (kind, whole(MessageToDict(one.data)) if kind == "data" else getattr(one, kind))
        for kind, one in kinds
    ]


def message(role: str, made: Sequence[Content]) -> Message:
    return new_message([MADE[kind](value) for kind, value in made], role=Role.Value(f"ROLE_{role.upper()}"))


async def send(call: dict[str, Any], sent: Sequence[Content]) -> list[Content]:
    client = await Sdk(call).client(call["binding"])
    request = SendMessageRequest(message=message("user", sent))
    [reply] = [one async for one in client.send_message(request)]
    return contents(reply.message.parts)


def application(server: Any) -> Starlette:
    card = AgentCard(name="Echo", capabilities=AgentCapabilities(streaming=True))
    handler = DefaultRequestHandler(Echo(contents, message), InMemoryTaskStore(), card)
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), server)
    a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), server)
    routes = [
        *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=True),
        *create_rest_routes(handler, enable_v0_3_compat=True, path_prefix="/rest"),
    ]
    return Starlette(routes=routes)


if __name__ == "__main__":
    main(send, application)
