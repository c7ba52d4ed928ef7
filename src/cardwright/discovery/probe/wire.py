"""Client for one A2A interface; responses have the same form for every binding and version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote

import orjson

from cardwright.canonical import DEFAULT_LIMITS, decode
from cardwright.discovery.probe.client import EVENTS
from cardwright.discovery.probe.requests import Operation, method_of, params_of, path_of
from cardwright.errors import MalformedDocument
from cardwright_rules.a2a_operations import ERRORS

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.discovery.probe.client import HttpResponse, ProbeClient
    from cardwright.view.interfaces import Interface

# A2A 1.0 §5.4: the code of each reason.
REASONS: Final = {reason: error.code for reason, error in ERRORS.items()}
TASK_NOT_FOUND: Final = REASONS["TASK_NOT_FOUND"]
PUSH_NOT_SUPPORTED: Final = REASONS["PUSH_NOTIFICATION_NOT_SUPPORTED"]
UNSUPPORTED: Final = REASONS["UNSUPPORTED_OPERATION"]
NOT_CONFIGURED: Final = REASONS["EXTENDED_AGENT_CARD_NOT_CONFIGURED"]
VERSION_NOT_SUPPORTED: Final = REASONS["VERSION_NOT_SUPPORTED"]
METHOD_NOT_FOUND: Final = REASONS["METHOD_NOT_FOUND"]
INVALID_PARAMS: Final = REASONS["INVALID_PARAMS"]
_INTERNAL: Final = REASONS["INTERNAL_ERROR"]
_NAMES: Final = {code: name for name, code in REASONS.items()}
_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"

Form = Literal["result", "error", "stream", "denied", "other"]


@dataclass(frozen=True, slots=True)
class OperationResponse:
    """Response of an interface to one operation.

    Attributes:
        response: The HTTP response.
        form: `error` or `result` of the binding, a `stream` of events, `denied` for 401 and 403, or `other` for a
            response that is not in the form of the binding.
        code: The JSON-RPC error code, also over HTTP+JSON; None if absent.
        result: The result, a JSON value.
        detailed: Whether the error has its reason in an ErrorInfo.
        details_form: Whether the error details, if any, are an array of objects with `@type`.
        status: The status in words, if it is not that of HTTP.
    """

    response: HttpResponse
    form: Form
    code: int | None = None
    result: Any = None
    detailed: bool = False
    details_form: bool = True
    status: str = ""

    @property
    def failed(self) -> bool:
        """Whether the server failed; 501 is the answer of a server that does not support an operation (RFC 9110 §15.6.2)."""
        failing = self.response.status >= 500 and self.response.status != 501
        return self.code == _INTERNAL if self.code is not None else failing

    def __str__(self) -> str:
        """Return a description for check results."""
        status = self.status or f"HTTP {self.response.status}"
        match self.form:
            case "error":
                name = _NAMES.get(self.code, "") if self.code is not None else ""
                error_text = (
                    "an error" if self.code is None else f"error {self.code}{f' ({name})' if name else ''}"
                )
                return f"{error_text}, {status}"
            case "result":
                return f"a result, {status}"
            case "stream":
                events = "an event stream" if self.response.body else "an event stream without events"
                return f"{events}, {status}"
            case "denied":
                return status
            case _:
                return f"{status}, not a response of this binding"


class Wire:
    """Client for one A2A interface.

    Args:
        client: The HTTP client of the probe.
        interface: The interface; JSON-RPC or HTTP+JSON. `GrpcWire` is for gRPC.
        new_id: Creates unused ids.
        url: The URL of the interface.
    """

    def __init__(
        self, client: ProbeClient, interface: Interface, new_id: Callable[[], str], url: str
    ) -> None:
        self.interface = interface
        self.url = url
        self.rest = interface.binding == "HTTP+JSON"
        self.grpc = interface.binding == "GRPC"
        self.version = interface.version
        self._client = client
        self._new_id = new_id

    @property
    def has_credentials(self) -> bool:
        """Whether requests to the interface carry the given headers."""
        return self._client.has_credentials(self.url)

    def knows(self, operation: Operation) -> bool:
        """Whether the interface's version and binding have an operation."""
        if self.rest:
            return path_of(self.version, operation) is not None
        return method_of(self.version, operation, "") is not None

    async def request(
        self,
        operation: Operation,
        *,
        version: str | None = None,
        header_version: str | None = None,
        anonymous: bool = False,
    ) -> OperationResponse:
        """Return the response to an operation.

        Args:
            operation: An operation of that version.
            version: The version of the request; by default that of the interface.
            header_version: The value of A2A-Version, if it differs from that version; "" to leave the header out.
            anonymous: Whether to leave out the given headers.

        Raises:
            BudgetSpent: If a limit is reached.
            CardError: As `ProbeClient.request`.
        """
        request_version = version or self.version
        fields = _fields(request_version, header_version, streams=operation in ("stream", "subscribe"))
        if self.rest:
            operation_path = path_of(request_version, operation)
            assert operation_path is not None  # noqa: S101 - callers check `knows` first
            method, path = operation_path
            content = None
            if method == "POST":
                fields["Content-Type"] = (
                    "application/a2a+json" if request_version == "1.0" else "application/json"
                )
                content = orjson.dumps(params_of(request_version, operation, self._new_id, None))
            url = f"{self._base(request_version)}{path.format(id=self._new_id())}"
        else:
            method, url = "POST", self.url
            fields["Content-Type"] = "application/json"
            content = orjson.dumps(self._call(request_version, operation))
        response = await self._client.request(method, url, fields, content=content, anonymous=anonymous)
        return (rest_response if self.rest else jsonrpc_response)(response, request_version)

    def _base(self, version: str) -> str:
        tenant = self.interface.tenant if version == "1.0" else None
        return self.url.partition("?")[0].rstrip("/") + (f"/{quote(tenant, safe='')}" if tenant else "")

    def _call(self, version: str, operation: Operation) -> dict[str, Any]:
        call_id = self._new_id()
        call: dict[str, Any] = {"jsonrpc": "2.0", "id": call_id}
        call["method"] = method_of(version, operation, call_id)
        params = params_of(version, operation, self._new_id, self.interface.tenant)
        return call if params is None else {**call, "params": params}


