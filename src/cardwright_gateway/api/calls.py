"""Calls to agents: forwarded to upstream A2A agents, or answered by the gateway for its managed agents."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.errors import UnknownDialect
from cardwright.http.problem import EXTENDED_CARD_NOT_CONFIGURED, NO_SUCH_PATH, refuse
from cardwright.http.representation import json_bytes
from cardwright.http.request import off_loop, read_request
from cardwright.serve.extended import METHODS as EXTENDED_METHODS
from cardwright.signing import unsigned
from cardwright_gateway.a2a.calls import Call, check_call
from cardwright_gateway.a2a.operations import STARTS, starts_work
from cardwright_gateway.a2a.problems import AGENT_NOT_FOUND, NO_BACKEND, NOT_OFFERED
from cardwright_gateway.a2a.responses import json_response, rpc_result
from cardwright_gateway.api.extended import declares_extended, upstream_extended
from cardwright_gateway.api.forwarding import Forward
from cardwright_gateway.api.importing import import_in_thread
from cardwright_gateway.api.invoke import EVENT_STREAM, JSON, Invocation, answer_invoke
from cardwright_gateway.api.mcp import answer_mcp
from cardwright_gateway.api.queue import answer_worker, is_worker
from cardwright_gateway.auth.access import owner_of
from cardwright_gateway.auth.principal import ANONYMOUS
from cardwright_gateway.backends.queue import QueueBackend
from cardwright_gateway.catalog.presentation import extends
from cardwright_gateway.catalog.rewriting import rewritten
from cardwright_gateway.settings.agents import Http
from cardwright_gateway.upstream.client import not_a_reply
from cardwright_gateway_models.settings.gateway import Queue

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.auth.access import AccessControl, AdmittedRequest
    from cardwright_gateway.catalog.agent import Agent, Urls
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.publisher import CardPublisher
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.database.files import FileStore

_UNKNOWN_PATH: Final = "unknown path"
_NO_INVOKE: Final = "this agent does not accept invocations; its card lists the supported protocols"
_NO_TENANT: Final = "the call names no agent; send its id as the tenant, or in the metadata a2a-tenant"
_NO_GRPC: Final = "this agent does not support gRPC; its card lists the supported bindings"
_NO_BACKEND: Final = "this agent has no backend at the gateway; its card has the URL of the agent"


class AgentCalls:
    """Calls to agents, for every protocol.

    Args:
        agents: The agents.
        access: Admits requests.
        publisher: Renders cards.
        urls: The public URLs.
        files: The uploaded files.
    """

    def __init__(
        self,
        agents: AgentDirectory,
        access: AccessControl,
        publisher: CardPublisher,
        urls: Urls,
        files: FileStore,
    ) -> None:
        self._agents = agents
        self._access = access
        self._publisher = publisher
        self._urls = urls
        self._files = files

    async def jsonrpc(self, exchange: Exchange) -> Response | None:
        """Handle a JSON-RPC call to an agent.

        Raises:
            HttpError: If the call is refused.
            CardError: If the agent cannot answer it.
            Disconnected: If the caller disconnects.
        """
        agent, admitted = await self._admitted(exchange)
        call = await exchange.call(admitted.principal.name)
        if call.method in STARTS:
            self._access.check_runs(admitted)
        version = EXTENDED_METHODS.get(call.method)
        with agent.calling(admitted.principal.name):
            served = await _ready(agent, exchange.public)
            if version is not None and declares_extended(agent, served):
                return await _upstream_extended(agent, served, admitted, call, version)
            if served.answered:
                await _answer_at_gateway(agent, served, admitted, call, exchange)
                return None
            if version is not None and not extends(agent.config):
                return rpc_result(call.id, await self._own_extended(agent, served, version))
            return await _forward(agent, served, admitted, call, exchange).call(call, exchange)

    async def rest(self, exchange: Exchange, *, version: str, extended: bool = False) -> Response | None:
        """Handle a REST request to an agent.

        Args:
            exchange: The request.
            version: The version of A2A that its path belongs to.
            extended: Whether it is the path of the extended card.

        Raises:
            HttpError: If the request is refused.
            CardError: If the agent cannot answer it.
            Disconnected: If the caller disconnects.
        """
        agent, admitted = await self._admitted(exchange)
        if starts_work(exchange.path):
            self._access.check_runs(admitted)
        body = await exchange.json_body(admitted.principal.name)
        call = Call(rpc=False, path=exchange.path, body=body)
        with agent.calling(admitted.principal.name):
            served = await _ready(agent, exchange.public)
            if extended and exchange.method == "GET" and declares_extended(agent, served):
                return await _upstream_extended(agent, served, admitted, call, version)
            if served.answered:
                await off_loop(len(body), call.decoded)
                await _answer_at_gateway(agent, served, admitted, call, exchange)
                return None
            if extended and not extends(agent.config):
                return json_response(200, await self._own_extended(agent, served, version))
            if ("HTTP+JSON", version) not in served.routes:
                offered = ", ".join(f"{binding} of A2A {one}" for binding, one in served.routes)
                raise refuse(
                    NOT_OFFERED,
                    f"this agent does not support HTTP+JSON of A2A {version}; it supports {offered}",
                )
            forward = _forward(agent, served, admitted, call, exchange)
            return await forward.rest(exchange, version, extended=extended)

    async def grpc(self, exchange: Exchange) -> None:
        """Handle a call over gRPC, as the JSON-RPC call that does the same.

        Raises:
            HttpError: If the call is refused, or the gateway does not answer for the agent itself.
            CardError: If the agent cannot answer it.
            Disconnected: If the caller disconnects.
        """
        if not exchange.agent_id:
            raise refuse(AGENT_NOT_FOUND, _NO_TENANT)
        agent, admitted = await self._admitted(exchange)
        call = await exchange.call(admitted.principal.name)
        if call.method in STARTS:
            self._access.check_runs(admitted)
        with agent.calling(admitted.principal.name):
            served = await _ready(agent, exchange.public)
            if not served.answered:
                raise refuse(NOT_OFFERED, _NO_GRPC)
            version = EXTENDED_METHODS.get(call.method)
            if version is not None and declares_extended(agent, served):
                await exchange.respond(await _upstream_extended(agent, served, admitted, call, version))
                return
            await _answer_at_gateway(agent, served, admitted, call, exchange)

    async def invoke(self, exchange: Exchange, *, streams: bool = False) -> Response | None:
        """Handle an invocation: a turn of an agent without a task.

        Args:
            exchange: The request.
            streams: Whether the reply is a stream unless the caller prefers JSON.

        Raises:
            HttpError: If the request is refused.
            CardError: If the agent cannot answer it.
            Disconnected: If the caller disconnects.
        """
        agent = self._agents.agent(exchange.agent_id)
        if not agent.config.invoke:
            await self._admitted(exchange)
            raise refuse(NOT_OFFERED, _NO_INVOKE)
        return await answer_invoke(
            await self.invocation(exchange),
            exchange,
            (EVENT_STREAM, JSON) if streams else (JSON, EVENT_STREAM),
        )

    async def invocation(self, exchange: Exchange) -> Invocation:
        """Admit a request that begins a turn without a task.

        Raises:
            HttpError: If the request is refused.
            CardError: If the agent is not ready.
        """
        agent, admitted = await self._admitted(exchange)
        self._access.check_runs(admitted)
        served = await _ready(agent, exchange.public)
        backend = agent.turns(served)
        return Invocation(self._files, agent, served, backend, admitted.principal, admitted.sender)

    async def mcp(self, exchange: Exchange) -> None:
        """Handle a request of an MCP client.

        Raises:
            HttpError: If the request is refused.
            CardError: If the agent cannot answer it.
            Disconnected: If the caller disconnects.
        """
        agent, admitted = await self._admitted(exchange)
        self._access.check_runs(admitted)
        served = await _ready(agent, exchange.public)
        backend = agent.turns(served)
        if admitted.principal is ANONYMOUS:
            # An anonymous caller sees the skills of the public card.
            served = replace(served, card=served.public_card)
        exchange.scope = admitted.scope
        await answer_mcp(agent, served, backend, admitted.principal, admitted.sender, exchange)

    async def work(self, exchange: Exchange) -> Response | None:
        """Handle a request of a worker that pulls work from an agent's queue.

        Raises:
            HttpError: If the agent has no queue, or the worker is refused.
            CardError: If the work id is unknown.
        """
        agent = self._agents.get(exchange.agent_id)
        config = agent.config.connection if agent else None
        queue = agent.backend if agent else None
        if agent is None or not isinstance(config, Queue) or not isinstance(queue, QueueBackend):
            raise refuse(NO_SUCH_PATH, _UNKNOWN_PATH)
        digest = hashlib.sha256(config.token.encode()).digest()
        if agent.config.visibility == "private" and not is_worker(exchange.scope, digest):
            raise refuse(NO_SUCH_PATH, _UNKNOWN_PATH)
        exchange.owner = agent.config.owner
        return await answer_worker(queue, digest, exchange, agent.polling)

    async def _admitted(self, exchange: Exchange) -> tuple[Agent, AdmittedRequest]:
        agent = self._agents.agent(exchange.agent_id)
        admitted = await self._access.admit(agent.config, exchange.scope)
        exchange.charge = partial(self._access.charge, admitted)
        exchange.rate_limit = admitted.rate_limit
        exchange.owner = agent.config.owner
        return agent, admitted

    async def _own_extended(self, agent: Agent, served: ServedCard, version: str) -> Any:
        """Return the card for admitted callers, in the form of a version (A2A 1.0 §13.3).

        Raises:
            HttpError: If callers need no key: then there is only the public card.
        """
        if agent.config.access != "keys":
            raise refuse(EXTENDED_CARD_NOT_CONFIGURED, "this agent has no extended card")
        key = (agent.id, served.public, "")
        forms = (await self._publisher.rendered(key, served.card, served.card, self._urls.base)).forms
        form = forms.find(version)
        return (form.card if form else served.card).document


async def _upstream_extended(
    agent: Agent, served: ServedCard, admitted: AdmittedRequest, call: Call, version: str
) -> Response:
    """Return the response with the extended card of an upstream agent whose tasks the gateway stores."""
    check_call(call, admitted.scope)
    document = await upstream_extended(agent, served, admitted.scope, version)
    return rpc_result(call.id, document) if call.rpc else json_response(200, document)


async def _answer_at_gateway(
    agent: Agent, served: ServedCard, admitted: AdmittedRequest, call: Call, exchange: Exchange
) -> None:
    """Pass a call to the gateway's A2A endpoint of an agent."""
    # This imports a2a-sdk, which only such agents need.
    await import_in_thread("cardwright_gateway.a2a_server.endpoint")
    from cardwright_gateway.a2a_server.endpoint import Caller

    config, name = admitted.config, admitted.principal.name
    own = config.tasks == "own"
    if admitted.sender or config.owner or own:
        call.sender = admitted.sender
    if own or name:
        call.user = Caller(owner_of(config.id, name) if own else name)
    call.anonymous = not name and bool(config.owner)
    call.memory = exchange.memory
    await agent.a2a_server(served).answer(call, admitted.scope, exchange.receive, exchange.send)


