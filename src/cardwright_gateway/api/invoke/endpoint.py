"""`POST /{agentId}/v1/invoke`: a message and its reply, without a task (BeeOS seed §5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from pydantic import MISSING

from cardwright.discovery.calling.parts import Part
from cardwright.errors import CardError
from cardwright.http.problem import HttpError
from cardwright_gateway.a2a.bodies import check_json
from cardwright_gateway.a2a.responses import Reply, json_reply, rest_problem_reply
from cardwright_gateway.api.description import read_model
from cardwright_gateway.api.invoke.attachments import attached
from cardwright_gateway.api.invoke.disconnect import Caller
from cardwright_gateway.api.invoke.turns import said_by, told_of
from cardwright_gateway.backends.backend import Turn
from cardwright_gateway.tasks.ownership import owner_of
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.database.files import FileStore


async def answer_invoke(  # noqa: PLR0913 - who asks whom, and ASGI's own three
    files: FileStore,
    agent: Agent,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    scope: Scope,
    body: bytes,
    send: Send,
    *,
    max_body_bytes: int,
    receive: Receive | None = None,
) -> None:
    """Answer an invocation: errors too, in the shape of REST (A2A 1.0 §11.6).

    It counts among the calls of the agent while it goes on.

    Args:
        files: The files that were uploaded.
        agent: The agent that is asked.
        backend: What answers for it.
        principal: Who asks.
        sender: What the backend is told of who asks, as `from` in the message's metadata; empty for nothing.
        scope: Of ASGI.
        body: The body, read whole.
        send: Of ASGI.
        max_body_bytes: The limit of a request body.
        receive: Of ASGI, after the body; without it nobody notices that the caller leaves.

    Raises:
        Gone: If the caller left; the turn was cancelled.
    """
    try:
        check_json(scope)
        with agent.calling():
            reply = await Caller(receive).waits(
                lambda: _answered(files, agent, backend, principal, sender, body, max_body_bytes)
            )
    except HttpError as refused:
        reply = rest_problem_reply(refused.problem)
    except CardError as error:
        reply = rest_problem_reply(told_of(error))
    await reply.send(send)


async def _answered(
    files: FileStore,
    agent: Agent,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    body: bytes,
    max_body_bytes: int,
) -> Reply:
    request = read_model(body, api.InvokeRequest, max_body_bytes)
    named = [] if request.attachments is MISSING else [one.file_id for one in request.attachments]
    attachments = await attached(files, principal, named) if named else ()
    context_id = str(uuid.uuid4()) if request.context_id is MISSING else request.context_id
    # Whoever else names the same context goes on with another conversation.
    owner = owner_of(agent.id, principal.name)
    turn = turn_with((Part("text", request.message), *attachments), context_id, owner, sender)
    said = await said_by(agent.id, backend, turn)
    reply = api.InvokeReply(
        reply=said.reply,
        context_id=context_id,
        thought=MISSING if said.thought is None else said.thought,
        state=said.ending if said.ending in ("input-required", "auth-required") else MISSING,
    )
    return json_reply(200, reply.to_wire())


def turn_with(
    parts: tuple[Part, ...], context_id: str, owner: str, sender: Mapping[str, str], **metadata: Any
) -> Turn:
    """Return a turn that begins no task.

    Args:
        parts: What is said.
        context_id: The conversation.
        owner: Whose it is.
        sender: What is told of who asks.
        metadata: What is said beside the parts.
    """
    told = {**metadata, "from": dict(sender)} if sender else metadata
    return Turn(parts, message_id=str(uuid.uuid4()), context_id=context_id, owner=owner, metadata=told)
