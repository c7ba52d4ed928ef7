"""The endpoint `/instances`: what executes an owner's agents, and whether it is online (BeeOS seed §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from cardwright_gateway.api.owner.request import answer, page_token
from cardwright_gateway.backends.queue import QueueBackend
from cardwright_gateway.settings.agents import Http
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent

Mode = Literal["push", "pull", "local", "none"]
State = Literal["online", "offline", "unknown"]
_NEVER: Final = float("-inf")
_STATES: Final[dict[str, State]] = {"ok": "online", "failing": "offline"}


async def list_instances(request: OwnerRequest) -> Response:
    """Return a page of instances; this reads only the database and sends no upstream request."""
    page = request.page("instances")
    rest = [agent for agent in request.owned() if agent.id > page.after]
    agents = rest[: page.size]
    last = agents[-1].id if len(rest) > len(agents) else None
    instances = [await instance(agent) for agent in agents]
    return answer(200, api.InstancePage(instances=instances, next_page_token=page_token("instances", last)))


async def instance(agent: Agent) -> api.Instance:
    """Return what executes an agent, and whether it is online."""
    backend = agent.backend
    if isinstance(backend, QueueBackend):
        workers = await backend.workers()
        seen = workers.seen_seconds_ago
        state: State = "online" if workers.online else "offline"
        return _instance(agent, "pull", state, seen, workers_waiting=workers.waiting)
    if agent.config.connection is None:
        return _instance(agent, "none", "offline")
    mode: Mode = "push" if isinstance(agent.config.connection, Http) else "local"
    status = agent.status()
    if agent.config.protocol == "managed" and agent.availability.at == _NEVER:
        # The card is stored at the gateway, so it does not show whether the agent is online.
        return _instance(agent, mode, "unknown" if mode == "push" else "online")
    age = status.upstream.age_seconds if status.upstream else None
    return _instance(agent, mode, _STATES.get(status.state, "unknown"), age)


def _instance(
    agent: Agent, mode: Mode, state: State, seen: float | None = None, *, workers_waiting: int | None = None
) -> api.Instance:
    return api.Instance(
        agent_id=agent.id,
        mode=mode,
        state=state,
        workers_waiting=workers_waiting,
        calls_under_way=agent.running_calls,
        seen_seconds_ago=None if seen is None else round(seen, 1),
    )
