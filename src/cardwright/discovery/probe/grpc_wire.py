"""Client for one A2A interface over gRPC; importing this module imports gRPC and a2a-sdk."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import grpc.aio
from a2a.compat.v0_3 import a2a_v0_3_pb2, proto_utils
from a2a.types import a2a_pb2
from a2a.utils.errors import JSON_RPC_ERROR_CODE_MAP
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.message_factory import GetMessageClass  # type: ignore[import-untyped] # it has no stubs

from cardwright.discovery.calling.grpc_errors import by_grpc_status, fields_of, http_status, reasons_of
from cardwright.discovery.probe.client import HttpResponse
from cardwright.discovery.probe.requests import TEXT, Operation, method_of, params_of
from cardwright.discovery.probe.wire import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REASONS,
    TASK_NOT_FOUND,
    OperationResponse,
    Wire,
)
from cardwright.errors import PeerTimeout
from cardwright.guard import Headers, Timeouts
from cardwright.guard.grpc_channel import END, grpc_channel

if TYPE_CHECKING:
    from collections.abc import Callable

_SERVICES: Final = {
    "1.0": a2a_pb2.DESCRIPTOR.services_by_name["A2AService"],
    "0.3": a2a_v0_3_pb2.DESCRIPTOR.services_by_name["A2AService"],
}
_OLDER: Final[dict[Operation, str]] = {
    "get": "GetTask",
    "subscribe": "TaskSubscription",
    "push": "ListTaskPushNotificationConfig",
    "extended": "GetAgentCard",
    "send": "SendMessage",
    "stream": "SendStreamingMessage",
}
# Statuses that no server sent, unless they have details: gRPC has no other way to say so.
_NOT_FROM_SERVER: Final = ("UNAVAILABLE", "DEADLINE_EXCEEDED")
# a2a-sdk names an error of 0.3 in its message.
_NAMED: Final = {kind.__name__: code for kind, code in JSON_RPC_ERROR_CODE_MAP.items()}
_CODES: Final = {
    "UNIMPLEMENTED": METHOD_NOT_FOUND, "NOT_FOUND": TASK_NOT_FOUND, "INVALID_ARGUMENT": INVALID_PARAMS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Method:
    """A method: its path, its request, and its responses."""

    path: str
    request: Any
    response: Any = a2a_pb2.Task
    streams: bool = False
    read: Callable[[Any], Any] = MessageToDict


class GrpcWire(Wire):
    """Client for one A2A interface over gRPC.

    A status has the form of an HTTP response, so that the checks of the other bindings are those of gRPC.
    """

    def knows(self, operation: Operation) -> bool:
        """Whether the services have an operation: all of them have each."""
        del operation
        return True

    async def request(
        self,
        operation: Operation,
        *,
        version: str | None = None,
        header_version: str | None = None,
        anonymous: bool = False,
    ) -> OperationResponse:
        """Return the response to an operation; arguments and errors are those of `Wire.request`."""
        request_version = version or self.version
        seconds = self._client.count_request()
        method = self._method(request_version, operation)
        sent_version = request_version if header_version is None else header_version
        connecting = grpc_channel(
            self._client.client,
            self.interface.url.strip(),
            credentials_for=None if anonymous else self._client.credentials_for,
            timeouts=Timeouts(connect=min(3.0, seconds), first_byte=min(5.0, seconds)),
            headers={"A2A-Version": sent_version} if sent_version else {},
        )
        try:
            async with asyncio.timeout(seconds), connecting as channel:
                response = await _first(channel, method)
        except grpc.aio.AioRpcError as error:
            return self._refused(error, request_version)
        except TimeoutError:
            raise PeerTimeout(self.url, f"no complete response within {seconds:.0f} seconds") from None
        value = None if response is END else method.read(response)
        body = b"" if value is None else b"{}"
        return OperationResponse(
            HttpResponse(200, Headers(()), body),
            "stream" if method.streams else "result",
            result=value,
            status="gRPC status OK",
        )

    def _method(self, version: str, operation: Operation) -> _Method:
        service = _SERVICES[version]
        tenant = self.interface.tenant if version == "1.0" else None
        if operation == "unknown":
            return _Method(f"/{service.full_name}/NoSuchMethod", a2a_pb2.GetTaskRequest(id=self._new_id()))
        name = str(method_of(version, operation, "")) if version == "1.0" else _OLDER[operation]
        method = service.methods_by_name[name]
        kind, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        if version == "1.0":
            request = ParseDict(params_of(version, operation, self._new_id, tenant) or {}, kind())
            read: Callable[[Any], Any] = MessageToDict
        else:
            request, read = self._older(operation, kind), _older_reader(operation)
        return _Method(f"/{service.full_name}/{name}", request, response, method.server_streaming, read)

    def _older(self, operation: Operation, kind: Any) -> Any:
        match operation:
            case "get" | "subscribe":
                return kind(name=f"tasks/{self._new_id()}")
            case "push":
                return kind(parent=f"tasks/{self._new_id()}")
            case "send" | "stream":
                part = a2a_v0_3_pb2.Part(text=TEXT)
                message = a2a_v0_3_pb2.Message(
                    message_id=self._new_id(), role=a2a_v0_3_pb2.ROLE_USER, content=[part]
                )
                return kind(request=message)
            case _:
                return kind()

    def _refused(self, error: Any, version: str) -> OperationResponse:
        """Return the response for a status that is not OK.

        Raises:
            CardError: If no server sent it.
        """
        name, reasons = str(error.code().name), reasons_of(error)
        if name in _NOT_FROM_SERVER and not reasons:
            raise by_grpc_status(self.url, error)
        status = http_status(name)
        self._client.check_throttled(status)
        code = next((REASONS[reason] for reason in reasons if reason in REASONS), None)
        if code is None and version != "1.0":
            code = _NAMED.get(str(error.details() or "").partition(":")[0])
        return OperationResponse(
            HttpResponse(status, fields_of(error), b""),
            "denied" if status in (401, 403) else "error",
            _CODES.get(name) if code is None else code,
            detailed=bool(reasons),
            status=f"gRPC status {name}",
        )


async def _first(channel: Any, method: _Method) -> Any:
    """Return the response of a method, or the first one of a stream; EOF for a stream without any."""
    opened = channel.unary_stream if method.streams else channel.unary_unary
    call = opened(method.path, type(method.request).SerializeToString, method.response.FromString)
    if not method.streams:
        return await call(method.request)
    stream = call(method.request)
    try:
        return await stream.read()
    finally:
        stream.cancel()


def _older_reader(operation: Operation) -> Callable[[Any], Any]:
    """Return the function that gives the response of a method of 0.3 the form of JSON-RPC."""
    convert: Any = {
        "extended": proto_utils.FromProto.agent_card,
        "send": proto_utils.FromProto.task_or_message,
        "stream": proto_utils.FromProto.stream_response,
    }.get(operation)

    def read(message: Any) -> Any:
        if convert is None:
            return MessageToDict(message)
        return convert(message).model_dump(mode="json", by_alias=True, exclude_none=True)

    return read
