"""Calls to agents: passed through to those that speak A2A, and answered for those that do not."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.errors import CardError, UnknownDialect
from cardwright.gateway.access import admitted
from cardwright.gateway.answering import json_reply
from cardwright.gateway.bodies import CallRefused, read_body
from cardwright.gateway.bridge import QueueBackend, SharedQueueBackend, queue_endpoint
from cardwright.gateway.bridge.queue_routes import is_worker
from cardwright.gateway.conditions import NO_BACKEND, NOT_OFFERED, problem_of
from cardwright.gateway.entries import Http, Work
from cardwright.gateway.forms import forms_in
from cardwright.gateway.forwarding import Forward
from cardwright.gateway.identity.principal import NOBODY
from cardwright.gateway.invoking import answer_invoke
from cardwright.gateway.mcp_server import answer_mcp
from cardwright.gateway.presenting import extends
from cardwright.gateway.rewriting import rewritten
from cardwright.gateway.upstream import not_a_reply
from cardwright.serve.extended import METHODS as EXTENDED_METHODS
from cardwright.serve.problems import CARD_NOT_FOUND, EXTENDED_CARD_NOT_CONFIGURED, Problem, Refused, refuse
from cardwright.serve.requests import read_request
from cardwright.signing import unsigned

if TYPE_CHECKING:
    from cardwright.gateway.agent import Agent
    from cardwright.gateway.bodies import Call
    from cardwright.gateway.gateway import Gateway
    from cardwright.gateway.paths import Target
    from cardwright.gateway.placing import Placed
    from cardwright.serve.requests import Receive, Scope, Send

_NOTHING: Final = "there is nothing here"
_NOBODY: Final = "nothing answers for this agent here: its card says where it is"


async def answer_call(
    gateway: Gateway,
    agent_id: str,
    call: Call,
    public: str,
    scope: Scope,
    body: bytes,
    receive: Receive,
    send: Send,
) -> None:
    """Answer a JSON-RPC call to an agent.

    Raises:
        CallRefused: If it cannot be answered.
        Gone: If whoever asked left.
    """
    try:
        visit = await admitted(gateway, agent_id, scope)
        agent = visit.agent
        with agent.calling():
            made = await _ready(agent, public)
            if made.answered:
                await agent.bridge(made)(visit.inner(""), receive, send)
            elif call.method in EXTENDED_METHODS and not extends(agent.config):
                document = await _own_extended(gateway, agent, made, EXTENDED_METHODS[call.method])
                await json_reply(200, {"jsonrpc": "2.0", "id": call.id, "result": document}).send(send)
            else:
                said = visit.said(body, gateway.config.max_body_bytes)
                await _forward(agent, made, public, visit.scope, said).call(call, receive, send)
    except Refused as refused:
        raise CallRefused(refused.problem, call.id) from None
    except CardError as error:
        raise CallRefused(problem_of(error), call.id) from error


async def answer_rest(
    gateway: Gateway,
    agent_id: str,
    target: Target,
    public: str,
    scope: Scope,
    body: bytes,
    receive: Receive,
    send: Send,
) -> None:
    """Answer a request of REST to an agent.

    Raises:
        Refused: If it cannot be answered.
        CardError: If the agent cannot.
        Gone: If whoever asked left.
    """
    visit = await admitted(gateway, agent_id, scope)
    agent = visit.agent
    with agent.calling():
        made = await _ready(agent, public)
        if made.answered:
            await agent.bridge(made)(visit.inner(f"/{target.rest}"), receive, send)
            return
        if target.extended and not extends(agent.config):
            document = await _own_extended(gateway, agent, made, target.version)
            await json_reply(200, document).send(send)
            return
        if ("HTTP+JSON", target.version) not in made.routes:
            told = ", ".join(f"{binding} of A2A {version}" for binding, version in made.routes)
            raise refuse(
                NOT_OFFERED, f"this agent does not speak REST of A2A {target.version}: it speaks {told}"
            )
        said = visit.said(body, gateway.config.max_body_bytes)
        forward = _forward(agent, made, public, visit.scope, said)
        await forward.rest(target.rest, target.version, extended=target.extended, receive=receive, send=send)


async def answer_turn(
    gateway: Gateway, target: Target, agent_id: str, public: str, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer an invocation, or a client of MCP: turns of the same agent without a task.

    Raises:
        Refused: If it cannot be answered.
        CardError: If the agent cannot.
        Gone: If whoever asked left.
    """
    visit = await admitted(gateway, agent_id, scope)
    agent = visit.agent
    if target.kind == "invoke" and not agent.config.invoke:
        raise refuse(CARD_NOT_FOUND, "this agent takes no invocations: its card says what it speaks")
    made = await _ready(agent, public)
    told = (agent.turns(made), visit.principal, visit.sender, visit.scope)
    if target.kind == "mcp":
        if visit.principal is NOBODY:
            # Whoever is not known sees of its skills what its card shows them.
            made = replace(made, card=made.shown)
        await answer_mcp(gateway, agent, made, *told, receive, send)
        return
    body = await read_body(receive, gateway.config.max_body_bytes)
    await answer_invoke(gateway, agent, *told, body, send, receive=receive)


