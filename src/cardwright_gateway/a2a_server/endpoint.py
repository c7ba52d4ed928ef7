"""The A2A endpoint of one managed agent, on the server of a2a-sdk, which is imported with this module."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from a2a.server.routes import DefaultServerCallContextBuilder, create_rest_routes
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher
from starlette.requests import Request
from starlette.routing import Router

from cardwright.a2a_sdk import to_a2a_sdk
from cardwright.extras import check_installed
from cardwright.http.problem import HttpError, Problem, refuse
from cardwright_gateway.a2a.calls import check_call, older_query
from cardwright_gateway.a2a.problems import AGENT_FAILED, AGENT_OFFLINE
from cardwright_gateway.a2a_server.executor import LETTING_GO_SECONDS, Executor
from cardwright_gateway.a2a_server.handler import Handler, ended
from cardwright_gateway.a2a_server.memory_store import Tasks
from cardwright_gateway.a2a_server.responses import Answer
from cardwright_gateway.a2a_server.stores import TaskStores

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from a2a.server.context import ServerCallContext
    from a2a.types.a2a_pb2 import AgentCard

    from cardwright.card import Card
    from cardwright.http.request import Message, Receive, Scope, Send
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.backends.backend import Backend

_LOG: Final = logging.getLogger("cardwright_gateway")
_NEEDED: Final = ("a2a", "starlette", "sse_starlette")
_CALL: Final = "cardwright.call"
# The header fields that the SDK reads; it would keep a copy of the others, and credentials are among them.
_READ: Final = frozenset({b"a2a-extensions", b"x-a2a-extensions", b"content-type", b"accept"})
# The header fields that credentials of agents come in.
_CREDENTIALS: Final = (b"authorization", b"x-api-key", b"x-agent-api-key")
# Another one in each process: a digest lets nobody test a guessed credential.
_SALT: Final = secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller as Starlette knows users.

    Attributes:
        display_name: The owner of its tasks; "" if it brings no credentials.
    """

    display_name: str

    @property
    def is_authenticated(self) -> bool:
        """Whether it brings credentials; nobody has checked them here."""
        return bool(self.display_name)


def caller_of(scope: Scope) -> Caller:
    """Return a caller by a digest of the credentials that it brings (project decision)."""
    brought = [
        (name, value) for name in _CREDENTIALS for field, value in scope["headers"] if field.lower() == name
    ]
    if not brought:
        return Caller("")
    digest = hashlib.sha256(_SALT)
    for item in (item for pair in brought for item in pair):
        # With its length before it, no item runs into the next.
        digest.update(len(item).to_bytes(8, "big") + item)
    return Caller(digest.hexdigest())


class _DecodedRequest(Request):
    """A request whose body was decoded already."""

    async def json(self) -> Any:
        """Return the decoded body."""
        return self.scope[_CALL].value


class _Contexts(DefaultServerCallContextBuilder):
    """Gives the handler the call that it answers."""

    def build(self, request: Request) -> ServerCallContext:
        context = super().build(request)
        context.state["call"] = request.scope[_CALL]
        return context


