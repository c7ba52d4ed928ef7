"""The endpoints `/agents`: an owner's agents, from the configuration file and added over the network."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from cardwright.dates import rfc3339_at
from cardwright.errors import BadConfiguration
from cardwright.http.problem import refuse
from cardwright.http.response import Response
from cardwright.serve.routes import CARD_PATH
from cardwright_gateway.a2a.problems import FULL, faulty
from cardwright_gateway.api.owner.request import answer, conflict, page_token
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.settings.overrides import CHANGEABLE, forbidden
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent

# The gateway stores a card of each agent and refreshes it repeatedly (project decision).
MAX_ADDED: Final = 1_000
# All of them are in memory, in every process (project decision).
MAX_ADDED_BYTES: Final = 16 * 1024 * 1024
_FROM_FILE: Final = "this agent is in the gateway's configuration file; ask the operator to change it there"


async def list_agents(request: OwnerRequest) -> Response:
    """Return a page of the caller's agents; of the public agents for a user who owns nothing."""
    page = request.page("agents")
    owner = request.principal.owner_id
    listed = (
        request.owned() if owner else sorted(request.services.agents.listed.values(), key=attrgetter("id"))
    )
    rest = [agent for agent in listed if agent.id > page.after]
    agents = rest[: page.size]
    last = agents[-1].id if len(rest) > len(agents) else None
    records = [record(request, agent) for agent in agents]
    return answer(200, api.AgentPage(agents=records, next_page_token=page_token("agents", last)))


async def get_agent(request: OwnerRequest) -> Response:
    """Return one of the caller's agents."""
    return answer(200, record(request, request.own()))


async def add_agent(request: OwnerRequest) -> Response:
    """Add an agent; the caller becomes its owner."""
    body = await request.body(api.AddAgent)
    agent_id = body.id
    _check_fields(body.agent)

    def check(known: Agent | None) -> None:
        if known is not None:
            raise conflict("another agent has this id; choose another id")
        if sum(not agent.config.from_file for agent in request.owned()) >= MAX_ADDED:
            raise refuse(FULL, f"you have added the maximum of {MAX_ADDED:,} agents; remove one first")
        _check_space(request, agent_id, body.agent)

    check(request.services.agents.get(agent_id))
    agent = await _put(request, agent_id, body.agent, check)
    agent.note_denied()
    # A former agent with this id may have left keys and a pause, if the operator removed it.
    await _revoke_all(request, agent_id)
    await asyncio.to_thread(request.services.accounts.states.forget, agent_id)
    location = f"{request.services.urls.base}/api/v1/agents/{agent_id}".encode()
    return answer(201, record(request, agent), ((b"location", location),))


async def replace_agent(request: OwnerRequest) -> Response:
    """Replace the settings of an agent that the caller added."""
    agent = request.own()
    body = await request.body(api.ChangeAgent)
    _check_fields(body.agent)

    def check(known: Agent | None) -> None:
        _check_added_by_caller(request, known)
        _check_space(request, agent.id, body.agent)

    return answer(200, record(request, await _put(request, agent.id, body.agent, check)))


async def patch_agent(request: OwnerRequest) -> Response:
    """Change the visibility or the limits of one of the caller's agents, or pause it."""
    agent = request.own()
    body = await request.body(api.PatchAgent)
    changes = {name: getattr(body, name) for name in CHANGEABLE if name in body.model_fields_set}
    if changes:
        change = _override if agent.config.from_file else _change
        agent = await change(request, agent, changes)
    if body.paused is not None:
        pause = partial(
            request.services.accounts.states.set_paused,
            agent.id,
            agent.config.owner,
            paused=body.paused,
            actor=request.principal.name,
        )
        await asyncio.to_thread(pause)
    return answer(200, record(request, agent))


async def _change(request: OwnerRequest, agent: Agent, changes: Mapping[str, Any]) -> Agent:
    """Change settings of an agent that the caller added."""
    config = agent.config
    definition = {
        name: value for name, value in {**config.definition, **changes}.items() if value is not None
    }

    def check(known: Agent | None) -> None:
        _check_added_by_caller(request, known)
        if known is None or known.config is not config:
            raise conflict("another request changed the agent meanwhile; get the agent and try again")

    return await _put(request, agent.id, definition, check)


async def _override(request: OwnerRequest, agent: Agent, changes: Mapping[str, Any]) -> Agent:
    """Change settings of an agent of the configuration file, where the file allows it."""

    def check(known: Agent) -> None:
        if not request.owns(known):
            raise UnknownAgent(agent.id)
        refused = forbidden(known.config, changes)
        if refused:
            raise conflict(
                "this agent is in the gateway's configuration file; to allow this change, its operator adds"
                f" {' and '.join(refused)} to the agent's owner_may_change there"
            )

    try:
        return await request.services.agents.override(
            agent.id, changes, check=check, actor=request.principal.name
        )
    except BadConfiguration as error:
        raise faulty(
            [(pointer, text) for pointer, _, text in (one.partition(": ") for one in error.faults)]
        ) from None


