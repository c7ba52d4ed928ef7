"""A2A 1.0 requests, responses and errors of JSON-RPC: typed models.

Generated from schemas/a2a/operations.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

from cardwright_models.a2a_v1_0.messages import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTaskPushNotificationConfigsResponse,
    ListTasksRequest,
    ListTasksResponse,
    SendMessageRequest,
    SendMessageResponse,
    StreamResponse,
    SubscribeToTaskRequest,
    Task,
    TaskPushNotificationConfig,
)
from cardwright_models.a2a_v1_0.models import AgentCard
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


class ExtendedAgentCardNotConfiguredError(WireModel):
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


class ExtensionSupportRequiredError(WireModel):
    """
    The client did not activate an extension that the agent requires.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32008] = -32008
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Extension support required"
    """
    The error in a sentence.
    """
    data: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    More about the error.
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


class JSONRPCCancelTaskRequest(WireModel):
    """
    Request of `CancelTask`.
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
    method: Literal["CancelTask"] = "CancelTask"
    """
    Name of the method.
    """
    params: CancelTaskRequest
    """
    Parameters of the method.
    """


class JSONRPCCancelTaskSuccessResponse(WireModel):
    """
    Result of `CancelTask`.
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


class JSONRPCCreateTaskPushNotificationConfigRequest(WireModel):
    """
    Request of `CreateTaskPushNotificationConfig`.
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
    method: Literal["CreateTaskPushNotificationConfig"] = "CreateTaskPushNotificationConfig"
    """
    Name of the method.
    """
    params: TaskPushNotificationConfig
    """
    Parameters of the method.
    """


class JSONRPCCreateTaskPushNotificationConfigSuccessResponse(WireModel):
    """
    Result of `CreateTaskPushNotificationConfig`.
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


class JSONRPCDeleteTaskPushNotificationConfigRequest(WireModel):
    """
    Request of `DeleteTaskPushNotificationConfig`.
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
    method: Literal["DeleteTaskPushNotificationConfig"] = "DeleteTaskPushNotificationConfig"
    """
    Name of the method.
    """
    params: DeleteTaskPushNotificationConfigRequest
    """
    Parameters of the method.
    """


class JSONRPCDeleteTaskPushNotificationConfigSuccessResponse(WireModel):
    """
    Result of `DeleteTaskPushNotificationConfig`.
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


class JSONRPCGetExtendedAgentCardRequest(WireModel):
    """
    Request of `GetExtendedAgentCard`.
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
    method: Literal["GetExtendedAgentCard"] = "GetExtendedAgentCard"
    """
    Name of the method.
    """
    params: GetExtendedAgentCardRequest | None = None
    """
    Parameters of the method.
    """


class JSONRPCGetExtendedAgentCardSuccessResponse(WireModel):
    """
    Result of `GetExtendedAgentCard`.
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


class JSONRPCGetTaskPushNotificationConfigRequest(WireModel):
    """
    Request of `GetTaskPushNotificationConfig`.
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
    method: Literal["GetTaskPushNotificationConfig"] = "GetTaskPushNotificationConfig"
    """
    Name of the method.
    """
    params: GetTaskPushNotificationConfigRequest
    """
    Parameters of the method.
    """


class JSONRPCGetTaskPushNotificationConfigSuccessResponse(WireModel):
    """
    Result of `GetTaskPushNotificationConfig`.
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


class JSONRPCGetTaskRequest(WireModel):
    """
    Request of `GetTask`.
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
    method: Literal["GetTask"] = "GetTask"
    """
    Name of the method.
    """
    params: GetTaskRequest
    """
    Parameters of the method.
    """


class JSONRPCGetTaskSuccessResponse(WireModel):
    """
    Result of `GetTask`.
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


class JSONRPCListTaskPushNotificationConfigsRequest(WireModel):
    """
    Request of `ListTaskPushNotificationConfigs`.
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
    method: Literal["ListTaskPushNotificationConfigs"] = "ListTaskPushNotificationConfigs"
    """
    Name of the method.
    """
    params: ListTaskPushNotificationConfigsRequest
    """
    Parameters of the method.
    """


class JSONRPCListTaskPushNotificationConfigsSuccessResponse(WireModel):
    """
    Result of `ListTaskPushNotificationConfigs`.
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
    result: ListTaskPushNotificationConfigsResponse
    """
    Result of the method.
    """


