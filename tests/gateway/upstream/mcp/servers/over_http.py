"""An MCP server of the handshake era over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

INFO = {"name": "raw", "version": "1"}
CAPABILITIES: dict[str, Any] = {"tools": {}, "prompts": {}}
ECHO: dict[str, Any] = {"name": "echo", "inputSchema": {"type": "object"}}


def response_to(request: dict[str, Any]) -> dict[str, Any]:
    """Return the response of a server whose tool gives back its arguments; it has no prompts, but declares them."""
    arguments = request.get("params", {}).get("arguments", {})
    results: dict[str, dict[str, Any]] = {
        "initialize": {"protocolVersion": "2025-06-18", "serverInfo": INFO, "capabilities": CAPABILITIES},
        "tools/list": {"tools": [ECHO]},
        "tools/call": {"content": [{"type": "text", "text": "done"}], "structuredContent": arguments},
    }
    if request["method"] in results:
        return {"jsonrpc": "2.0", "id": request["id"], "result": results[request["method"]]}
    return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no such method"}}


class Forgetful:
    """The server, which knows one session at a time: to a request in another one it responds `unknown`."""

    def __init__(self, unknown: Response, *, streams: bool = False) -> None:
        self.application = Starlette(routes=[Route("/mcp", self._answer, methods=["GET", "POST", "DELETE"])])
        self.unknown, self.streams, self.session, self.methods = unknown, streams, "", list[str]()

    async def _answer(self, request: Request) -> Response:
        message = await request.json() if request.method == "POST" else {"method": request.method}
        self.methods.append(method := message["method"])
        if request.headers.get("mcp-session-id", self.session) != self.session:
            return self.unknown
        if method == "GET" and self.streams:
            return Response("retry: 1\n\n", media_type="text/event-stream")
        if "id" not in message:
            return Response(status_code=404 if method == "GET" else 202)
        if method == "initialize":
            self.session = str(len(self.methods))
        body = response_to(message)
        return JSONResponse(body, 404 if "error" in body else 200, {"Mcp-Session-Id": self.session})
