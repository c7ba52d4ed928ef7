"""Responses of a managed agent: those of a2a-sdk, corrected where they differ from A2A."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson
from a2a.compat.v0_3 import a2a_v0_3_pb2, conversions, proto_utils, types
from a2a.utils.error_handlers import build_rest_error_payload
from google.protobuf.json_format import Parse  # type: ignore[import-untyped] # it has no stubs
from pydantic import ValidationError

from cardwright.guard.message_limits import as_lines
from cardwright.http.negotiation import media_type
from cardwright.http.problem import (
    A2A_DOMAIN,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_ALLOWED,
    METHOD_NOT_FOUND,
    HttpError,
    Problem,
)
from cardwright.http.representation import integral
from cardwright.http.request import off_loop
from cardwright_gateway.a2a.problems import AGENT_FAILED, REASONS, rpc_status
from cardwright_gateway.upstream.event_errors import OlderRestEventErrors, event_errors
from cardwright_runtime.violation import escaped, pointer_of

if TYPE_CHECKING:
    from cardwright.http.request import Message, Scope, Send
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.upstream.event_errors import EventErrors

JSON: Final = "application/json"
A2A_JSON: Final = "application/a2a+json"
_ERROR_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"
_MAX_TEXT: Final = 300
_DATA_LINE: Final = re.compile(rb"^data: (.*?)\r?$", re.MULTILINE)
# A2A 0.3 §7.10.
_OLDER_CARD_METHOD: Final = "agent/getAuthenticatedExtendedCard"
_OLDER_CARD_PATH: Final = "/v1/card"
_FAILED: Final = Problem(AGENT_FAILED, "the agent's endpoint failed")


class CorrectedResponse:
    """Corrected response of the SDK: a complete one is sent whole, a stream piece by piece.

    Attributes:
        begun: Whether anything was sent.
    """

    def __init__(self, call: Call, scope: Scope, send: Send) -> None:
        self._call = call
        self._scope = scope
        self._send = send
        self._start: Message | None = None
        self._streams = False
        self._body: list[bytes] = []
        self._size = 0
        # Of a stream, once it has begun.
        self._errors: EventErrors | None = None
        self.begun = False

    async def __call__(self, message: Message) -> None:
        """Receive an ASGI message of the SDK's application."""
        if message["type"] == "http.response.start":
            # Held back until there is a body: the stream may still be refused.
            self._start = message
            kinds = [value for name, value in message["headers"] if name == b"content-type"]
            self._streams = any(kind.startswith(b"text/event-stream") for kind in kinds)
        elif self._streams:
            await self._piece(message)
        else:
            self._body.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._whole()

    async def refuse(self, problem: Problem) -> None:
        """Send the problem as the response."""
        if self._call.rpc:
            await self._json(rpc_status(problem.error_code), problem.to_rpc(self._call.id), problem.headers)
        else:
            await self._json(problem.error_code.status, problem.to_json(), problem.headers)

    async def rest_failure(self, failure: Exception) -> None:
        """Send a REST error that the SDK raised while streaming."""
        error = rest_error(build_rest_error_payload(failure)["error"])
        await self._json(error["code"], {"error": error})

    async def end(self) -> None:
        """End a broken stream with an error as its last event."""
        last = self._errors.failed(self._call.refused or _FAILED) if self._errors else b""
        await self._send({"type": "http.response.body", "body": last, "more_body": False})

    async def _piece(self, message: Message) -> None:
        body = message.get("body", b"")
        if self._start is not None:
            start, self._start = self._start, None
            self.begun = True
            self._errors = event_errors(self._call.version, rpc=self._call.rpc, call_id=self._call.id)
            await self._send(start)
        if isinstance(self._errors, OlderRestEventErrors):
            self._errors.note(body)
        if b'"error"' in body or (self._call.rpc and self._call.id is None):
            body = self._corrected_event(body)
        if b".0" in body:
            body = await off_loop(len(body), _DATA_LINE.sub, _with_integers, body)
        # The SDK does not escape them, and its own client, because of httpx's line splitting, ends an event at each.
        await self._send({**message, "body": as_lines(body)})

    async def _whole(self) -> None:
        if self._call.refused is not None:
            await self.refuse(self._call.refused)
            return
        start = self._start or {"status": 500, "headers": []}
        status, headers = int(start["status"]), start["headers"]
        body = b"".join(self._body)
        self._size = len(body)
        body = await off_loop(self._size, integral, body)
        try:
            value = await off_loop(self._size, orjson.loads, body)  # noqa: TID251 - its own JSON
        except orjson.JSONDecodeError:
            value = None
        if not isinstance(value, dict):
            # The response of Starlette's router to an unknown path or method.
            allowed = tuple((name, item) for name, item in headers if name == b"allow")
            await self._no_route(status, allowed)
        elif self._call.rpc:
            await self._json(status, rpc_answer(self._call, value))
        elif status >= 400 and isinstance(value.get("error"), dict):
            error = self._rest_error(value["error"])
            await self._json(int(error["code"]), {"error": error})
        else:
            is_card = self._call.version == "0.3" and self._call.path.endswith(_OLDER_CARD_PATH)
            await self._json(status, _with_main_interface(value) if is_card else value)

    async def _no_route(self, status: int, allowed: tuple[tuple[bytes, bytes], ...]) -> None:
        if status == 405:
            problem = Problem(METHOD_NOT_ALLOWED, "method not allowed; see Allow", headers=allowed)
        elif status == 404:
            problem = Problem(METHOD_NOT_FOUND, "unknown path; see A2A 1.0 §11.3")
        else:
            problem = _FAILED
        await self._json(problem.error_code.status, problem.to_json(), problem.headers)

    def _rest_error(self, error: dict[str, Any]) -> dict[str, Any]:
        """Return a corrected REST error; an invalid body of a 0.3 call is not an internal error."""
        if error.get("code") == 500 and self._call.version == "0.3" and (problem := _bad_params(self._call)):
            return dict(problem.to_json()["error"])
        return rest_error(error)

    def _corrected_event(self, body: bytes) -> bytes:
        def correct(line: re.Match[bytes]) -> bytes:
            try:
                value = orjson.loads(line[1])  # noqa: TID251 - its own JSON
            except orjson.JSONDecodeError:
                return line[0]
            if not isinstance(value, dict):
                return line[0]
            failed = isinstance(value.get("error"), dict)
            if not failed and not (self._call.rpc and self._call.id is None):
                return line[0]
            refused = self._call.refused if failed else None
            if self._call.rpc:
                corrected = refused.to_rpc(self._call.id) if refused else rpc_answer(self._call, value)
            else:
                corrected = refused.to_json() if refused else {"error": rest_error(value["error"])}
            return b"data: " + orjson.dumps(corrected) + (b"\r" if line[0].endswith(b"\r") else b"")

        return _DATA_LINE.sub(correct, body)

    async def _json(self, status: int, value: Any, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        body = await off_loop(self._size, orjson.dumps, value)
        kind = JSON if self._call.rpc else response_type(self._call, self._scope, failed=status >= 400)
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
            *more,
        ]
        self.begun = True
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body, "more_body": False})