class JSONRPCListTasksRequest(WireModel):
    """
    Request of `ListTasks`.
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
    method: Literal["ListTasks"] = "ListTasks"
    """
    Name of the method.
    """
    params: ListTasksRequest
    """
    Parameters of the method.
    """


class JSONRPCListTasksSuccessResponse(WireModel):
    """
    Result of `ListTasks`.
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
    result: ListTasksResponse
    """
    Result of the method.
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


class JSONRPCSendMessageRequest(WireModel):
    """
    Request of `SendMessage`.
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
    method: Literal["SendMessage"] = "SendMessage"
    """
    Name of the method.
    """
    params: SendMessageRequest
    """
    Parameters of the method.
    """


class JSONRPCSendMessageSuccessResponse(WireModel):
    """
    Result of `SendMessage`.
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
    result: SendMessageResponse
    """
    Result of the method.
    """


class JSONRPCSendStreamingMessageRequest(WireModel):
    """
    Request of `SendStreamingMessage`.
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
    method: Literal["SendStreamingMessage"] = "SendStreamingMessage"
    """
    Name of the method.
    """
    params: SendMessageRequest
    """
    Parameters of the method.
    """


class JSONRPCSendStreamingMessageSuccessResponse(WireModel):
    """
    Result of `SendStreamingMessage`.
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
    result: StreamResponse
    """
    Result of the method.
    """


class JSONRPCSubscribeToTaskRequest(WireModel):
    """
    Request of `SubscribeToTask`.
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
    method: Literal["SubscribeToTask"] = "SubscribeToTask"
    """
    Name of the method.
    """
    params: SubscribeToTaskRequest
    """
    Parameters of the method.
    """


class JSONRPCSubscribeToTaskSuccessResponse(WireModel):
    """
    Result of `SubscribeToTask`.
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
    result: StreamResponse
    """
    Result of the method.
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