def _fields(version: str, header_version: str | None, *, streams: bool) -> dict[str, str]:
    kinds = "application/json" if version != "1.0" else "application/json, application/a2a+json"
    fields = {"Accept": f"{kinds}, {EVENTS}" if streams else kinds}
    sent_version = version if header_version is None else header_version
    # Versions before 0.3 have no such header, and clients of 0.3 may leave it out (A2A 1.0 §3.6.1).
    if sent_version not in ("", "0.1", "0.2"):
        fields["A2A-Version"] = sent_version
    return fields


def jsonrpc_response(response: HttpResponse, _: str) -> OperationResponse:
    """Return a JSON-RPC response (JSON-RPC 2.0 §5)."""
    if response.denied:
        return OperationResponse(response, "denied")
    value = _object(response)
    if value.get("jsonrpc") == "2.0":
        error = value.get("error")
        if type(error) is dict and type(error.get("code")) is int:
            data = error.get("data")
            return OperationResponse(
                response, "error", error["code"], None, bool(_reason(data)), _is_array(data)
            )
        if "result" in value:
            form: Form = "stream" if response.media_type == EVENTS else "result"
            return OperationResponse(response, form, result=value["result"])
    return OperationResponse(
        response, "stream" if response.media_type == EVENTS and not response.body else "other"
    )


def rest_response(response: HttpResponse, version: str) -> OperationResponse:
    """Return an HTTP+JSON response (A2A 1.0 §11.6, §6.4)."""
    if response.denied:
        return OperationResponse(response, "denied")
    value = _object(response)
    if response.media_type == EVENTS and "error" not in value:
        return OperationResponse(response, "stream", result=value)
    if response.status < 300 and "error" not in value:
        return OperationResponse(response, "result" if value else "other", result=value)
    error = value.get("error")
    if type(error) is dict:
        details = error.get("details")
        reason = _reason(details)
        code = REASONS.get(reason, _bare(error, response))
        return OperationResponse(response, "error", code, None, bool(reason), _is_array(details))
    if response.media_type == "application/problem+json" or type(value.get("type")) is str:
        # A2A 1.0 §6.4 shows problem details instead.
        name = str(value.get("type")).rpartition("/")[2].upper().replace("-", "_").removesuffix("_ERROR")
        code = (
            VERSION_NOT_SUPPORTED if "supportedVersions" in value else REASONS.get(name, _bare({}, response))
        )
        return OperationResponse(response, "error", code, None, name in REASONS)
    # A2A 0.3 does not define the form; its SDK sent only a message.
    if version != "1.0" and ("message" in value or "code" in value):
        return OperationResponse(response, "error", _bare(value, response), detailed=True)
    return OperationResponse(response, "other")


def _bare(error: dict[str, Any], response: HttpResponse) -> int | None:
    """Return the error code from a bare number or from the HTTP status."""
    code = error.get("code")
    if type(code) is int and code < 0:
        return code
    return {404: TASK_NOT_FOUND}.get(response.status)


def _reason(details: Any) -> str:
    for one in details if type(details) is list else ():
        if type(one) is dict and one.get("@type") == _INFO and type(one.get("reason")) is str:
            return str(one["reason"])
    return ""


def _is_array(details: Any) -> bool:
    # A2A 1.0 §9.5: each entry has a type.
    return details is None or (
        type(details) is list and all(type(one) is dict and "@type" in one for one in details)
    )


def _object(response: HttpResponse) -> dict[str, Any]:
    try:
        value = decode(response.body, DEFAULT_LIMITS)
    except MalformedDocument:
        return {}
    return value if type(value) is dict else {}
