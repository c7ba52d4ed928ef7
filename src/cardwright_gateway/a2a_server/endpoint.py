"""The A2A endpoint of one managed agent, on a2a-sdk's server; importing this module imports the SDK."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from a2a.compat.v0_3.context_builders import V03ServerCallContextBuilder
from a2a.server.routes import DefaultServerCallContextBuilder, create_rest_routes
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from a2a.types.a2a_pb2 import DeleteTaskPushNotificationConfigRequest
from a2a.utils.error_handlers import rest_error_handler
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router

from cardwright.a2a_sdk import to_a2a_sdk
from cardwright.card import Card
from cardwright.extras import check_installed
from cardwright.http.problem import HttpError, Problem, refuse
from cardwright.http.request import off_loop
from cardwright_gateway.a2a.calls import check_call, older_query
from cardwright_gateway.a2a.problems import AGENT_FAILED, AGENT_OFFLINE
from cardwright_gateway.a2a_server.cancelling import ended
from cardwright_gateway.a2a_server.executor import MESSAGE_SECONDS, STOP_SECONDS, Executor
from cardwright_gateway.a2a_server.handler import Handler
from cardwright_gateway.a2a_server.memory_store import MemoryTaskStore
from cardwright_gateway.a2a_server.responses import CorrectedResponse
from cardwright_gateway.a2a_server.stores import TaskStores
from cardwright_gateway.auth.schemes import CREDENTIALS
from cardwright_gateway.database.deployment import Deployment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from a2a.server.context import ServerCallContext
    from a2a.server.request_handlers.request_handler import RequestHandler
    from a2a.server.routes import ServerCallContextBuilder
    from a2a.types.a2a_pb2 import AgentCard

    from cardwright.http.request import Message, Receive, Scope, Send
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.backends.backend import Backend

_LOG: Final = logging.getLogger("cardwright_gateway")
_REQUIRED_PACKAGES: Final = ("a2a", "starlette", "sse_starlette")
_CALL: Final = "cardwright.call"
# What the SDK's handler reads of a card, and the other required fields, without which it logs a warning.
_READ_BY_SDK: Final = (
    "capabilities",
    "defaultInputModes",
    "defaultOutputModes",
    "supportsAuthenticatedExtendedCard",
)
_REQUIRED: Final = ("name", "description", "version", "url", "supportedInterfaces")
_REQUIRED_OF_SKILL: Final = ("id", "name", "description", "tags")
# Requests from this size on take the SDK so long that others notice (project decision).
_LARGE_BYTES: Final = 64 * 1024
# The header fields that the SDK reads; it would store a copy of the others, which include credentials.
_PASSED_FIELDS: Final = frozenset({b"a2a-extensions", b"x-a2a-extensions", b"content-type", b"accept"})


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller as a Starlette user.

    Attributes:
        display_name: The owner of its tasks; "" without credentials.
    """

    display_name: str

    @property
    def is_authenticated(self) -> bool:
        """Whether it sent credentials; they are not verified here."""
        return bool(self.display_name)


def caller_of(scope: Scope, deployment: Deployment) -> Caller:
    """Return the caller, identified by a digest of its credentials (project decision).

    The digest has a key, so that it cannot be used to test guessed credentials.
    """
    credentials = [
        (name, value) for name in CREDENTIALS for field, value in scope["headers"] if field.lower() == name
    ]
    if not credentials:
        return Caller("")
    items = [item for pair in credentials for item in pair]
    return Caller(deployment.digest("caller", *items).hex())


class _DecodedRequest(Request):
    """A request whose body is already decoded."""

    async def json(self) -> Any:
        """Return the decoded body."""
        return self.scope[_CALL].value


class _Contexts(DefaultServerCallContextBuilder):
    """Builder of the handler's context: the SDK's, with the call."""

    def build(self, request: Request) -> ServerCallContext:
        context = super().build(request)
        context.state["call"] = request.scope[_CALL]
        return context


