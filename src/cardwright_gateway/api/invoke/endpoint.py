"""The endpoint `POST /{agentId}/v1/invoke`: a message and its reply, without a task (BeeOS seed §5)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.calling.parts import Part
from cardwright.errors import CardError
from cardwright.http.negotiation import media_type
from cardwright.http.problem import HttpError
from cardwright.outline import outline
from cardwright_gateway.a2a.problems import faulty, problem_of
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.extended import declares_extended
from cardwright_gateway.api.invoke.attachments import attached
from cardwright_gateway.api.invoke.streaming import EVENT_STREAM, ReplyStream
from cardwright_gateway.api.invoke.turns import reply_of
from cardwright_gateway.auth.access import owner_of
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway_models.api import gateway as api
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.api.invoke.turns import TurnListener
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.database.files import FileStore

JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Invocation:
    """What one invocation needs.

    Attributes:
        files: The uploaded files.
        agent: The agent.
        served: Its served card.
        backend: Its backend.
        principal: The caller.
        sender: The caller as described to the backend: `from` in the message's metadata; empty for no description.
    """

    files: FileStore
    agent: Agent
    served: ServedCard
    backend: Backend
    principal: Principal
    sender: Mapping[str, str] = field(default_factory=dict[str, str])


async def answer_invoke(
    invocation: Invocation, exchange: Exchange, forms: Sequence[str] = (JSON, EVENT_STREAM)
) -> Response | None:
    """Return the response to an invocation, or send it as a stream; it counts as a call to the agent while it runs.

    Args:
        invocation: What it needs.
        exchange: The request.
        forms: The media types that are offered, the preferred one first.

    Raises:
        HttpError: If the request is refused, or the turn failed.
        Disconnected: If the caller disconnected; the turn was cancelled.
    """
    accepted = media_type(exchange.accept, forms)
    request = await exchange.model(api.InvokeRequest, invocation.principal.name)
    if request.message is None and request.data is None:
        raise faulty([("/message", "message and data are missing; send at least one of them")])
    if accepted == EVENT_STREAM:
        await _streamed(invocation, request, exchange)
        return None
    reply = await reply_to(invocation, request, exchange)
    return json_response(200, reply.to_wire())


async def reply_to(invocation: Invocation, request: api.InvokeRequest, exchange: Exchange) -> api.InvokeReply:
    """Run the turn of an invocation, and return its reply.

    Raises:
        HttpError: If the request is refused, or the turn failed.
        Disconnected: If the caller disconnected; the turn was cancelled.
    """
    with invocation.agent.calling(invocation.principal.name):
        return await exchange.while_connected(_reply(invocation, request, exchange))


async def _streamed(invocation: Invocation, request: api.InvokeRequest, exchange: Exchange) -> None:
    stream = ReplyStream(exchange)
    try:
        with invocation.agent.calling(invocation.principal.name):
            work = stream.while_running(_reply(invocation, request, exchange, stream))
            reply = await exchange.while_connected(work)
            await stream.end(reply.reply, reply.to_wire())
    except (HttpError, CardError) as error:
        if not stream.begun:
            raise
        await stream.fail(error.problem if isinstance(error, HttpError) else problem_of(error))


async def _reply(
    invocation: Invocation,
    request: api.InvokeRequest,
    exchange: Exchange,
    listener: TurnListener | None = None,
) -> api.InvokeReply:
    agent, principal = invocation.agent, invocation.principal
    metadata = {} if request.skill is None else {"skill": _known_skill(invocation, request.skill)}
    file_ids = [] if request.attachments is None else [one.file_id for one in request.attachments]
    attachments = await attached(invocation.files, principal, file_ids, exchange) if file_ids else ()
    context_id = str(uuid.uuid4()) if request.context_id is None else request.context_id
    message = () if request.message is None else (Part("text", request.message),)
    data = () if request.data is None else (Part("data", dict(request.data)),)
    # The owner keeps the conversations of different callers with the same context id apart.
    owner = owner_of(agent.id, principal.name)
    turn = turn_with((*message, *data, *attachments), context_id, owner, invocation.sender, **metadata)
    reply = await reply_of(agent.id, invocation.backend, turn, listener, held=exchange.hold())
    if reply.failure is not None:
        raise HttpError(reply.failure)
    return api.InvokeReply(
        reply=reply.text,
        context_id=context_id,
        thought=reply.thought or None,
        state=reply.ending if reply.ending in ("input-required", "auth-required") else None,
    )


def _known_skill(invocation: Invocation, skill: str) -> str:
    """Return the id of a skill, if the agent may have it: an extended card may list more than this one.

    Raises:
        HttpError: If it is unknown.
    """
    served = invocation.served
    known = any(one.id == skill for one in outline(served.card).skills)
    if known or declares_extended(invocation.agent, served):
        return skill
    message = f"unknown skill {quote(skill)}; the card of the agent lists its skills"
    raise faulty([("/skill", message)], message=message)


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
