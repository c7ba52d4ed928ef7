"""The extended card of an upstream agent whose tasks the gateway stores, fetched for one caller."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.conversion.convert import convert_document
from cardwright.errors import PeerTimeout, UnknownDialect
from cardwright.http.problem import EXTENDED_CARD_NOT_CONFIGURED, refuse
from cardwright.http.representation import json_bytes
from cardwright.signing import unsigned
from cardwright_gateway.a2a.operations import ANSWERED
from cardwright_gateway.api.forwarding import MAX_CARD_BYTES, error_by_status
from cardwright_gateway.catalog.presentation import extends
from cardwright_gateway.catalog.served_card import served_card
from cardwright_gateway.upstream.client import (
    as_json,
    forwarded_request_headers,
    forwarded_response_headers,
    media_type,
    not_a_reply,
    whole,
)
from cardwright_gateway.upstream.errors import rest_error, rpc_error
from cardwright_rules.a2a_operations import ERRORS, OPERATIONS

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.upstream.route import Upstream

_NOT_CONFIGURED: Final = ERRORS[EXTENDED_CARD_NOT_CONFIGURED.reason].message
_NO_CARD: Final = "the agent's extended card is not a card of a known dialect"


def declares_extended(agent: Agent, served: ServedCard) -> bool:
    """Whether the gateway stores the tasks of an agent, and the extended card is the upstream agent's."""
    capabilities: Any = served.card.document.get("capabilities")
    declared = type(capabilities) is dict and capabilities.get("extendedAgentCard") is True
    return declared and agent.config.tasks == "own" and extends(agent.config) and _route(served) is not None


async def upstream_extended(agent: Agent, served: ServedCard, scope: Scope, version: str) -> dict[str, Any]:
    """Return the extended card of an upstream agent for a caller, with the gateway's interfaces and capabilities.

    Args:
        agent: The agent; its card declares an extended one.
        served: Its served card.
        scope: The ASGI scope of the request: the caller's credentials are passed on.
        version: The version of the form: `1.0` or `0.3`.

    Raises:
        HttpError: If the agent refuses the caller, or has no extended card.
        CardError: If it cannot be reached, or its response is not valid.
    """
    document = await _fetched(agent, served, scope)
    return await asyncio.to_thread(_presented, agent, served, document, version)


async def _fetched(agent: Agent, served: ServedCard, scope: Scope) -> Any:
    route, caller = _route(served), agent.caller
    assert route is not None and caller is not None  # noqa: PT018, S101 - `declares_extended` says so
    operation = OPERATIONS[route.version, "get_extended_card"]
    rpc = route.binding == "JSONRPC"
    tenant = route.tenant if route.version == "1.0" else None
    url, body = route.url, None
    if rpc:
        params = {"tenant": tenant} if tenant else {}
        body = json_bytes({"jsonrpc": "2.0", "id": 1, "method": operation.method, "params": params})
    else:
        url = f"{url.partition('?')[0].rstrip('/')}{f'/{tenant}' if tenant else ''}{operation.path}"
    headers = forwarded_request_headers(scope["headers"])
    headers |= {
        "a2a-version": route.version,
        "accept": "application/json",
        "content-type": "application/json",
    }
    try:
        async with (
            asyncio.timeout(caller.timeout_seconds),
            caller.forward(
                "POST" if rpc else "GET", url, headers, body, streams=False, reads=True
            ) as response,
        ):
            status, fields = response.status, forwarded_response_headers(response.headers)
            content = await whole(response, MAX_CARD_BYTES)
    except TimeoutError:
        raise PeerTimeout("", "it did not respond in time") from None
    if status >= 500 or status in (401, 403, 429):
        raise error_by_status(status, fields, media_type(response.headers))
    value = await as_json(content)
    if type(value) is not dict:
        raise not_a_reply("the response is not an object")
    if status == 200 and not rpc:
        return value
    if status == 200 and "result" in value:
        return value["result"]
    if _is_not_configured(value, rpc=rpc):
        raise refuse(EXTENDED_CARD_NOT_CONFIGURED, _NOT_CONFIGURED)
    raise error_by_status(status, fields, media_type(response.headers))


def _is_not_configured(value: dict[str, Any], *, rpc: bool) -> bool:
    if rpc:
        error = rpc_error(value.get("error"))
        return error is not None and error["code"] == EXTENDED_CARD_NOT_CONFIGURED.code
    # Its message is that of the reason, or of the code.
    error = rest_error(value)
    return error is not None and error.get("error", error).get("message") == _NOT_CONFIGURED


def _presented(agent: Agent, served: ServedCard, document: Any, version: str) -> dict[str, Any]:
    if type(document) is not dict:
        raise not_a_reply(_NO_CARD)
    try:
        card = unsigned(Card.from_document(document))
    except UnknownDialect:
        raise not_a_reply(_NO_CARD) from None
    upstream = replace(served.source, card=card, signature="", signed_by="")
    shown = served_card(agent.config, upstream, served.public, agent.settings).card
    if version == "0.3":
        return dict(convert_document(shown, to="a2a-0.3")[0])
    return dict(shown.document)


def _route(served: ServedCard) -> Upstream | None:
    return next((served.routes[key] for key in ANSWERED if key in served.routes), None)
