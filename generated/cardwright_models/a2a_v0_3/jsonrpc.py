"""A2A 0.3 requests, responses and errors of JSON-RPC: typed models.

Generated from schemas/a2a/operations.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

from cardwright_models.a2a_v0_3.messages import (
    DeleteTaskPushNotificationConfigParams,
    GetTaskPushNotificationConfigParams,
    ListTaskPushNotificationConfigParams,
    Message,
    MessageSendParams,
    Task,
    TaskArtifactUpdateEvent,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
    TaskStatusUpdateEvent,
)
from cardwright_models.a2a_v0_3.models import AgentCard
from cardwright_models.base import WireModel


class JSONRPCMessage(WireModel):
    """
    What every message of JSON-RPC has.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: Annotated[str | int | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Identifier of the request; null if it could not be read.
    """


class AuthenticatedExtendedCardNotConfiguredError(WireModel):
    """
    The agent has no extended card.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32007] = -32007
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = (
        "Authenticated Extended Card is not configured"
    )
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class CancelTaskRequest(WireModel):
    """
    Request of `tasks/cancel`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["tasks/cancel"] = "tasks/cancel"
    """
    Name of the method.
    """
    params: TaskIdParams
    """
    Parameters of the method.
    """


class CancelTaskSuccessResponse(WireModel):
    """
    Result of `tasks/cancel`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: Task
    """
    Result of the method.
    """


class ContentTypeNotSupportedError(WireModel):
    """
    The agent does not read or write a requested media type. 0.1 has the code in its text only.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32005] = -32005
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Incompatible content types"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class DeleteTaskPushNotificationConfigRequest(WireModel):
    """
    Request of `tasks/pushNotificationConfig/delete`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["tasks/pushNotificationConfig/delete"] = "tasks/pushNotificationConfig/delete"
    """
    Name of the method.
    """
    params: DeleteTaskPushNotificationConfigParams
    """
    Parameters of the method.
    """


class DeleteTaskPushNotificationConfigSuccessResponse(WireModel):
    """
    Result of `tasks/pushNotificationConfig/delete`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: None
    """
    Result of the method.
    """


class GetAuthenticatedExtendedCardRequest(WireModel):
    """
    Request of `agent/getAuthenticatedExtendedCard`.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["agent/getAuthenticatedExtendedCard"] = "agent/getAuthenticatedExtendedCard"
    """
    Name of the method.
    """


class GetAuthenticatedExtendedCardSuccessResponse(WireModel):
    """
    Result of `agent/getAuthenticatedExtendedCard`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: AgentCard
    """
    Result of the method.
    """


class GetTaskPushNotificationConfigRequest(WireModel):
    """
    Request of `tasks/pushNotificationConfig/get`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["tasks/pushNotificationConfig/get"] = "tasks/pushNotificationConfig/get"
    """
    Name of the method.
    """
    params: TaskIdParams | GetTaskPushNotificationConfigParams
    """
    Parameters of the method.
    """


class GetTaskPushNotificationConfigSuccessResponse(WireModel):
    """
    Result of `tasks/pushNotificationConfig/get`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: TaskPushNotificationConfig
    """
    Result of the method.
    """


class GetTaskRequest(WireModel):
    """
    Request of `tasks/get`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["tasks/get"] = "tasks/get"
    """
    Name of the method.
    """
    params: TaskQueryParams
    """
    Parameters of the method.
    """


class GetTaskSuccessResponse(WireModel):
    """
    Result of `tasks/get`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: Task
    """
    Result of the method.
    """


class InternalError(WireModel):
    """
    The server failed.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32603] = -32603
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Internal error"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class InvalidAgentResponseError(WireModel):
    """
    The agent broke the protocol.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32006] = -32006
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Invalid agent response"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class InvalidParamsError(WireModel):
    """
    The parameters of the method are invalid.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32602] = -32602
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Invalid parameters"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class InvalidRequestError(WireModel):
    """
    The body is not a request of JSON-RPC.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32600] = -32600
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = (
        "Request payload validation error"
    )
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class JSONParseError(WireModel):
    """
    The body is not JSON.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32700] = -32700
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Invalid JSON payload"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class JSONRPCError(WireModel):
    """
    An error of any code.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: int
    """
    Code of the error.
    """
    message: str
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class JSONRPCRequest(WireModel):
    """
    A request of any method.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: Annotated[str | int | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Identifier of the request; null if it could not be read.
    """
    method: str
    """
    Name of the method.
    """
    params: dict[str, Any] | None = None
    """
    Parameters of the method.
    """


class JSONRPCSuccessResponse(WireModel):
    """
    Response with a result.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: Any
    """
    Result of the method.
    """


class ListTaskPushNotificationConfigRequest(WireModel):
    """
    Request of `tasks/pushNotificationConfig/list`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["tasks/pushNotificationConfig/list"] = "tasks/pushNotificationConfig/list"
    """
    Name of the method.
    """
    params: ListTaskPushNotificationConfigParams
    """
    Parameters of the method.
    """


class ListTaskPushNotificationConfigSuccessResponse(WireModel):
    """
    Result of `tasks/pushNotificationConfig/list`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: list[TaskPushNotificationConfig]
    """
    Result of the method.
    """


class MethodNotFoundError(WireModel):
    """
    No operation has this method.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32601] = -32601
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Method not found"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class PushNotificationNotSupportedError(WireModel):
    """
    The agent delivers no push notifications.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32003] = -32003
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = (
        "Push Notification is not supported"
    )
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class SendMessageRequest(WireModel):
    """
    Request of `message/send`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["message/send"] = "message/send"
    """
    Name of the method.
    """
    params: MessageSendParams
    """
    Parameters of the method.
    """


class SendMessageSuccessResponse(WireModel):
    """
    Result of `message/send`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: Task | Message
    """
    Result of the method.
    """


