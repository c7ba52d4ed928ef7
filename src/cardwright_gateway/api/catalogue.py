"""Machine-readable lists of agents; they send no upstream request, except for a single agent's card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.http.representation import json_bytes
from cardwright.serve.catalogue import CARD_TYPE, CATALOGUE_TYPE
from cardwright.serve.routes import CARD_PATH
from cardwright_gateway.a2a.responses import body_response
from cardwright_gateway.catalog.publisher import MCP, own_form

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.agent import Agent, Urls
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.publisher import CardPublisher

_SHORT: Final = (b"cache-control", b"public, max-age=10")


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

    async def ai_catalog(self, exchange: Exchange) -> Response:
        """Return the catalogue of all agents (AI Catalog 1.0), including those whose card is not known yet."""
        entries = [self._entry(agent, exchange.base) for _, agent in sorted(self._agents.listed.items())]
        value = {"specVersion": "1.0", "host": {"displayName": "cardwright gateway"}, "entries": entries}
        fields = ((b"content-type", CATALOGUE_TYPE.encode()), _SHORT, (b"access-control-allow-origin", b"*"))
        return body_response(200, json_bytes(value), fields)

    def _entry(self, agent: Agent, base: str) -> dict[str, Any]:
        url = f"{self._urls.agent(agent.id, base)}{CARD_PATH}"
        upstream = agent.source.status().upstream
        outline = agent.outline_of(upstream.card, upstream.mark) if upstream else None
        entry = {
            "identifier": url,
            "displayName": (outline.name if outline else "") or agent.id,
            "type": CARD_TYPE,
            "description": outline.description if outline else "",
            "version": outline.version if outline else "",
            "url": url,
        }
        return {name: value for name, value in entry.items() if value}
