"""Three ASGI applications that serve the same card. Each function is an application factory."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import orjson

from benchmarks.documents import card

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]
    Application = Callable[
        [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
    ]

PATH = "/.well-known/agent-card.json"
BYTES = 3_000


def bare() -> Application:
    """Return a minimal application: constant bytes with an ETag, and 304 for If-None-Match."""
    body = orjson.dumps(card("a2a-1.0", BYTES))
    etag = f'"{hashlib.sha256(body).hexdigest()}"'.encode()
    fields = [(b"etag", etag)]
    length = (b"content-length", str(len(body)).encode())
    start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", b"application/json"), length, *fields],
    }
    full = {"type": "http.response.body", "body": body}
    unchanged = {"type": "http.response.start", "status": 304, "headers": fields}
    empty = {"type": "http.response.body", "body": b""}

    async def application(
        scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        if scope["type"] == "lifespan":
            for _ in ("startup", "shutdown"):
                await send({"type": f"{(await receive())['type']}.complete"})
            return
        if any(name == b"if-none-match" and value == etag for name, value in scope["headers"]):
            await send(unchanged)
            await send(empty)
            return
        await send(start)
        await send(full)

    return application


def a2a_sdk() -> Application:
    from a2a.client.card_resolver import parse_agent_card
    from a2a.server.routes import create_agent_card_routes
    from starlette.applications import Starlette

    return Starlette(routes=create_agent_card_routes(parse_agent_card(card("a2a-1.0", BYTES))))


def cardwright() -> Any:
    from cardwright import Card
    from cardwright.serve import well_known_agent_card

    return well_known_agent_card(Card.from_document(card("a2a-1.0", BYTES)))
