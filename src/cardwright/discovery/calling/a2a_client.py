"""Client for one A2A interface over the transports of a2a-sdk: A2A 1.0 and 0.x, JSON-RPC, HTTP+JSON and gRPC."""

from __future__ import annotations

import asyncio
import contextlib
import re
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import httpx
from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.client.transports.rest import RestTransport
from a2a.compat.v0_3.jsonrpc_transport import CompatJsonRpcTransport
from a2a.compat.v0_3.rest_transport import CompatRestTransport
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    SendMessageRequest,
    SubscribeToTaskRequest,
)
from a2a.utils.errors import (
    A2A_ERROR_REASONS,
    A2A_REASON_TO_ERROR,
    JSON_RPC_ERROR_CODE_MAP,
    A2AError,
    MethodNotFoundError,
)
from google.protobuf import json_format  # type: ignore[import-untyped] # it has no stubs

from cardwright.canonical import DEFAULT_LIMITS, decode
from cardwright.discovery.calling import a2a_v0_1
from cardwright.discovery.calling.a2a_v0_1_transport import OlderJsonRpcTransport
from cardwright.discovery.calling.failures import by_status, card_error_in, chain, no_reply
from cardwright.discovery.calling.grpc_errors import by_grpc_status, is_rpc_error, reasons_of
from cardwright.errors import CallFailed, CardError, MalformedDocument, NoInterface
from cardwright.extras import requires_extra
from cardwright.guard import Headers
from cardwright.guard.exchange import Route
from cardwright.guard.transports import httpx_transport
from cardwright.http.representation import with_integers
from cardwright.http.request import off_loop

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping, Sequence

    from a2a.client.transports.base import ClientTransport
    from a2a.types import ListTasksResponse, SendMessageResponse, StreamResponse, Task

    from cardwright.discovery.calling.parts import Part
    from cardwright.guard import GuardedClient, Timeouts
    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright.guard.parsing_turns import ParsingTurn

# The message of a2a-sdk for a JSON-RPC error with an unknown code.
_UNKNOWN: Final = re.compile(r"JSON-RPC Error (-?\d{1,10}): (.*)", re.DOTALL)
_DEPTH: Final = 512
# RFC 5842 §7.2, RFC 8586 §4.
_LOOP_DETECTED: Final = 508
_TRANSPORTS: Final[dict[tuple[str, bool], Callable[..., ClientTransport]]] = {
    ("JSONRPC", True): JsonRpcTransport,
    ("HTTP+JSON", True): RestTransport,
    ("JSONRPC", False): CompatJsonRpcTransport,
    ("HTTP+JSON", False): CompatRestTransport,
}


