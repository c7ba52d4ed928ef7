"""A cache of responses with cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.http.request import remember, request_key

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright.http.response import Response
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.served_card import ServedCard


@dataclass(slots=True)
class ResponseCache:
    """A cache of the responses with public cards, keyed by everything that they depend on."""

    _stored: dict[tuple[Any, ...], tuple[Response, Agent, ServedCard]] = field(
        default_factory=dict[tuple[Any, ...], "tuple[Response, Agent, ServedCard]"]
    )

    def get(self, scope: Scope, agents: Any) -> Response | None:
        """Return the response to a request, if its agent and card are unchanged and the card is fresh."""
        key = _key(scope)
        stored = self._stored.get(key)
        if stored is None:
            return None
        response, agent, served = stored
        if agents.get(agent.id) is agent and agent.served_now(served.public) is served:
            return response
        del self._stored[key]
        return None

    def put(self, scope: Scope, response: Response, agent: Agent, served: ServedCard) -> None:
        """Store a reusable response."""
        if response.reusable:
            remember(self._stored, _key(scope), (response, agent, served))


def _key(scope: Scope) -> tuple[Any, ...]:
    # A request may be refused for its Origin.
    return (*request_key(scope), *[pair for pair in scope["headers"] if pair[0] == b"origin"])
