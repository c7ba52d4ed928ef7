"""The ASGI application of a gateway: from a request to the agent that it is for."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError
from cardwright.http.problem import CARD_NOT_FOUND, METHOD_NOT_ALLOWED, HttpError, Problem, refuse
from cardwright.http.request import check_host
from cardwright.serve import TrustedProxies
from cardwright.serve.catalogue import CATALOGUE_PATH
from cardwright.serve.routes import CARD_PATH, LEGACY_PATH
from cardwright.serve.selection import problem_answer
from cardwright_gateway.a2a.bodies import CallRefused, Gone, check_json, read_body, read_call, replayed
from cardwright_gateway.a2a.problems import FAULT, problem_of
from cardwright_gateway.a2a.responses import Reply, json_reply, problem_reply, rest_problem_reply
from cardwright_gateway.api import pages
from cardwright_gateway.api.cards import card_answer
from cardwright_gateway.api.catalogue import named
from cardwright_gateway.api.health import answer_health
from cardwright_gateway.api.loopback import check_local
from cardwright_gateway.api.paths import Target, sent_path, target_of
from cardwright_gateway.api.response_cache import Key, ResponseCache, key_of
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.telemetry.request_record import RequestRecord

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.api.endpoints import Endpoints
    from cardwright_gateway.api.paths import Kind
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.settings.config import GatewayConfig

_LOG: Final = logging.getLogger("cardwright_gateway")
_READ: Final = ("GET", "HEAD", "OPTIONS")
# BeeOS seed §7 and §8.
_API: Final = "/api/v1"
_PLACES: Final = (CARD_PATH, LEGACY_PATH)
# What is counted in the database is told for so long to those who collect it (ours).
_SCRAPED_SECONDS: Final = 5.0


class Application:
    """Routes requests to the endpoints of a gateway.

    Args:
        config: The settings of the gateway.
        endpoints: The endpoints and what they share.
        local: Whether the gateway can be reached from this machine alone.
        start: Starts the gateway, for the lifespan of ASGI.
        close: Stops it.
    """

    def __init__(
        self,
        config: GatewayConfig,
        endpoints: Endpoints,
        *,
        local: bool,
        start: Callable[[], Awaitable[None]],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self._config = config
        self._endpoints = endpoints
        self._agents = endpoints.agents
        self._local = local
        self._start = start
        self._close = close
        self.tracing = endpoints.tracing
        self._memory = ResponseCache()
        self._known = _Known(endpoints.agents)
        self._proxies = (
            TrustedProxies(config.proxies.networks, config.proxies.base_urls, config.proxies.forwarded_header)
            if config.proxies
            else None
        )
        self._own: dict[str, tuple[tuple[str, ...], Callable[..., Awaitable[None]]]] = {
            "/": (_READ, self._catalogue),
            CATALOGUE_PATH: (_READ, self._catalog),
            "/health": (_READ, self._standing),
            "/healthz": (_READ, self._health),
            "/readyz": (_READ, self._ready),
            "/metrics": (_READ, self._metrics),
            "/rpc": (("POST", "OPTIONS"), self._rpc),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI connection."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
        else:
            raise RuntimeError(f"a gateway answers http, not {scope['type']}")

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                try:
                    await self._start()
                except BaseException:
                    # No server sends a shutdown after that.
                    await self._close()
                    raise
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self._close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        key = key_of(scope)
        answer = self._memory.of(key, self._agents.held)
        tracing = self.tracing
        if answer is not None and tracing is None:
            await answer.send(send)
            seen = RequestRecord("card", quiet=True)
            seen.over(self._endpoints.metrics, answer.status, time.perf_counter() - began)
            return
        shape = _Shape(key, self._memory)
        scope = shape.seen.within(scope)
        told = _Told(send)
        try:
            if tracing is None:
                await self._answered(scope, receive, told, shape)
                return
            with tracing.request(scope, shape.seen, lambda: told.status):
                if answer is None:
                    await self._answered(scope, receive, told, shape)
                    return
                shape.seen.kind, shape.seen.quiet = "card", True
                await answer.send(told)
        finally:
            shape.seen.over(self._endpoints.metrics, told.status, time.perf_counter() - began)

    async def _answered(self, scope: Scope, receive: Receive, told: _Told, shape: _Shape) -> None:
        try:
            check_host(scope)
            if self._local:
                check_local(scope, self._config)
            base = self._proxies.base_url(scope) if self._proxies else None
            if self._proxies and self._config.limits.anonymous:
                # Those without credentials are counted by their own addresses, not by the proxy's.
                scope = {**scope, "client": (self._proxies.caller(scope), 0)}
            await self._routed(scope, receive, told, base or self._endpoints.urls.base, shape)
        except _Options as asked:
            await Reply(204, ((b"allow", asked.allowed),)).send(told)
        except Gone:
            told.status = told.status or 499
        except HttpError as refused:
            await shape.refused(refused.problem, scope, getattr(refused, "call_id", None), told)
        except CardError as error:
            await shape.refused(problem_of(error), scope, None, told)
        except Exception:
            # Outermost frame: whoever asked is told that it is not his fault, and nothing else.
            _LOG.exception("a fault of the gateway")
            if told.status:
                raise
            await shape.refused(
                Problem(FAULT, "a fault of the gateway: its log says more"), scope, None, told
            )

    async def _routed(self, scope: Scope, receive: Receive, send: Send, base: str, shape: _Shape) -> None:
        root = self._config.root
        path = sent_path(scope)
        own = self._own.get(path[:-1] if len(path) > 2 and path.endswith("/") else path)
        if own is not None and not (path == "/" and root and scope["method"] == "POST"):
            shape.seen.kind = path.strip("/") or "catalogue"
            methods, answer = own
            _check_method(scope, methods)
            shape.rpc = shape.seen.kind == "rpc"
            await answer(scope, receive, send, base)
            return
        if path == _API or path.startswith(f"{_API}/"):
            shape.seen.kind = "api"
            from cardwright_gateway.api.owner import answer_api

            await answer_api(self._endpoints.owner, path.removeprefix(_API), scope, receive, send)
            return
        if path in _PLACES:
            shape.seen.kind = "card"
            named_id, asked = named(scope, root)
            kind: Kind = "card" if path == CARD_PATH else "legacy"
            await self._card(
                named_id or root or "", Target(kind, named_id), asked, receive, send, base, shape
            )
            return
        target = target_of(scope, root=root is not None, ids=self._known)
        if target is None:
            raise refuse(
                CARD_NOT_FOUND,
                "there is nothing here: / lists the agents, and so does /.well-known/ai-catalog.json",
            )
        shape.seen.kind = target.kind
        shape.rpc = target.kind == "jsonrpc"
        await self._to_agent(target, scope, receive, send, base, shape)

    async def _to_agent(
        self, target: Target, scope: Scope, receive: Receive, send: Send, base: str, shape: _Shape
    ) -> None:
        agent_id = target.agent_id or self._config.root or ""
        if agent_id in self._agents.held:
            # Any other id is what a caller made up.
            shape.seen.agent = agent_id
        public = base if not target.agent_id else self._endpoints.urls.agent(agent_id, base)
        match target.kind:
            case "card" | "legacy":
                await self._card(agent_id, target, scope, receive, send, base, shape)
            case "report":
                _check_method(scope, _READ)
                agent = self._agents.public_agent(agent_id)
                await pages.answer_report(agent, self._endpoints.urls.agent(agent_id, base), scope, send)
            case "work":
                await self._endpoints.calls.answer_work(agent_id, target, scope, receive, send)
            case "invoke" | "mcp":
                allowed = (
                    ("POST", "OPTIONS") if target.kind == "invoke" else ("GET", "POST", "DELETE", "OPTIONS")
                )
                _check_method(scope, allowed)
                await self._endpoints.calls.answer_turn(target, agent_id, public, scope, receive, send)
            case "rest":
                _check_method(scope, ("GET", "POST", "DELETE", "OPTIONS"))
                if scope["method"] == "POST":
                    check_json(scope)
                body = await read_body(receive, self._config.max_body_bytes)
                again = replayed(body, receive)
                await self._endpoints.calls.answer_rest(agent_id, target, public, scope, body, again, send)
            case "jsonrpc":
                _check_method(scope, ("POST", "OPTIONS"))
                check_json(scope)
                body = await read_body(receive, self._config.max_body_bytes)
                call = read_call(body, self._config.max_body_bytes)
                shape.call_id = call.id
                again = replayed(body, receive)
                await self._endpoints.calls.answer_call(agent_id, call, public, scope, body, again, send)

    async def _card(
        self,
        agent_id: str,
        target: Target,
        scope: Scope,
        receive: Receive,
        send: Send,
        base: str,
        shape: _Shape,
    ) -> None:
        while True:
            agent = self._agents.agent(agent_id)
            try:
                answer, placed = await card_answer(
                    self._endpoints.publisher,
                    self._endpoints.access,
                    self._endpoints.urls,
                    agent,
                    target,
                    scope,
                    receive,
                    base,
                )
                break
            except UnknownAgent:
                # It was changed meanwhile: the one that took its place is asked.
                if self._agents.get(agent_id) in (None, agent):
                    raise
        # What a trusted proxy tells is in fields that the key does not have.
        if placed is not None and self._proxies is None:
            shape.memory.keep(shape.key, answer, agent, placed)
        await answer.send(send)

    async def _catalogue(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        await pages.answer_catalogue(self._agents, self._endpoints.urls, scope, send)

    async def _catalog(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive
        await self._endpoints.catalogue.answer_ai_catalog(scope, send, base)

    async def _health(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        await _headless(json_reply(200, {"status": "ok"}), scope).send(send)

    async def _standing(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        await answer_health(self._endpoints.health, scope, send)

    async def _ready(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        status, told = await self._endpoints.catalogue.readiness()
        await _headless(json_reply(status, told), scope).send(send)

    async def _metrics(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        counted = await self._endpoints.statistics.now(_SCRAPED_SECONDS)
        await _headless(self._endpoints.metrics.reply(counted), scope).send(send)

    async def _rpc(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        check_json(scope)
        body = await read_body(receive, self._config.max_body_bytes)
        call = read_call(body, self._config.max_body_bytes)
        try:
            reply = await self._endpoints.rpc.answer(call, scope, base)
        except HttpError as refused:
            raise CallRefused(refused.problem, call.id) from None
        except CardError as error:
            raise CallRefused(problem_of(error), call.id) from error
        await reply.send(send)


class _Shape:
    """How an answer of the gateway's own looks: by what was asked for."""

    def __init__(self, key: Key, memory: ResponseCache) -> None:
        self.key = key
        self.memory = memory
        self.seen = RequestRecord()
        self.rpc = False
        self.call_id: Any = None

    async def refused(self, problem: Problem, scope: Scope, call_id: Any, send: _Told) -> None:
        """Tell why there is no answer."""
        if send.status:
            # It had begun: nothing that is told now would be understood.
            return
        # What is not posted is no call, and whoever asks perhaps a person.
        if self.rpc and scope["method"] == "POST":
            reply: Any = problem_reply(problem, self.call_id if call_id is None else call_id)
        elif self.seen.kind in ("rest", "work", "invoke", "mcp", "api"):
            reply = rest_problem_reply(problem)
        else:
            reply = problem_answer(problem, scope)
        await _headless(reply, scope).send(send)


