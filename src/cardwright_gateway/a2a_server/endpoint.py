"""The ASGI application that gives an agent its A2A endpoint."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

from cardwright.a2a_sdk import to_a2a_sdk
from cardwright.extras import check_installed, requires_extra
from cardwright.http.problem import METHOD_NOT_ALLOWED, HttpError, Problem
from cardwright_gateway.a2a.calls import Call, Stopped, judge, older_query, read_body
from cardwright_gateway.a2a.errors import AGENT_FAILED, Refusal, refusal
from cardwright_gateway.a2a.problems import AGENT_OFFLINE
from cardwright_gateway.a2a_server.responses import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from a2a.types.a2a_pb2 import AgentCard

    from cardwright.card import Card
    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.a2a_server.dispatcher import Dispatcher
    from cardwright_gateway.a2a_server.stores import TaskStores
    from cardwright_gateway.backends.backend import Backend

_LOG: Final = logging.getLogger("cardwright_gateway")
# Where a scope says who is asking, as agents are told it.
SENDER: Final = "cardwright.sender"
_NEEDED: Final = ("a2a", "starlette", "sse_starlette")


class Bridge:
    """Speaks A2A 1.0 and 0.3, by JSON-RPC and REST, for a backend that speaks none of it.

    The paths of its scopes are relative to the agent. Tasks belong to `scope["user"].display_name` where the
    scope has a user (as Starlette's authentication leaves it there), or else to who brings the same credentials
    in `Authorization`, `X-API-Key` and `X-Agent-API-Key`. Callers without any reach theirs by id, and list none.
    Nothing of the SDK is imported or built before the first call.

    Args:
        backend: What answers.
        card: The agent's card: whether it streams is what it declares.
        agent_id: Whose endpoint it is, for the log.
        tasks: How many tasks that do not run are kept; the oldest are forgotten first.
        kept_seconds: How long a task is kept after it ended.
        kept_bytes: How many bytes the tasks that do not run may have together; the oldest are forgotten first.
            One of more than 8 MiB is forgotten when it was answered.
        concurrency: How many turns run at once; one more is refused.
        clock: Seconds that only grow.
        keeping: Makes what the tasks are kept in, where that is not the memory of this process.
        extended: The card as those see it who were let in; None where the agent has none.
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
        self._backend = backend
        self._card = card
        self._agent_id = agent_id
        self._tasks = tasks
        self._kept_seconds = kept_seconds
        self._kept_bytes = kept_bytes
        self._concurrency = concurrency
        self._clock = clock
        self._keeping = keeping
        self._extended = extended
        self._messages = messages
        self._machine: Dispatcher | None = None
        self._closed = False

    def exchange(self, card: Card, extended: Card | None = None) -> None:
        """Have another card from now on; the tasks stay."""
        self._card, self._extended = card, extended
        if self._machine is not None:
            self._machine.handler.exchange(to_a2a_sdk(card)[0], _sdk_card(extended))

    @property
    def running(self) -> tuple[str, ...]:
        """The ids of the tasks that run."""
        return () if self._machine is None else self._machine.running

    async def leave(self, task_ids: Collection[str]) -> None:
        """Let go of tasks that were cancelled by another process."""
        if self._machine is not None:
            await self._machine.handler.leave(task_ids)

    async def close(self) -> None:
        """Cancel the turns that run, and let go of everything but the backend."""
        self._closed = True
        machine, self._machine = self._machine, None
        if machine is not None:
            await machine.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request."""
        path = str(scope["path"])
        call = Call(rpc=path in ("", "/"), path=path or "/")
        answer = Answer(call, scope, send)
        try:
            await self._answer(call, scope, receive, answer)
        except Stopped:
            if call.refused is not None:
                await answer.refuse(call.refused)
        except HttpError as refused:
            await answer.refuse(Refusal(refused.problem))
        except ConnectionError:
            return
        except Exception as error:  # noqa: BLE001 - the outermost frame: it is logged and answered
            await self._failed(call, answer, error)

    async def _answer(self, call: Call, scope: Scope, receive: Receive, answer: Answer) -> None:
        if call.rpc and scope["method"] != "POST":
            headers = ((b"allow", b"POST"),)
            raise call.refuse(Refusal(Problem(METHOD_NOT_ALLOWED, "JSON-RPC is sent by POST", {}, headers)))
        call.sender = scope.get(SENDER)
        scope = {**scope, "query_string": older_query(call.path, scope.get("query_string", b""))}
        judge(call, scope, await read_body(receive))
        if self._closed:
            raise call.refuse(refusal(AGENT_OFFLINE, "the agent is being taken away"))
        machine = self._machine or self._made()
        await machine.answer(call, scope, receive, answer)

    async def _failed(self, call: Call, answer: Answer, error: Exception) -> None:
        """Answer where the SDK lets an error through: where it streams, before or after the first event."""
        if answer.begun:
            _LOG.exception("agent %s: a stream broke off", self._agent_id)
            await answer.end()
        elif call.refused is not None:
            await answer.refuse(call.refused)
        elif call.rpc or self._machine is None:
            _LOG.exception("agent %s: a call failed", self._agent_id)
            await answer.refuse(refusal(AGENT_FAILED, "the agent's endpoint failed"))
        else:
            from cardwright_gateway.a2a_server.dispatcher import rest_error

            await answer.told(rest_error(error))

    def _made(self) -> Dispatcher:
        with requires_extra("gateway"):
            from cardwright_gateway.a2a_server.dispatcher import Dispatcher
            from cardwright_gateway.a2a_server.executor import Executor
            from cardwright_gateway.a2a_server.memory_store import Tasks
            from cardwright_gateway.a2a_server.stores import TaskStores
        card = to_a2a_sdk(self._card)[0]
        executor = Executor(self._backend, self._agent_id, self._concurrency, self._messages)
        if self._keeping is not None:
            keeping = self._keeping()
        else:
            keeping = TaskStores(Tasks(self._tasks, self._kept_seconds, self._clock, self._kept_bytes))
        self._machine = Dispatcher(executor, keeping, card, _sdk_card(self._extended))
        return self._machine


def _sdk_card(card: Card | None) -> AgentCard | None:
    return None if card is None else to_a2a_sdk(card)[0]
