"""Calls to agents: passed through to those that speak A2A, and answered for those that do not."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.card import Card
from cardwright.errors import CardError, UnknownDialect
from cardwright.http.problem import CARD_NOT_FOUND, EXTENDED_CARD_NOT_CONFIGURED, HttpError, Problem, refuse
from cardwright.http.request import read_request
from cardwright.serve.extended import METHODS as EXTENDED_METHODS
from cardwright.signing import unsigned
from cardwright_gateway.a2a.bodies import CallRefused, read_body, value_of
from cardwright_gateway.a2a.problems import NO_BACKEND, NOT_OFFERED, problem_of
from cardwright_gateway.a2a.responses import json_reply
from cardwright_gateway.a2a_server.callers import Caller
from cardwright_gateway.a2a_server.endpoint import SENDER
from cardwright_gateway.api.forwarding import Forward
from cardwright_gateway.api.invoke import answer_invoke
from cardwright_gateway.api.mcp import answer_mcp
from cardwright_gateway.api.queue import is_worker, queue_endpoint
from cardwright_gateway.auth.principal import ANONYMOUS
from cardwright_gateway.backends.database_queue import SharedQueueBackend
from cardwright_gateway.backends.memory_queue import QueueBackend
from cardwright_gateway.catalog.forms import forms_in
from cardwright_gateway.catalog.presentation import extends
from cardwright_gateway.catalog.rewriting import rewritten
from cardwright_gateway.settings.agents import Http
from cardwright_gateway.tasks.ownership import owner_of
from cardwright_gateway.upstream.client import not_a_reply
from cardwright_models.settings.gateway import Queue

if TYPE_CHECKING:
    from cardwright.http.request import Receive, Scope, Send
    from cardwright_gateway.a2a.bodies import Call
    from cardwright_gateway.api.paths import Target
    from cardwright_gateway.auth.access import AccessControl, AdmittedRequest
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.publisher import CardPublisher
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.catalog.urls import Urls
    from cardwright_gateway.database.files import FileStore

_NOTHING: Final = "there is nothing here"
_NOBODY: Final = "nothing answers for this agent here: its card says where it is"


class AgentCalls:
    """Calls to agents, by every protocol.

    Args:
        agents: The agents.
        access: Admits requests.
        publisher: Serves cards.
        urls: The public URLs.
        files: The files that were uploaded.
        max_body_bytes: The limit of a request body.
    """

    def __init__(
        self,
        agents: AgentDirectory,
        access: AccessControl,
        publisher: CardPublisher,
        urls: Urls,
        files: FileStore,
        *,
        max_body_bytes: int,
    ) -> None:
        self._agents = agents
        self._access = access
        self._publisher = publisher
        self._urls = urls
        self._files = files
        self._max_body_bytes = max_body_bytes

    async def answer_call(
        self, agent_id: str, call: Call, public: str, scope: Scope, body: bytes, receive: Receive, send: Send
    ) -> None:
        """Answer a JSON-RPC call to an agent.

        Raises:
            CallRefused: If it cannot be answered.
            Gone: If the caller left.
        """
        try:
            agent, admitted = await self._admitted(agent_id, scope)
            with agent.calling():
                served = await _ready(agent, public)
                if served.answered:
                    await agent.bridge(served)(_inner_scope(admitted, ""), receive, send)
                elif call.method in EXTENDED_METHODS and not extends(agent.config):
                    document = await self._own_extended(agent, served, EXTENDED_METHODS[call.method])
                    await json_reply(200, {"jsonrpc": "2.0", "id": call.id, "result": document}).send(send)
                else:
                    sent = with_sender(admitted, body, self._max_body_bytes)
                    await _forward(agent, served, public, admitted.scope, sent).call(call, receive, send)
        except HttpError as refused:
            raise CallRefused(refused.problem, call.id) from None
        except CardError as error:
            raise CallRefused(problem_of(error), call.id) from error

    async def answer_rest(
        self,
        agent_id: str,
        target: Target,
        public: str,
        scope: Scope,
        body: bytes,
        receive: Receive,
        send: Send,
    ) -> None:
        """Answer an HTTP+JSON request to an agent.

        Raises:
            HttpError: If it cannot be answered.
            CardError: If the agent cannot.
            Gone: If the caller left.
        """
        agent, admitted = await self._admitted(agent_id, scope)
        with agent.calling():
            served = await _ready(agent, public)
            if served.answered:
                await agent.bridge(served)(_inner_scope(admitted, f"/{target.rest}"), receive, send)
                return
            if target.extended and not extends(agent.config):
                document = await self._own_extended(agent, served, target.version)
                await json_reply(200, document).send(send)
                return
            if ("HTTP+JSON", target.version) not in served.routes:
                offered = ", ".join(f"{binding} of A2A {version}" for binding, version in served.routes)
                raise refuse(
                    NOT_OFFERED,
                    f"this agent does not support HTTP+JSON of A2A {target.version}; it supports {offered}",
                )
            sent = with_sender(admitted, body, self._max_body_bytes)
            forward = _forward(agent, served, public, admitted.scope, sent)
            await forward.rest(
                target.rest, target.version, extended=target.extended, receive=receive, send=send
            )

    async def answer_turn(
        self, target: Target, agent_id: str, public: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer an invocation, or an MCP client: turns of an agent without a task.

        Raises:
            HttpError: If it cannot be answered.
            CardError: If the agent cannot.
            Gone: If the caller left.
        """
        agent, admitted = await self._admitted(agent_id, scope)
        if target.kind == "invoke" and not agent.config.invoke:
            raise refuse(
                CARD_NOT_FOUND,
                "this agent takes no invocations; its card lists the protocols that it supports",
            )
        served = await _ready(agent, public)
        turn = (agent.turns(served), admitted.principal, admitted.sender, admitted.scope)
        if target.kind == "mcp":
            if admitted.principal is ANONYMOUS:
                # An anonymous caller sees of its skills what its card shows to everybody.
                served = replace(served, card=served.shown)
            await answer_mcp(agent, served, *turn, receive, send, max_body_bytes=self._max_body_bytes)
            return
        body = await read_body(receive, self._max_body_bytes)
        await answer_invoke(
            self._files, agent, *turn, body, send, max_body_bytes=self._max_body_bytes, receive=receive
        )

    async def answer_work(
        self, agent_id: str, target: Target, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer a worker of an agent that pulls its work.

        Raises:
            HttpError: If the agent has no workers.
        """
        agent = self._agents.get(agent_id)
        config = agent.config.connection if agent else None
        queue = agent.backend if agent else None
        if (
            agent is None
            or not isinstance(config, Queue)
            or not isinstance(queue, (QueueBackend, SharedQueueBackend))
        ):
            raise refuse(CARD_NOT_FOUND, _NOTHING)
        digest = hashlib.sha256(config.token.encode()).digest()
        if agent.config.visibility == "private" and not is_worker(scope, digest):
            raise refuse(CARD_NOT_FOUND, _NOTHING)
        await queue_endpoint(queue, digest, _relative(scope, f"/{target.rest}"), receive, send)

    async def _admitted(self, agent_id: str, scope: Scope) -> tuple[Agent, AdmittedRequest]:
        agent = self._agents.agent(agent_id)
        return agent, await self._access.admit(agent.config, scope)

    async def _own_extended(self, agent: Agent, served: ServedCard, version: str) -> Any:
        """Return the card as admitted callers see it, in the form of a version (A2A 1.0 §13.3).

        Raises:
            HttpError: If callers need no key: then nobody sees more than the card shows to everybody.
        """
        if agent.config.access != "keys":
            raise refuse(EXTENDED_CARD_NOT_CONFIGURED, "this agent has no extended card")
        key = (agent.id, served.public, "")
        forms = forms_in(await self._publisher.published(key, served.card, served.card, self._urls.base))
        return forms.get(version, served.card).document


def with_sender(admitted: AdmittedRequest, body: bytes, max_bytes: int) -> bytes:
    """Return the body of a call that passes through, with the caller in its message (BeeOS seed §2.1).

    Where the gateway knows nothing of the caller and the agent has no owner, the body stays as it came.

    Raises:
        HttpError: If the body is no JSON that may be read.
    """
    if not body or not (admitted.sender or admitted.config.owner):
        return body
    value = value_of(body, max_bytes)
    params: Any = value.get("params", value) if type(value) is dict else None
    # The proto of A2A 0.3 calls it `request`, and readers of ProtoJSON take either name.
    held = [params.get(name) for name in ("message", "request")] if type(params) is dict else []
    messages = [one for one in held if type(one) is dict]
    if not messages:
        return body
    for holder in (params, *messages):
        metadata = holder.get("metadata")
        if type(metadata) is dict:
            metadata.pop("from", None)
    if admitted.sender:
        for message in messages:
            metadata = message.get("metadata")
            message["metadata"] = {
                **(metadata if type(metadata) is dict else {}),
                "from": admitted.sender,
            }
    return orjson.dumps(value)


def _inner_scope(admitted: AdmittedRequest, path: str) -> Scope:
    """Return the request as the A2A endpoint of the agent sees it."""
    config = admitted.config
    more: dict[str, Any] = {"path": path, "raw_path": path.encode(), "root_path": ""}
    if admitted.sender or config.owner or config.tasks == "own":
        more[SENDER] = admitted.sender
    if config.tasks == "own":
        more["user"] = Caller(owner_of(config.id, admitted.principal.name))
    elif admitted.principal.name:
        more["user"] = Caller(admitted.principal.name)
    return {**admitted.scope, **more}


async def _ready(agent: Agent, public: str) -> ServedCard:
    """Return the card of an agent that can answer now.

    Raises:
        HttpError: If nothing answers for it.
        CardError: If it cannot now.
    """
    if agent.config.connection is None:
        raise HttpError(Problem(NO_BACKEND, _NOBODY))
    if agent.backend is not None:
        await agent.backend.ready()
    made = agent.placed_now(public)
    return made if made is not None else (await agent.placed(public))[0]


def _forward(agent: Agent, made: ServedCard, public: str, scope: Scope, body: bytes) -> Forward:
    assert agent.caller is not None  # noqa: S101 - an agent that is not answered for has one
    return Forward(agent.caller, made, scope, read_request(scope), body, _extended(agent, public))


def _extended(agent: Agent, public: str) -> Any:
    """Return what turns an extended card into what may be told: its endpoints are those of the gateway, too."""

    def turned(document: Any) -> Any:
        assert isinstance(agent.config.connection, Http)  # noqa: S101 - an agent that is called has a URL
        if type(document) is not dict:
            raise not_a_reply("its extended card is none")
        try:
            card = unsigned(Card.from_document(document))
        except UnknownDialect:
            raise not_a_reply("its extended card is none") from None
        return rewritten(card, public, agent.config.connection.url).card.document

    return turned


def _relative(scope: Scope, path: str) -> Scope:
    return {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