class SendStreamingMessageRequest(WireModel):
    """
    Request of `message/stream`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["message/stream"] = "message/stream"
    """
    Name of the method.
    """
    params: MessageSendParams
    """
    Parameters of the method.
    """


class SendStreamingMessageSuccessResponse(WireModel):
    """
    Result of `message/stream`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent
    """
    Result of the method.
    """


class SetTaskPushNotificationConfigRequest(WireModel):
    """
    Request of `tasks/pushNotificationConfig/set`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["tasks/pushNotificationConfig/set"] = "tasks/pushNotificationConfig/set"
    """
    Name of the method.
    """
    params: TaskPushNotificationConfig
    """
    Parameters of the method.
    """


class SetTaskPushNotificationConfigSuccessResponse(WireModel):
    """
    Result of `tasks/pushNotificationConfig/set`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    result: TaskPushNotificationConfig
    """
    Result of the method.
    """


class TaskNotCancelableError(WireModel):
    """
    The task has ended.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32002] = -32002
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Task cannot be canceled"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class TaskNotFoundError(WireModel):
    """
    The caller has no task with this id.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32001] = -32001
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Task not found"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class TaskResubscriptionRequest(WireModel):
    """
    Request of `tasks/resubscribe`.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int
    """
    Identifier that the client chose.
    """
    method: Literal["tasks/resubscribe"] = "tasks/resubscribe"
    """
    Name of the method.
    """
    params: TaskIdParams
    """
    Parameters of the method.
    """


class UnsupportedOperationError(WireModel):
    """
    The agent lacks the operation, or the task is in a state without it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32004] = -32004
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "This operation is not supported"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
    """


class A2AError(
    RootModel[
        JSONParseError
        | InvalidRequestError
        | MethodNotFoundError
        | InvalidParamsError
        | InternalError
        | TaskNotFoundError
        | TaskNotCancelableError
        | PushNotificationNotSupportedError
        | UnsupportedOperationError
        | ContentTypeNotSupportedError
        | InvalidAgentResponseError
        | AuthenticatedExtendedCardNotConfiguredError
    ]
):
    root: Annotated[
        JSONParseError
        | InvalidRequestError
        | MethodNotFoundError
        | InvalidParamsError
        | InternalError
        | TaskNotFoundError
        | TaskNotCancelableError
        | PushNotificationNotSupportedError
        | UnsupportedOperationError
        | ContentTypeNotSupportedError
        | InvalidAgentResponseError
        | AuthenticatedExtendedCardNotConfiguredError,
        Field(discriminator="code"),
    ]
    """
    An error of JSON-RPC or A2A; `code` tells which.
    """


class A2ARequest(
    RootModel[
        SendMessageRequest
        | SendStreamingMessageRequest
        | GetTaskRequest
        | CancelTaskRequest
        | TaskResubscriptionRequest
        | SetTaskPushNotificationConfigRequest
        | GetTaskPushNotificationConfigRequest
        | ListTaskPushNotificationConfigRequest
        | DeleteTaskPushNotificationConfigRequest
        | GetAuthenticatedExtendedCardRequest
    ]
):
    root: Annotated[
        SendMessageRequest
        | SendStreamingMessageRequest
        | GetTaskRequest
        | CancelTaskRequest
        | TaskResubscriptionRequest
        | SetTaskPushNotificationConfigRequest
        | GetTaskPushNotificationConfigRequest
        | ListTaskPushNotificationConfigRequest
        | DeleteTaskPushNotificationConfigRequest
        | GetAuthenticatedExtendedCardRequest,
        Field(discriminator="method"),
    ]
    """
    A request; `method` tells which.
    """


class JSONRPCErrorResponse(WireModel):
    """
    Response with an error.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    jsonrpc: Literal["2.0"] = "2.0"
    """
    Version of JSON-RPC.
    """
    id: str | int | None
    """
    Identifier of the request; null if it could not be read.
    """
    error: (
        JSONParseError
        | InvalidRequestError
        | MethodNotFoundError
        | InvalidParamsError
        | InternalError
        | TaskNotFoundError
        | TaskNotCancelableError
        | PushNotificationNotSupportedError
        | UnsupportedOperationError
        | ContentTypeNotSupportedError
        | InvalidAgentResponseError
        | AuthenticatedExtendedCardNotConfiguredError
        | JSONRPCError
    )
    """
    What went wrong.
    """


