"""Render the cards of agents, with a cache of rendered cards."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cardwright.errors import BadArgument, CardError
from cardwright.page import Home
from cardwright.serve.rendered_card import RenderedCard, render
from cardwright.serve.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.page import Link
    from cardwright.serve import Signing
    from cardwright.serve.forms import Default
    from cardwright_gateway.catalog.agent import Agent, Urls
    from cardwright_gateway.catalog.sources import UpstreamCard

# One rendered card has some 100 KB: pages and codings of each form (measured; benchmarks/README.md).
_MAX_CARDS: Final = 256
# A card is fetched again every few minutes; downstream caches add at most this (project decision).
MAX_AGE_SECONDS: Final = 60

# The form of a card that the SuperX seed has for MCP servers.
MCP: Final = "mcp"

Key = tuple[str, str, str]


@dataclass(slots=True)
class CardPublisher:
    """Renderer and signer of the cards that the gateway serves.

    Attributes:
        signing: The key that the cards are signed with, if any.
        default: Returns the form of an agent's card for requests without a version; None for the standard default.
        actions: Returns the links on the page of an agent, by its id and the path of the gateway.
        settings: How all cards are published.
    """

    signing: Signing | None = None
    default: Callable[[str], Default | None] = field(default=lambda _: None)
    actions: Callable[[str, str], tuple[Link, ...]] = field(default=lambda *_: ())
    # The content of upstream cards is passed on.
    settings: Settings = field(
        default=Settings(max_age_seconds=MAX_AGE_SECONDS, publish_sensitive="all", accept_errors=True)
    )
    _cards: OrderedDict[Key, tuple[object, RenderedCard]] = field(
        default_factory=OrderedDict[Key, "tuple[object, RenderedCard]"]
    )
    _rendering: dict[Key, tuple[object, asyncio.Task[RenderedCard]]] = field(
        default_factory=dict[Key, "tuple[object, asyncio.Task[RenderedCard]]"]
    )

    async def rendered(self, key: Key, mark: object, card: Card, base: str) -> RenderedCard:
        """Return a rendered card; concurrent requests share one rendering.

        Args:
            key: The agent, the base and the form of the card.
            mark: The object that the card belongs to; a new object means a new card.
            card: The card.
            base: The public URL of the gateway.

        Raises:
            CardError: If it cannot be rendered.
        """
        stored = self._cards.get(key)
        if stored is not None and stored[0] is mark:
            self._cards.move_to_end(key)
            return stored[1]
        pending = self._rendering.get(key)
        if pending is None or pending[0] is not mark:
            # The form mcp has no other default.
            default = self.default(key[0]) if key[2] != MCP else None
            pending = (
                mark,
                asyncio.create_task(asyncio.to_thread(self._rendered, key[0], card, base, default)),
            )
            self._rendering[key] = pending
        try:
            rendered_card = await asyncio.shield(pending[1])
        finally:
            if self._rendering.get(key) is pending and pending[1].done():
                del self._rendering[key]
        self._cards[key] = mark, rendered_card
        self._cards.move_to_end(key)
        while len(self._cards) > _MAX_CARDS:
            self._cards.popitem(last=False)
        return rendered_card

    async def form_of(self, urls: Urls, agent: Agent, form: str | None) -> Card:
        """Return a form of the card of an agent.

        Raises:
            BadArgument: If the card has no such form.
            CardError: If the agent has no card now.
        """
        served, source = await agent.served_with_upstream(urls.agent(agent.id))
        if form == MCP:
            return own_form(agent, source)
        key = (agent.id, urls.base, "")
        forms = (await self.rendered(key, served, served.card, urls.base)).forms
        if form is None:
            return forms.default.card
        if (found := forms.find(form)) is None:
            known = ", ".join(dict.fromkeys((forms.default.name, *forms.by_version)))
            raise BadArgument("form", f"unknown form {form!r}; this card has the forms {known}")
        return found.card

    def forget(self, agent_id: str) -> None:
        """Drop the rendered cards of an agent."""
        for key in [key for key in self._cards if key[0] == agent_id]:
            del self._cards[key]

    def _rendered(self, agent_id: str, card: Card, base: str, default: Default | None) -> RenderedCard:
        path = urlsplit(base).path
        settings = replace(
            self.settings,
            default=default,
            home=Home(f"{path}/", search=True),
            page_actions=self.actions(agent_id, path),
            page_base=base,
            signing=self.signing if card.valid else None,
        )
        try:
            return render(card, settings)
        except CardError:
            # If the card cannot be converted to other forms, it is served as written.
            return render(card, replace(settings, default="as-written"))


def own_form(agent: Agent, source: UpstreamCard) -> Card:
    """Return the card of an MCP server in the seed's form (SuperX: MCP Protocol: Synthesizing Agent Cards).

    Raises:
        BadArgument: If the agent is not an MCP server.
    """
    if agent.config.protocol != MCP:
        raise BadArgument("form", "only MCP servers have the form mcp, and this agent is not an MCP server")
    return source.card
