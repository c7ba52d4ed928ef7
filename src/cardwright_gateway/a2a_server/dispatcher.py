"""The SDK's dispatchers, put together for one agent; a2a-sdk is imported with this module."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from a2a.compat.v0_3 import a2a_v0_3_pb2, conversions, proto_utils, types
from a2a.server.routes import DefaultServerCallContextBuilder, create_rest_routes
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from a2a.utils.error_handlers import build_rest_error_payload
from google.protobuf.json_format import Parse  # type: ignore[import-untyped] # it has no stubs
from pydantic import ValidationError
from starlette.requests import Request
from starlette.routing import Router

from cardwright_gateway.a2a_server.callers import caller_of
from cardwright_gateway.a2a_server.cancellation import ended
from cardwright_gateway.a2a_server.executor import LETTING_GO_SECONDS
from cardwright_gateway.a2a_server.handler import Handler
from cardwright_gateway.a2a_server.memory_store import Tasks
from cardwright_runtime.violation import escaped, pointer_of

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from a2a.server.context import ServerCallContext
    from a2a.types.a2a_pb2 import AgentCard

    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.a2a_server.executor import Executor
    from cardwright_gateway.a2a_server.stores import TaskStores

_LOG: Final = logging.getLogger("cardwright_gateway")
_CALL: Final = "cardwright.call"
# What the SDK reads of a header; of the rest it would keep a copy, and who is asking stands there.
_READ: Final = frozenset({b"a2a-extensions", b"x-a2a-extensions", b"content-type", b"accept"})


class _Contexts(DefaultServerCallContextBuilder):
    """Gives the handler the call that it answers."""

    def build(self, request: Request) -> ServerCallContext:
        context = super().build(request)
        context.state["call"] = request.scope[_CALL]
        return context


class Dispatcher:
    """One agent's handler, and what leads to it."""

    def __init__(
        self, executor: Executor, keeping: TaskStores, card: AgentCard, extended: AgentCard | None = None
    ) -> None:
        self._executor = executor
        # The stores of one process and of several have no type in common.
        self.tasks: Any = keeping.tasks
        self.handler = Handler(executor, keeping, card, extended)
        contexts = _Contexts()
        self._rpc = JsonRpcDispatcher(self.handler, contexts, enable_v0_3_compat=True)
        routes = create_rest_routes(self.handler, contexts, enable_v0_3_compat=True)
        self._rest = Router(routes, redirect_slashes=False)

    async def answer(self, call: Call, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the SDK answer a call that was judged."""
        told: MutableMapping[str, Any] = {
            "type": "http",
            "asgi": scope.get("asgi", {"version": "3.0"}),
            "http_version": scope.get("http_version", "1.1"),
            "method": scope["method"],
            "scheme": scope.get("scheme", "http"),
            "path": call.path,
            "raw_path": call.path.encode(),
            "root_path": "",
            "query_string": scope.get("query_string", b""),
            "headers": [
                (b"a2a-version", call.version.encode()),
                *((name, value) for name, value in scope["headers"] if name in _READ),
            ],
            "client": scope.get("client"),
            "server": scope.get("server"),
            _CALL: call,
        }
        # Whose the tasks are: Starlette's own names for what a gateway has found out.
        told["user"] = caller_of(scope)
        if "auth" in scope:
            told["auth"] = scope["auth"]
        replayed = _Replayed(call.body, receive)
        if not call.rpc:
            await self._rest(told, replayed, send)
            return
        response = await self._rpc.handle_requests(Request(told, replayed))
        await response(told, replayed, send)

    @property
    def running(self) -> tuple[str, ...]:
        """The ids of the tasks that run."""
        return tuple(task_id for task_id, _ in self._executor.running)

    async def close(self) -> None:
        """Cancel what runs, and let go of everything; tasks that outlive this process are left as they are."""
        if isinstance(self.tasks, Tasks):
            stopping = (self.handler.stop(*running) for running in self._executor.running)
            # As long as a cancelled turn may take, and then what the SDK needs.
            stopped = (ended(one, within_seconds=2 * LETTING_GO_SECONDS) for one in stopping)
            await asyncio.gather(*stopped, return_exceptions=True)
        # The SDK waits for events that nobody takes any more, where a caller left at the wrong moment.
        if not await ended(self.handler.aclose(), within_seconds=LETTING_GO_SECONDS):
            _LOG.warning("tasks of an agent that is closed do not end")
        await self._executor.close()


class _Replayed:
    """The body that was read, then whatever comes after it: that the caller goes."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> MutableMapping[str, Any]:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def rest_error(error: Exception) -> dict[str, Any]:
    """Return the REST body of an error that the SDK lets through where it streams."""
    return build_rest_error_payload(error)


def old_faults(call: Call) -> list[tuple[str, str]] | None:
    """Return what is wrong with the params of a 0.3 call, after the SDK has failed on it; None where nothing is.

    It tells them as -32600 or as an internal error; A2A 0.3.0 §8.1 has -32602.
    """
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
    return None


def _convert(request: Any) -> None:
    if isinstance(request, (types.SendMessageRequest, types.SendStreamingMessageRequest)):
        conversions.to_core_send_message_request(types.SendMessageRequest(id="", params=request.params))


def _is_arm(step: int | str) -> bool:
    return isinstance(step, str) and step[:1].isupper()
