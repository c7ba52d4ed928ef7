"""Cards as responses: by path, form and version; stale ones say so."""

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

# RFC 9111 once had this field, and people look for it.
_STALE: Final = b'110 - "Response is Stale"'
# The form under which the card that others than the owner see is stored.
_REDACTED: Final = "redacted"


class AgentCards:
    """The cards of all agents.

    Args:
        agents: The agents.
        publisher: Renders cards.
        access: Recognises owners.
        responses: Stores responses; None if they depend on more than it knows, as behind trusted proxies.
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

    async def by_query(self, exchange: Exchange, *, legacy: bool = False) -> Response:
        """Answer with the card of the agent that `?id=` names, or of the one at the root (BeeOS seed, Where it lives).

        Raises:
            HttpError: If neither is there.
        """
        ids = [value for name, value in exchange.fields if name == ID_PARAMETER]
        if len(ids) > 1 or (not ids and not exchange.root):
            raise refuse(
                CARD_NOT_FOUND,
                "several agents are here: name one by ?id= or in the path, /agents/ID/.well-known/agent-card.json;"
                " /.well-known/ai-catalog.json lists them",
            )
        exchange.agent_id = ids[0] if ids else exchange.root
        if ids:
            others = urlencode([pair for pair in exchange.fields if pair[0] != ID_PARAMETER])
            exchange.params = {"agent": ids[0]}
            without = {**exchange.scope, "query_string": others.encode()}
            return await self._answer(exchange, read_request(without), legacy=legacy)
        return await self.answer(exchange, legacy=legacy)

    async def answer(self, exchange: Exchange, *, legacy: bool = False) -> Response:
        """Answer with the card of the agent that the path names.

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
                # It was changed meanwhile: the agent in its place is asked.
                if self._agents.get(exchange.agent_id) in (None, agent):
                    raise
        if served is not None and self._responses is not None:
            self._responses.put(exchange.scope, response, agent, served)
        return response

    async def _card(
        self, agent: Agent, exchange: Exchange, request: Request, *, legacy: bool
    ) -> tuple[Response, ServedCard | None]:
        """Return the response with a card, and the served card if it is fresh and everybody may see it."""
        form = _form(agent, exchange)
        served, source = await agent.placed(exchange.public)
        public = agent.config.visibility == "public"
        whole = public or await self._access.is_owner(agent.config, exchange.scope)
        if form == MCP:
            if not whole:
                raise refuse(BAD_QUERY, "what is shown of this agent has no other form")
            card, mark = own_form(agent, source), source.card
        else:
            card = mark = served.card if whole else served.shown
        key = (agent.id, exchange.public, form if whole else _REDACTED)
        rendered = await self._publisher.rendered(key, mark, card, exchange.base)
        check_no_body(request)
        if ID_PARAMETER in request.parameters:
            raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)
        response = card_response(rendered, request, self._publisher.settings, legacy=legacy)
        if not public:
            return _personal(response, owners=whole), None
        return (_stale(source, response), None) if source.stale else (response, served)


def _form(agent: Agent, exchange: Exchange) -> str:
    """Return the form that the query names: the seed's own, or "" for the default.

    Raises:
        HttpError: If there is no such form, or this agent has none.
    """
    if b"form" not in exchange.scope.get("query_string", b""):
        return ""
    forms = [value for name, value in exchange.fields if name == "form"]
    if not forms:
        return ""
    if forms != [MCP]:
        raise refuse(BAD_QUERY, "form is mcp, once, or left out; A2A-Version asks for a version")
    if agent.config.protocol != MCP:
        raise refuse(BAD_QUERY, "only MCP servers have the form mcp, and this agent is none")
    return MCP


def _personal(response: Response, *, owners: bool) -> Response:
    """Return a response that depends on the caller: no cache gives the owner's to others (RFC 9111 §5.2.2)."""
    headers = [pair for pair in response.headers if pair[0] != b"vary"]
    vary = [value for name, value in response.headers if name == b"vary"]
    if owners:
        headers = [pair for pair in headers if pair[0] != b"cache-control"]
        headers.append((b"cache-control", b"private, no-store"))
    fields = b", ".join((*vary, b"Authorization"))
    return replace(response, headers=(*headers, (b"vary", fields)), reusable=False)


def _stale(source: UpstreamCard, response: Response) -> Response:
    """Return a response that says how old its card is (RFC 9111 §4.2.3, §5.1)."""
    age = str(int(source.age_seconds or 0)).encode()
    headers = [pair for pair in response.headers if pair[0] != b"cache-control"]
    fields = ((b"cache-control", b"no-cache"), (b"age", age), (b"warning", _STALE))
    return replace(response, headers=(*headers, *fields), reusable=False)
