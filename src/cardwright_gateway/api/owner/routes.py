"""The routes of the owners' API, below `/api/v1`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.routing import Route, Router

from cardwright.http.problem import BAD_QUERY, FORBIDDEN, NO_SUCH_PATH, UNAUTHENTICATED, HttpError, refuse
from cardwright_gateway.api.description import query_parameters
from cardwright_gateway.api.exchange import Endpoint
from cardwright_gateway.api.owner import (
    agents,
    audit,
    caller_tasks,
    deliveries,
    instances,
    keys,
    openapi,
    owners,
    tasks,
    uploads,
)
from cardwright_gateway.api.owner.request import UNKNOWN_PATH, OwnerRequest
from cardwright_gateway.auth.authenticator import require_owner
from cardwright_gateway.auth.operator_token import is_operator
from cardwright_gateway.auth.principal import ANONYMOUS, Principal
from cardwright_gateway.database.audit import OPERATOR
from cardwright_gateway.errors import UnknownOwner
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.api.owner.services import OwnerServices

    Methods = Mapping[str, Callable[[OwnerRequest], Awaitable[Response]]]
    Authenticate = Callable[[OwnerServices, Exchange], Awaitable[Principal]]

# BeeOS seed §7 and §8.
API: Final = "/api/v1"
_OPERATOR_PRINCIPAL: Final = Principal("user", OPERATOR)
_WEBHOOKS: Final = "/agents/{agent}/tasks/{task}/webhooks"
_DELIVERIES: Final = f"{_WEBHOOKS}/{{webhook}}/deliveries"
_OWNED: Final[Mapping[str, Methods]] = {
    "/agents": {"GET": agents.list_agents, "POST": agents.add_agent},
    "/agents/{agent}": {
        "GET": agents.get_agent,
        "PUT": agents.replace_agent,
        "PATCH": agents.patch_agent,
        "DELETE": agents.remove_agent,
    },
    "/agents/{agent}/keys": {"GET": keys.list_keys, "POST": keys.issue_key},
    "/agents/{agent}/keys/{key}": {"PATCH": keys.change_key, "DELETE": keys.revoke_key},
    "/agents/{agent}/keys/{key}/rotate": {"POST": keys.rotate_key},
    "/agents/{agent}/tasks": {"GET": tasks.list_agent_tasks},
    "/agents/{agent}/tasks/{task}/cancel": {"POST": tasks.cancel_agent_task},
    _WEBHOOKS: {"GET": deliveries.list_webhooks},
    f"{_WEBHOOKS}/{{webhook}}/events": {"GET": deliveries.list_events},
    _DELIVERIES: {"GET": deliveries.list_deliveries},
    f"{_DELIVERIES}/{{delivery}}/redeliver": {"POST": deliveries.redeliver},
    "/instances": {"GET": instances.list_instances},
    "/audit": {"GET": audit.list_changes},
}
_TOKENS: Final[Mapping[str, Methods]] = {
    "/owners/{owner}/tokens": {"GET": owners.list_tokens, "POST": owners.issue_token},
    "/owners/{owner}/tokens/{token}": {"DELETE": owners.revoke_token},
}
_OPERATOR: Final[Mapping[str, Methods]] = {
    "/owners": {"GET": owners.list_owners, "POST": owners.add_owner},
    "/owners/{owner}": {"GET": owners.get_owner, "DELETE": owners.remove_owner},
}
# Endpoints for callers other than owners; each checks permissions itself.
_OPEN: Final[Mapping[str, Methods]] = {
    "/files": {"POST": uploads.upload_file},
    "/tasks": {"GET": caller_tasks.list_tasks},
    "/tasks/{task}/webhooks": {"GET": caller_tasks.list_webhooks},
    "/tasks/{task}/webhooks/{webhook}/deliveries": {"GET": caller_tasks.list_deliveries},
    "/openapi.json": {"GET": openapi.get_description},
}
# `compat: beeos` routes POST of these paths before this API (see `cardwright_gateway.api.compat`).
_POSTED_TOO: Final = ("/tasks", "/tasks/{task}/webhooks")


def owner_router(services: OwnerServices) -> Router:
    """Return the routes of the owners' API."""
    tables = ((_OWNED, _user), (_TOKENS, _operator_or_owner), (_OPERATOR, _operator), (_OPEN, _anyone))
    routes = [
        Route(f"{path}/", _endpoint(services, path, methods, authenticate))
        for table, authenticate in tables
        for path, methods in table.items()
    ]
    return Router(routes, redirect_slashes=False, default=Endpoint("api", _unknown_path, (), "rest"))


