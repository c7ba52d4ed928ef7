"""The endpoint `/{agentId}/mcp`: an agent as an MCP server, over streamable HTTP without sessions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cardwright.extras import check_installed
from cardwright.http.request import off_loop
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.importing import import_in_thread
from cardwright_gateway.api.mcp.tools import Offered
from cardwright_gateway.auth.access import owner_of
from cardwright_gateway.auth.principal import ANONYMOUS

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
    """Handle an MCP request, of the versions with a handshake and of 2026-07-28.

    It counts as a call to the agent while it runs. Errors of HTTP have the form of REST, all others that of MCP.

    Args:
        agent: The agent.
        served: Its served card, whose skills are the tools.
        backend: Its backend.
        principal: The caller.
        sender: The caller as described to the backend; empty for no description.
        exchange: The request.

    Raises:
        HttpError: If the request is refused.
        Disconnected: If the caller disconnected; the work was cancelled.
        MissingPackage: If mcp is not installed.
    """
    body = await exchange.json_body(principal.name)
    check_installed(("mcp",), extra="gateway")
    # mcp needs 30 MiB of memory: only gateways with MCP clients import it.
    await import_in_thread("cardwright_gateway.api.mcp.server")
    from cardwright_gateway.api.mcp.envelope import envelope_error
    from cardwright_gateway.api.mcp.server import serve

    error = await off_loop(len(body), envelope_error, body)
    if error is not None:
        await exchange.respond(json_response(400, error))
        return
    owner = owner_of(agent.id, principal.name)
    whole = agent.config.visibility == "public" or principal is not ANONYMOUS
    upstream = served.source.inventory if whole else None
    offered = Offered(agent.id, served.card, backend, owner, sender, exchange.hold(), upstream)
    pending = [body]

    async def receive() -> Message:
        if not pending:
            # `while_connected` notices the disconnect, and cancels this wait.
            await asyncio.Event().wait()
        return {"type": "http.request", "body": pending.pop(), "more_body": False}

    with agent.calling(principal.name):
        work = serve(offered, exchange.scope, receive, exchange.send, max_bytes=exchange.bodies.max_bytes)
        await exchange.while_connected(work)
