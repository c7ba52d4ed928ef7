"""Answers that were given, by all that they depend on: the shortest way from a request to a card."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.serve.application import remember, request_key

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright.http.response import Response
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.served_card import ServedCard

Key = tuple[Any, ...]


def key_of(scope: Scope) -> Key:
    """Return all that the answer to a request for a card depends on, its Origin too, which may be refused."""
    origin = [pair for pair in scope["headers"] if pair[0] == b"origin"]
    return (*request_key(scope), *origin)


@dataclass(frozen=True, slots=True)
class Remembered:
    """An answer, and what it was made of."""

    answer: Response
    agent: Agent
    placed: ServedCard

    def holds(self, agents: Any) -> bool:
        """Whether the agent is there still, and its card is fresh and the same."""
        return (
            agents.get(self.agent.id) is self.agent
            and self.agent.placed_now(self.placed.public) is self.placed
        )


@dataclass(slots=True)
class ResponseCache:
    """The answers that are remembered."""

    _known: dict[Key, Remembered] = field(default_factory=dict[Key, Remembered])

    def of(self, key: Key, agents: Any) -> Response | None:
        """Return the answer to a request, if it holds still."""
        known = self._known.get(key)
        if known is None:
            return None
        if known.holds(agents):
            return known.answer
        del self._known[key]
        return None

    def keep(self, key: Key, answer: Response, agent: Agent, placed: ServedCard) -> None:
        """Remember an answer that every such request has."""
        if answer.reusable:
            remember(self._known, key, Remembered(answer, agent, placed))
