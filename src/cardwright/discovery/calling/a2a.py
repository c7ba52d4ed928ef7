"""A call by A2A, through the transports of a2a-sdk: 1.0 and 0.3, JSON-RPC and HTTP+JSON."""

from __future__ import annotations

import asyncio
import contextlib
import re
import uuid
from typing import TYPE_CHECKING, Any, Final

import httpx
from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.client.transports.rest import RestTransport
from a2a.compat.v0_3.jsonrpc_transport import CompatJsonRpcTransport
from a2a.compat.v0_3.rest_transport import CompatRestTransport
from a2a.types import AgentCard, CancelTaskRequest, SendMessageRequest
from a2a.utils.errors import (
    A2A_ERROR_REASONS,
    A2A_REASON_TO_ERROR,
    JSON_RPC_ERROR_CODE_MAP,
    A2AError,
    MethodNotFoundError,
)
from google.protobuf import json_format  # type: ignore[import-untyped] # it has no stubs

from cardwright.canonical import DEFAULT_LIMITS, decode
from cardwright.discovery.calling.failures import by_status, chain, no_reply, ours
from cardwright.discovery.calling.outcome import Outcome
from cardwright.errors import CallFailed, CardError, MalformedDocument
from cardwright.guard import Headers
from cardwright.guard.transports import httpx_transport

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from a2a.client.transports.base import ClientTransport

    from cardwright.discovery.calling.exchange import Call
    from cardwright.discovery.calling.reply import Reply

# What a2a-sdk makes of a JSON-RPC error whose code it does not know.
_UNKNOWN: Final = re.compile(r"JSON-RPC Error (-?\d{1,10}): (.*)", re.DOTALL)
TRANSPORTS: Final[dict[tuple[str, bool], Callable[[httpx.AsyncClient, AgentCard, str], ClientTransport]]] = {
    ("JSONRPC", True): JsonRpcTransport,
    ("HTTP+JSON", True): RestTransport,
    ("JSONRPC", False): CompatJsonRpcTransport,
    ("HTTP+JSON", False): CompatRestTransport,
}


async def call_a2a(call: Call) -> Reply:
    """Send a message to the chosen interface, and return what came of it.

    Raises:
        CardError: As `call_agent`.
    """
    guarded = httpx_transport(
        call.client, credentials_for=call.credentials, timeouts=call.timeouts, configured=call.configured
    )
    interface = call.selection.interface
    newer = not interface.version.startswith("0.")
    headers = {"A2A-Version": interface.version} if newer else {}
    outcome, request = Outcome(), _request(call)
    async with httpx.AsyncClient(transport=guarded, headers=headers, trust_env=False) as http:
        transport = TRANSPORTS[interface.binding, newer](http, AgentCard(), interface.url)
        try:
            async with contextlib.aclosing(_events(transport, request, streams=call.stream)) as events:
                async for event in events:
                    outcome.take(json_format.MessageToDict(event))
                    if outcome.message is not None:
                        break
        except asyncio.CancelledError:
            await _cancel(transport, outcome, call)
            raise
        except Exception as error:  # a foreign client reads a foreign answer: it raises anything
            raise failure(error, call.shown) from error
    reply = outcome.reply(call.selection)
    if reply is None:
        raise no_reply(call.shown, "A2A")
    return reply


def _request(call: Call) -> SendMessageRequest:
    message: dict[str, Any] = {
        "messageId": uuid.uuid4().hex,
        "role": "ROLE_USER",
        "parts": [part.to_wire() for part in call.parts],
    }
    if call.context_id is not None:
        message["contextId"] = call.context_id
    if call.task_id is not None:
        message["taskId"] = call.task_id
    # Without a configuration, A2A 0.3 over HTTP+JSON reads "do not wait".
    request: dict[str, Any] = {"message": message, "configuration": {"returnImmediately": False}}
    if call.selection.interface.tenant is not None:
        request["tenant"] = call.selection.interface.tenant
    parsed: SendMessageRequest = json_format.ParseDict(request, SendMessageRequest(), max_recursion_depth=512)
    return parsed


async def _events(
    transport: ClientTransport, request: SendMessageRequest, *, streams: bool
) -> AsyncGenerator[Any]:
    if not streams:
        yield await transport.send_message(request)
        return
    stream = transport.send_message_streaming(request)
    async with contextlib.aclosing(stream):
        async for event in stream:
            yield event


async def _cancel(transport: ClientTransport, outcome: Outcome, call: Call) -> None:
    """Ask the agent to give up the task, as far as it has named one; it is not waited for long."""
    if outcome.task_id is None or outcome.done:
        return
    request = CancelTaskRequest(id=outcome.task_id, tenant=call.selection.interface.tenant or "")
    with contextlib.suppress(Exception):
        async with asyncio.timeout(call.cancel_seconds):
            await transport.cancel_task(request)


def failure(error: Exception, url: str) -> CardError:
    """Return an error of ours for whatever came out of a2a-sdk."""
    known = ours(error)
    if known is not None:
        return known
    found = list(chain(error))
    response = next((one.response for one in found if isinstance(one, httpx.HTTPStatusError)), None)
    told = next((one for one in found if isinstance(one, A2AError)), None)
    # For a 404 without a word of A2A, a2a-sdk says that there is no such method.
    named = type(told) in JSON_RPC_ERROR_CODE_MAP and not (response and isinstance(told, MethodNotFoundError))
    if told is not None and named:
        return _named(told, url)
    if response is not None:
        headers = Headers(response.headers.multi_items())
        return _from_body(response, url) or by_status(url, response.status_code, headers)
    unknown = _UNKNOWN.match(str(told)) if told is not None else None
    if unknown:
        return CallFailed(url, code=int(unknown[1]), remote_text=unknown[2])
    return no_reply(url, "A2A")


def _named(error: A2AError, url: str) -> CallFailed:
    return _error(url, type(error), JSON_RPC_ERROR_CODE_MAP[type(error)], str(error))


def _error(url: str, kind: type[A2AError] | None, code: int | None, told: Any) -> CallFailed:
    return CallFailed(
        url,
        code=code,
        name=kind.__name__.removesuffix("Error") if kind else "",
        error_reason=A2A_ERROR_REASONS.get(kind, "") if kind else "",
        remote_text=told if isinstance(told, str) else "",
    )


def _from_body(response: httpx.Response, url: str) -> CallFailed | None:
    """Return the A2A error in a body that came with an HTTP error, which a2a-sdk does not always look for."""
    try:
        body = decode(response.content, DEFAULT_LIMITS)
    except (MalformedDocument, httpx.StreamError):
        return None
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return None
    if "jsonrpc" in body:
        code = error.get("code")
        kinds = (kind for kind, number in JSON_RPC_ERROR_CODE_MAP.items() if number == code)
        return _error(url, next(kinds, None), code, error.get("message")) if type(code) is int else None
    # A2A 1.0 §11.6, over HTTP+JSON; a2a-sdk serves 0.3 so, too.
    details = error.get("details")
    reasons = (
        [one.get("reason") for one in details if isinstance(one, dict)] if isinstance(details, list) else []
    )
    kind = next((A2A_REASON_TO_ERROR[reason] for reason in reasons if reason in A2A_REASON_TO_ERROR), None)
    return _error(url, kind, JSON_RPC_ERROR_CODE_MAP.get(kind), error.get("message")) if kind else None