async def answer_work(
    gateway: Gateway, agent_id: str, target: Target, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer a worker of an agent that pulls its work.

    Raises:
        Refused: If the agent has no workers.
    """
    agent = gateway.agents.get(agent_id)
    config = agent.config.backend if agent else None
    queue = agent.backend if agent else None
    if (
        agent is None
        or not isinstance(config, Work)
        or not isinstance(queue, (QueueBackend, SharedQueueBackend))
    ):
        raise refuse(CARD_NOT_FOUND, _NOTHING)
    digest = hashlib.sha256(config.token.encode()).digest()
    if agent.config.visibility == "private" and not is_worker(scope, digest):
        raise refuse(CARD_NOT_FOUND, _NOTHING)
    await queue_endpoint(queue, digest, _relative(scope, f"/{target.rest}"), receive, send)


async def _ready(agent: Agent, public: str) -> Placed:
    """Return the card of an agent that can answer now.

    Raises:
        Refused: If nothing answers for it.
        CardError: If it cannot now.
    """
    if agent.config.backend is None:
        raise Refused(Problem(NO_BACKEND, _NOBODY))
    if agent.backend is not None:
        await agent.backend.ready()
    made = agent.placed_now(public)
    return made if made is not None else (await agent.placed(public))[0]


async def _own_extended(gateway: Gateway, agent: Agent, made: Placed, version: str) -> Any:
    """Return the card as those see it who were let in, in the form of a version (A2A 1.0 §13.3).

    Raises:
        Refused: If nobody has to prove who they are: then nobody sees more than the card shows everybody.
    """
    if agent.config.access != "keys":
        raise refuse(EXTENDED_CARD_NOT_CONFIGURED, "this agent has no extended card")
    key = (agent.id, made.public, "")
    forms = forms_in(await gateway.publisher.published(key, made.card, made.card, gateway.base))
    return forms.get(version, made.card).document


def _forward(agent: Agent, made: Placed, public: str, scope: Scope, body: bytes) -> Forward:
    assert agent.caller is not None  # noqa: S101 - an agent that is not answered for has one
    return Forward(agent.caller, made, scope, read_request(scope), body, _extended(agent, public))


def _extended(agent: Agent, public: str) -> Any:
    """Return what turns an extended card into what may be told: its endpoints are those of the gateway, too."""

    def turned(document: Any) -> Any:
        assert isinstance(agent.config.backend, Http)  # noqa: S101 - an agent that is called has a URL
        if type(document) is not dict:
            raise not_a_reply("its extended card is none")
        try:
            card = unsigned(Card.from_document(document))
        except UnknownDialect:
            raise not_a_reply("its extended card is none") from None
        return rewritten(card, public, agent.config.backend.url).card.document

    return turned


def _relative(scope: Scope, path: str) -> Scope:
    return {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
