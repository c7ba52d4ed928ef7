"""The ASGI application of a gateway."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cardwright.http.request import check_host
from cardwright.serve import TrustedProxies
from cardwright_gateway.api.exchange import Exchange
from cardwright_gateway.api.loopback import check_local, check_origin
from cardwright_gateway.api.routes import routed_path, router_of
from cardwright_gateway.telemetry.request_record import RequestRecord

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

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
        self._router = router_of(endpoints, config.root)
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

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        cached = self._responses.get(scope, self._agents.by_id)
        tracing = self.tracing
        if cached is not None and tracing is None:
            await cached.send(send)
            record = RequestRecord("card", quiet=True)
            record.over(self._metrics, cached.status, time.perf_counter() - began)
            return
        record = RequestRecord()
        exchange = Exchange(
            record.within(scope),
            receive,
            send,
            self._base,
            self._config.root or "",
            self.bodies,
            record,
            loops=self._loops,
        )
        try:
            with self._loops.propagated(scope):
                if tracing is None:
                    await self._answer(exchange, cached)
                else:
                    with tracing.request(exchange.scope, record, lambda: exchange.status):
                        await self._answer(exchange, cached)
        finally:
            exchange.release()
            record.over(self._metrics, exchange.status, time.perf_counter() - began)

    async def _answer(self, exchange: Exchange, cached: Response | None) -> None:
        if cached is not None:
            exchange.record.kind, exchange.record.quiet = "card", True
            await cached.send(exchange.send)
            return
        await exchange.answer(self._route)
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