async def remove_agent(request: OwnerRequest) -> Response:
    """Remove an agent that the caller added; its keys are revoked."""
    agent = request.own()
    _check_added_by_caller(request, agent)
    owner = request.principal.owner_id
    # The keys first: those of a removed agent could not be revoked.
    await _revoke_all(request, agent.id, owner)
    await request.services.agents.withdraw(
        agent.id, check=partial(_check_added_by_caller, request), actor=request.principal.name
    )
    # Then keys that were issued meanwhile.
    await _revoke_all(request, agent.id, owner)
    return Response(204, ((b"cache-control", b"no-store"),))


def record(request: OwnerRequest, agent: Agent) -> api.AgentRecord:
    """Return an agent as its owner sees it, or another user a public one; without the upstream credentials."""
    paused_at = request.services.accounts.states.paused_at(agent.id, agent.config.owner)
    status = agent.status()
    public = request.services.urls.agent(agent.id)
    name = ""
    if status.upstream is not None:
        name = agent.outline_of(status.upstream.card, status.upstream.mark).name
    owned = _owned(request, agent) if request.owns(agent) else {}
    return api.AgentRecord(
        id=agent.id,
        name=name or agent.id,
        visibility=agent.config.visibility,
        access=agent.config.access,
        protocol=agent.config.protocol,
        state=status.state,
        error=(status.error if request.owns(agent) else "") or None,
        paused_at=rfc3339_at(paused_at),
        added=not agent.config.from_file,
        url=public,
        card_url=f"{public}{CARD_PATH}",
        **owned,
    )


def _owned(request: OwnerRequest, agent: Agent) -> dict[str, Any]:
    """Return what only the owner of an agent sees."""
    config = agent.config
    overrides = request.services.accounts.states.overrides(agent.id, config.owner) if config.from_file else {}
    applied = {name: value for name, value in overrides.items() if getattr(config, name) == value}
    return {
        "concurrency": config.concurrency,
        "timeout_seconds": config.timeout_seconds,
        "owner_may_change": config.owner_may_change if config.from_file else ["visibility", "limits"],
        "overrides": api.AgentOverrides(**applied),
    }


def _check_added_by_caller(request: OwnerRequest, agent: Agent | None) -> None:
    """Check that the caller added an agent.

    Raises:
        UnknownAgent: If it is not the caller's.
        HttpError: If it is in the configuration file.
    """
    if agent is None or not request.owns(agent):
        raise UnknownAgent(request.params.get("agent", ""))
    if agent.config.from_file:
        raise conflict(_FROM_FILE)


def _check_fields(definition: Mapping[str, Any]) -> None:
    """Check that the settings do not name an owner: it is the caller.

    Raises:
        HttpError: If they do.
    """
    if "owner" in definition:
        raise faulty([("/agent/owner", "unknown field; the caller is the owner")])


def _check_space(request: OwnerRequest, agent_id: str, definition: Mapping[str, Any]) -> None:
    """Check that all agents which the caller added have room.

    Raises:
        HttpError: If their settings are too large together.
    """
    others = (agent.config.definition_bytes for agent in request.owned() if agent.id != agent_id)
    if sum(others) + len(json.dumps(definition)) > MAX_ADDED_BYTES:
        raise refuse(
            FULL,
            f"the settings of the agents you have added would have more than {MAX_ADDED_BYTES:,} bytes;"
            " remove an agent first",
        )


async def _put(request: OwnerRequest, agent_id: str, definition: Mapping[str, Any], check: Any) -> Agent:
    owned = {**definition, "owner": request.principal.owner_id}
    try:
        return await request.services.agents.submit(
            agent_id, owned, check=check, actor=request.principal.name
        )
    except BadConfiguration as error:
        faults = [("/agent", fault) for fault in error.faults]
        raise faulty(faults, message=f"the agent's settings are invalid: {error.reason}") from None


async def _revoke_all(request: OwnerRequest, agent_id: str, owner_id: str | None = None) -> None:
    """Revoke the keys of an agent, or only those of one owner: another owner may have taken the id."""
    keys, actor = request.services.keys, request.principal.name

    def revoke() -> None:
        for key in keys.list(agent_id):
            if key.revoked_at is None and owner_id in (None, key.owner_id):
                keys.revoke(key.id, holder=agent_id, actor=actor)

    await asyncio.to_thread(revoke)
