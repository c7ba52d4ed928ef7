"""`POST /{agentId}/mcp`: an agent as a server of MCP, over streamable HTTP without sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError, MissingPackage
from cardwright.extras import check_installed
from cardwright.http.problem import METHOD_NOT_ALLOWED, HttpError, Problem
from cardwright_gateway.a2a.bodies import read_body
from cardwright_gateway.a2a.responses import Reply, rest_problem_reply
from cardwright_gateway.api.invoke.disconnect import Caller
from cardwright_gateway.api.invoke.turns import told_of
from cardwright_gateway.api.mcp.tools import Offered
from cardwright_gateway.tasks.ownership import owner_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.served_card import ServedCard

# Whoever opens a stream of its own by GET would hear nothing on it, and no session is there to be ended by
# DELETE: MCP 2025-11-25, Transports, has 405 for both.
_ALLOWED: Final = b"POST, OPTIONS"


async def answer_mcp(  # noqa: PLR0913 - who asks whom, and ASGI's own three
    agent: Agent,
    made: ServedCard,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    max_body_bytes: int,
) -> None:
    """Answer a request of MCP, of the handshake's versions and of 2026-07-28.

    It counts among the calls of the agent while it goes on. What is wrong with the request as one of HTTP is
    told in the shape of REST, everything else as MCP has it.

    Args:
        agent: The agent.
        made: Its card as it is served: its skills are the tools.
        backend: What answers for it.
        principal: Who asks.
        sender: What the backend is told of who asks; empty for nothing.
        scope: Of ASGI.
        receive: Of ASGI.
        send: Of ASGI.
        max_body_bytes: The limit of a request body.

    Raises:
        Gone: If the caller left; what was under way was cancelled.
        MissingPackage: If mcp is not installed.
    """
    if scope["method"] == "OPTIONS":
        await Reply(204, ((b"allow", _ALLOWED),)).send(send)
        return
    begun = False

    async def told(message: object) -> None:
        nonlocal begun
        begun = True
        await send(message)  # type: ignore[arg-type] # starlette's messages are ASGI's

    try:
        _check_method(scope)
        body = await read_body(receive, max_body_bytes)
        check_installed(("mcp",), extra="gateway")
        # mcp weighs 30 MiB: only those whom somebody asks by it carry that.
        from cardwright_gateway.api.mcp.server import served

        caller = Caller(receive)
        owner = owner_of(agent.id, principal.name)
        offered = Offered(agent.id, made.card, backend, owner, sender)
        again = caller.replayed(body)
        with agent.calling():
            await caller.waits(lambda: served(offered, scope, again, told, max_bytes=max_body_bytes))
    except HttpError as refused:
        if not begun:
            await rest_problem_reply(refused.problem).send(send)
    except CardError as error:
        if isinstance(error, MissingPackage):
            raise
        if not begun:
            await rest_problem_reply(told_of(error)).send(send)


def _check_method(scope: Scope) -> None:
    if scope["method"] != "POST":
        told = "MCP is sent by POST here: there are neither sessions nor streams of their own"
        raise HttpError(Problem(METHOD_NOT_ALLOWED, told, headers=((b"allow", _ALLOWED),)))