class A2aServer:
    """The A2A 1.0 and 0.3 server, over JSON-RPC and REST, of a backend without A2A.

    A task belongs to the user of the call, or else to the credentials in `Authorization`, `X-API-Key` and
    `X-Agent-API-Key`. Callers without credentials can get their tasks by id, and list none.

    Args:
        backend: The backend that executes the turns.
        card: The agent's card: it declares whether the agent streams.
        agent_id: The agent, for the log.
        tasks: The maximum number of stored tasks that are not running; the oldest are dropped first.
        retention_seconds: How long a task is stored after it ended.
        max_stored_bytes: The maximum total size of the stored tasks that are not running; the oldest are dropped first.
            A task of more than 8 MiB is dropped once its caller has the response.
        concurrency: The maximum number of concurrent turns; further turns are refused.
        clock: A monotonic clock, in seconds.
        keeping: Creates the task stores; default: stores in the memory of this process.
        extended: The card that admitted callers see; None if absent.
        messages: Whether the backend may respond with only a message, without a task.
        deployment: What all processes of the gateway share: it derives the owners of tasks from credentials.
        stop_seconds: How long a cancelled turn may take to stop.
        message_seconds: How long a response with only a message may take, before the turn becomes a task.

    Raises:
        MissingPackage: If the SDK's server is not installed.
    """

    def __init__(  # noqa: PLR0913 - each is a choice of its own
        self,
        backend: Backend,
        card: Card,
        *,
        agent_id: str,
        tasks: int = 10_000,
        retention_seconds: float = 3600.0,
        max_stored_bytes: int = 64 * 1024 * 1024,
        concurrency: int = 256,
        clock: Callable[[], float] = time.monotonic,
        keeping: Callable[[], TaskStores] | None = None,
        extended: Card | None = None,
        messages: bool = False,
        deployment: Deployment | None = None,
        stop_seconds: float = STOP_SECONDS,
        message_seconds: float = MESSAGE_SECONDS,
    ) -> None:
        check_installed(_REQUIRED_PACKAGES, extra="gateway")
        self._agent_id = agent_id
        self._deployment = deployment or Deployment()
        self._closed = False
        self._executor = Executor(backend, agent_id, concurrency, messages, stop_seconds, message_seconds)
        memory = MemoryTaskStore(tasks, retention_seconds, clock, max_stored_bytes)
        stores = keeping() if keeping else TaskStores(memory, check_size=memory.check_size)
        # The in-memory store and the database store have no common type.
        self.tasks: Any = stores.tasks
        self.handler = Handler(self._executor, stores, _read_by_sdk(card), extended)
        contexts = _Contexts()
        self._rpc = JsonRpcDispatcher(self.handler, contexts, enable_v0_3_compat=True)
        routes = [
            _delete_push_config_route(self.handler, contexts),
            *create_rest_routes(self.handler, contexts, enable_v0_3_compat=True),
        ]
        self._rest = Router(routes, redirect_slashes=False)

    def exchange(self, card: Card, extended: Card | None = None) -> None:
        """Replace the card; the tasks stay."""
        self.handler.exchange(_read_by_sdk(card), extended)

    @property
    def running(self) -> tuple[str, ...]:
        """The ids of the running tasks."""
        return tuple(task_id for task_id, _ in self._executor.running)

    async def leave(self, task_ids: Collection[str]) -> None:
        """Stop running tasks that another process cancelled."""
        await self.handler.leave(task_ids)

    async def close(self) -> None:
        """Cancel the running turns, and close everything except the backend; stored tasks do not change."""
        self._closed = True
        if isinstance(self.tasks, MemoryTaskStore):
            stopping = (self.handler.stop(*running) for running in self._executor.running)
            # The time for a cancelled turn to stop, and as much again for the SDK.
            stopped = (ended(stop, within_seconds=2 * self._executor.stop_seconds) for stop in stopping)
            await asyncio.gather(*stopped, return_exceptions=True)
        # If a caller disconnected at the wrong moment, the SDK waits for events that nothing reads.
        if not await ended(self.handler.aclose(), within_seconds=self._executor.stop_seconds):
            _LOG.warning("agent %s: tasks still run after the agent was closed", self._agent_id)
        await self._executor.close()

    async def answer(self, call: Call, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response to a call; errors become responses too.

        Args:
            call: The decoded call.
            scope: The ASGI scope.
            receive: The ASGI `receive`, after the body was read.
            send: The ASGI `send`.
        """
        corrected = CorrectedResponse(call, scope, send)
        try:
            query = older_query(call.path, scope.get("query_string", b""))
            await off_loop(len(call.body), check_call, call, {**scope, "query_string": query})
            self._check_open()
            if len(call.body) > _LARGE_BYTES:
                # The SDK decodes it in one step, too: others get their turn between the two.
                await asyncio.sleep(0)
            await self._dispatch(call, scope, query, receive, corrected)
        except HttpError as refused:
            await corrected.refuse(refused.problem)
        except ConnectionError:
            return
        except Exception as error:  # noqa: BLE001 - the outermost frame: it is logged and becomes a response
            await self._failed(call, corrected, error)

    def _check_open(self) -> None:
        if self._closed:
            raise refuse(AGENT_OFFLINE, "the agent is being removed")

    async def _dispatch(
        self, call: Call, scope: Scope, query: bytes, receive: Receive, corrected: CorrectedResponse
    ) -> None:
        """Pass a validated call to the SDK."""
        inner = {
            "type": "http",
            "asgi": scope.get("asgi", {"version": "3.0"}),
            "http_version": scope.get("http_version", "1.1"),
            "method": scope["method"],
            "scheme": scope.get("scheme", "http"),
            "path": call.path,
            "raw_path": call.path.encode(),
            "root_path": "",
            "query_string": query,
            "headers": [
                (b"a2a-version", call.version.encode()),
                *((name, value) for name, value in scope["headers"] if name in _PASSED_FIELDS),
            ],
            "client": scope.get("client"),
            "server": scope.get("server"),
            _CALL: call,
            # Starlette's names for the result of authentication.
            "user": call.user or scope.get("user") or caller_of(scope, self._deployment),
            **({"auth": scope["auth"]} if "auth" in scope else {}),
        }
        if call.rpc:
            response = await self._rpc.handle_requests(_DecodedRequest(inner, receive))
            await response(inner, receive, corrected)
        else:
            await self._rest(inner, _replayed(call.body, receive), corrected)

    async def _failed(self, call: Call, corrected: CorrectedResponse, error: Exception) -> None:
        """Respond to an error that the SDK raised: while streaming, before or after the first event."""
        if corrected.begun:
            _LOG.exception("agent %s: a stream broke", self._agent_id)
            await corrected.end()
        elif call.refused is not None:
            await corrected.refuse(call.refused)
        elif call.rpc:
            _LOG.exception("agent %s: a call failed", self._agent_id)
            await corrected.refuse(Problem(AGENT_FAILED, "the agent's endpoint failed"))
        else:
            await corrected.rest_failure(error)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields the body again and then continues: the SDK parses the bytes itself."""
    sent = False

    async def replay() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _read_by_sdk(card: Card) -> AgentCard:
    """Return what the SDK's handler reads of a card: it needs seconds to convert the schemas of many skills."""
    document = _fields(card.document, (*_READ_BY_SDK, *_REQUIRED))
    if type(document.get("capabilities")) is dict:
        document["capabilities"] = {**document["capabilities"], "extensions": []}
    skills = card.document.get("skills")
    if type(skills) is list:
        document["skills"] = [
            _fields(skill, _REQUIRED_OF_SKILL) for skill in skills[:1] if type(skill) is dict
        ]
    return to_a2a_sdk(Card.of_parts(document, card.dialect))[0]


def _fields(value: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value[name] for name in names if name in value}


def _delete_push_config_route(handler: RequestHandler, contexts: ServerCallContextBuilder) -> Route:
    """Return the route of A2A 0.3 that the SDK lacks: it deletes a push configuration (0.3.0 §7.8)."""
    older_contexts = V03ServerCallContextBuilder(contexts)

    @rest_error_handler
    async def delete(request: Request) -> Response:
        ids = request.path_params
        params = DeleteTaskPushNotificationConfigRequest(task_id=ids["id"], id=ids["push_id"])
        await handler.on_delete_task_push_notification_config(params, older_contexts.build(request))
        return JSONResponse({})

    return Route("/v1/tasks/{id}/pushNotificationConfigs/{push_id}", delete, methods=["DELETE"])
