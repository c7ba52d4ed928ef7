"""The owners' API: from a request to its answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright.http.problem import UNAUTHENTICATED, HttpError, refuse
from cardwright_gateway.a2a.problems import FORBIDDEN, problem_of
from cardwright_gateway.a2a.responses import Reply, rest_problem_reply
from cardwright_gateway.api.owner.request import Asked
from cardwright_gateway.api.owner.routing import found
from cardwright_gateway.auth.principal import ANONYMOUS

if TYPE_CHECKING:
    from cardwright.http.problem import Problem
    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.api.owner.services import OwnerServices

_ASKED_FOR: Final = (b"www-authenticate", b"Bearer")


async def answer_api(services: OwnerServices, path: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request to the owners' API: errors too, in the shape of REST (A2A 1.0 §11.6).

    Args:
        services: What endpoints use.
        path: Below `/api/v1`, as it was sent, percent-encoded.
        scope: Of ASGI.
        receive: Of ASGI.
        send: Of ASGI.

    Raises:
        Gone: If the caller left while the body was read.
    """
    try:
        reply = await _answered(services, path, scope, receive)
    except HttpError as refused:
        reply = rest_problem_reply(_asking(refused.problem))
    except CardError as error:
        reply = rest_problem_reply(problem_of(error))
    if scope["method"] == "HEAD":
        reply = Reply(reply.status, reply.headers)
    await reply.send(send)


async def _answered(services: OwnerServices, path: str, scope: Scope, receive: Receive) -> Reply:
    where = found(path)
    if scope["method"] == "OPTIONS":
        return Reply(204, ((b"allow", where.route.allowed.encode()), (b"cache-control", b"no-store")))
    handler = where.handler(scope["method"])
    principal = await services.authenticator.user(scope) if where.route.by_user else ANONYMOUS
    if where.route.by_user and not principal.owner_id:
        raise refuse(FORBIDDEN, "this user owns nothing here: the gateway's configuration names owners")
    return await handler(Asked(services, principal, where.steps, scope, receive))


def _asking(problem: Problem) -> Problem:
    """Return a problem that says which credentials are wanted, where that is what is wrong (RFC 9110 §11.6.1)."""
    told = any(name == b"www-authenticate" for name, _ in problem.headers)
    if problem.condition is not UNAUTHENTICATED or told:
        return problem
    return replace(problem, headers=(*problem.headers, _ASKED_FOR))