def _endpoint(services: OwnerServices, path: str, methods: Methods, authenticate: Authenticate) -> Endpoint:
    known = {method: query_parameters(method, f"{API}{path}") for method in methods}
    more = ("POST",) if services.compat and path in _POSTED_TOO else ()
    allowed = (*methods, *(("HEAD",) if "GET" in methods else ()), *more, "OPTIONS")
    return Endpoint("api", partial(_answer, services, methods, known, authenticate), allowed, "rest")


async def _answer(
    services: OwnerServices,
    methods: Methods,
    known: Mapping[str, frozenset[str]],
    authenticate: Authenticate,
    exchange: Exchange,
) -> Response:
    method = "GET" if exchange.method == "HEAD" else exchange.method
    handler = methods[method]
    try:
        principal = await authenticate(services, exchange)
        if authenticate is _user and handler is not agents.list_agents:
            require_owner(principal)
        if principal.owner_id and method != "GET":
            exchange.rate_limit = await services.limiter.admit_change(principal.owner_id)
        exchange.owner = principal.owner_id
        _check_query(exchange, known[method])
        return await handler(OwnerRequest(services, principal, exchange))
    except HttpError as refused:
        raise _with_challenge(refused) from None


def _check_query(exchange: Exchange, known: frozenset[str]) -> None:
    """Check that all query parameters are known: a misspelt filter would show what it should hide.

    Raises:
        HttpError: If one is unknown.
    """
    unknown = sorted({name for name, _ in exchange.fields} - known)
    if unknown:
        listed = f"known parameters: {', '.join(sorted(known))}" if known else "this request has none"
        raise refuse(BAD_QUERY, f"unknown query parameter {quote(unknown[0])}; {listed}")


async def _anyone(_services: OwnerServices, _exchange: Exchange) -> Principal:
    return ANONYMOUS


async def _user(services: OwnerServices, exchange: Exchange) -> Principal:
    return await services.authenticator.user(exchange.scope)


async def _operator(services: OwnerServices, exchange: Exchange) -> Principal:
    """Return the operator.

    Raises:
        HttpError: With 401 without the operator's token, 403 if the operator has none.
    """
    if services.admin_token is None:
        raise refuse(
            FORBIDDEN,
            "changes of owners over the network are off; to allow them, set admin_token in the configuration",
        )
    if not is_operator(exchange.scope, services.admin_token):
        raise refuse(UNAUTHENTICATED, "this needs the admin_token as a Bearer token")
    return _OPERATOR_PRINCIPAL


async def _operator_or_owner(services: OwnerServices, exchange: Exchange) -> Principal:
    """Return the operator, or the owner in the path.

    Raises:
        HttpError: With 401 without the operator's, a user's or an owner's token.
        UnknownOwner: If it is another owner.
    """
    if is_operator(exchange.scope, services.admin_token):
        return _OPERATOR_PRINCIPAL
    principal = require_owner(await services.authenticator.user(exchange.scope))
    if principal.owner_id != exchange.params["owner"]:
        raise UnknownOwner(exchange.params["owner"])
    return principal


def _with_challenge(refused: HttpError) -> HttpError:
    """Return the error, with a WWW-Authenticate field for missing credentials (RFC 9110 §11.6.1)."""
    problem = refused.problem
    challenged = any(name == b"www-authenticate" for name, _ in problem.headers)
    if problem.error_code is not UNAUTHENTICATED or challenged:
        return refused
    return HttpError(replace(problem, headers=(*problem.headers, (b"www-authenticate", b"Bearer"))))


async def _unknown_path(_: Exchange) -> Response:
    raise refuse(NO_SUCH_PATH, UNKNOWN_PATH)
