"""ASGI middleware that serves cards in front of another application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.serve.application import AgentCardApplication
from cardwright.serve.extended import MAX_BODY_BYTES, is_call
from cardwright.serve.settings import BadSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.http.request import Message, Receive, Scope, Send


class AgentCardMiddleware:
    """Middleware that responds to requests for cards and passes all others to the wrapped application.

    In Starlette and FastAPI: `app.add_middleware(AgentCardMiddleware, cards=well_known_agent_card(card))`;
    around any other ASGI application, such as Django's: `AgentCardMiddleware(app, cards=...)`. A request at `rpc_path`
    that is not for the extended card is passed on unchanged, so `rpc_path` may be the path of the agent's own endpoint.
    """

    def __init__(
        self, app: Callable[[Any, Any, Any], Awaitable[None]], *, cards: AgentCardApplication
    ) -> None:
        if not isinstance(cards, AgentCardApplication):
            raise BadSettings("cards must be the result of well_known_agent_card(...)")
        self.app = app
        self.cards = cards

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection, or pass it on."""
        kind = self.cards.owns(scope) if scope["type"] == "http" else None
        if kind == "rpc":
            await self._call(scope, receive, send)
        elif kind is not None:
            await self.cards(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body far enough to recognise the method, then replay it to the application that handles it."""
        messages: list[Message] = []
        body = b""
        while scope["method"] == "POST" and len(body) <= MAX_BODY_BYTES:
            message = await receive()
            messages.append(message)
            body += message.get("body", b"")
            if not message.get("more_body", False):
                break

        async def replay() -> Message:
            return messages.pop(0) if messages else await receive()

        await (self.cards if is_call(body) else self.app)(scope, replay, send)
