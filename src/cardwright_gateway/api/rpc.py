"""`POST /rpc`: read and change agents over JSON-RPC (SuperX seed, Fetch via RPC)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration
from cardwright.http.problem import METHOD_NOT_FOUND, UNAUTHENTICATED, refuse
from cardwright.serve.settings import CARD_ID
from cardwright_gateway.a2a.problems import BAD_PARAMS, unknown_agent
from cardwright_gateway.a2a.responses import rpc_result
from cardwright_gateway.auth.operator_token import is_operator
from cardwright_gateway.database.audit import OPERATOR
from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright.http.response import Response
    from cardwright_gateway.a2a.calls import Call
    from cardwright_gateway.api.catalogue import Catalogue
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.agent import Urls
    from cardwright_gateway.catalog.directory import AgentDirectory

_READING: Final = ("agents/get", "agents/list", "agents/refreshCard")
_CHANGING: Final = ("agents/add", "agents/update", "agents/remove")
_MAX_LISTED: Final = 1_000


class RpcEndpoint:
    """The endpoint `POST /rpc`.

    Args:
        agents: The agents.
        catalogue: Describes agents.
        urls: The public URLs.
        admin_token: The token for changes; None if changes are off.
    """

    def __init__(
        self, agents: AgentDirectory, catalogue: Catalogue, urls: Urls, admin_token: str | None
    ) -> None:
        self._agents = agents
        self._catalogue = catalogue
        self._urls = urls
        self._admin_token = admin_token

    async def answer(self, exchange: Exchange) -> Response:
        """Return the response to one call.

        Raises:
            HttpError: If the call is invalid or not permitted.
            CardError: If an agent has no card now.
        """
        call = await exchange.call("admin" if is_operator(exchange.scope, self._admin_token) else "")
        return rpc_result(call.id, await self._result(call, exchange))

    async def _result(self, call: Call, exchange: Exchange) -> Any:
        # SuperX's router also accepts a dot instead of the slash.
        method = call.method.replace(".", "/", 1)
        if method in _CHANGING:
            self._check_admin(exchange.scope)
            return await self._changed(method, call.params)
        match method:
            case "agents/get":
                return await self._catalogue.one(_id(call.params), exchange.base)
            case "agents/list":
                return self._list(call.params, exchange.base)
            case "agents/refreshCard":
                agent_id = _id(call.params)
                await self._agents.public_agent(agent_id).source.refresh()
                return await self._catalogue.one(agent_id, exchange.base)
            case _:
                known = ", ".join((*_READING, *(_CHANGING if self._admin_token else ())))
                raise refuse(METHOD_NOT_FOUND, f"unknown method; known methods: {known}")

    def _list(self, params: dict[str, Any], base: str) -> dict[str, Any]:
        limit, cursor = params.get("limit", 100), params.get("cursor", "")
        if type(limit) is not int or not 1 <= limit <= _MAX_LISTED:
            raise refuse(BAD_PARAMS, f"limit must be a whole number from 1 to {_MAX_LISTED:,}")
        if type(cursor) is not str:
            raise refuse(BAD_PARAMS, "cursor must be the nextCursor of the previous page")
        listed = self._agents.listed
        ids = sorted(agent_id for agent_id in listed if agent_id > cursor)
        page = [self._catalogue.brief(listed[agent_id], base) for agent_id in ids[:limit]]
        more = {"nextCursor": ids[limit - 1]} if len(ids) > limit else {}
        return {"agents": page, "total": len(listed), **more}

    def _check_admin(self, scope: Scope) -> None:
        """Check that the caller may make changes.

        Raises:
            HttpError: If changes are off, or the token is missing or wrong.
        """
        if self._admin_token is None:
            raise refuse(
                METHOD_NOT_FOUND,
                "changes over the network are off; to allow them, set admin_token in the configuration",
            )
        if not is_operator(scope, self._admin_token):
            header = ((b"www-authenticate", b"Bearer"),)
            raise refuse(UNAUTHENTICATED, "changes require the admin_token as a Bearer token", headers=header)

    async def _changed(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        agent_id = _id(params)
        known = agent_id in self._agents.by_id
        if method != "agents/add" and not known:
            raise unknown_agent()
        try:
            if method == "agents/remove":
                await self._agents.withdraw(agent_id, actor=OPERATOR)
                return {"id": agent_id, "removed": True}
            if method == "agents/add" and known:
                raise refuse(BAD_PARAMS, "an agent with this id exists; use agents/update to change it")
            settings = params.get("agent")
            if type(settings) is not dict:
                raise refuse(
                    BAD_PARAMS,
                    "params.agent must be an object with the settings, as in the configuration file",
                )
            await self._agents.submit(agent_id, settings, actor=OPERATOR)
        except BadConfiguration as error:
            raise refuse(BAD_PARAMS, error.reason) from None
        except UnknownAgent:
            raise unknown_agent() from None
        return self._catalogue.brief(self._agents.agent(agent_id), self._urls.base)


def _id(params: dict[str, Any]) -> str:
    """Return the agent id in `id`, or in `name` as SuperX also sends it."""
    value = params.get("id", params.get("name"))
    if type(value) is not str or not CARD_ID.fullmatch(value):
        raise refuse(BAD_PARAMS, "params.id must be the id of an agent, such as my_agent")
    return value