class VersionNotSupportedError(WireModel):
    """
    The interface does not support the requested version of A2A.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: Literal[-32009] = -32009
    """
    Code of the error.
    """
    message: Annotated[str, Field(json_schema_extra={"x-argument": True})] = "Version not supported"
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
        | ExtendedAgentCardNotConfiguredError
        | ExtensionSupportRequiredError
        | VersionNotSupportedError
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
        | ExtendedAgentCardNotConfiguredError
        | ExtensionSupportRequiredError
        | VersionNotSupportedError,
        Field(discriminator="code"),
    ]
    """
    An error of JSON-RPC or A2A; `code` tells which.
    """


class A2ARequest(
    RootModel[
        JSONRPCSendMessageRequest
        | JSONRPCSendStreamingMessageRequest
        | JSONRPCGetTaskRequest
        | JSONRPCListTasksRequest
        | JSONRPCCancelTaskRequest
        | JSONRPCSubscribeToTaskRequest
        | JSONRPCCreateTaskPushNotificationConfigRequest
        | JSONRPCGetTaskPushNotificationConfigRequest
        | JSONRPCListTaskPushNotificationConfigsRequest
        | JSONRPCDeleteTaskPushNotificationConfigRequest
        | JSONRPCGetExtendedAgentCardRequest
    ]
):
    root: Annotated[
        JSONRPCSendMessageRequest
        | JSONRPCSendStreamingMessageRequest
        | JSONRPCGetTaskRequest
        | JSONRPCListTasksRequest
        | JSONRPCCancelTaskRequest
        | JSONRPCSubscribeToTaskRequest
        | JSONRPCCreateTaskPushNotificationConfigRequest
        | JSONRPCGetTaskPushNotificationConfigRequest
        | JSONRPCListTaskPushNotificationConfigsRequest
        | JSONRPCDeleteTaskPushNotificationConfigRequest
        | JSONRPCGetExtendedAgentCardRequest,
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
        | ExtendedAgentCardNotConfiguredError
        | ExtensionSupportRequiredError
        | VersionNotSupportedError
        | JSONRPCError
    )
    """
    What went wrong.
    """


class JSONRPCGetExtendedAgentCardResponse(
    RootModel[JSONRPCErrorResponse | JSONRPCGetExtendedAgentCardSuccessResponse]
):
    root: JSONRPCErrorResponse | JSONRPCGetExtendedAgentCardSuccessResponse
    """
    Response to `GetExtendedAgentCard`.
    """


class JSONRPCGetTaskPushNotificationConfigResponse(
    RootModel[JSONRPCErrorResponse | JSONRPCGetTaskPushNotificationConfigSuccessResponse]
):
    root: JSONRPCErrorResponse | JSONRPCGetTaskPushNotificationConfigSuccessResponse
    """
    Response to `GetTaskPushNotificationConfig`.
    """


class JSONRPCGetTaskResponse(RootModel[JSONRPCErrorResponse | JSONRPCGetTaskSuccessResponse]):
    root: JSONRPCErrorResponse | JSONRPCGetTaskSuccessResponse
    """
    Response to `GetTask`.
    """


class JSONRPCListTaskPushNotificationConfigsResponse(
    RootModel[JSONRPCErrorResponse | JSONRPCListTaskPushNotificationConfigsSuccessResponse]
):
    root: JSONRPCErrorResponse | JSONRPCListTaskPushNotificationConfigsSuccessResponse
    """
    Response to `ListTaskPushNotificationConfigs`.
    """


class JSONRPCListTasksResponse(RootModel[JSONRPCErrorResponse | JSONRPCListTasksSuccessResponse]):
    root: JSONRPCErrorResponse | JSONRPCListTasksSuccessResponse
    """
    Response to `ListTasks`.
    """


class JSONRPCResponse(
    RootModel[
        JSONRPCErrorResponse
        | JSONRPCSendMessageSuccessResponse
        | JSONRPCSendStreamingMessageSuccessResponse
        | JSONRPCGetTaskSuccessResponse
        | JSONRPCListTasksSuccessResponse
        | JSONRPCCancelTaskSuccessResponse
        | JSONRPCSubscribeToTaskSuccessResponse
        | JSONRPCCreateTaskPushNotificationConfigSuccessResponse
        | JSONRPCGetTaskPushNotificationConfigSuccessResponse
        | JSONRPCListTaskPushNotificationConfigsSuccessResponse
        | JSONRPCDeleteTaskPushNotificationConfigSuccessResponse
        | JSONRPCGetExtendedAgentCardSuccessResponse
    ]
):
    root: (
        JSONRPCErrorResponse
        | JSONRPCSendMessageSuccessResponse
        | JSONRPCSendStreamingMessageSuccessResponse
        | JSONRPCGetTaskSuccessResponse
        | JSONRPCListTasksSuccessResponse
        | JSONRPCCancelTaskSuccessResponse
        | JSONRPCSubscribeToTaskSuccessResponse
        | JSONRPCCreateTaskPushNotificationConfigSuccessResponse
        | JSONRPCGetTaskPushNotificationConfigSuccessResponse
        | JSONRPCListTaskPushNotificationConfigsSuccessResponse
        | JSONRPCDeleteTaskPushNotificationConfigSuccessResponse
        | JSONRPCGetExtendedAgentCardSuccessResponse
    )
    """
    A response of any method.
    """


class JSONRPCSendMessageResponse(RootModel[JSONRPCErrorResponse | JSONRPCSendMessageSuccessResponse]):
    root: JSONRPCErrorResponse | JSONRPCSendMessageSuccessResponse
    """
    Response to `SendMessage`.
    """


class JSONRPCSendStreamingMessageResponse(
    RootModel[JSONRPCErrorResponse | JSONRPCSendStreamingMessageSuccessResponse]
):
    root: JSONRPCErrorResponse | JSONRPCSendStreamingMessageSuccessResponse
    """
    Response to `SendStreamingMessage`.
    """


class JSONRPCSubscribeToTaskResponse(RootModel[JSONRPCErrorResponse | JSONRPCSubscribeToTaskSuccessResponse]):
    root: JSONRPCErrorResponse | JSONRPCSubscribeToTaskSuccessResponse
    """
    Response to `SubscribeToTask`.
    """


class JSONRPCCancelTaskResponse(RootModel[JSONRPCErrorResponse | JSONRPCCancelTaskSuccessResponse]):
    root: JSONRPCErrorResponse | JSONRPCCancelTaskSuccessResponse
    """
    Response to `CancelTask`.
    """


class JSONRPCCreateTaskPushNotificationConfigResponse(
    RootModel[JSONRPCErrorResponse | JSONRPCCreateTaskPushNotificationConfigSuccessResponse]
):
    root: JSONRPCErrorResponse | JSONRPCCreateTaskPushNotificationConfigSuccessResponse
    """
    Response to `CreateTaskPushNotificationConfig`.
    """


class JSONRPCDeleteTaskPushNotificationConfigResponse(
    RootModel[JSONRPCErrorResponse | JSONRPCDeleteTaskPushNotificationConfigSuccessResponse]
):
    root: JSONRPCErrorResponse | JSONRPCDeleteTaskPushNotificationConfigSuccessResponse
    """
    Response to `DeleteTaskPushNotificationConfig`.
    """
