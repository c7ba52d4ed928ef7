"""The page of an agent on which a visitor sends it messages.

Its script calls the agent's own endpoint. Without a script, its form is sent here, and the reply is on the next page.
Either way the visitor is a caller like any other: the same access, limits and log.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

from cardwright.canonical import decode
from cardwright.errors import CardError, MalformedDocument
from cardwright.guard.message_limits import A2A_MESSAGES
from cardwright.http.problem import BAD_QUERY, UNSUPPORTED_MEDIA_TYPE, HttpError, refuse
from cardwright.page import Home
from cardwright.page.credentials import credentials_of
from cardwright_gateway.a2a.problems import faulty, problem_of
from cardwright_gateway.a2a.responses import body_response
from cardwright_gateway.api.description import read_model
from cardwright_gateway.api.invoke import reply_to
from cardwright_gateway.pages.trying import CREDENTIAL_FIELDS, TRY_SECURITY_POLICY, Sent, obstacle, try_page
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.calls import AgentCalls
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.served_card import ServedCard

_FORM: Final = "application/x-www-form-urlencoded"
# The maximum size of the form (project decision); a program may send more.
_MAX_FORM_BYTES: Final = 64 * 1024
_MAX_FIELDS: Final = 8
_NEEDS_SCRIPT: Final = (
    "without scripts, this page cannot send the credentials of this agent; its card has programs for that"
)
_HEADERS: Final = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", TRY_SECURITY_POLICY.encode()),
    (b"referrer-policy", b"same-origin"),
)


class TryPages:
    """The pages that call agents.

    Args:
        agents: The agents.
        calls: Calls to agents.
    """

    def __init__(self, agents: AgentDirectory, calls: AgentCalls) -> None:
        self._agents = agents
        self._calls = calls

    async def answer(self, exchange: Exchange) -> Response:
        """Return the page of an agent; for a form that was sent, with the message and its reply.

        Raises:
            HttpError: If the form cannot be read.
            CardError: If the agent is unknown, or its card cannot be fetched.
        """
        agent = self._agents.public_agent(exchange.agent_id)
        served, _ = await agent.served_with_upstream(exchange.public)
        if exchange.method != "POST":
            return _page(agent, served, exchange)
        fields = await _fields(exchange)
        if obstacle(served.public_card, called=_called(agent)):
            return _page(agent, served, exchange)
        if not _plain(agent, served):
            text = fields.get("message", "")
            return _page(agent, served, exchange, Sent(text, state="failed", problem=_NEEDS_SCRIPT))
        return await self._sent(agent, served, exchange, fields)

    async def _sent(
        self, agent: Agent, served: ServedCard, exchange: Exchange, fields: dict[str, str]
    ) -> Response:
        text = fields.get("message", "").strip()
        status = 200
        headers: tuple[tuple[bytes, bytes], ...] = ()
        try:
            request = _request(fields, text)
            exchange.scope = {**exchange.scope, "headers": _with_credentials(served, exchange, fields)}
            invocation = await self._calls.invocation(exchange)
            reply = await reply_to(invocation, request, exchange)
            wire = reply.to_wire()
            state = wire.get("state", "completed")
            sent = Sent(text, reply.reply, state, context_id=reply.context_id)
        except (HttpError, CardError) as error:
            problem = error.problem if isinstance(error, HttpError) else problem_of(error)
            status, headers = problem.error_code.status, problem.headers
            sent = Sent(text, state="failed", problem=problem.message, context_id=fields.get("context", ""))
        return _page(agent, served, exchange, sent, status, headers)


def _page(
    agent: Agent,
    served: ServedCard,
    exchange: Exchange,
    sent: Sent | None = None,
    status: int = 200,
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> Response:
    body = try_page(
        served.public_card,
        home=Home(f"{urlsplit(exchange.base).path}/", search=True),
        agent_id=agent.id,
        path=urlsplit(exchange.public).path or "/",
        called=_called(agent),
        plain=_plain(agent, served),
        sent=sent,
    )
    return body_response(status, body, (*_HEADERS, *headers))


def _called(agent: Agent) -> bool:
    return agent.config.connection is not None


def _plain(agent: Agent, served: ServedCard) -> bool:
    """Return whether a turn of the gateway needs no credentials of the agent itself, which only a call passes on."""
    return agent.config.access == "keys" or credentials_of(served.public_card) == ()


async def _fields(exchange: Exchange) -> dict[str, str]:
    """Return the fields of the form.

    Raises:
        HttpError: If the body is not a form, or too large.
    """
    kind = (exchange.header(b"content-type") or "").partition(";")[0].strip().lower()
    if kind != _FORM:
        raise refuse(
            UNSUPPORTED_MEDIA_TYPE, f"expected a form of {_FORM}; programs call the agent at its endpoint"
        )
    body = await exchange.body("", _MAX_FORM_BYTES)
    try:
        return dict(
            parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MAX_FIELDS, errors="strict")
        )
    except ValueError:
        raise refuse(BAD_QUERY, f"the form is not UTF-8, or has more than {_MAX_FIELDS} fields") from None


def _request(fields: dict[str, str], text: str) -> api.InvokeRequest:
    """Return the invocation of the form.

    Raises:
        HttpError: If a field is wrong.
    """
    wire: dict[str, Any] = {}
    if text:
        wire["message"] = text
    for name, field in (("skill", "skill"), ("context_id", "context")):
        if fields.get(field):
            wire[name] = fields[field]
    data = fields.get("data", "").strip()
    if data:
        try:
            wire["data"] = decode(data.encode(), A2A_MESSAGES.decoding)
        except MalformedDocument:
            message = 'the data is not JSON; write an object, such as {"port": "Bergen"}'
            raise faulty([("/data", message)], message=message) from None
    if not text and not data:
        message = "the message is empty; write one, or add data"
        raise faulty([("/message", message)], message=message)
    return read_model(json.dumps(wire).encode(), api.InvokeRequest)


def _with_credentials(
    served: ServedCard, exchange: Exchange, fields: dict[str, str]
) -> list[tuple[bytes, bytes]]:
    """Return the header fields of the request, with the credentials of the form."""
    headers = list(exchange.scope["headers"])
    for name, one in zip(CREDENTIAL_FIELDS, credentials_of(served.public_card) or (), strict=False):
        secret = fields.get(name, "").strip()
        if secret and secret.isascii() and secret.isprintable():
            field = one.header.lower().encode()
            headers = [pair for pair in headers if pair[0] != field]
            headers.append((field, f"{one.prefix}{secret}".encode()))
    return headers
