"""What goes back to a caller: the SDK's answers, mended where they are not what A2A says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.http.negotiation import media_type
from cardwright.http.problem import A2A_DOMAIN, METHOD_NOT_ALLOWED, HttpError
from cardwright_gateway.a2a.errors import (
    AGENT_FAILED,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REASONS,
    Refusal,
    refusal,
)
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.http.request import Message, Scope, Send
    from cardwright_gateway.a2a.calls import Call

JSON: Final = "application/json"
A2A_JSON: Final = "application/a2a+json"
_ERROR_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"
_LONGEST_TOLD: Final = 300
_DATA_LINE: Final = re.compile(rb"^data: (.*?)\r?$", re.MULTILINE)
# The SDK writes them as they are, and its own client, by httpx's way to split lines, ends an event at each.
_LINE_ENDS: Final = tuple((end.encode(), f"\\u{ord(end):04x}".encode()) for end in "\x85\u2028\u2029")
_FAILED: Final = "the agent's endpoint failed"
_PARAMS_TOLD: Final = "the parameters are not what the method takes"


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

    async def refuse(self, why: Refusal) -> None:
        """Send why the call is not answered."""
        headers = why.problem.headers
        if self._call.rpc:
            await self._json(why.rpc_status, why.to_rpc(self._call.id), headers)
        else:
            await self._json(why.problem.condition.status, why.to_rest(), headers)

    async def told(self, payload: dict[str, Any]) -> None:
        """Send a REST error of the SDK's that it let through."""
        error = mended_rest(payload["error"])
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
            body = self._mended_event(body)
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
            await self._json(status, mended_rpc(self._call, value))
        elif status >= 400 and isinstance(value.get("error"), dict):
            error = self._mended_rest(value["error"])
            await self._json(int(error["code"]), {"error": error})
        else:
            await self._json(status, value)

    async def _no_route(self, status: int, allowed: tuple[tuple[bytes, bytes], ...]) -> None:
        if status == 405:
            why = refusal(METHOD_NOT_ALLOWED, "this path takes other methods: see Allow")
        elif status == 404:
            why = refusal(METHOD_NOT_FOUND, "there is nothing at this path: see A2A 1.0 §11.3")
        else:
            why = refusal(AGENT_FAILED, _FAILED)
        await self._json(why.problem.condition.status, why.to_rest(), allowed)

    def _mended_rest(self, error: dict[str, Any]) -> dict[str, Any]:
        """Mend a REST error; what a 0.3 call's own body caused is no internal error."""
        if error.get("code") == 500 and self._call.version == "0.3":
            faults = _old_faults(self._call)
            if faults:
                return dict(refusal(INVALID_PARAMS, _PARAMS_TOLD, faults).to_rest()["error"])
        return mended_rest(error)

    def _mended_event(self, body: bytes) -> bytes:
        def mend(line: re.Match[bytes]) -> bytes:
            try:
                value = orjson.loads(line[1])
            except orjson.JSONDecodeError:
                return line[0]
            if not isinstance(value, dict) or not isinstance(value.get("error"), dict):
                return line[0]
            refused = self._call.refused
            told = refused.to_rpc(self._call.id) if refused else mended_rpc(self._call, value)
            return b"data: " + orjson.dumps(told) + (b"\r" if line[0].endswith(b"\r") else b"")

        return _DATA_LINE.sub(mend, body)

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


def mended_rpc(call: Call, answer: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON-RPC answer with what the SDK leaves out (A2A 1.0 §9.5, JSON-RPC 2.0 §5)."""
    error = answer.get("error")
    if not isinstance(error, dict):
        # It answers the deletion of a push configuration with neither of the two.
        return answer if "result" in answer else {"jsonrpc": "2.0", "id": call.id, "result": None}
    code = error.get("code")
    if call.version == "0.3" and code in (-32600, -32603):
        faults = _old_faults(call)
        if faults:
            return refusal(INVALID_PARAMS, _PARAMS_TOLD, faults).to_rpc(call.id)
    if code == -32603:
        return refusal(AGENT_FAILED, _FAILED).to_rpc(call.id)
    told = {"code": code, "message": _short(error.get("message")), "data": _details(code, error.get("data"))}
    return {"jsonrpc": "2.0", "id": call.id, "error": told}


def mended_rest(error: dict[str, Any]) -> dict[str, Any]:
    """Return a REST error with its ErrorInfo, and without what an internal error says of itself."""
    details = error.get("details")
    if not details or error.get("code") == 500:
        return dict(refusal(AGENT_FAILED, _FAILED).to_rest()["error"])
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
    told: str = escaped(str(text))
    return told if len(told) <= _LONGEST_TOLD else f"{told[:_LONGEST_TOLD]}…"


def _old_faults(call: Call) -> list[tuple[str, str]] | None:
    from cardwright_gateway.a2a_server.dispatcher import old_faults

    return old_faults(call)
