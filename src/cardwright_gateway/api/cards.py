"""A card as an answer: by path, form and version; stale ones say so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.http.problem import BAD_QUERY, refuse
from cardwright.serve.routes import CARD_PATH, LEGACY_PATH
from cardwright_gateway.api.queries import fields_of
from cardwright_gateway.catalog.forms import own_form
from cardwright_gateway.catalog.publisher import MCP

if TYPE_CHECKING:
    from cardwright.http.request import Receive, Scope
    from cardwright.http.response import Response
    from cardwright_gateway.api.paths import Target
    from cardwright_gateway.auth.access import AccessControl
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.publisher import CardPublisher
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.catalog.sources import UpstreamCard
    from cardwright_gateway.catalog.urls import Urls

# RFC 9111 once had the field for this, and it is what people look for.
_STALE: Final = b'110 - "Response is Stale"'
# Under which form the card is kept that others than the owner see.
_REDACTED: Final = "redacted"
_PATHS: Final = {"card": CARD_PATH, "legacy": LEGACY_PATH}


async def card_answer(
    publisher: CardPublisher,
    access: AccessControl,
    urls: Urls,
    agent: Agent,
    target: Target,
    scope: Scope,
    receive: Receive,
    base: str,
) -> tuple[Response, ServedCard | None]:
    """Return the answer with the card of an agent, and what it was made of where it is fresh.

    Raises:
        CardError: If the agent has no card now.
        HttpError: If the form that is asked for is none of it.
    """
    # At the root the agent is where the gateway is: clients that drop path prefixes go on there.
    public = urls.agent(agent.id, base) if target.agent_id else base
    form = _form(agent, scope)
    placed, sourced = await agent.placed(public)
    whole = agent.config.visibility == "public" or await access.is_owner(agent.config, scope)
    if form == MCP:
        if not whole:
            raise refuse(BAD_QUERY, "what is shown of this agent has no other form")
        card, mark = own_form(agent, sourced), sourced.card
    else:
        card = mark = placed.card if whole else placed.shown
    key = (agent.id, public, form if whole else _REDACTED)
    application = await publisher.published(key, mark, card, base)
    answer = await application.answer(_inner(scope, _PATHS[target.kind]), receive)
    if agent.config.visibility != "public":
        return _personal(answer, owners=whole), None
    return (_telling(sourced, answer), None) if sourced.stale else (answer, placed)


def _personal(answer: Response, *, owners: bool) -> Response:
    """Return an answer that depends on who asks: no cache gives the owner's to others (RFC 9111 §5.2.2)."""
    kept = [pair for pair in answer.headers if pair[0] != b"vary"]
    vary = [value for name, value in answer.headers if name == b"vary"]
    if owners:
        kept = [pair for pair in kept if pair[0] != b"cache-control"]
        kept.append((b"cache-control", b"private, no-store"))
    named = b", ".join((*vary, b"Authorization"))
    return replace(answer, headers=(*kept, (b"vary", named)), reusable=False)


def _form(agent: Agent, scope: Scope) -> str:
    """Return the form that the query names: the seed's own, or "" for what is served by default.

    Raises:
        HttpError: If there is no such form, or none of this agent.
    """
    if b"form" not in scope.get("query_string", b""):
        return ""
    named = [value for name, value in fields_of(scope) if name == "form"]
    if not named:
        return ""
    if named != [MCP]:
        raise refuse(BAD_QUERY, "form is mcp, once, or left out; A2A-Version asks for a version")
    if agent.config.protocol != MCP:
        raise refuse(BAD_QUERY, "mcp is the form of agents that are servers of MCP, and this is none")
    return MCP


def _inner(scope: Scope, path: str) -> Scope:
    """Return the request as what serves the card alone sees it."""
    return {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}


def _telling(sourced: UpstreamCard, answer: Response) -> Response:
    """Return an answer that tells how old its card is (RFC 9111 §4.2.3, §5.1)."""
    age = str(int(sourced.age_seconds or 0)).encode()
    kept = [pair for pair in answer.headers if pair[0] != b"cache-control"]
    fields = ((b"cache-control", b"no-cache"), (b"age", age), (b"warning", _STALE))
    return replace(answer, headers=(*kept, *fields), reusable=False)
