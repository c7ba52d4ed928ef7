"""`/instances`: what answers for an owner's agents, and whether it is there (BeeOS seed §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.owner.request import paged
from cardwright_gateway.backends.database_queue import SharedQueueBackend
from cardwright_gateway.backends.memory_queue import QueueBackend
from cardwright_gateway.settings.agents import Http

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent

_STATES: Final = {"ok": "online", "failing": "offline"}


async def listed(request: OwnerRequest) -> Response:
    """Answer with a page of them; nobody is request for it but the database, which knows of workers."""
    page = request.page("instances")
    agents = [agent for agent in request.owned() if agent.id > page.after]
    page_agents = agents[: page.size]
    last = page_agents[-1].id if len(agents) > len(page_agents) else None
    return json_response(
        200, paged("instances", "instances", [await instance_json(agent) for agent in page_agents], last)
    )


async def instance_json(agent: Agent) -> dict[str, Any]:
    """Return the backend of an agent as its owner sees it."""
    backend = agent.backend
    if isinstance(backend, (QueueBackend, SharedQueueBackend)):
        workers = await backend.workers()
        state = "online" if workers.online else "offline"
        instance = {"mode": "pull", "state": state, "workers_waiting": workers.waiting}
        return _whole(agent, instance, workers.seen_seconds_ago)
    if agent.config.backend is None:
        return _whole(agent, {"mode": "none", "state": "offline"}, None)
    standing = agent.source.standing()
    mode = "push" if isinstance(agent.config.backend, Http) else "local"
    if agent.config.protocol == "managed":
        # Its card is kept here, and says nothing of whether the agent is there.
        return _whole(agent, {"mode": mode, "state": "unknown" if mode == "push" else "online"}, None)
    age = standing.sourced.age_seconds if standing.sourced else None
    return _whole(agent, {"mode": mode, "state": _STATES.get(standing.state, "unknown")}, age)


def _whole(agent: Agent, instance: dict[str, Any], seen_seconds: float | None) -> dict[str, Any]:
    whole = {"agent_id": agent.id, **instance, "calls_under_way": agent.under_way}
    return whole if seen_seconds is None else {**whole, "seen_seconds_ago": round(seen_seconds, 1)}
