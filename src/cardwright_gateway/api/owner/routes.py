"""The routes of the owners' API, below `/api/v1`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.routing import Route, Router

from cardwright.http.problem import BAD_QUERY, CARD_NOT_FOUND, FORBIDDEN, UNAUTHENTICATED, HttpError, refuse
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
    uploads,
)
from cardwright_gateway.api.owner.request import UNKNOWN_PATH, OwnerRequest
from cardwright_gateway.auth.principal import ANONYMOUS
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.api.owner.services import OwnerServices

    Methods = Mapping[str, Callable[[OwnerRequest], Awaitable[Response]]]

# BeeOS seed §7 and §8.
API: Final = "/api/v1"
_DELIVERIES: Final = "/agents/{agent}/tasks/{task}/webhooks/{webhook}/deliveries"
_OWNED: Final[Mapping[str, Methods]] = {
    "/agents": {"GET": agents.list_agents, "POST": agents.add_agent},
    "/agents/{agent}": {
        "GET": agents.get_agent,
        "PUT": agents.replace_agent,
        "PATCH": agents.set_visibility,
        "DELETE": agents.remove_agent,
    },
    "/agents/{agent}/keys": {"GET": keys.list_keys, "POST": keys.issue_key},
    "/agents/{agent}/keys/{key}": {"DELETE": keys.revoke_key},
    "/agents/{agent}/keys/{key}/rotate": {"POST": keys.rotate_key},
    _DELIVERIES: {"GET": deliveries.list_deliveries},
    f"{_DELIVERIES}/{{delivery}}/redeliver": {"POST": deliveries.redeliver},
    "/instances": {"GET": instances.list_instances},
    "/audit": {"GET": audit.list_changes},
}
# Endpoints for callers other than owners; each checks permissions itself.
_OPEN: Final[Mapping[str, Methods]] = {
    "/files": {"POST": uploads.upload_file},
    "/tasks": {"GET": caller_tasks.list_tasks},
    "/tasks/{task}/webhooks": {"GET": caller_tasks.list_webhooks},
    "/tasks/{task}/webhooks/{webhook}/deliveries": {"GET": caller_tasks.list_deliveries},
    "/openapi.json": {"GET": openapi.get_description},
}


def owner_router(services: OwnerServices) -> Router:
    """Return the routes of the owners' API."""
    routes = [
        Route(f"{path}/", _endpoint(services, path, methods, owners=table is _OWNED))
        for table in (_OWNED, _OPEN)
        for path, methods in table.items()
    ]
    return Router(routes, redirect_slashes=False, default=Endpoint("api", _unknown_path, (), "rest"))


def _endpoint(services: OwnerServices, path: str, methods: Methods, *, owners: bool) -> Endpoint:
    known = {method: query_parameters(method, f"{API}{path}") for method in methods}
    allowed = (*methods, *(("HEAD",) if "GET" in methods else ()), "OPTIONS")
    return Endpoint("api", partial(_answer, services, methods, known, owners), allowed, "rest")


async def _answer(
    services: OwnerServices,
    methods: Methods,
    known: Mapping[str, frozenset[str]],
    owners: bool,  # noqa: FBT001 - bound by position
    exchange: Exchange,
) -> Response:
    method = "GET" if exchange.method == "HEAD" else exchange.method
    try:
        principal = await services.authenticator.user(exchange.scope) if owners else ANONYMOUS
        if owners and not principal.owner_id:
            raise refuse(
                FORBIDDEN,
                "this user is not an owner; the operator adds owners to the gateway's configuration",
            )
        if owners and method != "GET":
            exchange.rate_limit = await services.limiter.admit_change(principal.owner_id)
        exchange.owner = principal.owner_id
        _check_query(exchange, known[method])
        return await methods[method](OwnerRequest(services, principal, exchange))
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


def _with_challenge(refused: HttpError) -> HttpError:
    """Return the error, with a WWW-Authenticate field for missing credentials (RFC 9110 §11.6.1)."""
    problem = refused.problem
    challenged = any(name == b"www-authenticate" for name, _ in problem.headers)
    if problem.error_code is not UNAUTHENTICATED or challenged:
        return refused
    return HttpError(replace(problem, headers=(*problem.headers, (b"www-authenticate", b"Bearer"))))


async def _unknown_path(_: Exchange) -> Response:
    raise refuse(CARD_NOT_FOUND, UNKNOWN_PATH)
