"""The routes that the BeeOS seed gives to the gateways beside the A2A one (§6), over the services of this gateway.

| route | here |
|---|---|
| `/api/v1/a2a/{agent}` | the A2A endpoint of the agent |
| `POST /agents/{agent}/invoke` | `v1/invoke`, as a stream of events |
| `POST /tasks`, `GET /tasks/{id}` | `SendMessage` without waiting, `GetTask` |
| `POST /tasks/{id}/cancel`, `POST /tasks/{id}/webhooks` | `CancelTask`, `CreateTaskPushNotificationConfig` |
| `POST /oauth/token` | an access token `oag_…` of an agent key, for OAuth clients |

All but the first are at the root and below `/api/v1`.
"""

from __future__ import annotations

import base64
import binascii
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, unquote_plus

import orjson
from starlette.routing import Mount, Route, Router

from cardwright.http.problem import UNAUTHENTICATED, HttpError, refuse
from cardwright_gateway.a2a.problems import faulty
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.exchange import EXCHANGE, POSTED, READ, Endpoint
from cardwright_gateway.api.owner.caller_tasks import counted, own_task
from cardwright_gateway.api.owner.request import OwnerRequest, conflict
from cardwright_gateway.api.owner.routes import API
from cardwright_gateway.auth.access_tokens import SECONDS
from cardwright_gateway.auth.principal import ANONYMOUS
from cardwright_gateway.auth.secret_values import KEY_FORM
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send

    from cardwright.http.request import Message
    from cardwright.http.response import Response
    from cardwright_gateway.api.endpoints import Endpoints
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.auth.access_tokens import AccessTokens
    from cardwright_gateway.auth.principal import Principal

_VERSION: Final = "1.0"
_MAX_FORM_BYTES: Final = 4_096


def compat_routes(endpoints: Endpoints, agents: BaseRoute) -> Iterator[BaseRoute]:
    """Yield the routes; they come before those of the gateway.

    Args:
        endpoints: The endpoints.
        agents: The routes of the A2A endpoints of all agents.
    """
    tasks = _Tasks(endpoints)
    invoke = Endpoint("invoke", partial(endpoints.calls.invoke, streams=True), POSTED, "rest", of_agent=True)
    yield Mount(f"{API}/a2a", app=Router([agents], redirect_slashes=False))
    for prefix in ("", API):
        yield Route(f"{prefix}/agents/{{agent}}/invoke/", invoke)
        # Other methods of these paths are those of the callers' API.
        yield _route(f"{prefix}/tasks", "POST", tasks.create)
        yield _route(f"{prefix}/tasks/{{task}}", "GET", tasks.get)
        yield _route(f"{prefix}/tasks/{{task}}/cancel", "POST", tasks.cancel)
        yield _route(f"{prefix}/tasks/{{task}}/webhooks", "POST", tasks.add_webhook)
        token = Endpoint("token", partial(_token, endpoints), POSTED, "rest")
        yield Route(f"{prefix}/oauth/token/", token)


def with_client_tokens(router: ASGIApp, tokens: AccessTokens) -> ASGIApp:
    """Return an application that reads an access token as the agent key that it was made from."""

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        exchange: Exchange = scope[EXCHANGE]
        headers = [(name, _key_field(name, value, tokens)) for name, value in exchange.scope["headers"]]
        exchange.scope = {**exchange.scope, "headers": headers}
        await router(scope, receive, send)

    return route