class Bridge:
    """Supports A2A 1.0 and 0.3, by JSON-RPC and REST, for a backend that supports none of them.

    Tasks belong to the user of a call, or else to the caller that brings the same credentials in
    `Authorization`, `X-API-Key` and `X-Agent-API-Key`. Callers without any reach theirs by id, and list none.

    Args:
        backend: What answers.
        card: The agent's card: it declares whether the agent streams.
        agent_id: The agent, for the log.
        tasks: How many tasks that do not run are stored; the oldest are dropped first.
        kept_seconds: How long a task is stored after it ended.
        kept_bytes: How many bytes the tasks that do not run may have together; the oldest are dropped first.
            One of more than 8 MiB is dropped when its caller has the response.
        concurrency: How many turns run at once; one more is refused.
        clock: A monotonic clock, in seconds.
        keeping: Makes the stores of the tasks, if that is not the memory of this process.
        extended: The card as admitted callers see it; None if the agent has none.
        messages: Whether the backend may answer by a message alone: its caller then gets no task.

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
        kept_seconds: float = 3600.0,
        kept_bytes: int = 64 * 1024 * 1024,
        concurrency: int = 256,
        clock: Callable[[], float] = time.monotonic,
        keeping: Callable[[], TaskStores] | None = None,
        extended: Card | None = None,
        messages: bool = False,
    ) -> None:
        check_installed(_NEEDED, extra="gateway")
        self._agent_id = agent_id
        self._closed = False
        self._executor = Executor(backend, agent_id, concurrency, messages)
        stores = keeping() if keeping else TaskStores(Tasks(tasks, kept_seconds, clock, kept_bytes))
        # The stores of one process and of several have no type in common.
        self.tasks: Any = stores.tasks
        self.handler = Handler(self._executor, stores, to_a2a_sdk(card)[0], _sdk_card(extended))
        contexts = _Contexts()
        self._rpc = JsonRpcDispatcher(self.handler, contexts, enable_v0_3_compat=True)
        routes = create_rest_routes(self.handler, contexts, enable_v0_3_compat=True)
        self._rest = Router(routes, redirect_slashes=False)

    def exchange(self, card: Card, extended: Card | None = None) -> None:
        """Have another card from now on; the tasks stay."""
        self.handler.exchange(to_a2a_sdk(card)[0], _sdk_card(extended))

    @property
    def running(self) -> tuple[str, ...]:
        """The ids of the tasks that run."""
        return tuple(task_id for task_id, _ in self._executor.running)

    async def leave(self, task_ids: Collection[str]) -> None:
        """Let go of tasks that were cancelled by another process."""
        await self.handler.leave(task_ids)

    async def close(self) -> None:
        """Cancel the turns that run, and close everything but the backend; durable tasks stay as they are."""
        self._closed = True
        if isinstance(self.tasks, Tasks):
            stopping = (self.handler.stop(*running) for running in self._executor.running)
            # As long as a cancelled turn may take, and then what the SDK needs.
            stopped = (ended(one, within_seconds=2 * LETTING_GO_SECONDS) for one in stopping)
            await asyncio.gather(*stopped, return_exceptions=True)
        # The SDK waits for events that nobody takes any more, where a caller left at the wrong moment.
        if not await ended(self.handler.aclose(), within_seconds=LETTING_GO_SECONDS):
            _LOG.warning("tasks of an agent that is closed do not end")
        await self._executor.close()

    async def answer(self, call: Call, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call; every error is answered, too.

        Args:
            call: The call, decoded.
            scope: Of ASGI.
            receive: Of ASGI, after the body.
            send: Of ASGI.
        """
        answer = Answer(call, scope, send)
        try:
            query = older_query(call.path, scope.get("query_string", b""))
            check_call(call, {**scope, "query_string": query})
            self._check_open()
            await self._dispatch(call, scope, query, receive, answer)
        except HttpError as refused:
            await answer.refuse(refused.problem)
        except ConnectionError:
            return
        except Exception as error:  # noqa: BLE001 - the outermost frame: it is logged and answered
            await self._failed(call, answer, error)

    def _check_open(self) -> None:
        if self._closed:
            raise refuse(AGENT_OFFLINE, "the agent is being removed")

    async def _dispatch(
        self, call: Call, scope: Scope, query: bytes, receive: Receive, answer: Answer
    ) -> None:
        """Let the SDK answer a call that was checked."""
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
                *((name, value) for name, value in scope["headers"] if name in _READ),
            ],
            "client": scope.get("client"),
            "server": scope.get("server"),
            _CALL: call,
            # Starlette's own names for what authentication has found out.
            "user": call.user or scope.get("user") or caller_of(scope),
            **({"auth": scope["auth"]} if "auth" in scope else {}),
        }
        if call.rpc:
            response = await self._rpc.handle_requests(_DecodedRequest(inner, receive))
            await response(inner, receive, answer)
        else:
            await self._rest(inner, _replayed(call.body, receive), answer)

    async def _failed(self, call: Call, answer: Answer, error: Exception) -> None:
        """Answer if the SDK lets an error through: where it streams, before or after the first event."""
        if answer.begun:
            _LOG.exception("agent %s: a stream broke off", self._agent_id)
            await answer.end()
        elif call.refused is not None:
            await answer.refuse(call.refused)
        elif call.rpc:
            _LOG.exception("agent %s: a call failed", self._agent_id)
            await answer.refuse(Problem(AGENT_FAILED, "the agent's endpoint failed"))
        else:
            await answer.rest_failure(error)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that was read, and then what comes after it: the SDK parses bytes."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _sdk_card(card: Card | None) -> AgentCard | None:
    return None if card is None else to_a2a_sdk(card)[0]
