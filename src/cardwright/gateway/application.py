"""The ASGI application of a gateway: from a request to the agent that it is for."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import CardError, UnknownAgent
from cardwright.gateway import listing, people
from cardwright.gateway.answering import Reply, json_reply, problem_reply, rest_problem_reply
from cardwright.gateway.bodies import CallRefused, Gone, check_json, read_body, read_call, replayed
from cardwright.gateway.calls import answer_call, answer_rest, answer_turn, answer_work
from cardwright.gateway.cards import card_answer
from cardwright.gateway.conditions import FAULT, problem_of
from cardwright.gateway.health import answer_health
from cardwright.gateway.local import check_local
from cardwright.gateway.observing import Seen
from cardwright.gateway.paths import Target, sent_path, target_of
from cardwright.gateway.remembering import Key, Memory, key_of
from cardwright.gateway.rpc import answer_rpc
from cardwright.serve import TrustedProxies
from cardwright.serve.catalogue import CATALOGUE_PATH
from cardwright.serve.problems import CARD_NOT_FOUND, METHOD_NOT_ALLOWED, Problem, Refused, refuse
from cardwright.serve.requests import check_host
from cardwright.serve.routes import CARD_PATH, LEGACY_PATH
from cardwright.serve.selection import problem_answer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.gateway.gateway import Gateway
    from cardwright.gateway.paths import Kind
    from cardwright.serve.requests import Receive, Scope, Send

_LOG: Final = logging.getLogger("cardwright.gateway")
_READ: Final = ("GET", "HEAD", "OPTIONS")
# BeeOS seed §7 and §8.
_API: Final = "/api/v1"
_PLACES: Final = (CARD_PATH, LEGACY_PATH)
# What is counted in the database is told for so long to those who collect it (ours).
_SCRAPED_SECONDS: Final = 5.0


class Application:
    """Answers what a gateway is asked.

    Args:
        gateway: The gateway.
    """

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._memory = Memory()
        self._known = _Known(gateway)
        config = gateway.config
        self._proxies = (
            TrustedProxies(config.proxies.networks, config.proxies.base_urls, config.proxies.told_by)  # type: ignore[arg-type] # the schema lists them
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
                    await self._gateway.start()
                except BaseException:
                    # No server sends a shutdown after that.
                    await self._gateway.close()
                    raise
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self._gateway.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        key = key_of(scope)
        answer = self._memory.of(key, self._gateway.agents)
        tracing = self._gateway.tracing
        if answer is not None and tracing is None:
            await answer.send(send)
            seen = Seen("card", quiet=True)
            seen.over(self._gateway.metrics, answer.status, time.perf_counter() - began)
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
            shape.seen.over(self._gateway.metrics, told.status, time.perf_counter() - began)

    async def _answered(self, scope: Scope, receive: Receive, told: _Told, shape: _Shape) -> None:
        try:
            check_host(scope)
            if self._gateway.local:
                check_local(scope, self._gateway.config)
            base = self._proxies.base_url(scope) if self._proxies else None
            if self._proxies and self._gateway.config.platform.limits.anonymous:
                # Those without credentials are counted by their own addresses, not by the proxy's.
                scope = {**scope, "client": (self._proxies.caller(scope), 0)}
            await self._routed(scope, receive, told, base or self._gateway.base, shape)
        except _Options as asked:
            await Reply(204, ((b"allow", asked.allowed),)).send(told)
        except Gone:
            told.status = told.status or 499
        except Refused as refused:
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
        root = self._gateway.config.root
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
            from cardwright.gateway.owners import answer_api

            await answer_api(self._gateway, path.removeprefix(_API), scope, receive, send)
            return
        if path in _PLACES:
            shape.seen.kind = "card"
            named, asked = listing.named(scope, root)
            kind: Kind = "card" if path == CARD_PATH else "legacy"
            await self._card(named or root or "", Target(kind, named), asked, receive, send, base, shape)
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
        agent_id = target.agent_id or self._gateway.config.root or ""
        if agent_id in self._gateway.agents:
            # Any other id is what a caller made up.
            shape.seen.agent = agent_id
        public = base if not target.agent_id else self._gateway.public(agent_id, base)
        match target.kind:
            case "card" | "legacy":
                await self._card(agent_id, target, scope, receive, send, base, shape)
            case "report":
                _check_method(scope, _READ)
                await people.answer_report(self._gateway, agent_id, scope, send, base)
            case "work":
                await answer_work(self._gateway, agent_id, target, scope, receive, send)
            case "invoke" | "mcp":
                allowed = (
                    ("POST", "OPTIONS") if target.kind == "invoke" else ("GET", "POST", "DELETE", "OPTIONS")
                )
                _check_method(scope, allowed)
                await answer_turn(self._gateway, target, agent_id, public, scope, receive, send)
            case "rest":
                _check_method(scope, ("GET", "POST", "DELETE", "OPTIONS"))
                if scope["method"] == "POST":
                    check_json(scope)
                body = await read_body(receive, self._gateway.config.max_body_bytes)
                again = replayed(body, receive)
                await answer_rest(self._gateway, agent_id, target, public, scope, body, again, send)
            case "jsonrpc":
                _check_method(scope, ("POST", "OPTIONS"))
                check_json(scope)
                body = await read_body(receive, self._gateway.config.max_body_bytes)
                call = read_call(body, self._gateway.config.max_body_bytes)
                shape.call_id = call.id
                again = replayed(body, receive)
                await answer_call(self._gateway, agent_id, call, public, scope, body, again, send)

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
            agent = self._gateway.agent(agent_id)
            try:
                answer, placed = await card_answer(self._gateway, agent, target, scope, receive, base)
                break
            except UnknownAgent:
                # It was changed meanwhile: the one that took its place is asked.
                if self._gateway.agents.get(agent_id) in (None, agent):
                    raise
        # What a trusted proxy tells is in fields that the key does not have.
        if placed is not None and self._proxies is None:
            shape.memory.keep(shape.key, answer, agent, placed)
        await answer.send(send)

    async def _catalogue(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        await people.answer_catalogue(self._gateway, scope, send)

    async def _catalog(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive
        await listing.answer_ai_catalog(self._gateway, scope, send, base)

    async def _health(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        await _headless(json_reply(200, {"status": "ok"}), scope).send(send)

    async def _standing(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        await answer_health(self._gateway.health, scope, send)

    async def _ready(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        status, told = await listing.readiness(self._gateway)
        await _headless(json_reply(status, told), scope).send(send)

    async def _metrics(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        del receive, base
        counted = await self._gateway.census.now(_SCRAPED_SECONDS)
        await _headless(self._gateway.metrics.reply(counted), scope).send(send)

    async def _rpc(self, scope: Scope, receive: Receive, send: Send, base: str) -> None:
        check_json(scope)
        body = await read_body(receive, self._gateway.config.max_body_bytes)
        call = read_call(body, self._gateway.config.max_body_bytes)
        try:
            reply = await answer_rpc(self._gateway, call, scope, base)
        except Refused as refused:
            raise CallRefused(refused.problem, call.id) from None
        except CardError as error:
            raise CallRefused(problem_of(error), call.id) from error
        await reply.send(send)


class _Shape:
    """How an answer of the gateway's own looks: by what was asked for."""

    def __init__(self, key: Key, memory: Memory) -> None:
        self.key = key
        self.memory = memory
        self.seen = Seen()
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

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def __contains__(self, agent_id: object) -> bool:
        agent = self._gateway.agents.get(str(agent_id))
        # With an agent at the root, what somebody adds must not take its paths, or its tenants'.
        return agent is not None and agent.config.written and agent.config.visibility != "private"


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
        raise Refused(Problem(METHOD_NOT_ALLOWED, f"use one of {told}", headers=((b"allow", told.encode()),)))
