"""A card as an answer: by path, form and version; stale ones say so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.gateway.access import is_owner
from cardwright.gateway.forms import MCP, own_form
from cardwright.gateway.queries import fields_of
from cardwright.serve.problems import BAD_QUERY, refuse
from cardwright.serve.routes import CARD_PATH, LEGACY_PATH

if TYPE_CHECKING:
    from cardwright.gateway.agent import Agent
    from cardwright.gateway.gateway import Gateway
    from cardwright.gateway.paths import Target
    from cardwright.gateway.placing import Placed
    from cardwright.gateway.sources import Sourced
    from cardwright.serve.answers import Answer
    from cardwright.serve.requests import Receive, Scope

# RFC 9111 once had the field for this, and it is what people look for.
_STALE: Final = b'110 - "Response is Stale"'
# Under which form the card is kept that others than the owner see.
_REDACTED: Final = "redacted"
_PATHS: Final = {"card": CARD_PATH, "legacy": LEGACY_PATH}


async def card_answer(
    gateway: Gateway, agent: Agent, target: Target, scope: Scope, receive: Receive, base: str
) -> tuple[Answer, Placed | None]:
    """Return the answer with the card of an agent, and what it was made of where it is fresh.

    Raises:
        CardError: If the agent has no card now.
        Refused: If the form that is asked for is none of it.
    """
    # At the root the agent is where the gateway is: clients that drop path prefixes go on there.
    public = gateway.public(agent.id, base) if target.agent_id else base
    form = _form(agent, scope)
    placed, sourced = await agent.placed(public)
    whole = agent.config.visibility == "public" or await is_owner(gateway, agent, scope)
    if form == MCP:
        if not whole:
            raise refuse(BAD_QUERY, "what is shown of this agent has no other form")
        card, mark = own_form(agent, sourced), sourced.card
    else:
        card = mark = placed.card if whole else placed.shown
    key = (agent.id, public, form if whole else _REDACTED)
    application = await gateway.publisher.published(key, mark, card, base)
    answer = await application.answer(_inner(scope, _PATHS[target.kind]), receive)
    if agent.config.visibility != "public":
        return _personal(answer, owners=whole), None
    return (_telling(sourced, answer), None) if sourced.stale else (answer, placed)


def _personal(answer: Answer, *, owners: bool) -> Answer:
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
        Refused: If there is no such form, or none of this agent.
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


def _telling(sourced: Sourced, answer: Answer) -> Answer:
    """Return an answer that tells how old its card is (RFC 9111 §4.2.3, §5.1)."""
    age = str(int(sourced.age_seconds or 0)).encode()
    kept = [pair for pair in answer.headers if pair[0] != b"cache-control"]
    fields = ((b"cache-control", b"no-cache"), (b"age", age), (b"warning", _STALE))
    return replace(answer, headers=(*kept, *fields), reusable=False)