def _with_integers(line: re.Match[bytes]) -> bytes:
    return line[0].replace(line[1], integral(line[1]))


def rpc_answer(call: Call, answer: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON-RPC response of the SDK, completed (A2A 1.0 §9.5, JSON-RPC 2.0 §5)."""
    error = answer.get("error")
    if not isinstance(error, dict):
        # The SDK's response to the deletion of a push configuration has neither error nor result.
        result = answer.get("result")
        if call.method == _OLDER_CARD_METHOD:
            result = _with_main_interface(result)
        return {"jsonrpc": "2.0", "id": call.id, "result": result}
    code = error.get("code")
    if (
        call.version == "0.3"
        and code in (INVALID_REQUEST.code, AGENT_FAILED.code)
        and (problem := _bad_params(call))
    ):
        return problem.to_rpc(call.id)
    if code == AGENT_FAILED.code:
        return _FAILED.to_rpc(call.id)
    sent = {"code": code, "message": _short(error.get("message")), "data": _details(code, error.get("data"))}
    return {"jsonrpc": "2.0", "id": call.id, "error": sent}


def _with_main_interface(card: Any) -> Any:
    """Return an extended card of A2A 0.3 with its main interface in the list, too (A2A 0.3 §5.6.4).

    The SDK leaves it out, and lists the same URL with another transport.
    """
    others = card.get("additionalInterfaces") if isinstance(card, dict) else None
    if not others:
        return card
    main = {"url": card.get("url"), "transport": card.get("preferredTransport", "JSONRPC")}
    return card if main in others else {**card, "additionalInterfaces": [main, *others]}


def rest_error(error: dict[str, Any]) -> dict[str, Any]:
    """Return a REST error of the SDK with its ErrorInfo, without the text of internal errors."""
    details = error.get("details")
    if not details or error.get("code") == 500:
        return dict(_FAILED.to_json()["error"])
    return {**error, "message": _short(error.get("message")), "details": _bounded(details)}


def response_type(call: Call, scope: Scope, *, failed: bool = False) -> str:
    """Return the media type by Accept, else that of the request, else that of its version (A2A 1.0 §11.1, §11.6)."""
    types_of_version = (A2A_JSON, JSON) if call.version == "1.0" and not failed else (JSON, A2A_JSON)
    fields: dict[bytes, str] = {name: value.decode("latin-1") for name, value in scope["headers"]}
    sent: str = fields.get(b"content-type", "").partition(";")[0].strip().lower()
    offered: tuple[str, ...] = types_of_version
    if sent in types_of_version:
        offered = (sent, *(kind for kind in types_of_version if kind != sent))
    try:
        chosen = media_type(fields.get(b"accept"), offered)
    except HttpError:
        # A request for a stream accepts nothing else; the status tells its caller that there is no stream.
        return offered[0]
    return chosen


def _details(code: Any, data: Any) -> list[Any]:
    if isinstance(data, list) and data:
        return _bounded(data)
    reason = REASONS.get(code, "UNKNOWN_ERROR")
    return [{"@type": _ERROR_INFO, "reason": reason, "domain": A2A_DOMAIN, "metadata": {}}]


def _bounded(details: list[Any]) -> list[Any]:
    """Return details whose metadata are limited in length: they may repeat the request."""
    return [_bounded_detail(detail) for detail in details]


def _bounded_detail(detail: Any) -> Any:
    metadata = detail.get("metadata") if isinstance(detail, dict) else None
    if not isinstance(metadata, dict):
        return detail
    # google.rpc.ErrorInfo allows only strings; the SDK's other values are also in its BadRequest.
    return {
        **detail,
        "metadata": {name: _short(value) for name, value in metadata.items() if isinstance(value, str)},
    }


def _short(text: Any) -> str:
    escaped_text: str = escaped(str(text))
    return escaped_text if len(escaped_text) <= _MAX_TEXT else f"{escaped_text[:_MAX_TEXT]}…"


def _bad_params(call: Call) -> Problem | None:
    """Return the problem of a 0.3 call with invalid params that the SDK failed on; None if they are valid.

    The SDK responds with -32600 or an internal error; A2A 0.3.0 §8.1 has -32602.
    """
    faults = _faults(call)
    if not faults:
        return None
    return Problem(INVALID_PARAMS, "the parameters do not match the method", faults=tuple(faults))


def _faults(call: Call) -> list[tuple[str, str]]:
    # At module level, this would be a circular import.
    from a2a.compat.v0_3.jsonrpc_adapter import JSONRPC03Adapter

    if call.value is None:
        # There is no body, or the turn has begun: its params were valid then.
        return []
    try:
        if call.rpc:
            model: Any = JSONRPC03Adapter.METHOD_TO_MODEL[call.method]
            _convert(model.model_validate(call.value))
        else:
            sent = Parse(call.body, a2a_v0_3_pb2.SendMessageRequest(), ignore_unknown_fields=True)
            _convert(types.SendMessageRequest(id="", params=proto_utils.FromProto.message_send_params(sent)))
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False, include_input=False)
        # The location contains the names of union types, which are not part of the document.
        return [
            (pointer_of(step for step in fault["loc"] if not _is_union_member(step)), escaped(fault["msg"]))
            for fault in errors
        ]
    except Exception:  # noqa: BLE001 - every error of the converters is caused by the params
        return [("/params" if call.rpc else "", "cannot be read as A2A 0.3")]
    return []


def _convert(request: Any) -> None:
    if isinstance(request, (types.SendMessageRequest, types.SendStreamingMessageRequest)):
        conversions.to_core_send_message_request(types.SendMessageRequest(id="", params=request.params))


def _is_union_member(step: int | str) -> bool:
    return isinstance(step, str) and step[:1].isupper()
