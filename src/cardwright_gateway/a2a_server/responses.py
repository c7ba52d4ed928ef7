"""Responses of a managed agent: those of a2a-sdk, corrected where they are not what A2A says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson
from a2a.compat.v0_3 import a2a_v0_3_pb2, conversions, proto_utils, types
from a2a.utils.error_handlers import build_rest_error_payload
from google.protobuf.json_format import Parse  # type: ignore[import-untyped] # it has no stubs
from pydantic import ValidationError

from cardwright.http.negotiation import media_type
from cardwright.http.problem import (
    A2A_DOMAIN,
    INVALID_PARAMS,
    METHOD_NOT_ALLOWED,
    METHOD_NOT_FOUND,
    HttpError,
    Problem,
)
from cardwright_gateway.a2a.problems import AGENT_FAILED, REASONS, rpc_status
from cardwright_runtime.violation import escaped, pointer_of

if TYPE_CHECKING:
    from cardwright.http.request import Message, Scope, Send
    from cardwright_gateway.a2a.calls import Call

JSON: Final = "application/json"
A2A_JSON: Final = "application/a2a+json"
_ERROR_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"
_MAX_TEXT: Final = 300
_DATA_LINE: Final = re.compile(rb"^data: (.*?)\r?$", re.MULTILINE)
# The SDK writes them as they are, and its own client, by httpx's way to split lines, ends an event at each.
_LINE_ENDS: Final = tuple((end.encode(), f"\\u{ord(end):04x}".encode()) for end in "\x85\u2028\u2029")
_FAILED: Final = Problem(AGENT_FAILED, "the agent's endpoint failed")


class Answer:
    """Sends an answer of the SDK's on: a whole one mended, a stream piece by piece.

    Attributes:
        begun: Whether anything was sent on.
    """

    def __init__(self, call: Call, scope: Scope, send: Send) -> None:
        self._call = call
        self._scope = scope
        self._send = send
        self._start: Message | None = None
        self._streams = False
        self._body: list[bytes] = []
        self.begun = False

    async def __call__(self, message: Message) -> None:
        """Take a message of the SDK's application."""
        if message["type"] == "http.response.start":
            # Kept until there is something to send: a stream may yet turn out to be refused.
            self._start = message
            kinds = [value for name, value in message["headers"] if name == b"content-type"]
            self._streams = any(kind.startswith(b"text/event-stream") for kind in kinds)
        elif self._streams:
            await self._piece(message)
        else:
            self._body.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._whole()

    async def refuse(self, why: Problem) -> None:
        """Send why the call is refused."""
        if self._call.rpc:
            await self._json(rpc_status(why.condition), why.to_rpc(self._call.id), why.headers)
        else:
            await self._json(why.condition.status, why.to_json(), why.headers)

    async def rest_failure(self, failure: Exception) -> None:
        """Send a REST error that the SDK lets through where it streams."""
        error = rest_error(build_rest_error_payload(failure)["error"])
        await self._json(error["code"], {"error": error})

    async def end(self) -> None:
        """End a stream that broke off."""
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _piece(self, message: Message) -> None:
        body = message.get("body", b"")
        if self._start is not None:
            start, self._start = self._start, None
            self.begun = True
            await self._send(start)
        if self._call.rpc and b'"error"' in body:
            body = self._corrected_event(body)
        for raw, escape in _LINE_ENDS:
            body = body.replace(raw, escape)
        await self._send({**message, "body": body})

    async def _whole(self) -> None:
        if self._call.refused is not None:
            await self.refuse(self._call.refused)
            return
        start = self._start or {"status": 500, "headers": []}
        status, headers = int(start["status"]), start["headers"]
        try:
            value = orjson.loads(b"".join(self._body))
        except orjson.JSONDecodeError:
            value = None
        if not isinstance(value, dict):
            # What Starlette's router says of paths and methods that it does not know.
            allowed = tuple((name, item) for name, item in headers if name == b"allow")
            await self._no_route(status, allowed)
        elif self._call.rpc:
            await self._json(status, rpc_answer(self._call, value))
        elif status >= 400 and isinstance(value.get("error"), dict):
            error = self._rest_error(value["error"])
            await self._json(int(error["code"]), {"error": error})
        else:
            await self._json(status, value)

    async def _no_route(self, status: int, allowed: tuple[tuple[bytes, bytes], ...]) -> None:
        if status == 405:
            why = Problem(METHOD_NOT_ALLOWED, "this path takes other methods: see Allow", headers=allowed)
        elif status == 404:
            why = Problem(METHOD_NOT_FOUND, "there is nothing at this path: see A2A 1.0 §11.3")
        else:
            why = _FAILED
        await self._json(why.condition.status, why.to_json(), why.headers)

    def _rest_error(self, error: dict[str, Any]) -> dict[str, Any]:
        """Return a corrected REST error; what a 0.3 call's own body caused is no internal error."""
        if error.get("code") == 500 and self._call.version == "0.3" and (why := _bad_params(self._call)):
            return dict(why.to_json()["error"])
        return rest_error(error)

    def _corrected_event(self, body: bytes) -> bytes:
        def correct(line: re.Match[bytes]) -> bytes:
            try:
                value = orjson.loads(line[1])
            except orjson.JSONDecodeError:
                return line[0]
            if not isinstance(value, dict) or not isinstance(value.get("error"), dict):
                return line[0]
            refused = self._call.refused
            corrected = refused.to_rpc(self._call.id) if refused else rpc_answer(self._call, value)
            return b"data: " + orjson.dumps(corrected) + (b"\r" if line[0].endswith(b"\r") else b"")

        return _DATA_LINE.sub(correct, body)

    async def _json(self, status: int, value: Any, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        body = orjson.dumps(value)
        kind = JSON if self._call.rpc else asked_type(self._call, self._scope, failed=status >= 400)
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


def rpc_answer(call: Call, answer: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON-RPC response of the SDK with what it leaves out (A2A 1.0 §9.5, JSON-RPC 2.0 §5)."""
    error = answer.get("error")
    if not isinstance(error, dict):
        # It answers the deletion of a push configuration with neither of the two.
        return answer if "result" in answer else {"jsonrpc": "2.0", "id": call.id, "result": None}
    code = error.get("code")
    if call.version == "0.3" and code in (-32600, -32603) and (why := _bad_params(call)):
        return why.to_rpc(call.id)
    if code == -32603:
        return _FAILED.to_rpc(call.id)
    sent = {"code": code, "message": _short(error.get("message")), "data": _details(code, error.get("data"))}
    return {"jsonrpc": "2.0", "id": call.id, "error": sent}


def rest_error(error: dict[str, Any]) -> dict[str, Any]:
    """Return a REST error of the SDK with its ErrorInfo, and without the text of an internal error."""
    details = error.get("details")
    if not details or error.get("code") == 500:
        return dict(_FAILED.to_json()["error"])
    return {**error, "message": _short(error.get("message")), "details": _bounded(details)}


def asked_type(call: Call, scope: Scope, *, failed: bool = False) -> str:
    """Return the media type that a caller asks for, or else sends, or else its version has (A2A 1.0 §11.1, §11.6)."""
    usual = (A2A_JSON, JSON) if call.version == "1.0" and not failed else (JSON, A2A_JSON)
    fields: dict[bytes, str] = {name: value.decode("latin-1") for name, value in scope["headers"]}
    sent: str = fields.get(b"content-type", "").partition(";")[0].strip().lower()
    offered = (sent, *(kind for kind in usual if kind != sent)) if sent in usual else usual
    try:
        chosen = media_type(fields.get(b"accept"), offered)
    except HttpError:
        # Who asks for a stream names nothing else, and is told by the status that there is none.
        return offered[0]
    return chosen


def _details(code: Any, data: Any) -> list[Any]:
    if isinstance(data, list) and data:
        return _bounded(data)
    reason = REASONS.get(code, "UNKNOWN_ERROR")
    return [{"@type": _ERROR_INFO, "reason": reason, "domain": A2A_DOMAIN, "metadata": {}}]


def _bounded(details: list[Any]) -> list[Any]:
    """Return details without what their metadata repeat of a request at length."""
    return [_one(detail) for detail in details]


def _one(detail: Any) -> Any:
    metadata = detail.get("metadata") if isinstance(detail, dict) else None
    if not isinstance(metadata, dict):
        return detail
    # google.rpc.ErrorInfo: a map of texts; what the SDK puts there besides stands in its BadRequest again.
    return {
        **detail,
        "metadata": {name: _short(one) for name, one in metadata.items() if isinstance(one, str)},
    }


def _short(text: Any) -> str:
    escaped_text: str = escaped(str(text))
    return escaped_text if len(escaped_text) <= _MAX_TEXT else f"{escaped_text[:_MAX_TEXT]}…"


def _bad_params(call: Call) -> Problem | None:
    """Return what is wrong with the params of a 0.3 call, after the SDK has failed on it; None if nothing is.

    The SDK says -32600 or an internal error; A2A 0.3.0 §8.1 has -32602.
    """
    faults = _faults(call)
    if not faults:
        return None
    return Problem(INVALID_PARAMS, "the parameters are not what the method takes", faults=tuple(faults))


def _faults(call: Call) -> list[tuple[str, str]]:
    # Imported before the routes are, it would import them in a circle.
    from a2a.compat.v0_3.jsonrpc_adapter import JSONRPC03Adapter

    try:
        if call.rpc:
            model: Any = JSONRPC03Adapter.METHOD_TO_MODEL[call.method]
            _convert(model.model_validate(call.value))
        elif call.value is not None:
            sent = Parse(call.body, a2a_v0_3_pb2.SendMessageRequest(), ignore_unknown_fields=True)
            _convert(types.SendMessageRequest(id="", params=proto_utils.FromProto.message_send_params(sent)))
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False, include_input=False)
        # The names of a union's arms stand in the place, and say nothing of it.
        return [
            (pointer_of(step for step in one["loc"] if not _is_arm(step)), escaped(one["msg"]))
            for one in errors
        ]
    except Exception:  # noqa: BLE001 - whatever its converters stumble over is in the params
        return [("/params" if call.rpc else "", "cannot be read as A2A 0.3")]
    return []


def _convert(request: Any) -> None:
    if isinstance(request, (types.SendMessageRequest, types.SendStreamingMessageRequest)):
        conversions.to_core_send_message_request(types.SendMessageRequest(id="", params=request.params))


def _is_arm(step: int | str) -> bool:
    return isinstance(step, str) and step[:1].isupper()
