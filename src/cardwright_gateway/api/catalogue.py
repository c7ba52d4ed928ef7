"""Machine-readable lists of agents; they send no upstream request, except for a single agent's card."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from cardwright.catalog_entries import (
    ARD,
    CARD_TYPE,
    CATALOGUE_TYPE,
    REGISTRY_QUERIES,
    REGISTRY_TYPE,
    entry_of,
    identifier,
)
from cardwright.http.problem import CARD_NOT_FOUND, refuse
from cardwright.http.representation import coded, json_bytes
from cardwright.http.request import read_request
from cardwright.http.response import Caching
from cardwright.serve.routes import CARD_PATH
from cardwright.serve.selection import NEGOTIATED, negotiated_answer
from cardwright.server_cards import SERVER_CARD_TYPE, server_card
from cardwright_gateway.api.listing import PATHS, Listed, Listing
from cardwright_gateway.catalog.publisher import MCP, own_form

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.http.representation import Codings
    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.agent import Agent, Urls
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.publisher import CardPublisher

# The path of the MCP endpoint below an agent, and of its server card (SEP-2127, Discovery).
_MCP_PATH: Final = "/mcp"
SERVER_CARD_PATH: Final = f"{_MCP_PATH}/server-card"
REGISTRY_PATH: Final = "/registry"
# A gateway without a base URL is served below that of each request; the last ones are kept.
_MAX_BASES: Final = 4
_CACHING: Final = Caching("public, max-age=10", NEGOTIATED)


class Catalogue:
    """The lists of agents: AI Catalog, JSON-RPC and readiness.

    Args:
        agents: The agents.
        publisher: Serves cards.
        urls: The public URLs.
    """

    def __init__(self, agents: AgentDirectory, publisher: CardPublisher, urls: Urls) -> None:
        self._agents = agents
        self._publisher = publisher
        self._urls = urls
        self._listings: dict[str, Listing] = {}

    def brief(self, agent: Agent, base: str) -> dict[str, Any]:
        """Return the list entry of an agent."""
        public = self._urls.agent(agent.id, base)
        status = agent.status()
        brief: dict[str, Any] = {"id": agent.id, "protocol": agent.config.protocol, "state": status.state}
        if status.upstream is not None:
            outline = agent.outline_of(status.upstream.card, status.upstream.mark)
            texts = {"name": outline.name, "description": outline.description, "version": outline.version}
            brief |= {name: value for name, value in texts.items() if value}
            brief["skills"] = len(outline.skills)
            if status.upstream.age_seconds is not None:
                brief["ageSeconds"] = round(status.upstream.age_seconds, 1)
        if status.error:
            brief["error"] = status.error
        return {**brief, "url": public, "cardUrl": f"{public}{CARD_PATH}"}

    async def one(self, agent_id: str, base: str) -> dict[str, Any]:
        """Return an agent with its card; the card of an MCP server is in the seed's form.

        Raises:
            UnknownAgent: If there is no such agent.
            CardError: If it has no card now.
        """
        agent = self._agents.public_agent(agent_id)
        public = self._urls.agent(agent_id, base)
        served, upstream = await agent.served_with_upstream(public)
        if agent.config.protocol == MCP:
            card = own_form(agent, upstream)
        else:
            rendered = await self._publisher.rendered((agent_id, public, ""), served, served.card, base)
            card = rendered.forms.default.card
        return {**self.brief(agent, base), "card": card.document}

    async def manifest(self, dialect: str, exchange: Exchange) -> Response:
        """Return the ARD manifest or the AI catalogue of all agents, including those whose card is not known yet.

        A long one lists its pages, which are catalogues that `?page=` names (AI Catalog 1.0, Nested Catalog Entries).

        Args:
            dialect: `ard-0.91` or `ai-catalog-1`.
            exchange: The exchange.

        Raises:
            HttpError: If there is no such page, the media type is not acceptable, or a condition is malformed.
        """
        listing = self._listing(exchange.base)
        page = exchange.parameter("page")
        entries = listing.page(page, f"{exchange.base}{PATHS[dialect]}")
        if entries is None:
            raise refuse(CARD_NOT_FOUND, "this catalogue has no such page; without ?page= it lists its pages")
        if page is None:
            entries = [*entries, [registry_entry(exchange.base)]]
        contents = await listing.contents_of(dialect, page, entries)
        return _answer(contents, "application/json" if dialect == ARD else CATALOGUE_TYPE, exchange)

    async def server_card(self, exchange: Exchange) -> Response:
        """Return the MCP server card of an agent, which every agent is at its path `/mcp` (SEP-2127, Discovery).

        Raises:
            HttpError: If the media type is not acceptable, or a condition is malformed.
            UnknownAgent: If there is no such public agent.
        """
        agent = self._agents.public_agent(exchange.agent_id)
        upstream = agent.source.status().upstream
        url = f"{self._urls.agent(agent.id, exchange.base)}{_MCP_PATH}"
        value = server_card(upstream.card.view if upstream else None, name=agent.id, url=url)
        return await _negotiated(value, SERVER_CARD_TYPE, exchange)

    def entries(self, base: str) -> list[dict[str, Any]]:
        """Return the entries of all listed agents."""
        return [entry for of_agent in self._listing(base).entries() for entry in of_agent]

    def _listing(self, base: str) -> Listing:
        """Return the entries of all listed agents below a base URL, made again for those whose card has changed."""
        listing = self._listings.pop(base, None) or Listing()
        known, listing.agents = listing.agents, {}
        for agent_id, agent in sorted(self._agents.listed.items()):
            upstream = agent.source.status().upstream
            card = upstream.card if upstream else None
            one = known.get(agent_id)
            if one is None or one.agent is not agent or one.card is not card:
                one = Listed(agent, card, self._entries(agent, card, base))
            listing.agents[agent_id] = one
        self._listings[base] = listing
        if len(self._listings) > _MAX_BASES:
            del self._listings[next(iter(self._listings))]
        return listing

    def _entries(self, agent: Agent, card: Card | None, base: str) -> list[dict[str, Any]]:
        """Return the entries of an agent: as an A2A agent, and as an MCP server."""
        public = self._urls.agent(agent.id, base)
        as_agent: dict[str, Any] = {"displayName": agent.id}
        if card is not None:
            as_agent = entry_of(card, publisher=public, name=agent.id, url=public)
        own = {"identifier": identifier(public, agent.id), "type": CARD_TYPE, "url": f"{public}{CARD_PATH}"}
        as_server = {
            "identifier": identifier(public, agent.id, "mcp"),
            "type": SERVER_CARD_TYPE,
            "url": f"{public}{SERVER_CARD_PATH}",
        }
        return [{**as_agent, **own}, {**as_agent, **as_server}]


def registry_entry(base: str) -> dict[str, Any]:
    """Return the entry that announces the search API of the gateway (ARD 0.91 §5.3)."""
    return {
        "identifier": identifier(base, "search", "registry"),
        "displayName": "Search",
        "type": REGISTRY_TYPE,
        "url": f"{base}{REGISTRY_PATH}",
        "description": "Searches the agents of this gateway.",
        "representativeQueries": list(REGISTRY_QUERIES),
    }


async def _negotiated(value: Any, name: str, exchange: Exchange) -> Response:
    return _answer(await asyncio.to_thread(lambda: coded(json_bytes(value))), name, exchange)


def _answer(contents: Codings, name: str, exchange: Exchange) -> Response:
    return negotiated_answer(name, contents, _CACHING, read_request(exchange.scope), datetime.now(UTC))
