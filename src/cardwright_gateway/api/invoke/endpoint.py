"""The endpoint `POST /{agentId}/v1/invoke`: a message and its reply, without a task (BeeOS seed §5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from pydantic import MISSING

from cardwright.discovery.calling.parts import Part
from cardwright.http.problem import HttpError
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.invoke.attachments import attached
from cardwright_gateway.api.invoke.turns import reply_of
from cardwright_gateway.auth.access import owner_of
from cardwright_gateway.backends.backend import Turn
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.database.files import FileStore


async def answer_invoke(
    files: FileStore,
    agent: Agent,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    exchange: Exchange,
) -> Response:
    """Return the response to an invocation; it counts as a call to the agent while it runs.

    Args:
        files: The uploaded files.
        agent: The agent.
        backend: Its backend.
        principal: The caller.
        sender: The caller as described to the backend: `from` in the message's metadata; empty for no description.
        exchange: The request.

    Raises:
        HttpError: If the request is refused, or the turn failed.
        Disconnected: If the caller disconnected; the turn was cancelled.
    """
    request = await exchange.model(api.InvokeRequest, principal.name)
    with agent.calling(principal.name):
        reply = _reply(files, agent, backend, principal, sender, request, exchange)
        return await exchange.while_connected(reply)


async def _reply(
    files: FileStore,
    agent: Agent,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    request: api.InvokeRequest,
    exchange: Exchange,
) -> Response:
    file_ids = [] if request.attachments is MISSING else [one.file_id for one in request.attachments]
    attachments = await attached(files, principal, file_ids, exchange) if file_ids else ()
    context_id = str(uuid.uuid4()) if request.context_id is MISSING else request.context_id
    # The owner keeps the conversations of different callers with the same context id apart.
    owner = owner_of(agent.id, principal.name)
    turn = turn_with((Part("text", request.message), *attachments), context_id, owner, sender)
    reply = await reply_of(agent.id, backend, turn, held=exchange.hold())
    if reply.failure is not None:
        raise HttpError(reply.failure)
    body = api.InvokeReply(
        reply=reply.text,
        context_id=context_id,
        thought=MISSING if reply.thought is None else reply.thought,
        state=reply.ending if reply.ending in ("input-required", "auth-required") else MISSING,
    )
    return json_response(200, body.to_wire())


def turn_with(
    parts: tuple[Part, ...], context_id: str, owner: str, sender: Mapping[str, str], **metadata: Any
) -> Turn:
    """Return a turn without a task.

    Args:
        parts: The message.
        context_id: The conversation.
        owner: The owner of the conversation.
        sender: The caller as described to the backend.
        metadata: The metadata of the message.
    """
    merged = {**metadata, "from": dict(sender)} if sender else metadata
    return Turn(parts, message_id=str(uuid.uuid4()), context_id=context_id, owner=owner, metadata=merged)