class JSONRPCResponse(
    RootModel[
        JSONRPCErrorResponse
        | SendMessageSuccessResponse
        | SendStreamingMessageSuccessResponse
        | GetTaskSuccessResponse
        | CancelTaskSuccessResponse
        | SetTaskPushNotificationConfigSuccessResponse
        | GetTaskPushNotificationConfigSuccessResponse
        | ListTaskPushNotificationConfigSuccessResponse
        | DeleteTaskPushNotificationConfigSuccessResponse
        | GetAuthenticatedExtendedCardSuccessResponse
    ]
):
    root: (
        JSONRPCErrorResponse
        | SendMessageSuccessResponse
        | SendStreamingMessageSuccessResponse
        | GetTaskSuccessResponse
        | CancelTaskSuccessResponse
        | SetTaskPushNotificationConfigSuccessResponse
        | GetTaskPushNotificationConfigSuccessResponse
        | ListTaskPushNotificationConfigSuccessResponse
        | DeleteTaskPushNotificationConfigSuccessResponse
        | GetAuthenticatedExtendedCardSuccessResponse
    )
    """
    A response of any method.
    """


class ListTaskPushNotificationConfigResponse(
    RootModel[JSONRPCErrorResponse | ListTaskPushNotificationConfigSuccessResponse]
):
    root: JSONRPCErrorResponse | ListTaskPushNotificationConfigSuccessResponse
    """
    Response to `tasks/pushNotificationConfig/list`.
    """


class SendMessageResponse(RootModel[JSONRPCErrorResponse | SendMessageSuccessResponse]):
    root: JSONRPCErrorResponse | SendMessageSuccessResponse
    """
    Response to `message/send`.
    """


class SendStreamingMessageResponse(RootModel[JSONRPCErrorResponse | SendStreamingMessageSuccessResponse]):
    root: JSONRPCErrorResponse | SendStreamingMessageSuccessResponse
    """
    Response to `message/stream`.
    """


class SetTaskPushNotificationConfigResponse(
    RootModel[JSONRPCErrorResponse | SetTaskPushNotificationConfigSuccessResponse]
):
    root: JSONRPCErrorResponse | SetTaskPushNotificationConfigSuccessResponse
    """
    Response to `tasks/pushNotificationConfig/set`.
    """


class CancelTaskResponse(RootModel[JSONRPCErrorResponse | CancelTaskSuccessResponse]):
    root: JSONRPCErrorResponse | CancelTaskSuccessResponse
    """
    Response to `tasks/cancel`.
    """


class DeleteTaskPushNotificationConfigResponse(
    RootModel[JSONRPCErrorResponse | DeleteTaskPushNotificationConfigSuccessResponse]
):
    root: JSONRPCErrorResponse | DeleteTaskPushNotificationConfigSuccessResponse
    """
    Response to `tasks/pushNotificationConfig/delete`.
    """


class GetAuthenticatedExtendedCardResponse(
    RootModel[JSONRPCErrorResponse | GetAuthenticatedExtendedCardSuccessResponse]
):
    root: JSONRPCErrorResponse | GetAuthenticatedExtendedCardSuccessResponse
    """
    Response to `agent/getAuthenticatedExtendedCard`.
    """


class GetTaskPushNotificationConfigResponse(
    RootModel[JSONRPCErrorResponse | GetTaskPushNotificationConfigSuccessResponse]
):
    root: JSONRPCErrorResponse | GetTaskPushNotificationConfigSuccessResponse
    """
    Response to `tasks/pushNotificationConfig/get`.
    """


class GetTaskResponse(RootModel[JSONRPCErrorResponse | GetTaskSuccessResponse]):
    root: JSONRPCErrorResponse | GetTaskSuccessResponse
    """
    Response to `tasks/get`.
    """
