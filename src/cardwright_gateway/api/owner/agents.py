"""`/agents`: an owner's agents, those of the configuration file and those that the owner added."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration
from cardwright.http.problem import refuse
from cardwright.http.response import Response
from cardwright.serve.routes import CARD_PATH
from cardwright_gateway.a2a.problems import FULL, faulty
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.owner.request import conflict, paged
from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent

# Each holds a card, and is looked at again and again (ours).
MAX_ADDED: Final = 1_000
_WRITTEN: Final = "this agent is in the gateway's configuration file: ask the operator to change it there"


async def listed(request: OwnerRequest) -> Response:
    """Answer with a page of the caller's agents."""
    page = request.page("agents")
    agents = [agent for agent in request.owned() if agent.id > page.after]
    page_agents = agents[: page.size]
    last = page_agents[-1].id if len(agents) > len(page_agents) else None
    return json_response(
        200, paged("agents", "agents", [agent_json(request, agent) for agent in page_agents], last)
    )


async def one(request: OwnerRequest) -> Response:
    """Answer with one of them."""
    return json_response(200, agent_json(request, request.own()))


async def added(request: OwnerRequest) -> Response:
    """Add an agent of the caller's own."""
    body = await request.body("AddAgent")
    agent_id = body["id"]

    def check(known: Agent | None) -> None:
        if known is not None:
            raise conflict("this id is taken: call the agent otherwise")
        if sum(not agent.config.written for agent in request.owned()) >= MAX_ADDED:
            raise refuse(FULL, f"one owner adds at most {MAX_ADDED:,} agents: remove one")

    check(request.services.agents.get(agent_id))
    agent = await _put(request, agent_id, body["agent"], check)
    # One of the same id that was removed otherwise than here may have left keys, which are not for this one.
    await _revoke_all(request, agent_id)
    location = f"{request.services.urls.base}/api/v1/agents/{agent_id}".encode()
    return json_response(201, agent_json(request, agent), ((b"location", location),))


async def changed(request: OwnerRequest) -> Response:
    """Change the settings of an agent that the caller added."""
    agent = request.own()
    body = await request.body("ChangeAgent")
    return json_response(
        200, agent_json(request, await _put(request, agent.id, body["agent"], partial(_mine, request)))
    )


async def shown_to(request: OwnerRequest) -> Response:
    """Change who sees an agent that the caller added."""
    agent = request.own()
    body = await request.body("SetVisibility")
    _mine(request, agent)
    config = agent.config
    settings = {**config.said, **body}

    def check(known: Agent | None) -> None:
        _mine(request, known)
        if known is None or known.config is not config:
            raise conflict("the agent was changed meanwhile: look at it again")

    return json_response(200, agent_json(request, await _put(request, agent.id, settings, check)))


async def removed(request: OwnerRequest) -> Response:
    """Remove an agent that the caller added; its keys are revoked."""
    agent = request.own()
    _mine(request, agent)
    owner = request.principal.owner_id
    # Before it goes: keys of an agent that is not there could not be revoked any more.
    await _revoke_all(request, agent.id, owner)
    await request.services.agents.withdraw(
        agent.id, check=partial(_mine, request), actor=request.principal.name
    )
    # And what was issued meanwhile.
    await _revoke_all(request, agent.id, owner)
    return Response(204, ((b"cache-control", b"no-store"),))


def agent_json(request: OwnerRequest, agent: Agent) -> dict[str, Any]:
    """Return an agent as its owner sees it, without what the agent is sent, which may be secret."""
    standing = agent.source.standing()
    public = request.services.urls.agent(agent.id)
    name = ""
    if standing.sourced is not None:
        name = agent.outlined(standing.sourced.card, standing.sourced.mark).name
    return {
        "id": agent.id,
        "name": name or agent.id,
        "visibility": agent.config.visibility,
        "access": agent.config.access,
        "protocol": agent.config.protocol,
        "state": standing.state,
        **({"error": standing.error} if standing.error else {}),
        "added": not agent.config.written,
        "url": public,
        "card_url": f"{public}{CARD_PATH}",
    }


def _mine(request: OwnerRequest, agent: Agent | None) -> None:
    """Refuse to change an agent that the caller did not add.

    Raises:
        UnknownAgent: If it is not the caller's.
        HttpError: If it is of the configuration file.
    """
    if agent is None or not request.owns(agent):
        raise UnknownAgent(request.params.get("agent", ""))
    if agent.config.written:
        raise conflict(_WRITTEN)


async def _put(request: OwnerRequest, agent_id: str, settings: Mapping[str, Any], check: Any) -> Agent:
    owned = {**settings, "owner": request.principal.owner_id}
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
