"""The methods of A2A's gRPC services, each as the JSON-RPC method that does the same; importing this imports the SDK.

The messages of A2A 1.0 are the parameters and results of its JSON-RPC methods in ProtoJSON (A2A 1.0 §5.5, §10). Those
of A2A 0.3 have resource names and other fields, which a2a-sdk converts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from a2a.compat.v0_3 import a2a_v0_3_pb2, proto_utils, types
from a2a.types import a2a_pb2
from a2a.utils.errors import A2A_ERROR_MAPPING, A2A_REASON_TO_ERROR, A2AError, InvalidParamsError
from google.protobuf import empty_pb2  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.json_format import Error as JsonError  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # it has no stubs
from google.protobuf.message_factory import GetMessageClass  # type: ignore[import-untyped] # it has no stubs

from cardwright.guard.protobuf_values import count_values, encode_files, has_too_many_fields
from cardwright.http.problem import INVALID_PARAMS, INVALID_REQUEST, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway.a2a.calls import Version

_DEPTH: Final = 512
# The google.rpc.Code of each reason of A2A (A2A 1.0 §5.4).
STATUSES: Final = {mapping.reason: mapping.grpc_status for mapping in A2A_ERROR_MAPPING.values()}
_FIELDS_OF_03: Final[dict[str, Any]] = {"mode": "json", "by_alias": True, "exclude_none": True}
_BAD_PARAMS: Final = "the request cannot be read as A2A 0.3"
_BAD_NAME: Final = "the request must name a task, such as tasks/t-1, or tasks/t-1/pushNotificationConfigs/c-1"


@dataclass(frozen=True, slots=True)
class GrpcMethod:
    """A gRPC method.

    Attributes:
        version: The version of A2A.
        rpc_method: The JSON-RPC method that does the same.
        streams: Whether the response is a stream.
        request: The type of its request.
        params: Returns the parameters of the JSON-RPC method for a request.
        response: Returns the response for a result of the JSON-RPC method.
    """

    version: Version
    rpc_method: str
    streams: bool
    request: Any
    params: Callable[[Any], dict[str, Any]]
    response: Callable[[Any], Any]

    def read(
        self, content: bytes, check_values: Callable[[int], None], max_values: int
    ) -> tuple[str, dict[str, Any]]:
        """Return the tenant and the parameters in a request.

        Args:
            content: The request.
            check_values: Called with the number of its values before they are converted; it refuses too many.
            max_values: The maximum number.

        Raises:
            HttpError: If the request is not one of the method, or has too many values.
        """
        if has_too_many_fields(content, self.request.DESCRIPTOR, max_values):
            check_values(max_values + 1)
        try:
            message = self.request.FromString(content)
        except DecodeError:
            raise refuse(INVALID_REQUEST, "the request is not a message of this method") from None
        check_values(count_values(message, max_values).values)
        try:
            params = self.params(message)
        except JsonError:
            raise refuse(INVALID_PARAMS, "the request has a number or a text that JSON cannot have") from None
        except A2AError:
            raise refuse(INVALID_PARAMS, _BAD_NAME) from None
        except ValueError:
            # Also the validation error of pydantic.
            raise refuse(INVALID_PARAMS, _BAD_PARAMS) from None
        return str(params.pop("tenant", "")), params

    def written(self, result: Any) -> bytes:
        """Return a result of the JSON-RPC method as the bytes of a response."""
        content: bytes = self.response(result).SerializeToString()
        return content


def error_name(reason: str) -> str:
    """Return the name of an A2A error, which clients of 0.3 read in the message: `TaskNotFoundError`; or ""."""
    kind = A2A_REASON_TO_ERROR.get(reason)
    return kind.__name__ if kind else ""


def _newer(name: str, request: Any, response: Any, *, streams: bool) -> GrpcMethod:
    def written(result: Any) -> Any:
        # A newer agent's fields are not part of the messages here.
        return ParseDict(result or {}, response(), ignore_unknown_fields=True, max_recursion_depth=_DEPTH)

    return GrpcMethod("1.0", name, streams, request, MessageToDict, written)


def _older(
    rpc_method: str, request: Any, params: Callable[[Any], Any], response: Callable[[Any], Any]
) -> GrpcMethod:
    def fields(message: Any) -> dict[str, Any]:
        read = params(message)
        return read if isinstance(read, dict) else read.model_dump(**_FIELDS_OF_03)

    return GrpcMethod(
        "0.3", rpc_method, rpc_method in ("message/stream", "tasks/resubscribe"), request, fields, response
    )


def _task_of_03(result: Any) -> Any:
    return proto_utils.ToProto.task(types.Task.model_validate(result))


def _reply_of_03(result: Any) -> Any:
    if result.get("kind") == "task":
        return a2a_v0_3_pb2.SendMessageResponse(task=_task_of_03(result))
    message = proto_utils.ToProto.message(types.Message.model_validate(result))
    return a2a_v0_3_pb2.SendMessageResponse(msg=message)


def _event_of_03(result: Any) -> Any:
    envelope = {"jsonrpc": "2.0", "id": 0, "result": result}
    return proto_utils.ToProto.stream_response(
        types.SendStreamingMessageSuccessResponse.model_validate(envelope).result
    )


def _config_of_03(result: Any) -> Any:
    return proto_utils.ToProto.task_push_notification_config(
        types.TaskPushNotificationConfig.model_validate(result)
    )


def _configs_of_03(result: Any) -> Any:
    return a2a_v0_3_pb2.ListTaskPushNotificationConfigResponse(configs=map(_config_of_03, result or ()))


def _card_of_03(result: Any) -> Any:
    return proto_utils.ToProto.agent_card(types.AgentCard.model_validate(result))


def _empty(_: Any) -> Any:
    return empty_pb2.Empty()


def _task_of_name(message: Any) -> dict[str, Any]:
    """Return the task id of a resource name, such as `tasks/t-1`."""
    return {"id": _matched(proto_utils.TASK_NAME_MATCH, message.parent)[1]}


def _config_of_name(message: Any) -> dict[str, Any]:
    """Return the ids of a resource name, such as `tasks/t-1/pushNotificationConfigs/c-1`."""
    found = _matched(proto_utils.TASK_PUSH_CONFIG_NAME_MATCH, message.name)
    return {"id": found[1], "pushNotificationConfigId": found[2]}


def _matched(pattern: Any, name: str) -> Any:
    found = pattern.match(name)
    if found is None:
        raise InvalidParamsError(_BAD_NAME)
    return found


def _message_of_03(message: Any) -> Any:
    """Return the parameters of a message; a2a-sdk would take a missing role for the agent's.

    Raises:
        HttpError: If the role is missing.
    """
    if message.request.role == a2a_v0_3_pb2.ROLE_UNSPECIFIED:
        raise refuse(INVALID_PARAMS, "message.role is required", faults=[("/request/role", "is required")])
    encode_files(message)
    return proto_utils.FromProto.message_send_params(message)


def _new_config(message: Any) -> dict[str, Any]:
    params: dict[str, Any] = proto_utils.FromProto.task_push_notification_config_request(message).model_dump(
        **_FIELDS_OF_03
    )
    if message.config_id:
        # The id of the new configuration is a field of the request, too (A2A 0.3.0, proto).
        params["pushNotificationConfig"]["id"] = message.config_id
    return params


def _none(_: Any) -> dict[str, Any]:
    return {}


_SERVICE: Final = a2a_pb2.DESCRIPTOR.services_by_name["A2AService"]
_OLDER_SERVICE: Final = a2a_v0_3_pb2.DESCRIPTOR.services_by_name["A2AService"]
_READ: Final = proto_utils.FromProto
_OLDER_METHODS: Final = {
    "SendMessage": _older("message/send", a2a_v0_3_pb2.SendMessageRequest, _message_of_03, _reply_of_03),
    "SendStreamingMessage": _older(
        "message/stream", a2a_v0_3_pb2.SendMessageRequest, _message_of_03, _event_of_03
    ),
    "GetTask": _older("tasks/get", a2a_v0_3_pb2.GetTaskRequest, _READ.task_query_params, _task_of_03),
    "CancelTask": _older("tasks/cancel", a2a_v0_3_pb2.CancelTaskRequest, _READ.task_id_params, _task_of_03),
    "TaskSubscription": _older(
        "tasks/resubscribe", a2a_v0_3_pb2.TaskSubscriptionRequest, _READ.task_id_params, _event_of_03
    ),
    "CreateTaskPushNotificationConfig": _older(
        "tasks/pushNotificationConfig/set",
        a2a_v0_3_pb2.CreateTaskPushNotificationConfigRequest,
        _new_config,
        _config_of_03,
    ),
    "GetTaskPushNotificationConfig": _older(
        "tasks/pushNotificationConfig/get",
        a2a_v0_3_pb2.GetTaskPushNotificationConfigRequest,
        _config_of_name,
        _config_of_03,
    ),
    "ListTaskPushNotificationConfig": _older(
        "tasks/pushNotificationConfig/list",
        a2a_v0_3_pb2.ListTaskPushNotificationConfigRequest,
        _task_of_name,
        _configs_of_03,
    ),
    "DeleteTaskPushNotificationConfig": _older(
        "tasks/pushNotificationConfig/delete",
        a2a_v0_3_pb2.DeleteTaskPushNotificationConfigRequest,
        _config_of_name,
        _empty,
    ),
    "GetAgentCard": _older(
        "agent/getAuthenticatedExtendedCard", a2a_v0_3_pb2.GetAgentCardRequest, _none, _card_of_03
    ),
}
# By path, such as `/lf.a2a.v1.A2AService/SendMessage`.
METHODS: Final[dict[str, GrpcMethod]] = {
    **{
        f"/{_SERVICE.full_name}/{method.name}": _newer(
            method.name,
            GetMessageClass(method.input_type),
            GetMessageClass(method.output_type),
            streams=method.server_streaming,
        )
        for method in _SERVICE.methods
    },
    **{f"/{_OLDER_SERVICE.full_name}/{name}": method for name, method in _OLDER_METHODS.items()},
}
