"""`POST /rpc`: the agents over JSON-RPC, as SuperX has them (SuperX seed, Fetch via RPC)."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration
from cardwright.http.problem import METHOD_NOT_FOUND, UNAUTHENTICATED, HttpError, Problem, refuse
from cardwright.serve.settings import CARD_ID
from cardwright_gateway.a2a.problems import AGENT_NOT_FOUND, INVALID_PARAMS
from cardwright_gateway.a2a.responses import result_reply
from cardwright_gateway.database.audit import OPERATOR
from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright_gateway.a2a.bodies import Call
    from cardwright_gateway.a2a.responses import Reply
    from cardwright_gateway.api.catalogue import Catalogue
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.urls import Urls

_READING: Final = ("agents/get", "agents/list", "agents/refreshCard")
_CHANGING: Final = ("agents/add", "agents/update", "agents/remove")
_MOST_LISTED: Final = 1_000


class RpcEndpoint:
    """`POST /rpc`.

    Args:
        agents: The agents.
        catalogue: Shows agents.
        urls: The public URLs.
        admin_token: The token that changes need; None where changes are off.
    """

    def __init__(
        self, agents: AgentDirectory, catalogue: Catalogue, urls: Urls, admin_token: str | None
    ) -> None:
        self._agents = agents
        self._catalogue = catalogue
        self._urls = urls
        self._admin_token = admin_token

    async def answer(self, call: Call, scope: Scope, base: str) -> Reply:
        """Answer one call.

        Raises:
            HttpError: If it cannot be answered, or whoever asks may not.
            CardError: If an agent has no card now.
        """
        # Dots for slashes, as SuperX's own router has them.
        method = call.method.replace(".", "/", 1)
        if method in _CHANGING:
            self._check_admin(scope)
            return result_reply(call.id, await self._changed(method, call.params))
        match method:
            case "agents/get":
                agent_id = _id(call.params)
                return result_reply(call.id, await self._catalogue.one(agent_id, base))
            case "agents/list":
                return result_reply(call.id, self._list(call.params, base))
            case "agents/refreshCard":
                agent_id = _id(call.params)
                await self._agents.public_agent(agent_id).source.refresh()
                return result_reply(call.id, await self._catalogue.one(agent_id, base))
            case _:
                told = ", ".join((*_READING, *(_CHANGING if self._admin_token else ())))
                raise refuse(METHOD_NOT_FOUND, f"there is no such method here: there are {told}")

    def _list(self, params: dict[str, Any], base: str) -> dict[str, Any]:
        limit, cursor = params.get("limit", 100), params.get("cursor", "")
        if type(limit) is not int or not 1 <= limit <= _MOST_LISTED:
            raise refuse(INVALID_PARAMS, f"limit is a whole number from 1 to {_MOST_LISTED:,}")
        if type(cursor) is not str:
            raise refuse(INVALID_PARAMS, "cursor is the nextCursor of the page before")
        listed = self._agents.listed
        ids = sorted(agent_id for agent_id in listed if agent_id > cursor)
        page = [self._catalogue.brief(listed[agent_id], base) for agent_id in ids[:limit]]
        more = {"nextCursor": ids[limit - 1]} if len(ids) > limit else {}
        return {"agents": page, "total": len(listed), **more}

    def _check_admin(self, scope: Scope) -> None:
        """Refuse whoever may not change anything.

        Raises:
            HttpError: If changes are off, or the token is missing or wrong.
        """
        token = self._admin_token
        if token is None:
            raise refuse(
                METHOD_NOT_FOUND, "changes over the network are off: the configuration has no admin_token"
            )
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        scheme, _, said = (given[0] if len(given) == 1 else b"").partition(b" ")
        if scheme.lower() != b"bearer" or not hmac.compare_digest(said.strip(), token.encode()):
            header = ((b"www-authenticate", b"Bearer"),)
            raise HttpError(
                Problem(UNAUTHENTICATED, "changes need the admin_token as a Bearer token", headers=header)
            )

    async def _changed(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        agent_id = _id(params)
        known = agent_id in self._agents.held
        if method != "agents/add" and not known:
            raise HttpError(Problem(AGENT_NOT_FOUND, "there is no agent of that id here"))
        try:
            if method == "agents/remove":
                await self._agents.withdraw(agent_id, actor=OPERATOR)
                return {"id": agent_id, "removed": True}
            if method == "agents/add" and known:
                raise refuse(INVALID_PARAMS, "there is an agent of that id already: agents/update changes it")
            said = params.get("agent")
            if type(said) is not dict:
                raise refuse(INVALID_PARAMS, "params has the `agent`, an object as in the configuration file")
            await self._agents.submit(agent_id, said, actor=OPERATOR)
        except BadConfiguration as error:
            raise refuse(INVALID_PARAMS, error.reason) from None
        except UnknownAgent:
            raise HttpError(Problem(AGENT_NOT_FOUND, "there is no agent of that id here")) from None
        return self._catalogue.brief(self._agents.agent(agent_id), self._urls.base)


def _id(params: dict[str, Any]) -> str:
    """Return the agent that is meant: `id`, or as SuperX also writes it, `name`."""
    value = params.get("id", params.get("name"))
    if type(value) is not str or not CARD_ID.fullmatch(value):
        raise refuse(INVALID_PARAMS, "params has the agent's `id`, a text such as my_agent")
    return value
