"""Responses with cards, by path, form and version; stale cards are marked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from cardwright.http.problem import BAD_QUERY, CARD_NOT_FOUND, method_not_allowed, refuse
from cardwright.http.request import ID_PARAMETER, check_no_body, read_request
from cardwright.http.response import options_answer
from cardwright.serve.selection import NO_SUCH_CARD, card_response
from cardwright_gateway.api.exchange import READ
from cardwright_gateway.catalog.publisher import MCP, own_form
from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from cardwright.http.request import Request
    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.api.response_cache import ResponseCache
    from cardwright_gateway.auth.access import AccessControl
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.publisher import CardPublisher
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.catalog.sources import UpstreamCard

# Earlier versions of RFC 9111 had this field, and tools still look for it.
_STALE: Final = b'110 - "Response is Stale"'
_NO_AGENT: Final = (
    "this gateway has several agents; name one with ?id=, or use /agents/ID/.well-known/agent-card.json."
    " /.well-known/ai-catalog.json lists the agents"
)
_NO_SLASH: Final = (
    "this URL names no agent. End the base URL of an agent with a slash, as in /agents/ID/: without it, a client that"
    " resolves the path of the card against the base URL drops the id"
)
# The cache key of the redacted card.
_REDACTED: Final = "redacted"


class AgentCards:
    """The endpoints of all agents' cards.

    Args:
        agents: The agents.
        publisher: Renders cards.
        access: Identifies owners.
        responses: The response cache; None behind trusted proxies, whose header fields are not in its key.
    """

    def __init__(
        self,
        agents: AgentDirectory,
        publisher: CardPublisher,
        access: AccessControl,
        responses: ResponseCache | None,
    ) -> None:
        self._agents = agents
        self._publisher = publisher
        self._access = access
        self._responses = responses

    async def by_query(
        self, exchange: Exchange, *, legacy: bool = False, below_agents: bool = False
    ) -> Response:
        """Return the card of the agent in `?id=`, or of the agent at the root (BeeOS seed, Where it lives).

        Args:
            exchange: The request.
            legacy: Whether the path is that of A2A 0.2.
            below_agents: Whether the path is below `/agents`, where clients look that resolve the path of the card
                against a base URL without a slash at its end (RFC 3986 §5.2.3): any agent may be meant.

        Raises:
            HttpError: If there is neither.
        """
        ids = [value for name, value in exchange.fields if name == ID_PARAMETER]
        if len(ids) > 1 or (not ids and (below_agents or not exchange.root)):
            raise refuse(CARD_NOT_FOUND, _NO_SLASH if below_agents and not ids else _NO_AGENT)
        exchange.agent_id = ids[0] if ids else exchange.root
        if ids:
            others = urlencode([pair for pair in exchange.fields if pair[0] != ID_PARAMETER])
            exchange.params = {"agent": ids[0]}
            without = {**exchange.scope, "query_string": others.encode()}
            return await self._answer(exchange, read_request(without), legacy=legacy)
        return await self.answer(exchange, legacy=legacy)

    async def answer(self, exchange: Exchange, *, legacy: bool = False) -> Response:
        """Return the card of the agent in the path.

        Raises:
            HttpError: If the card has no such form.
            CardError: If the agent has no card now.
        """
        return await self._answer(exchange, read_request(exchange.scope), legacy=legacy)

    async def _answer(self, exchange: Exchange, request: Request, *, legacy: bool) -> Response:
        while True:
            agent = self._agents.agent(exchange.agent_id)
            if exchange.method == "OPTIONS":
                return options_answer(", ".join(READ), ())
            if exchange.method not in READ:
                raise method_not_allowed(READ)
            try:
                response, served = await self._card(agent, exchange, request, legacy=legacy)
                break
            except UnknownAgent:
                # The agent was replaced meanwhile: use the new one.
                if self._agents.get(exchange.agent_id) in (None, agent):
                    raise
        if served is not None and self._responses is not None:
            self._responses.put(exchange.scope, response, agent, served)
        return response

    async def _card(
        self, agent: Agent, exchange: Exchange, request: Request, *, legacy: bool
    ) -> tuple[Response, ServedCard | None]:
        """Return the response with a card, and the served card if it is fresh and public."""
        form = _form(agent, exchange)
        served, source = await agent.served_with_upstream(exchange.public)
        public = agent.config.visibility == "public"
        unredacted = public or await self._access.is_owner(agent.config, exchange.scope)
        if form == MCP:
            if not unredacted:
                raise refuse(BAD_QUERY, "the public card of this agent is not available as form=mcp")
            card, mark = own_form(agent, source), source.card
        else:
            card = mark = served.card if unredacted else served.public_card
        key = (agent.id, exchange.public, form if unredacted else _REDACTED)
        rendered = await self._publisher.rendered(key, mark, card, exchange.base)
        check_no_body(request)
        if ID_PARAMETER in request.parameters:
            raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)
        response = card_response(rendered, request, self._publisher.settings, legacy=legacy)
        if not public:
            return _personal(response, owners=unredacted), None
        return (_stale(source, response), None) if source.stale else (response, served)


def _form(agent: Agent, exchange: Exchange) -> str:
    """Return the form in the query: `mcp` (SuperX seed), or "" for the default.

    Raises:
        HttpError: If there is no such form, or the agent does not have it.
    """
    if b"form" not in exchange.scope.get("query_string", b""):
        return ""
    forms = [value for name, value in exchange.fields if name == "form"]
    if not forms:
        return ""
    if forms != [MCP]:
        raise refuse(BAD_QUERY, "form must be mcp, at most once; use A2A-Version to select a version")
    if agent.config.protocol != MCP:
        raise refuse(BAD_QUERY, "only MCP servers have the form mcp, and this agent is not an MCP server")
    return MCP


def _personal(response: Response, *, owners: bool) -> Response:
    """Return a response that depends on the caller: caches must not share the owner's card (RFC 9111 §5.2.2)."""
    headers = [pair for pair in response.headers if pair[0] != b"vary"]
    vary = [value for name, value in response.headers if name == b"vary"]
    if owners:
        headers = [pair for pair in headers if pair[0] != b"cache-control"]
        headers.append((b"cache-control", b"private, no-store"))
    fields = b", ".join((*vary, b"Authorization"))
    return replace(response, headers=(*headers, (b"vary", fields)), reusable=False)


def _stale(source: UpstreamCard, response: Response) -> Response:
    """Return a response with the age of its card (RFC 9111 §4.2.3, §5.1)."""
    age = str(int(source.age_seconds or 0)).encode()
    headers = [pair for pair in response.headers if pair[0] != b"cache-control"]
    fields = ((b"cache-control", b"no-cache"), (b"age", age), (b"warning", _STALE))
    return replace(response, headers=(*headers, *fields), reusable=False)