class _Told:
    """A `send` that notes the status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Any) -> None:
        """Send a message."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


class _Known:
    """The agents that a path may tell of: where a private one is, there is nothing for others."""

    def __init__(self, agents: AgentDirectory) -> None:
        self._agents = agents

    def __contains__(self, agent_id: object) -> bool:
        agent = self._agents.get(str(agent_id))
        # With an agent at the root, what somebody adds must not take its paths, or its tenants'.
        return agent is not None and agent.config.from_file and agent.config.visibility != "private"


class _Options(Exception):
    """Carries what a path takes to who asks for it; it never leaves this module."""

    def __init__(self, allowed: bytes) -> None:
        super().__init__()
        self.allowed = allowed


def _headless(reply: Any, scope: Scope) -> Any:
    """Return the answer to HEAD: the same header, no body (RFC 9110 §9.3.2)."""
    if scope["method"] != "HEAD":
        return reply
    return reply.headless() if hasattr(reply, "headless") else Reply(reply.status, reply.headers)


def _check_method(scope: Scope, allowed: tuple[str, ...]) -> None:
    told = ", ".join(allowed)
    if scope["method"] == "OPTIONS":
        raise _Options(told.encode())
    if scope["method"] not in allowed:
        raise HttpError(
            Problem(METHOD_NOT_ALLOWED, f"use one of {told}", headers=((b"allow", told.encode()),))
        )
