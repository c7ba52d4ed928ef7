"""Cards in front of an application that is not theirs: a middleware of pure ASGI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.serve.application import AgentCardApplication
from cardwright.serve.extended import MAX_BODY_BYTES, is_call
from cardwright.serve.settings import BadSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from cardwright.http.request import Message, Receive, Scope, Send


class AgentCardMiddleware:
    """Answers what asks for a card, and passes everything else on to the application behind it.

    In Starlette and FastAPI: `app.add_middleware(AgentCardMiddleware, cards=well_known_agent_card(card))`;
    around anything else that speaks ASGI, such as Django's: `AgentCardMiddleware(app, cards=...)`. What comes
    in at `rpc_path` and is no call for the extended card is passed on whole, so that it may be the path of
    the agent's own endpoint.
    """

    def __init__(
        self, app: Callable[[Any, Any, Any], Awaitable[None]], *, cards: AgentCardApplication
    ) -> None:
        if not isinstance(cards, AgentCardApplication):
            raise BadSettings("cards is what well_known_agent_card(card) returns")
        self.app = app
        self.cards = cards

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI connection, or pass it on."""
        kind = self.cards.owns(scope) if scope["type"] == "http" else None
        if kind == "rpc":
            await self._called(scope, receive, send)
        elif kind is not None:
            await self.cards(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _called(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read as much of a body as a call has, and give it to whom it is for from its beginning."""
        messages: list[Message] = []
        body = b""
        while scope["method"] == "POST" and len(body) <= MAX_BODY_BYTES:
            message = await receive()
            messages.append(message)
            body += message.get("body", b"")
            if not message.get("more_body", False):
                break

        async def again() -> Message:
            return messages.pop(0) if messages else await receive()

        await (self.cards if is_call(body) else self.app)(scope, again, send)
