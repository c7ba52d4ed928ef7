"""`/instances`: what answers for an owner's agents, and whether it is there (BeeOS seed §8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_gateway.a2a.responses import json_reply
from cardwright_gateway.api.owner.request import paged
from cardwright_gateway.backends.database_queue import SharedQueueBackend
from cardwright_gateway.backends.memory_queue import QueueBackend
from cardwright_gateway.settings.agents import Http

if TYPE_CHECKING:
    from cardwright_gateway.a2a.responses import Reply
    from cardwright_gateway.api.owner.request import Asked
    from cardwright_gateway.catalog.agent import Agent

_STATES: Final = {"ok": "online", "failing": "offline"}


async def listed(asked: Asked) -> Reply:
    """Answer with a page of them; nobody is asked for it but the database, which knows of workers."""
    page = asked.page("instances")
    found = [agent for agent in asked.owned() if agent.id > page.after]
    shown = found[: page.size]
    last = shown[-1].id if len(found) > len(shown) else None
    return json_reply(200, paged("instances", "instances", [await told(agent) for agent in shown], last))


async def told(agent: Agent) -> dict[str, Any]:
    """Return what is told of what answers for an agent."""
    backend = agent.backend
    if isinstance(backend, (QueueBackend, SharedQueueBackend)):
        workers = await backend.workers()
        state = "online" if workers.online else "offline"
        found = {"mode": "pull", "state": state, "workers_waiting": workers.waiting}
        return _whole(agent, found, workers.seen_seconds_ago)
    if agent.config.connection is None:
        return _whole(agent, {"mode": "none", "state": "offline"}, None)
    standing = agent.source.standing()
    kept = agent.config.protocol == "managed"
    mode = "push" if isinstance(agent.config.connection, Http) else "local"
    if kept:
        # Its card is kept here, and says nothing of whether the agent is there.
        return _whole(agent, {"mode": mode, "state": "unknown" if mode == "push" else "online"}, None)
    age = standing.sourced.age_seconds if standing.sourced else None
    return _whole(agent, {"mode": mode, "state": _STATES.get(standing.state, "unknown")}, age)


def _whole(agent: Agent, found: dict[str, Any], seen: float | None) -> dict[str, Any]:
    told = {"agent_id": agent.id, **found, "calls_under_way": agent.under_way}
    return told if seen is None else {**told, "seen_seconds_ago": round(seen, 1)}
