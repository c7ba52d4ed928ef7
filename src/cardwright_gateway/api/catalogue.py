"""What is told of the agents, one or all: nobody is asked for it but where one agent's card is wanted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from cardwright.errors import CardError, StoreError
from cardwright.http.problem import CARD_NOT_FOUND, refuse
from cardwright.http.representation import json_bytes
from cardwright.serve.catalogue import CARD_TYPE, CATALOGUE_TYPE
from cardwright.serve.routes import CARD_PATH
from cardwright_gateway.a2a.responses import body_reply
from cardwright_gateway.api.queries import fields_of
from cardwright_gateway.catalog.forms import forms_in, own_form

if TYPE_CHECKING:
    from cardwright.http.request import Scope, Send
    from cardwright.store import CardStore
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.publisher import CardPublisher
    from cardwright_gateway.catalog.urls import Urls

_SHORT: Final = (b"cache-control", b"public, max-age=10")


def named(scope: Scope, root: str | None) -> tuple[str, Scope]:
    """Return the agent that `?id=` names, and the request without it; "" where the one at the root is meant.

    The parameter is of the BeeOS seed (Where it lives).

    Raises:
        HttpError: If neither is there.
    """
    said = fields_of(scope)
    ids = [value for name, value in said if name == "id"]
    if len(ids) == 1:
        others = urlencode([(name, value) for name, value in said if name != "id"])
        return ids[0], {**scope, "query_string": others.encode()}
    if ids or root is None:
        raise refuse(
            CARD_NOT_FOUND,
            "several agents are here: name one by ?id= or in the path, /agents/ID/.well-known/agent-card.json;"
            " /.well-known/ai-catalog.json lists them",
        )
    return "", scope


class Catalogue:
    """The agents as lists and catalogues show them.

    Args:
        agents: The agents.
        publisher: Serves cards.
        urls: The public URLs.
        store: The database of cards.
    """

    def __init__(
        self, agents: AgentDirectory, publisher: CardPublisher, urls: Urls, store: CardStore
    ) -> None:
        self._agents = agents
        self._publisher = publisher
        self._urls = urls
        self._store = store

    def brief(self, agent: Agent, base: str) -> dict[str, Any]:
        """Return what is told of an agent in a list."""
        public = self._urls.agent(agent.id, base)
        standing = agent.source.standing()
        told: dict[str, Any] = {"id": agent.id, "protocol": agent.config.protocol, "state": standing.state}
        if standing.sourced is not None:
            shown = agent.outlined(standing.sourced.card, standing.sourced.mark)
            found = {"name": shown.name, "description": shown.description, "version": shown.version}
            told |= {name: value for name, value in found.items() if value}
            told["skills"] = len(shown.skills)
            if standing.sourced.age_seconds is not None:
                told["ageSeconds"] = round(standing.sourced.age_seconds, 1)
        if standing.error:
            told["error"] = standing.error
        return {**told, "url": public, "cardUrl": f"{public}{CARD_PATH}"}

    async def one(self, agent_id: str, base: str) -> dict[str, Any]:
        """Return all that is told of an agent, its card too: of a server of MCP in the seed's own form.

        Raises:
            UnknownAgent: If there is no such agent.
            CardError: If it has no card now.
        """
        agent = self._agents.public_agent(agent_id)
        public = self._urls.agent(agent_id, base)
        made, sourced = await agent.placed(public)
        if agent.config.protocol == "mcp":
            card = own_form(agent, sourced)
        else:
            card = forms_in(await self._publisher.published((agent_id, public, ""), made, made.card, base))[
                "default"
            ]
        return {**self.brief(agent, base), "card": card.document}

    async def answer_ai_catalog(self, scope: Scope, send: Send, base: str) -> None:
        """Answer with the catalogue of all agents (AI Catalog 1.0): those too whose card was not seen yet."""
        entries = [self._entry(agent, base) for _, agent in sorted(self._agents.listed.items())]
        value = {"specVersion": "1.0", "host": {"displayName": "cardwright gateway"}, "entries": entries}
        fields = ((b"content-type", CATALOGUE_TYPE.encode()), _SHORT, (b"access-control-allow-origin", b"*"))
        reply = body_reply(200, json_bytes(value), fields)
        await send({"type": "http.response.start", "status": 200, "headers": [*reply.headers]})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else reply.body})

    def _entry(self, agent: Agent, base: str) -> dict[str, Any]:
        url = f"{self._urls.agent(agent.id, base)}{CARD_PATH}"
        sourced = agent.source.standing().sourced
        shown = agent.outlined(sourced.card, sourced.mark) if sourced else None
        written = {
            "identifier": url,
            "displayName": (shown.name if shown else "") or agent.id,
            "type": CARD_TYPE,
            "description": shown.description if shown else "",
            "version": shown.version if shown else "",
            "url": url,
        }
        return {name: value for name, value in written.items() if value}

    async def readiness(self) -> tuple[int, dict[str, Any]]:
        """Return whether the gateway can answer: its database can be read."""
        try:
            await asyncio.to_thread(self._store.count)
        except StoreError:
            return 503, {"status": "not ready", "reason": "the database cannot be used"}
        except CardError:
            return 503, {"status": "not ready"}
        return 200, {"status": "ready", "agents": len(self._agents.listed)}
