"""`/{agentId}/mcp`: an agent as an MCP server, over streamable HTTP without sessions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cardwright.extras import check_installed
from cardwright_gateway.api.mcp.tools import Offered
from cardwright_gateway.auth.access import owner_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.http.request import Message
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.served_card import ServedCard


async def answer_mcp(
    agent: Agent,
    served: ServedCard,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    exchange: Exchange,
) -> None:
    """Answer a request of MCP, of the handshake's versions and of 2026-07-28.

    It counts among the calls of the agent while it runs. A request that is wrong as HTTP is refused in the form of
    REST, everything else in the form of MCP.

    Args:
        agent: The agent.
        served: Its card as it is served: its skills are the tools.
        backend: What answers for it.
        principal: The caller.
        sender: The caller as the backend is told of it; empty for nothing.
        exchange: The request.

    Raises:
        HttpError: If the request is refused.
        Disconnected: If the caller disconnected; the work was cancelled.
        MissingPackage: If mcp is not installed.
    """
    body = await exchange.body()
    check_installed(("mcp",), extra="gateway")
    # mcp weighs 30 MiB: only gateways with MCP clients import it.
    from cardwright_gateway.api.mcp.server import serve

    offered = Offered(agent.id, served.card, backend, owner_of(agent.id, principal.name), sender)
    pending = [body]

    async def receive() -> Message:
        if not pending:
            # `while_connected` hears of the caller; what it cancels ends here, too.
            await asyncio.Event().wait()
        return {"type": "http.request", "body": pending.pop(), "more_body": False}

    with agent.calling():
        work = serve(offered, exchange.scope, receive, exchange.send, max_bytes=exchange.max_body_bytes)
        await exchange.while_connected(work)