class A2aClient:
    """Client of one A2A interface: sends messages and reads tasks; `connect` creates it."""

    def __init__(
        self,
        transport: ClientTransport,
        version: str,
        tenant: str | None,
        parsing: ParsingTurn,
        route: Route | None,
    ) -> None:
        self._transport = transport
        self._version = version
        self._is_1_0 = not version.startswith("0.")
        self._tenant = tenant
        self._parsing = parsing
        self._route = route

    @classmethod
    @contextlib.asynccontextmanager
    async def connect(  # noqa: PLR0913 - an interface, and how to connect to it
        cls,
        client: GuardedClient,
        *,
        url: str,
        binding: str,
        version: str,
        tenant: str | None,
        credentials: Mapping[str, Mapping[str, str]],
        timeouts: Timeouts,
        configured: str | None,
        headers: Mapping[str, str] | None = None,
        hold: Callable[[], HeldAnswer] | None = None,
    ) -> AsyncGenerator[A2aClient]:
        """Yield a client of one interface; nothing is sent yet.

        Args:
            client: The guarded HTTP client.
            url: The URL of the interface.
            binding: `JSONRPC`, `HTTP+JSON` or `GRPC`; A2A 0.1 and 0.2 have only the first.
            version: A2A's version, as Major.Minor.
            tenant: The tenant in each request, or None (A2A 1.0 §8.3.2).
            credentials: Header fields by origin; each origin gets only its own.
            timeouts: The limits for connecting and for the wait between bytes.
            configured: An origin from the operator's configuration; connections to it are allowed at any address.
            headers: Further header fields.
            hold: Returns the memory of an answer; None for no limit.

        Raises:
            CardError: If the address of a gRPC server is denied or cannot be resolved.
            MissingPackage: If the package of the binding is not installed.
        """
        parsing = client.parsing.turn()
        is_1_0 = not version.startswith("0.")
        route: Route | None = None
        if binding == "GRPC":
            with requires_extra("grpc"):
                from cardwright.discovery.calling.grpc_transports import over_grpc
            opened = over_grpc(
                client, url, is_1_0=is_1_0, credentials_for=credentials, timeouts=timeouts, configured=configured,
                headers=headers, hold=hold, parsing=parsing,
            )  # fmt: skip
        else:
            route = Route(
                client, credentials, timeouts=timeouts, configured=configured, hold=hold, parsing=parsing, newer=is_1_0
            )  # fmt: skip
            guarded = httpx_transport(route)
            version_header = {"A2A-Version": version} if is_1_0 else {}
            kind = OlderJsonRpcTransport if version == a2a_v0_1.VERSION else _TRANSPORTS[binding, is_1_0]
            make = partial(kind, agent_card=AgentCard(), url=url)
            opened = _over_http(guarded, {**version_header, **(headers or {})}, make)
        async with opened as transport:
            yield cls(transport, version, tenant, parsing, route)

    def message(
        self,
        parts: Iterable[Part],
        *,
        message_id: str | None = None,
        context_id: str | None = None,
        task_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return a user's message in the A2A 1.0 form, with the ids that a client of this version chooses.

        Without a `task_id` it begins a task. In A2A 0.1 the client chooses the ids of a new task and its session.
        """
        message: dict[str, Any] = {
            "messageId": message_id or _new_id(),
            "role": "ROLE_USER",
            "parts": [part.to_wire() for part in parts],
        }
        if metadata:
            message["metadata"] = dict(metadata)
        if self._version == a2a_v0_1.VERSION and task_id is None:
            task_id, context_id = _new_id(), context_id or _new_id()
        if context_id is not None:
            message["contextId"] = context_id
        if task_id is not None:
            message["taskId"] = task_id
        return message

    async def send(
        self,
        message: Mapping[str, Any],
        *,
        streams: bool,
        output_modes: Sequence[str] = (),
        waits: bool = True,
    ) -> AsyncGenerator[dict[str, Any]]:
        """Send a message in the A2A 1.0 form, and yield each event of the response in that form.

        Without `streams` there is one event, the final task or message. `output_modes` are the media types that the
        agent may send: all are accepted. Without `waits` the agent responds before its task has ended. Exceptions of
        a2a-sdk pass through; convert them with `failure`.
        """
        # Without a configuration, A2A 0.3 over HTTP+JSON means "do not wait".
        configuration: dict[str, Any] = {"returnImmediately": not waits}
        if not self._is_1_0 and output_modes:
            # A2A 0.2.0 requires them in a configuration, and so does fasta2a 0.x with A2A 0.3.
            configuration["acceptedOutputModes"] = list(output_modes)
        request: dict[str, Any] = {"message": message, "configuration": configuration}
        if self._tenant is not None:
            request["tenant"] = self._tenant
        parsed = json_format.ParseDict(request, SendMessageRequest(), max_recursion_depth=_DEPTH)
        if not streams:
            with self._parsed():
                response = await self._transport.send_message(parsed)
                yield await _to_json(response)
            return
        with self._parsed():
            async with contextlib.aclosing(self._transport.send_message_streaming(parsed)) as stream:
                async for event in stream:
                    yield await _to_json(event)
                    self._parsing.end()

    @contextlib.contextmanager
    def _parsed(self) -> Generator[None]:
        """End the turn of a large response when the block ends: the caller has read the messages then."""
        try:
            yield
        finally:
            self._parsing.end()

    async def get_task(self, task_id: str) -> dict[str, Any]:
        """Return a task in the A2A 1.0 form; exceptions of a2a-sdk pass through."""
        with self._reading(), self._parsed():
            task = await self._transport.get_task(GetTaskRequest(id=task_id, tenant=self._tenant or ""))
            return await _to_json(task)

    @contextlib.contextmanager
    def _reading(self) -> Generator[None]:
        """Mark requests over HTTP as ones that may be sent once more."""
        if self._route is None:
            yield
            return
        self._route.reads = True
        try:
            yield
        finally:
            self._route.reads = False

    async def list_tasks(
        self, *, context_id: str = "", page_size: int = 50, page_token: str = ""
    ) -> dict[str, Any]:
        """Return a page of the caller's tasks in the A2A 1.0 form; exceptions of a2a-sdk pass through.

        Raises:
            NoInterface: If the version is older than 1.0, which has the first such method (A2A 1.0 §3.1.4).
        """
        if not self._is_1_0:
            offered = (f"a2a/{self._version}",)
            raise NoInterface("only A2A 1.0 can list tasks", offered=offered, supported=("a2a/1.0",))
        request = ListTasksRequest(
            tenant=self._tenant or "", context_id=context_id, page_size=page_size, page_token=page_token
        )
        with self._reading(), self._parsed():
            return await _to_json(await self._transport.list_tasks(request))

    async def cancel_task(self, task_id: str) -> dict[str, Any]:
        """Cancel a task, and return it in the A2A 1.0 form; exceptions of a2a-sdk pass through."""
        with self._parsed():
            request = CancelTaskRequest(id=task_id, tenant=self._tenant or "")
            return await _to_json(await self._transport.cancel_task(request))

    async def subscribe(self, task_id: str) -> AsyncGenerator[dict[str, Any]]:
        """Yield the events of a task until it ends, in the A2A 1.0 form; exceptions of a2a-sdk pass through."""
        request = SubscribeToTaskRequest(id=task_id, tenant=self._tenant or "")
        with self._parsed():
            async with contextlib.aclosing(self._transport.subscribe(request)) as stream:
                async for event in stream:
                    yield await _to_json(event)
                    self._parsing.end()

    async def cancel(self, task_id: str, *, within_seconds: float) -> None:
        """Ask the agent to cancel a task, for at most `within_seconds`; errors are ignored."""
        with contextlib.suppress(Exception), self._parsed():
            async with asyncio.timeout(within_seconds):
                await self._transport.cancel_task(CancelTaskRequest(id=task_id, tenant=self._tenant or ""))


@contextlib.asynccontextmanager
async def _over_http(
    transport: httpx.AsyncBaseTransport,
    headers: Mapping[str, str],
    make: Callable[[httpx.AsyncClient], ClientTransport],
) -> AsyncGenerator[ClientTransport]:
    async with httpx.AsyncClient(transport=transport, headers=headers, trust_env=False) as http:
        yield make(http)


async def _to_json(
    message: SendMessageResponse | StreamResponse | Task | ListTasksResponse,
) -> dict[str, Any]:
    """Return a message of a2a-sdk as a JSON value; a large one is converted in a thread."""
    value = await off_loop(message.ByteSize(), json_format.MessageToDict, message)
    return cast("dict[str, Any]", with_integers(value))


def _new_id() -> str:
    return uuid.uuid4().hex


def failure(error: Exception, url: str) -> CardError:
    """Return the `CardError` for an exception of a2a-sdk."""
    known = card_error_in(error)
    if known is not None:
        return known
    errors = list(chain(error))
    response = next((cause.response for cause in errors if isinstance(cause, httpx.HTTPStatusError)), None)
    if response is not None and response.status_code in (401, 403, _LOOP_DETECTED):
        # A gateway on the way sent 508, whatever error its body has for the agent. Otherwise, the body says no more.
        return by_status(url, response.status_code, Headers(response.headers.multi_items()))
    a2a_error = next((cause for cause in errors if isinstance(cause, A2AError)), None)
    # a2a-sdk reports every 404 without an A2A error as MethodNotFound.
    is_known = type(a2a_error) in JSON_RPC_ERROR_CODE_MAP and not (
        response and isinstance(a2a_error, MethodNotFoundError)
    )
    if a2a_error is not None and is_known:
        return _error_of(a2a_error, url)
    rpc_error: Any = next(filter(is_rpc_error, errors), None)
    if rpc_error is not None:
        kind = next(filter(None, map(A2A_REASON_TO_ERROR.get, reasons_of(rpc_error))), None)
        if kind is not None:
            return _error(url, kind, JSON_RPC_ERROR_CODE_MAP.get(kind), rpc_error.details())
        return by_grpc_status(url, rpc_error)
    if response is not None:
        headers = Headers(response.headers.multi_items())
        return _from_body(response, url) or by_status(url, response.status_code, headers)
    unknown = _UNKNOWN.match(str(a2a_error)) if a2a_error is not None else None
    if unknown:
        return CallFailed(url, code=int(unknown[1]), remote_text=unknown[2])
    return no_reply(url, "A2A")


def _error_of(error: A2AError, url: str) -> CallFailed:
    return _error(url, type(error), JSON_RPC_ERROR_CODE_MAP[type(error)], str(error))


def _error(url: str, kind: type[A2AError] | None, code: int | None, message: Any) -> CallFailed:
    return CallFailed(
        url,
        code=code,
        name=kind.__name__.removesuffix("Error") if kind else "",
        error_reason=A2A_ERROR_REASONS.get(kind, "") if kind else "",
        remote_text=message if isinstance(message, str) else "",
    )


def _from_body(response: httpx.Response, url: str) -> CallFailed | None:
    """Return the A2A error in the body of an HTTP error response; a2a-sdk does not always read it."""
    try:
        body = decode(response.content, DEFAULT_LIMITS)
    except (MalformedDocument, httpx.StreamError):
        return None
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return None
    if "jsonrpc" in body:
        code = error.get("code")
        matches = (kind for kind, number in JSON_RPC_ERROR_CODE_MAP.items() if number == code)
        return _error(url, next(matches, None), code, error.get("message")) if type(code) is int else None
    # A2A 1.0 §11.6, over HTTP+JSON; a2a-sdk serves 0.3 in this form, too.
    details = error.get("details")
    reasons = (
        [detail.get("reason") for detail in details if isinstance(detail, dict)]
        if isinstance(details, list)
        else []
    )
    kind = next((A2A_REASON_TO_ERROR[reason] for reason in reasons if reason in A2A_REASON_TO_ERROR), None)
    return _error(url, kind, JSON_RPC_ERROR_CODE_MAP.get(kind), error.get("message")) if kind else None
