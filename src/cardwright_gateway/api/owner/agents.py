"""`/agents`: an owner's agents, those of the configuration file and those that the owner added over the network."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pydantic import MISSING

from cardwright.errors import BadConfiguration
from cardwright.http.problem import refuse
from cardwright.http.response import Response
from cardwright.serve.routes import CARD_PATH
from cardwright_gateway.a2a.problems import FULL, faulty
from cardwright_gateway.api.owner.request import answer, conflict, page_token
from cardwright_gateway.errors import UnknownAgent
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent

# The gateway keeps a card of each and checks it again and again (project decision).
MAX_ADDED: Final = 1_000
_FROM_FILE: Final = "the gateway's configuration file has this agent: ask the operator to change it there"


async def listed(request: OwnerRequest) -> Response:
    """Return a page of the caller's agents."""
    page = request.page("agents")
    found = [agent for agent in request.owned() if agent.id > page.after]
    shown = found[: page.size]
    last = shown[-1].id if len(found) > len(shown) else None
    records = [record(request, agent) for agent in shown]
    return answer(200, api.AgentPage(agents=records, next_page_token=page_token("agents", last)))


async def one(request: OwnerRequest) -> Response:
    """Return one of them."""
    return answer(200, record(request, request.own()))


async def added(request: OwnerRequest) -> Response:
    """Add an agent; the caller becomes its owner."""
    body = await request.body(api.AddAgent)
    agent_id = body.id

    def check(known: Agent | None) -> None:
        if known is not None:
            raise conflict("another agent has this id: choose another one")
        if sum(not agent.config.from_file for agent in request.owned()) >= MAX_ADDED:
            raise refuse(FULL, f"one owner adds at most {MAX_ADDED:,} agents: remove one")

    check(request.services.agents.get(agent_id))
    agent = await _put(request, agent_id, body.agent, check)
    # A former agent of this id may have left keys, if it was removed in another way.
    await _revoke_all(request, agent_id)
    location = f"{request.services.urls.base}/api/v1/agents/{agent_id}".encode()
    return answer(201, record(request, agent), ((b"location", location),))


async def changed(request: OwnerRequest) -> Response:
    """Replace the settings of an agent that the caller added."""
    agent = request.own()
    body = await request.body(api.ChangeAgent)
    return answer(200, record(request, await _put(request, agent.id, body.agent, partial(_mine, request))))


async def shown_to(request: OwnerRequest) -> Response:
    """Change the visibility of an agent that the caller added."""
    agent = request.own()
    body = await request.body(api.SetVisibility)
    _mine(request, agent)
    config = agent.config
    definition = {**config.definition, "visibility": body.visibility}

    def check(known: Agent | None) -> None:
        _mine(request, known)
        if known is None or known.config is not config:
            raise conflict("the agent was changed meanwhile: get it again, and repeat the change")

    return answer(200, record(request, await _put(request, agent.id, definition, check)))


async def removed(request: OwnerRequest) -> Response:
    """Remove an agent that the caller added; its keys are revoked."""
    agent = request.own()
    _mine(request, agent)
    owner = request.principal.owner_id
    # First the keys: those of a removed agent could not be revoked any more.
    await _revoke_all(request, agent.id, owner)
    await request.services.agents.withdraw(
        agent.id, check=partial(_mine, request), actor=request.principal.name
    )
    # And the keys that were issued meanwhile.
    await _revoke_all(request, agent.id, owner)
    return Response(204, ((b"cache-control", b"no-store"),))


def record(request: OwnerRequest, agent: Agent) -> api.AgentRecord:
    """Return an agent as its owner sees it, without the credentials that it is sent."""
    standing = agent.source.standing()
    public = request.services.urls.agent(agent.id)
    name = ""
    if standing.sourced is not None:
        name = agent.outlined(standing.sourced.card, standing.sourced.mark).name
    return api.AgentRecord(
        id=agent.id,
        name=name or agent.id,
        visibility=agent.config.visibility,
        access=agent.config.access,
        protocol=agent.config.protocol,
        state=standing.state,
        error=standing.error or MISSING,
        added=not agent.config.from_file,
        url=public,
        card_url=f"{public}{CARD_PATH}",
    )


def _mine(request: OwnerRequest, agent: Agent | None) -> None:
    """Check that the caller added an agent.

    Raises:
        UnknownAgent: If it is not the caller's.
        HttpError: If the configuration file has it.
    """
    if agent is None or not request.owns(agent):
        raise UnknownAgent(request.params.get("agent", ""))
    if agent.config.from_file:
        raise conflict(_FROM_FILE)


async def _put(request: OwnerRequest, agent_id: str, definition: Mapping[str, Any], check: Any) -> Agent:
    owned = {**definition, "owner": request.principal.owner_id}
    try:
        return await request.services.agents.submit(
            agent_id, owned, check=check, actor=request.principal.name
        )
    except BadConfiguration as error:
        raise faulty([("/agent", error.reason)], message=f"the agent cannot be so: {error.reason}") from None


async def _revoke_all(request: OwnerRequest, agent_id: str, owner_id: str | None = None) -> None:
    """Revoke the keys of an agent, or those alone that one owner gave: the id may be another owner's by now."""
    keys, actor = request.services.keys, request.principal.name

    def revoke() -> None:
        for key in keys.list(agent_id):
            if key.revoked_at is None and owner_id in (None, key.owner_id):
                keys.revoke(key.id, agent_id=agent_id, actor=actor)

    await asyncio.to_thread(revoke)