async def _ready(agent: Agent, public: str) -> ServedCard:
    """Return the served card of an agent that can be called now.

    Raises:
        HttpError: If it has no backend.
        CardError: If it is not ready.
    """
    if agent.config.connection is None:
        raise refuse(NO_BACKEND, _NO_BACKEND)
    if agent.backend is not None:
        await agent.backend.ready()
    served = agent.served_now(public)
    return served if served is not None else (await agent.served_with_upstream(public))[0]


def _forward(
    agent: Agent, served: ServedCard, admitted: AdmittedRequest, call: Call, exchange: Exchange
) -> Forward:
    assert agent.caller is not None  # noqa: S101 - an agent that calls are forwarded to has one
    body = with_sender(admitted, call)
    scope = admitted.scope
    return Forward(agent.caller, served, scope, read_request(scope), body, _extended(agent, exchange.public))


def with_sender(admitted: AdmittedRequest, call: Call) -> bytes:
    """Return the body of a forwarded call, with the caller in its message (BeeOS seed §2.1).

    For an anonymous caller of an agent without an owner, the body is unchanged.

    Raises:
        HttpError: If the body is not valid JSON.
    """
    if not call.body or not (admitted.sender or admitted.config.owner):
        return call.body
    value = call.decoded()
    params: Any = value.get("params", value) if type(value) is dict else None
    # The proto of A2A 0.3 names it `request`; readers of ProtoJSON accept both names.
    fields = [params.get(name) for name in ("message", "request")] if type(params) is dict else []
    messages = [field for field in fields if type(field) is dict]
    if not messages:
        return call.body
    for holder in (params, *messages):
        metadata = holder.get("metadata")
        if type(metadata) is dict:
            metadata.pop("from", None)
    if admitted.sender:
        for message in messages:
            metadata = message.get("metadata")
            message["metadata"] = {**(metadata if type(metadata) is dict else {}), "from": admitted.sender}
    return json_bytes(value)


def _extended(agent: Agent, public: str) -> Any:
    """Return the function that rewrites an extended card: its interfaces become the gateway's."""

    def rewrite(document: Any) -> Any:
        assert isinstance(agent.config.connection, Http)  # noqa: S101 - an agent that is called has a URL
        if type(document) is not dict:
            raise not_a_reply("the agent's extended card is not a card of a known dialect")
        try:
            card = unsigned(Card.from_document(document))
        except UnknownDialect:
            raise not_a_reply("the agent's extended card is not a card of a known dialect") from None
        return rewritten(card, public, agent.config.connection.url).card.document

    return rewrite
