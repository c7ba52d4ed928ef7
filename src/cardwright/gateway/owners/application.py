"""The owners' API: from a request to its answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright.gateway.answering import Reply, rest_problem_reply
from cardwright.gateway.conditions import FORBIDDEN, problem_of
from cardwright.gateway.identity.principal import NOBODY
from cardwright.gateway.owners.asked import Asked
from cardwright.gateway.owners.routing import found
from cardwright.serve.problems import UNAUTHENTICATED, Refused, refuse

if TYPE_CHECKING:
    from cardwright.gateway.owners.needs import Owning
    from cardwright.serve.problems import Problem
    from cardwright.serve.requests import Receive, Scope, Send

_ASKED_FOR: Final = (b"www-authenticate", b"Bearer")


async def answer_api(gateway: Owning, path: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request to the owners' API: errors too, in the shape of REST (A2A 1.0 §11.6).

    Args:
        gateway: The gateway.
        path: Below `/api/v1`, as it was sent, percent-encoded.
        scope: Of ASGI.
        receive: Of ASGI.
        send: Of ASGI.

    Raises:
        Gone: If the caller left while the body was read.
    """
    try:
        reply = await _answered(gateway, path, scope, receive)
    except Refused as refused:
        reply = rest_problem_reply(_asking(refused.problem))
    except CardError as error:
        reply = rest_problem_reply(problem_of(error))
    if scope["method"] == "HEAD":
        reply = Reply(reply.status, reply.headers)
    await reply.send(send)


async def _answered(gateway: Owning, path: str, scope: Scope, receive: Receive) -> Reply:
    where = found(path)
    if scope["method"] == "OPTIONS":
        return Reply(204, ((b"allow", where.route.allowed.encode()), (b"cache-control", b"no-store")))
    handler = where.handler(scope["method"])
    principal = await gateway.identity.user(scope) if where.route.by_user else NOBODY
    if where.route.by_user and not principal.owner_id:
        raise refuse(FORBIDDEN, "this user owns nothing here: the gateway's configuration names owners")
    return await handler(Asked(gateway, principal, where.steps, scope, receive))


def _asking(problem: Problem) -> Problem:
    """Return a problem that says which credentials are wanted, where that is what is wrong (RFC 9110 §11.6.1)."""
    told = any(name == b"www-authenticate" for name, _ in problem.headers)
    if problem.condition is not UNAUTHENTICATED or told:
        return problem
    return replace(problem, headers=(*problem.headers, _ASKED_FOR))
