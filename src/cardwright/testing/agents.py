"""A scripted agent and a card server on loopback, for tests: plain HTTP of the standard library, in a thread."""

from __future__ import annotations

import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.canonical import Limits, decode
from cardwright.card import Card
from cardwright.errors import MalformedDocument
from cardwright_models.a2a_facts import CARD_PATHS
from cardwright_rules.a2a_operations import ERRORS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

# The methods of A2A 1.0 and 0.3 that send a message, and whether they stream.
_SENDING: Final = {
    "SendMessage": False,
    "SendStreamingMessage": True,
    "message/send": False,
    "message/stream": True,
}
_MAX_BYTES: Final = 1024 * 1024
_LIMITS: Final = Limits(max_bytes=_MAX_BYTES, max_values=100_000)


class LoopbackAgent:
    """An agent on 127.0.0.1 that serves a card and replies by script; a context manager.

    Without replies it only serves the card, and refuses every call.

    Args:
        card: The card to serve: JSON object, bytes, or `Card`; None for a card of A2A 1.0 that names this agent.
        replies: The text of each reply in order, the last one for all further messages; or a function that gets the
            text of the message.

    Attributes:
        url: The URL of the agent, known once it is started.
        received: The params of each message, in order.

    >>> with LoopbackAgent(replies=["Good day"]) as agent:
    ...     agent.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        card: Mapping[str, Any] | bytes | Card | None = None,
        replies: Iterable[str] | Callable[[str], str] = (),
    ) -> None:
        self._given = card
        self._replies = replies if callable(replies) else list(replies)
        self.url = ""
        self.received: list[dict[str, Any]] = []
        self._server: ThreadingHTTPServer | None = None
        self._lock = threading.Lock()

    @property
    def card_url(self) -> str:
        """The URL of the card."""
        return f"{self.url}{CARD_PATHS[0]}"

    def __enter__(self) -> Self:
        """Start the agent at a free port."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the agent."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def card_bytes(self) -> bytes:
        """Return the card as it is served."""
        match self._given:
            case bytes():
                return self._given
            case Card():
                return json.dumps(self._given.document).encode()
            case None:
                return json.dumps(_card(self.url)).encode()
            case card:
                return json.dumps(dict(card)).encode()

    def answer(self, call: Any) -> tuple[dict[str, Any], bool]:
        """Return the JSON-RPC response to a call, and whether it is sent as a stream."""
        call = call if isinstance(call, dict) else {}
        method, params = str(call.get("method")), call.get("params")
        head = {"jsonrpc": "2.0", "id": call.get("id")}
        if method not in _SENDING or not self._has_replies() or not isinstance(params, dict):
            reason = f"the scripted agent has no answer to {method}"
            return {**head, "error": {"code": ERRORS["METHOD_NOT_FOUND"].code, "message": reason}}, False
        reply = self._reply(params)
        older = "/" in method
        part = {"kind": "text", "text": reply} if older else {"text": reply}
        message: dict[str, Any] = {"messageId": str(uuid.uuid4()), "parts": [part]}
        if older:
            result = {"kind": "message", "role": "agent", **message}
        else:
            result = {"message": {"role": "ROLE_AGENT", **message}}
        return {**head, "result": result}, _SENDING[method]

    def _has_replies(self) -> bool:
        return callable(self._replies) or bool(self._replies)

    def _reply(self, params: dict[str, Any]) -> str:
        with self._lock:
            self.received.append(params)
            count = len(self.received)
        if callable(self._replies):
            return self._replies(_text_of(params))
        return self._replies[min(count, len(self._replies)) - 1]


def _text_of(params: dict[str, Any]) -> str:
    message = params.get("message")
    parts = message.get("parts", ()) if isinstance(message, dict) else ()
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and "text" in part)


def _card(url: str) -> dict[str, Any]:
    return {
        "name": "Scripted agent",
        "description": "Replies by the script of a test.",
        "version": "1.0.0",
        "supportedInterfaces": [
            {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": version}
            for version in ("1.0", "0.3")
        ],
        "capabilities": {"streaming": True},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {"id": "reply", "name": "Reply", "description": "Replies by the script.", "tags": ["test"]}
        ],
    }


def _handler(agent: LoopbackAgent) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path.partition("?")[0] in CARD_PATHS:
                self._send(200, agent.card_bytes())
            else:
                self._send(404, b'{"error": "the card is at /.well-known/agent-card.json"}')

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length > _MAX_BYTES:
                self.close_connection = True
                self._send(413, b"{}")
                return
            try:
                call = decode(self.rfile.read(length), _LIMITS)
            except MalformedDocument:
                self._send(400, b'{"error": "the body is not JSON"}')
                return
            response, streams = agent.answer(call)
            body = json.dumps(response).encode()
            if streams:
                self._send(200, b"data: " + body + b"\n\n", "text/event-stream")
            else:
                self._send(200, body)

        def _send(self, status: int, body: bytes, media_type: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the signature of http.server
            """Log nothing."""

    return Handler
