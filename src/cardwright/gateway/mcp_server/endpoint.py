"""`POST /{agentId}/mcp`: an agent as a server of MCP, over streamable HTTP without sessions."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol

from cardwright.errors import CardError, MissingPackage
from cardwright.gateway.answering import Reply, rest_problem_reply
from cardwright.gateway.bodies import read_body
from cardwright.gateway.invoking.staying import Caller
from cardwright.gateway.invoking.turns import told_of
from cardwright.gateway.mcp_server.tools import Offered
from cardwright.gateway.tasks.owning import owner_of
from cardwright.serve.problems import METHOD_NOT_ALLOWED, Problem, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.gateway.agent import Agent
    from cardwright.gateway.backend import Backend
    from cardwright.gateway.config import GatewayConfig
    from cardwright.gateway.identity.principal import Principal
    from cardwright.gateway.placing import Placed
    from cardwright.serve.requests import Receive, Scope, Send

# Whoever opens a stream of its own by GET would hear nothing on it, and no session is there to be ended by
# DELETE: MCP 2025-11-25, Transports, has 405 for both.
_ALLOWED: Final = b"POST, OPTIONS"


class Configured(Protocol):
    """What of a gateway a server of MCP needs."""

    @property
    def config(self) -> GatewayConfig:
        """What the operator says."""
        ...


async def answer_mcp(  # noqa: PLR0913 - who asks whom, and ASGI's own three
    gateway: Configured,
    agent: Agent,
    made: Placed,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    scope: Scope,
    receive: Receive,
    send: Send,
) -> None:
    """Answer a request of MCP, of the handshake's versions and of 2026-07-28.

    It counts among the calls of the agent while it goes on. What is wrong with the request as one of HTTP is
    told in the shape of REST, everything else as MCP has it.

    Args:
        gateway: The gateway.
        agent: The agent.
        made: Its card as it is served: its skills are the tools.
        backend: What answers for it.
        principal: Who asks.
        sender: What the backend is told of who asks; empty for nothing.
        scope: Of ASGI.
        receive: Of ASGI.
        send: Of ASGI.

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
        body = await read_body(receive, gateway.config.max_body_bytes)
        if find_spec("mcp") is None:
            raise MissingPackage("mcp is not installed: pip install 'cardwright[gateway]'")
        # mcp weighs 30 MiB: only those whom somebody asks by it carry that.
        from cardwright.gateway.mcp_server.server import served

        caller = Caller(receive)
        owner = owner_of(agent.id, principal.name)
        offered = Offered(agent.id, made.card, backend, owner, sender)
        again, most = caller.replayed(body), gateway.config.max_body_bytes
        with agent.calling():
            await caller.waits(lambda: served(offered, scope, again, told, max_bytes=most))
    except Refused as refused:
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
        raise Refused(Problem(METHOD_NOT_ALLOWED, told, headers=((b"allow", _ALLOWED),)))
