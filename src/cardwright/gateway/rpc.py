"""`POST /rpc`: the agents over JSON-RPC, as SuperX has them (SuperX seed, Fetch via RPC)."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration, UnknownAgent
from cardwright.gateway import listing
from cardwright.gateway.answering import result_reply
from cardwright.gateway.conditions import AGENT_NOT_FOUND, INVALID_PARAMS
from cardwright.serve.problems import METHOD_NOT_FOUND, UNAUTHENTICATED, Problem, Refused, refuse
from cardwright.serve.settings import CARD_ID

if TYPE_CHECKING:
    from cardwright.gateway.answering import Reply
    from cardwright.gateway.bodies import Call
    from cardwright.gateway.gateway import Gateway
    from cardwright.serve.requests import Scope

_READING: Final = ("agents/get", "agents/list", "agents/refreshCard")
_CHANGING: Final = ("agents/add", "agents/update", "agents/remove")
_MOST_LISTED: Final = 1_000


async def answer_rpc(gateway: Gateway, call: Call, scope: Scope, base: str) -> Reply:
    """Answer one call.

    Raises:
        Refused: If it cannot be answered, or whoever asks may not.
        CardError: If an agent has no card now.
    """
    # Dots for slashes, as SuperX's own router has them.
    method = call.method.replace(".", "/", 1)
    if method in _CHANGING:
        _check_admin(gateway, scope)
        return result_reply(call.id, await _changed(gateway, method, call.params))
    match method:
        case "agents/get":
            agent_id = _id(call.params)
            return result_reply(call.id, await listing.one(gateway, agent_id, base))
        case "agents/list":
            return result_reply(call.id, _list(gateway, call.params, base))
        case "agents/refreshCard":
            agent_id = _id(call.params)
            await gateway.shown(agent_id).source.refresh()
            return result_reply(call.id, await listing.one(gateway, agent_id, base))
        case _:
            told = ", ".join((*_READING, *(_CHANGING if gateway.config.admin_token else ())))
            raise refuse(METHOD_NOT_FOUND, f"there is no such method here: there are {told}")


def _id(params: dict[str, Any]) -> str:
    """Return the agent that is meant: `id`, or as SuperX also writes it, `name`."""
    value = params.get("id", params.get("name"))
    if type(value) is not str or not CARD_ID.fullmatch(value):
        raise refuse(INVALID_PARAMS, "params has the agent's `id`, a text such as my_agent")
    return value


def _list(gateway: Gateway, params: dict[str, Any], base: str) -> dict[str, Any]:
    limit, cursor = params.get("limit", 100), params.get("cursor", "")
    if type(limit) is not int or not 1 <= limit <= _MOST_LISTED:
        raise refuse(INVALID_PARAMS, f"limit is a whole number from 1 to {_MOST_LISTED:,}")
    if type(cursor) is not str:
        raise refuse(INVALID_PARAMS, "cursor is the nextCursor of the page before")
    listed = gateway.listed
    ids = sorted(agent_id for agent_id in listed if agent_id > cursor)
    page = [listing.brief(gateway, listed[agent_id], base) for agent_id in ids[:limit]]
    more = {"nextCursor": ids[limit - 1]} if len(ids) > limit else {}
    return {"agents": page, "total": len(listed), **more}


def _check_admin(gateway: Gateway, scope: Scope) -> None:
    """Refuse whoever may not change anything.

    Raises:
        Refused: If changes are off, or the token is missing or wrong.
    """
    token = gateway.config.admin_token
    if token is None:
        raise refuse(
            METHOD_NOT_FOUND, "changes over the network are off: the configuration has no admin_token"
        )
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, said = (given[0] if len(given) == 1 else b"").partition(b" ")
    if scheme.lower() != b"bearer" or not hmac.compare_digest(said.strip(), token.encode()):
        header = ((b"www-authenticate", b"Bearer"),)
        raise Refused(
            Problem(UNAUTHENTICATED, "changes need the admin_token as a Bearer token", headers=header)
        )


async def _changed(gateway: Gateway, method: str, params: dict[str, Any]) -> dict[str, Any]:
    agent_id = _id(params)
    known = agent_id in gateway.agents
    if method != "agents/add" and not known:
        raise Refused(Problem(AGENT_NOT_FOUND, "there is no agent of that id here"))
    try:
        if method == "agents/remove":
            await gateway.remove(agent_id, trusted=False)
            return {"id": agent_id, "removed": True}
        if method == "agents/add" and known:
            raise refuse(INVALID_PARAMS, "there is an agent of that id already: agents/update changes it")
        said = params.get("agent")
        if type(said) is not dict:
            raise refuse(INVALID_PARAMS, "params has the `agent`, an object as in the configuration file")
        await gateway.add(agent_id, said, trusted=False)
    except BadConfiguration as error:
        raise refuse(INVALID_PARAMS, error.reason) from None
    except UnknownAgent:
        raise Refused(Problem(AGENT_NOT_FOUND, "there is no agent of that id here")) from None
    return listing.brief(gateway, gateway.agents[agent_id], gateway.base)
