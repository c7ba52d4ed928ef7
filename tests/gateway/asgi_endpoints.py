"""Single endpoints as ASGI applications, without the routes of a gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright_gateway.a2a.calls import MAX_BODY_BYTES
from cardwright_gateway.api.bodies import RequestBodies
from cardwright_gateway.api.exchange import Endpoint, Exchange

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright_gateway.api.exchange import ErrorForm, Handler


def application(
    handler: Handler,
    methods: tuple[str, ...] = (),
    form: ErrorForm = "rest",
    *,
    max_body_bytes: int = MAX_BODY_BYTES,
) -> Callable[[Any, Any, Any], Awaitable[None]]:
    """Return an application that answers every path by one handler, as the gateway's own does."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        bodies = RequestBodies(max_body_bytes, max_body_bytes)
        exchange = Exchange(scope, receive, send, bodies=bodies)
        routed = {**exchange.routed(str(scope["path"])), "path_params": {}}
        endpoint = Endpoint("test", handler, methods, form)
        await exchange.answer(lambda _: endpoint(routed, receive, send))

    return answer