class _Tasks:
    """Tasks by their ids alone: the agent is that of the task, and the call one of A2A over HTTP."""

    def __init__(self, endpoints: Endpoints) -> None:
        self._services = endpoints.owner
        self._calls = endpoints.calls

    async def create(self, exchange: Exchange) -> Response | None:
        request, principal = await self._request(exchange)
        body = await exchange.model(api.CreateTask, principal.name)
        if body.message is None and body.data is None:
            raise faulty([("/message", "message and data are missing; send at least one of them")])
        agent_id = principal.agent_id if body.agent_id is None else body.agent_id
        agent = self._services.agents.get(agent_id)
        known = agent is not None and (agent.config.visibility != "private" or principal.agent_id == agent_id)
        if known and principal.agent_id not in ("", agent_id):
            # An open agent would run the task for no caller, who could not find it by its id.
            raise refuse(UNAUTHENTICATED, "the key is for another agent")
        if agent is not None and known and agent.config.tasks != "own":
            raise conflict(
                "the gateway does not store the tasks of this agent; its operator can set tasks: own"
            )
        if not agent_id:
            raise faulty([("/agent_id", "agent_id is missing; a user token is for all agents, so name one")])
        text = [] if body.message is None else [{"text": body.message}]
        data = [] if body.data is None else [{"data": dict(body.data)}]
        message: dict[str, Any] = {
            "messageId": str(uuid.uuid4()),
            "role": "ROLE_USER",
            "parts": [*text, *data],
        }
        if body.context_id is not None:
            message["contextId"] = body.context_id
        if body.skill is not None:
            message["metadata"] = {"skill": body.skill}
        configuration: dict[str, Any] = {"returnImmediately": True}
        if body.webhook is not None:
            configuration["taskPushNotificationConfig"] = _config(body.webhook)
        sent = {"message": message, "configuration": configuration}
        return await self._call(request.exchange, agent_id, "/message:send", sent)

    async def get(self, exchange: Exchange) -> Response | None:
        return await self._of_task(exchange, "")

    async def cancel(self, exchange: Exchange) -> Response | None:
        return await self._of_task(exchange, ":cancel", {})

    async def add_webhook(self, exchange: Exchange) -> Response | None:
        _, principal = await self._request(exchange)
        body = await exchange.model(api.CreateWebhook, principal.name)
        return await self._of_task(exchange, "/pushNotificationConfigs", _config(body))

    async def _request(self, exchange: Exchange) -> tuple[OwnerRequest, Principal]:
        request = OwnerRequest(self._services, ANONYMOUS, exchange)
        return request, await request.caller()

    async def _of_task(self, exchange: Exchange, below: str, body: Any = None) -> Response | None:
        request, principal = await self._request(exchange)
        try:
            task = await own_task(request, principal)
        except HttpError:
            # Otherwise the call below is counted.
            await counted(request)
            raise
        return await self._call(exchange, task.agent_id, f"/tasks/{task.id}{below}", body)

    async def _call(self, exchange: Exchange, agent_id: str, path: str, body: Any = None) -> Response | None:
        """Answer the exchange as the call to an agent over HTTP+JSON that does the same."""
        content = b"" if body is None else orjson.dumps(body)
        # The body that was read is replaced.
        exchange.release()
        fields = [pair for pair in exchange.scope["headers"] if pair[0] not in _REPLACED]
        fields += [(b"a2a-version", _VERSION.encode()), (b"content-length", str(len(content)).encode())]
        fields += [(b"content-type", b"application/json")] if content else []
        exchange.scope = {**exchange.scope, "headers": fields, "query_string": b""}
        exchange.receive = _replaying(content, exchange.receive)
        exchange.agent_id, exchange.params, exchange.path = agent_id, {"agent": agent_id}, path
        if exchange.loops is not None:
            exchange.loops.check(exchange.scope)
        return await self._calls.rest(exchange, version=_VERSION)


def _config(webhook: api.CreateWebhook) -> dict[str, Any]:
    # Without an id, it would replace the one that the task has already.
    return {**webhook.to_wire(), "id": str(uuid.uuid4())}


_REPLACED: Final = frozenset({b"a2a-version", b"content-length", b"content-type", b"transfer-encoding"})


def _replaying(content: bytes, receive: Callable[[], Awaitable[Message]]) -> Callable[[], Awaitable[Message]]:
    pending = [content]

    async def replay() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return replay


async def _token(endpoints: Endpoints, exchange: Exchange) -> Response:
    """Return an access token for client credentials (RFC 6749 §4.4): the id and the secret of an agent key."""
    form = dict(parse_qsl((await exchange.body("", _MAX_FORM_BYTES)).decode("utf-8", "replace")))
    if form.get("grant_type") != "client_credentials":
        return _oauth_error(400, "unsupported_grant_type", "send grant_type=client_credentials")
    client_id, secret = _client(exchange, form)
    if KEY_FORM.fullmatch(secret):
        headers = [(b"authorization", b"Bearer " + secret.encode())]
        exchange.scope = {**exchange.scope, "headers": headers}
        try:
            principal = await OwnerRequest(endpoints.owner, ANONYMOUS, exchange).caller()
        except HttpError as error:
            if error.problem.error_code is not UNAUTHENTICATED:
                raise
        else:
            if client_id in (principal.key_id, principal.agent_id):
                token = endpoints.access_tokens.issue(secret)
                return json_response(
                    200, {"access_token": token, "token_type": "Bearer", "expires_in": SECONDS}
                )
    return _oauth_error(
        401,
        "invalid_client",
        "client_id must be the id of a key or of its agent, and client_secret the key",
        ((b"www-authenticate", b"Basic"),),
    )


def _client(exchange: Exchange, form: dict[str, str]) -> tuple[str, str]:
    """Return the id and the secret of a client, from the form or Basic authentication (RFC 6749 §2.3.1)."""
    scheme, _, value = (exchange.header(b"authorization") or "").partition(" ")
    if scheme.lower() != "basic":
        return form.get("client_id", ""), form.get("client_secret", "")
    try:
        client_id, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return "", ""
    return unquote_plus(client_id), unquote_plus(secret)


def _oauth_error(
    status: int, error: str, description: str, fields: tuple[tuple[bytes, bytes], ...] = ()
) -> Response:
    """Return an error of OAuth (RFC 6749 §5.2)."""
    return json_response(status, {"error": error, "error_description": description}, fields)


def _key_field(name: bytes, value: bytes, tokens: AccessTokens) -> bytes:
    scheme, _, token = value.partition(b" ")
    if name != b"authorization" or scheme.lower() != b"bearer":
        return value
    key = tokens.key_of(token.strip().decode("latin-1"))
    return value if key is None else scheme + b" " + key.encode()


def _route(path: str, method: str, handler: Callable[[Exchange], Awaitable[Response | None]]) -> Route:
    endpoint = Endpoint("tasks", handler, POSTED if method == "POST" else READ, "rest")
    return Route(f"{path}/", endpoint, methods=[method])
