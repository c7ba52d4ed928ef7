"""`POST /{agentId}/v1/invoke`: a message and its reply, without a task (BeeOS seed §5)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Protocol

from cardwright.discovery.calling.parts import Part
from cardwright.errors import CardError
from cardwright.gateway.answering import Reply, json_reply, rest_problem_reply
from cardwright.gateway.backend import Turn
from cardwright.gateway.bodies import check_json
from cardwright.gateway.described import judged
from cardwright.gateway.invoking.attachments import attached
from cardwright.gateway.invoking.staying import Caller
from cardwright.gateway.invoking.turns import said_by, told_of
from cardwright.gateway.tasks.owning import owner_of
from cardwright.serve.problems import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.gateway.agent import Agent
    from cardwright.gateway.backend import Backend
    from cardwright.gateway.config import GatewayConfig
    from cardwright.gateway.identity.principal import Principal
    from cardwright.serve.requests import Receive, Scope, Send
    from cardwright.store.files import FileStore


class Invoking(Protocol):
    """What of a gateway invocations need."""

    @property
    def config(self) -> GatewayConfig:
        """What the operator says."""
        ...

    @property
    def files(self) -> FileStore:
        """The files that were uploaded."""
        ...


async def answer_invoke(  # noqa: PLR0913 - who asks whom, and ASGI's own three
    gateway: Invoking,
    agent: Agent,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    scope: Scope,
    body: bytes,
    send: Send,
    *,
    receive: Receive | None = None,
) -> None:
    """Answer an invocation: errors too, in the shape of REST (A2A 1.0 §11.6).

    It counts among the calls of the agent while it goes on.

    Args:
        gateway: The gateway.
        agent: The agent that is asked.
        backend: What answers for it.
        principal: Who asks.
        sender: What the backend is told of who asks, as `from` in the message's metadata; empty for nothing.
        scope: Of ASGI.
        body: The body, read whole.
        send: Of ASGI.
        receive: Of ASGI, after the body; without it nobody notices that the caller leaves.

    Raises:
        Gone: If the caller left; the turn was cancelled.
    """
    try:
        check_json(scope)
        with agent.calling():
            reply = await Caller(receive).waits(
                lambda: _answered(gateway, agent, backend, principal, sender, body)
            )
    except Refused as refused:
        reply = rest_problem_reply(refused.problem)
    except CardError as error:
        reply = rest_problem_reply(told_of(error))
    await reply.send(send)


async def _answered(
    gateway: Invoking,
    agent: Agent,
    backend: Backend,
    principal: Principal,
    sender: Mapping[str, str],
    body: bytes,
) -> Reply:
    asked = judged(body, "InvokeRequest", gateway.config.max_body_bytes)
    named = [one["file_id"] for one in asked.get("attachments", ())]
    files = await attached(gateway.files, principal, named) if named else ()
    context_id = asked.get("context_id") or str(uuid.uuid4())
    # Whoever else names the same context goes on with another conversation.
    owner = owner_of(agent.id, principal.name)
    turn = turn_with((Part("text", asked["message"]), *files), context_id, owner, sender)
    said = await said_by(agent.id, backend, turn)
    told: dict[str, Any] = {"reply": said.reply, "context_id": context_id}
    if said.thought is not None:
        told["thought"] = said.thought
    if said.asks:
        told["state"] = said.ending
    return json_reply(200, told)


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
