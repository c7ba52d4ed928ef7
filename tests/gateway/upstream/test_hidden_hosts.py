"""No response of a gateway reveals the host of an upstream agent."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.gateway.faulty_agents import CARD, SECRET, WAYS, errs, named, served
from tests.gateway.faulty_agents import card as card_of
from tests.gateway.processes import in_process
from tests.peers import Reply as PeerReply
from tests.peers import peer
from tests.serve.client import call

if TYPE_CHECKING:
    from cardwright_gateway import Gateway
    from tests.peers import RecordedRequest, Reply
    from tests.serve.client import Reply as Answer

OWN = (CARD, "/report", f"{CARD}?form=mcp")
NEWER = (("A2A-Version", "1.0"), ("Content-Type", "application/json"))
OLDER = (("Content-Type", "application/json"),)
MESSAGE = {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "a"}]}}
REST = [
    ("POST", "/message:send", MESSAGE, NEWER),
    ("POST", "/message:stream", MESSAGE, NEWER),
    ("GET", "/tasks/t-1", None, NEWER),
    ("GET", "/extendedAgentCard", None, NEWER),
    ("POST", "/v1/message:send", MESSAGE, OLDER),
    ("GET", "/v1/tasks/t-1", None, OLDER),
    ("GET", "/v1/card", None, OLDER),
]
HTML = (("Accept", "text/html"),)
RPC = [
    *(
        (method, NEWER)
        for method in ("SendMessage", "SendStreamingMessage", "GetTask", "GetExtendedAgentCard")
    ),
    *(
        (method, OLDER)
        for method in ("message/send", "message/stream", "tasks/get", "agent/getAuthenticatedExtendedCard")
    ),
]


async def calls(gateway: Gateway) -> list[Answer]:
    """Call an agent on every route."""
    at = "/agents/tides"
    found = []
    for method, path, body, headers in REST:
        sent = b"" if body is None else json.dumps(body).encode()
        found.append(await call(gateway, method, f"{at}{path}", headers, body=sent))
    for name, headers in RPC:
        sent = json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": MESSAGE}).encode()
        found.append(await call(gateway, "POST", at, headers, body=sent))
    return found


async def pages(gateway: Gateway) -> list[Answer]:
    """Request every page and document of the gateway."""
    paths = [f"/agents/tides{path}" for path in OWN]
    paths += [
        "/agents/tides/.well-known/agent.json",
        "/",
        "/.well-known/ai-catalog.json",
        "/readyz",
        "/metrics",
    ]
    found = [await call(gateway, "GET", path, accept) for path in paths for accept in ((), HTML)]
    for name in ("agents/get", "agents/list", "agents/refreshCard"):
        sent = json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": {"id": "tides"}}).encode()
        found.append(await call(gateway, "POST", "/rpc", body=sent))
    return found


def check_silent(answers: list[Answer], port: int) -> None:
    for one in answers:
        text = json.dumps(one.headers).encode() + one.body
        # A measure may have its digits.
        assert not re.search(rf"(?<![\d.]){port}(?!\d)".encode(), text), text
        assert SECRET.encode() not in text, text
        assert one.headers["content-type"]
        assert b"A fault of the gateway" not in text, text
        assert b"internal error of the gateway" not in text, text


@pytest.mark.parametrize("way", WAYS)
async def test_no_response_names_the_host_of_a_failing_agent(way: str) -> None:
    async with peer(errs(WAYS[way])) as there, in_process({"tides": {"url": there.origin}}) as gateway:
        answers = await calls(gateway)
        check_silent([*answers, *await pages(gateway)], there.port)
        assert len(there.requests) > len(REST) + len(RPC)
        assert {one.status for one in answers} <= {401, 403, 404, 429, 502, 503}


@pytest.mark.parametrize("way", WAYS)
async def test_no_response_names_the_host_of_an_agent_without_a_card(way: str) -> None:
    def answer(request: RecordedRequest) -> Reply:
        return WAYS[way](f"http://{request.headers['host']}")

    async with peer(answer) as there, in_process({"tides": {"url": there.origin}}) as gateway:
        check_silent([*await calls(gateway), *await pages(gateway)], there.port)


async def test_no_response_names_the_host_of_a_removed_agent() -> None:
    async with peer(errs(WAYS["text"])) as there:
        gateway_of = in_process({"tides": {"url": there.origin}})
        gateway = await gateway_of.__aenter__()
        first = await call(gateway, "GET", f"/agents/tides{CARD}")
        assert first.status == 200
    try:
        answers = await calls(gateway)
        check_silent([*answers, *await pages(gateway)], there.port)
        assert {one.status for one in answers} == {502}
    finally:
        await gateway_of.__aexit__(None, None, None)


async def test_an_internal_host_in_any_field_of_a_card_is_not_served() -> None:
    def answer(request: RecordedRequest) -> Reply:
        origin = f"http://{request.headers['host']}"
        more: dict[str, Any] = {
            "iconUrl": f"{origin}/icon.png",
            "documentationUrl": f"{origin}/docs",
            "url": f"{origin}/old",
            "preferredTransport": "JSONRPC",
            "protocolVersion": "0.3.0",
            "additionalInterfaces": [{"url": f"{origin}/rest", "transport": "HTTP+JSON"}],
            "provider": {"organization": "Tides", "url": origin},
        }
        return served(card_of(origin, **more))

    async with peer(answer) as there, in_process({"tides": {"url": there.origin}}) as gateway:
        card = await call(gateway, "GET", f"/agents/tides{CARD}")
        assert card.status == 200
        for version in ("1.0", "0.3"):
            other = await call(gateway, "GET", f"/agents/tides{CARD}", (("A2A-Version", version),))
            check_silent([other], there.port)
        check_silent([card, *await pages(gateway)], there.port)


EXTENDED = [
    ("GET", "/extendedAgentCard", NEWER),
    ("GET", "/v1/card", OLDER),
    ("GetExtendedAgentCard", "", NEWER),
    ("agent/getAuthenticatedExtendedCard", "", OLDER),
]


@pytest.mark.parametrize("status", [200, 203, 500])
@pytest.mark.parametrize("kind", ["application/json", "application/a2a+json", "text/event-stream"])
@pytest.mark.parametrize(("method", "path", "headers"), EXTENDED)
async def test_an_extended_card_has_the_gateways_url_in_every_binding(
    method: str, path: str, headers: Any, kind: str, status: int
) -> None:
    def answer(request: RecordedRequest) -> Reply:
        origin = f"http://{request.headers['host']}"
        if request.path == CARD:
            return served(card_of(origin))
        extended: Any = card_of(origin, iconUrl=f"{origin}/icon.png", documentationUrl=f"{origin}/docs")
        if not path:
            extended = {"jsonrpc": "2.0", "id": 1, "result": extended}
        body = json.dumps(extended).encode()
        answer_body = b"data: " + body + b"\n\n" if kind == "text/event-stream" else body
        return PeerReply(status, answer_body, {"Content-Type": kind, **named(origin)})

    async with peer(answer) as there, in_process({"tides": {"url": there.origin}}) as gateway:
        body = b"" if path else json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}).encode()
        sent = method if path else "POST"
        # The agent answers 0.3 with a card of 1.0.
        response = await call(gateway, sent, f"/agents/tides{path}", headers, body=body, checked=False)
        check_silent([response], there.port)
        if kind != "text/event-stream" and status == 200:
            document = response.json if path else response.json["result"]
            urls = {one["url"] for one in document["supportedInterfaces"]}
            assert urls == {"https://agents.example.com/agents/tides"}
