"""The ASGI application of a gateway."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from cardwright.http.request import check_host
from cardwright.serve import TrustedProxies
from cardwright_gateway.api.compat import with_client_tokens
from cardwright_gateway.api.exchange import POSTED, Endpoint, Exchange
from cardwright_gateway.api.loopback import check_local, check_origin
from cardwright_gateway.api.routes import routed_path, router_of
from cardwright_gateway.telemetry.request_record import RequestRecord

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import ASGIApp

    from cardwright.http.request import Receive, Scope, Send
    from cardwright.http.response import Response
    from cardwright_gateway.api.bodies import RequestBodies
    from cardwright_gateway.api.endpoints import Endpoints
    from cardwright_gateway.settings.config import GatewayConfig


class Application:
    """The ASGI application of a gateway.

    Args:
        config: The settings of the gateway.
        endpoints: The endpoints and their shared objects.
        bodies: The limits of request bodies.
        local: Whether only this machine can reach the gateway.
        start: Starts the gateway, for the ASGI lifespan.
        close: Stops it.
    """

    def __init__(
        self,
        config: GatewayConfig,
        endpoints: Endpoints,
        bodies: RequestBodies,
        *,
        local: bool,
        start: Callable[[], Awaitable[None]],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self._config = config
        self._base = endpoints.urls.base
        self._agents = endpoints.agents
        self._metrics = endpoints.metrics
        self._responses = endpoints.responses
        compat = config.compat is not None
        self._router: ASGIApp = router_of(endpoints, config.root, compat=compat)
        self._grpc: ASGIApp = Endpoint("grpc", endpoints.calls.grpc, POSTED, "rpc", of_agent=True)
        if compat:
            tokens = endpoints.access_tokens
            self._router = with_client_tokens(self._router, tokens)
            self._grpc = with_client_tokens(self._grpc, tokens)
        self._local = local
        self.bodies = bodies
        self._start = start
        self._close = close
        self._loops = endpoints.loops
        self.tracing = endpoints.tracing
        self._proxies = (
            TrustedProxies(config.proxies.networks, config.proxies.base_urls, config.proxies.forwarded_header)
            if config.proxies
            else None
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
        else:
            raise RuntimeError(f"a gateway supports http, not {scope['type']}")

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                try:
                    await self._start()
                except BaseException:
                    # After a failed startup, servers send no shutdown.
                    await self._close()
                    raise
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self._close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def grpc(self, scope: Scope, receive: Receive, send: Send, agent_id: str) -> None:
        """Handle a call over gRPC to an agent, as the request of a JSON-RPC call.

        Args:
            scope: The ASGI scope of the request.
            receive: The ASGI `receive`.
            send: The ASGI `send`.
            agent_id: The agent; "" for the agent at the root.
        """
        await self._handle(scope, receive, send, partial(self._grpc_route, agent_id))

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        cached = self._responses.get(scope, self._agents.by_id)
        tracing = self.tracing
        if cached is not None and tracing is None:
            await cached.send(send)
            record = RequestRecord("card", quiet=True)
            record.over(self._metrics, cached.status, time.perf_counter() - began)
            return
        if cached is None:
            await self._handle(scope, receive, send, self._route)
        else:
            await self._handle(scope, receive, send, partial(_send_cached, cached))

    async def _handle(
        self, scope: Scope, receive: Receive, send: Send, route: Callable[[Exchange], Awaitable[None]]
    ) -> None:
        """Handle a request, with its record and its trace."""
        began = time.perf_counter()
        tracing, record = self.tracing, RequestRecord()
        exchange = Exchange(
            record.within(scope),
            receive,
            send,
            self._base,
            self._config.root or "",
            self.bodies,
            record,
            loops=self._loops,
            short_urls=self._config.short_urls,
        )
        try:
            with self._loops.propagated(scope):
                if tracing is None:
                    await self._answer(exchange, route)
                else:
                    with tracing.request(exchange.scope, record, lambda: exchange.status):
                        await self._answer(exchange, route)
        finally:
            exchange.release()
            record.over(self._metrics, exchange.status, time.perf_counter() - began)

    async def _answer(self, exchange: Exchange, route: Callable[[Exchange], Awaitable[None]]) -> None:
        await exchange.answer(route)
        if exchange.agent_id in self._agents.by_id:
            # Any other id is unknown text from the caller.
            exchange.record.agent = exchange.agent_id

    async def _route(self, exchange: Exchange) -> None:
        scope = exchange.scope
        check_host(scope)
        if self._local:
            check_local(scope, self._config)
        if self._proxies:
            exchange.base = self._proxies.base_url(scope) or self._base
            # Callers without credentials are limited by their own address, not by that of the proxy.
            exchange.scope = {**scope, "client": (self._proxies.caller(scope), 0)}
        check_origin(scope, self._config, exchange.base)
        await self._router(exchange.routed(routed_path(scope)), exchange.receive, exchange.send)

    async def _grpc_route(self, agent_id: str, exchange: Exchange) -> None:
        # No check of Host and Origin: no web page can send gRPC.
        if self._proxies:
            exchange.scope = {**exchange.scope, "client": (self._proxies.caller(exchange.scope), 0)}
        parameters = {"agent": agent_id} if agent_id else {}
        routed = {**exchange.routed("/"), "path_params": parameters}
        await self._grpc(routed, exchange.receive, exchange.send)


async def _send_cached(cached: Response, exchange: Exchange) -> None:
    exchange.record.kind, exchange.record.quiet = "card", True
    await cached.send(exchange.send)
