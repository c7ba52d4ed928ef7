"""One HTTP exchange: a request and its response."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar
from urllib.parse import parse_qsl, quote

from cardwright.canonical import count_values
from cardwright.errors import CardError, PeerError
from cardwright.http.problem import BAD_QUERY, HttpError, Problem, method_not_allowed, refuse
from cardwright.http.request import Disconnected, check_json, discard_body, off_loop, read_body
from cardwright.http.response import Response
from cardwright.serve.selection import problem_answer
from cardwright_gateway.a2a.calls import read_call
from cardwright_gateway.a2a.problems import FAULT, problem_of
from cardwright_gateway.a2a.responses import rest_problem, rpc_problem
from cardwright_gateway.api.bodies import BodyMemory, RequestBodies, extra_requests
from cardwright_gateway.api.description import read_model
from cardwright_gateway.auth.limiter import caller_at
from cardwright_gateway.catalog.agent import Urls
from cardwright_gateway.telemetry.request_record import RequestRecord
from cardwright_gateway_models.documents_base import DocumentModel
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright.http.request import Message, Receive, Scope, Send
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.auth.rate_limit import RateLimit
    from cardwright_gateway.upstream.loops import Loops

_LOG: Final = logging.getLogger("cardwright_gateway")
T = TypeVar("T")
_Model = TypeVar("_Model", bound=DocumentModel)
# The form of error responses: HTML or JSON by Accept, JSON-RPC, or REST (A2A 1.0 §11.6).
ErrorForm = Literal["page", "rpc", "rest"]
READ: Final = ("GET", "HEAD", "OPTIONS")
POSTED: Final = ("POST", "OPTIONS")
# The key of the exchange in the scope that Starlette routes.
EXCHANGE: Final = "cardwright.exchange"
# The characters of a path segment that are not percent-encoded (RFC 3986 §3.3).
_SAFE: Final = "/-._~!$&'()*+,;=:@"
_MAX_FIELDS: Final = 32
# The logged status of a request whose caller disconnected before the response began (as in nginx).
_CLIENT_CLOSED: Final = 499
# The id of a refused call is read from bodies up to this size (project decision).
_SMALL_BODY_BYTES: Final = 16 * 1024
_MAX_LENGTH_DIGITS: Final = 19


@dataclass(slots=True)
class Exchange:
    """One request and its response.

    Attributes:
        scope: The ASGI scope, with the record of the request.
        receive: The ASGI `receive`.
        base: The public URL of the gateway for this caller.
        short_urls: Whether the URLs of agents are short.
        root: The agent at the root of the host; "" if absent.
        bodies: The limits of the body.
        record: The record of the request for log and metrics.
        params: The path parameters.
        agent_id: The agent of the path; "" if absent.
        owner: The owner of the agent or, in the owners' API, of the caller; or "".
        path: The path below the agent, percent-encoded.
        form: The form of error responses.
        call_id: The id of the JSON-RPC call, once it is known.
        status: The status that was sent; 0 before that.
        loops: Refuses a request that the gateway sent itself; None for no check.
        memory: The memory of the body; None before any part of it was read.
        held: The memory of the agent's answer, until the request has ended; None before that.
        charge: Counts the requests that a large body counts for against the caller's rate limit, and returns what is
            left; None for no limit.
        rate_limit: The rate limit of the caller, for the header of the response; None without a limit.
    """

    scope: Scope
    receive: Receive
    _send: Send
    base: str = ""
    root: str = ""
    bodies: RequestBodies = field(default_factory=RequestBodies)
    record: RequestRecord = field(default_factory=RequestRecord)
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    agent_id: str = ""
    owner: str = ""
    path: str = ""
    form: ErrorForm = "page"
    call_id: Any = None
    status: int = 0
    loops: Loops | None = None
    short_urls: bool = False
    charge: Callable[[int], Awaitable[RateLimit | None]] | None = None
    rate_limit: RateLimit | None = None
    memory: BodyMemory | None = None
    held: HeldAnswer | None = None
    _fields: list[tuple[str, str]] | None = None

    @property
    def method(self) -> str:
        """The HTTP method."""
        return str(self.scope["method"])

    @property
    def public(self) -> str:
        """The public URL of the agent; for the agent at the root, that of the gateway."""
        return Urls(self.base, self.short_urls).agent(self.agent_id) if "agent" in self.params else self.base

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The names and values of the query parameters, in order.

        Raises:
            HttpError: If there are too many.
        """
        if self._fields is None:
            query = bytes(self.scope.get("query_string", b"")).decode("latin-1")
            try:
                self._fields = parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
            except ValueError:
                raise refuse(BAD_QUERY, f"the query has more than {_MAX_FIELDS} parameters") from None
        return self._fields

    def parameter(self, name: str) -> str | None:
        """Return a query parameter; None if it is missing.

        Raises:
            HttpError: If it is repeated.
        """
        return self._single(name, [value for key, value in self.fields if key == name], "query")

    def header(self, name: bytes) -> str | None:
        """Return a header field; None if it is missing.

        Raises:
            HttpError: If it is repeated.
        """
        values = [value.decode("latin-1") for key, value in self.scope["headers"] if key == name]
        return self._single(name.decode(), values, "header")

    @property
    def accept(self) -> str | None:
        """The values of Accept; None if it is missing."""
        values = [value.decode("latin-1") for key, value in self.scope["headers"] if key == b"accept"]
        return ", ".join(values) if values else None

    def _single(self, name: str, values: list[str], place: str) -> str | None:
        if len(values) > 1:
            raise refuse(BAD_QUERY, f"{name} is repeated in the {place}; send it once")
        return values[0] if values else None

    async def body(self, caller: str, max_bytes: int | None = None) -> bytes:
        """Return the body.

        Args:
            caller: Who sends it; "" for a caller without credentials.
            max_bytes: The maximum size. Default: the limit of the caller.

        Raises:
            HttpError: If it is too large, too slow or malformed, or all bodies together take too much memory.
            Disconnected: If the caller disconnects before its end.
        """
        limit = self.bodies.limit(caller) if max_bytes is None else max_bytes
        if self._declared > limit:
            raise self.bodies.too_large(caller, limit)
        client = None if caller else self.scope.get("client")
        address = caller_at(str(client[0])) if client and client[0] else ""
        self.memory = BodyMemory(self.bodies, caller, limit, self.owner, address)
        body = await read_body(self.scope, self.receive, self.memory.take)
        self.memory.received()
        return body

    async def json_body(self, caller: str) -> bytes:
        """Return the body of a request that is JSON or empty; it is not decoded.

        Raises:
            HttpError: As `body`; and if it has another media type, or too many values.
            Disconnected: As `body`.
        """
        if self._declared:
            check_json(self.scope)
        body = await self.body(caller)
        if not body:
            return body
        check_json(self.scope)
        values = await off_loop(len(body), count_values, body, self.bodies.max_values)
        self.bodies.check_values(values)
        await self._charge(extra_requests(len(body), values))
        return body

    async def take_files(self, size: int, max_bytes: int) -> None:
        """Take memory for files that the body names, before they are read, and count them against the rate limit.

        Args:
            size: The size of the files, in bytes.
            max_bytes: Their maximum size, in addition to that of the body.

        Raises:
            HttpError: If all bodies together take too much memory.
        """
        if self.memory is not None:
            self.memory.limit += max_bytes
            self.memory.take(size)
        await self._charge(extra_requests(size, 0))

    async def _charge(self, requests: int) -> None:
        if requests and self.charge is not None:
            self.rate_limit = await self.charge(requests)

    def release(self) -> None:
        """Release the memory when the request has ended: that of the body unless a turn goes on with it."""
        if self.memory is not None:
            self.memory.release()
            self.memory = None
        if self.held is not None:
            self.held.release()

    def hold(self) -> HeldAnswer:
        """Return the memory of the agent's answer; `release` releases it."""
        if self.held is None:
            self.held = self.bodies.answers.hold(self.owner)
        return self.held

    async def call(self, caller: str) -> Call:
        """Return the JSON-RPC request in the body.

        Raises:
            HttpError: As `json_body`; and if it is not a JSON-RPC request.
            Disconnected: As `body`.
        """
        body = await self.json_body(caller)
        call = await off_loop(len(body), read_call, body)
        self.call_id = call.id
        return call

    async def model(self, model: type[_Model], caller: str) -> _Model:
        """Return the body as a component of the gateway's own API, whose schema validates it.

        Raises:
            HttpError: As `json_body`; and if it violates the schema.
            Disconnected: As `body`.
        """
        body = await self.json_body(caller)
        return await off_loop(len(body), read_model, body, model)

    @property
    def _declared(self) -> int:
        """The size of the body according to Content-Length; 0 if it is missing."""
        length = next((value for name, value in self.scope["headers"] if name == b"content-length"), b"")
        return int(length) if length.isdigit() and len(length) < _MAX_LENGTH_DIGITS else 0

    async def _finish_body(self) -> None:
        """Receive the body of a request that was refused before that; of a small JSON-RPC request, read the id."""
        if self.memory is not None or not 0 < self._declared <= 4 * self.bodies.max_bytes:
            return
        with suppress(HttpError, Disconnected), self.bodies.discarding() as may:
            if may and self.form == "rpc" and self._declared <= _SMALL_BODY_BYTES:
                await self.call("")
            elif may:
                await discard_body(self.receive, self._declared)

    async def send(self, message: Message) -> None:
        """Send an ASGI message, and note the status."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if self.rate_limit is not None:
                message = {**message, "headers": [*message["headers"], *self.rate_limit.fields]}
        await self._send(message)

    async def respond(self, response: Response) -> None:
        """Send a response; without its body to HEAD (RFC 9110 §9.3.2)."""
        await (response.headless() if self.method == "HEAD" else response).send(self.send)

    async def while_connected(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of work; cancel it if the caller disconnects. The body must have been read.

        Raises:
            Disconnected: If the caller disconnects first.
        """
        working = asyncio.ensure_future(work)
        disconnected = asyncio.ensure_future(self._disconnected())
        try:
            await asyncio.wait({working, disconnected}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise Disconnected
            return working.result()
        finally:
            working.cancel()
            disconnected.cancel()
            await asyncio.gather(working, disconnected, return_exceptions=True)

    async def _disconnected(self) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass

    async def answer(self, work: Callable[[Exchange], Awaitable[None]]) -> None:
        """Run the work of the exchange; every error becomes a response."""
        try:
            await work(self)
        except Disconnected:
            self.status = self.status or _CLIENT_CLOSED
        except HttpError as refused:
            self.note_error(refused.problem, refused.__cause__)
            await self._refuse(refused.problem, refused.call_id)
        except CardError as error:
            self.note_error(problem := problem_of(error), error)
            await self._refuse(problem)
        except Exception:
            # Outermost frame: the response has no details of the error.
            _LOG.exception("internal error")
            if self.status:
                raise
            await self._refuse(Problem(FAULT, "internal error of the gateway; its log has the details"))

    def note_error(self, problem: Problem, cause: BaseException | None) -> None:
        """Note an error and what an agent did to cause it, for the log."""
        seen = f": {escaped(cause.reason)}" if isinstance(cause, PeerError) else ""
        self.record.error = f"{problem.error_code.reason}{seen}"

    async def _refuse(self, problem: Problem, call_id: Any = None) -> None:
        if self.status:
            # The response has begun: an error cannot be sent any more.
            return
        await self._finish_body()
        # Any method other than POST is not a JSON-RPC call, and may come from a browser.
        if self.form == "rpc" and self.method == "POST":
            response = rpc_problem(problem, self.call_id if call_id is None else call_id)
        else:
            response = rest_problem(problem) if self.form == "rest" else problem_answer(problem, self.scope)
        await self.respond(response)

    def routed(self, path: str) -> dict[str, Any]:
        """Return the scope for Starlette's router, with a validated path.

        The path always ends with a slash, because a `Mount` requires it.
        """
        return {"type": "http", "method": self.method, "path": path, "headers": [], EXCHANGE: self}


Handler = Callable[[Exchange], Awaitable[Response | None]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The endpoint of a route, as an ASGI application for Starlette.

    Attributes:
        kind: Its name in the log and the metrics.
        handler: Returns the response, or None if it has sent one.
        methods: The allowed methods, in the order of Allow; empty if the handler checks them.
        form: The form of its error responses.
        of_agent: Whether its path is below an agent.
    """

    kind: str
    handler: Handler
    methods: tuple[str, ...] = READ
    form: ErrorForm = "page"
    of_agent: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the exchange of a scope."""
        del receive, send
        exchange: Exchange = scope[EXCHANGE]
        exchange.params = scope.get("path_params", {})
        exchange.agent_id = exchange.params.get("agent", exchange.root) if self.of_agent else ""
        below = scope["path"].removeprefix(scope.get("root_path", ""))
        exchange.path = quote(below, safe=_SAFE).rstrip("/")
        exchange.record.kind, exchange.form = self.kind, self.form
        # The other routes send no request to an upstream.
        if exchange.loops is not None and (self.of_agent or self.kind == "card"):
            exchange.loops.check(exchange.scope)
        if self.methods and exchange.method == "OPTIONS":
            await exchange.respond(Response(204, ((b"allow", ", ".join(self.methods).encode()),)))
            return
        if self.methods and exchange.method not in self.methods:
            raise method_not_allowed(self.methods)
        response = await self.handler(exchange)
        if response is not None:
            await exchange.respond(response)
