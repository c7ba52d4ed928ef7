"""One gRPC call as a JSON-RPC call to the gateway, and the response as messages of gRPC.

So a call over gRPC has the same keys, limits, quotas and errors as one over HTTP: it takes the same way.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import orjson

from cardwright.guard.message_limits import EVENT_STREAM, EventBuffer
from cardwright.http.problem import BAD_HEADER, HttpError, refuse
from cardwright.http.request import off_loop
from cardwright.serve.listening import USER_TIMEOUT_MILLISECONDS
from cardwright_gateway.api.grpc.status import status_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from cardwright.http.request import Message, Receive, Scope, Send
    from cardwright_gateway.a2a_server.grpc_methods import GrpcMethod
    from cardwright_gateway.api.bodies import RequestBodies

    # Answers a JSON-RPC call to an agent; "" is the agent at the root.
    Answer = Callable[[Scope, Receive, Send, str], Awaitable[None]]
    # Returns the name of a caller with valid credentials for any agent; "" for any other caller.
    Identify = Callable[[Scope], Awaitable[str]]

# The metadata with the id of the agent, for requests without a tenant: those of A2A 0.3 have none (project decision).
AGENT_METADATA: Final = "a2a-tenant"
_CALL_ID: Final = "grpc"
# After how long a caller that reads nothing counts as gone, as over HTTP.
_WRITE_SECONDS: Final = USER_TIMEOUT_MILLISECONDS / 1000
# Metadata of gRPC itself, and fields that describe the body of the gRPC request.
_NOT_PASSED: Final = frozenset(
    {"content-type", "content-length", "content-encoding", "transfer-encoding", "te", "host", "connection"}
)


class GrpcCall:
    """One call.

    Args:
        method: Its method.
        metadata: Its metadata.
        context: gRPC's context of the call.
    """

    def __init__(self, method: GrpcMethod, metadata: Iterable[tuple[str, str | bytes]], context: Any) -> None:
        self._method = method
        self._metadata = tuple(metadata)
        self._context = context
        self._agent = ""
        self._body: bytes | None = None
        self._gone = asyncio.Event()
        self._headers: list[tuple[bytes, bytes]] = []
        self._events: EventBuffer | None = None
        self._whole: list[bytes] = []
        self._error: dict[str, Any] | None = None

    @property
    def address(self) -> str:
        """The address of the caller, or of the proxy before it; "" if it is unknown."""
        client = client_of(self._context.peer())
        return client[0] if client else ""

    async def read(self, content: bytes, bodies: RequestBodies, caller: str) -> None:
        """Read the request; if it is refused, `answer` says so.

        Args:
            content: The request.
            bodies: The limits of requests: they are checked again where the agent is known.
            caller: The name of a caller with valid credentials, or "".
        """
        try:
            if len(content) > bodies.limit(caller):
                raise bodies.too_large(caller, bodies.limit(caller))
            tenant, params = await off_loop(
                len(content), self._method.read, content, bodies.check_values, bodies.max_values
            )
            self._agent = self._agent_id(tenant)
            envelope = {
                "jsonrpc": "2.0", "id": _CALL_ID, "method": self._method.rpc_method, "params": params,
            }  # fmt: skip
            self._body = await off_loop(len(content), orjson.dumps, envelope)
        except HttpError as refused:
            self._headers = list(refused.problem.headers)
            self._error = refused.problem.to_rpc(_CALL_ID)["error"]

    async def answer(self, answer: Answer, running: set[asyncio.Task[None]]) -> None:
        """Answer the call, or end it with the status of an error.

        Args:
            answer: Answers a JSON-RPC call.
            running: The running calls. A call goes on after its caller has left, as over HTTP.
        """
        if self._body is not None:
            scope = self.scope(len(self._body))
            task = asyncio.ensure_future(answer(scope, self._receive, self._send, self._agent))
            running.add(task)
            task.add_done_callback(running.discard)
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:
                self._gone.set()
                raise
            await self._finish()
        if self._error is not None:
            code, message, metadata = status_of(self._error, self._method.version, self._headers)
            await self._context.abort(code, message, metadata)

    def _agent_id(self, tenant: str) -> str:
        """Return the id of the agent that the call is for; "" for the agent at the root.

        Raises:
            HttpError: If the tenant and the metadata name two agents.
        """
        named = {str(value) for name, value in self._metadata if name == AGENT_METADATA}
        if tenant:
            named.add(tenant)
        if len(named) > 1:
            raise refuse(BAD_HEADER, f"the tenant and the metadata {AGENT_METADATA} name different agents")
        return next(iter(named), "")

    def scope(self, size: int) -> Scope:
        """Return the ASGI scope of the call as a request over HTTP with a body of a size."""
        headers = [
            (name.encode("latin-1"), value.encode("latin-1", "replace"))
            for name, value in self._metadata
            if isinstance(value, str) and name not in _NOT_PASSED and not name.startswith((":", "grpc-"))
        ]
        if not any(name == b"a2a-version" for name, _ in headers):
            # The service has the version in its name.
            headers.append((b"a2a-version", self._method.version.encode()))
        headers += [(b"content-type", b"application/json"), (b"content-length", str(size).encode())]
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "2",
            "method": "POST",
            "scheme": "http",
            "path": "/",
            "raw_path": b"/",
            "root_path": "",
            "query_string": b"",
            "headers": headers,
            "client": client_of(self._context.peer()),
            "server": None,
        }

    async def _receive(self) -> Message:
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._headers = message["headers"]
            kinds = [value for name, value in self._headers if name == b"content-type"]
            if any(kind.startswith(EVENT_STREAM.encode()) for kind in kinds):
                self._events = EventBuffer()
        elif self._events is not None:
            await self._write_events(self._events.cut(message.get("body", b"")))
        else:
            self._whole.append(message.get("body", b""))

    async def _finish(self) -> None:
        """Send the response of a call without a stream, and the rest of a stream."""
        if self._events is not None:
            await self._write_events(self._events.rest())
        else:
            body = b"".join(self._whole)
            await self._write(await off_loop(len(body), orjson.loads, body), len(body))  # noqa: TID251 - its own JSON

    async def _write_events(self, events: bytes) -> None:
        for line in events.splitlines():
            if line.startswith(b"data:"):
                await self._write(await off_loop(len(line), orjson.loads, line[5:]), len(line))  # noqa: TID251 - its own JSON

    async def _write(self, response: dict[str, Any], size: int) -> None:
        """Send the result in a JSON-RPC response, or note its error."""
        if "error" in response:
            self._error = response["error"]
            return
        message = await off_loop(size, self._method.written, response.get("result"))
        if self._gone.is_set():
            return
        try:
            async with asyncio.timeout(_WRITE_SECONDS):
                await self._context.write(message)
        except Exception:  # noqa: BLE001 - gRPC has no error of its own for a caller that has left
            self._gone.set()


def client_of(peer: str) -> tuple[str, int] | None:
    """Return the address and port of a caller; None if they are unknown.

    >>> client_of("ipv4:192.0.2.1:4711"), client_of("ipv6:%5B::1%5D:50051"), client_of("unix:")
    (('192.0.2.1', 4711), ('::1', 50051), None)
    """
    kind, _, rest = peer.partition(":")
    host, _, port = unquote(rest).rpartition(":")
    return (host.strip("[]"), int(port)) if kind in ("ipv4", "ipv6") and port.isdigit() else None
