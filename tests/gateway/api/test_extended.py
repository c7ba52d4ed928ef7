"""Extended cards of managed agents, through the gateway, in every version and binding."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card
from tests.gateway.faulty_agents import CARD, JSON, card, served
from tests.gateway.gateways import rpc
from tests.gateway.processes import in_process
from tests.peers import RecordedRequest, Reply, peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.serve.client import Reply as Answer

AT = "https://agents.example.com/agents/tides"
CREDENTIALS = {"Authorization": "Bearer of-the-caller"}
SUPPORTED = [(binding, version) for binding in ("JSONRPC", "HTTP+JSON") for version in ("1.0", "0.3")]
REQUESTS: dict[tuple[str, str], tuple[str, str, dict[str, str], bytes]] = {
    ("JSONRPC", "1.0"): ("POST", "", {"A2A-Version": "1.0", **JSON}, rpc("GetExtendedAgentCard")),
    ("JSONRPC", "0.3"): ("POST", "", JSON, rpc("agent/getAuthenticatedExtendedCard")),
    ("HTTP+JSON", "1.0"): ("GET", "/extendedAgentCard", {"A2A-Version": "1.0"}, b""),
    ("HTTP+JSON", "0.3"): ("GET", "/v1/card", {}, b""),
}
OLDER: dict[str, Any] = {
    "name": "Tides", "description": "Tells when the water is high.", "version": "1.0.0", "protocolVersion": "0.3.0",
    "capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "high", "name": "High", "description": "The high water.", "tags": ["sea"]}],
    "supportsAuthenticatedExtendedCard": True,
}  # fmt: skip


def document(origin: str, binding: str, version: str, *, name: str = "Tides") -> dict[str, Any]:
    """The card of an agent with one interface."""
    if version == "1.0":
        interface = {"url": origin, "protocolBinding": binding, "protocolVersion": version}
        return card(origin, name=name, supportedInterfaces=[interface])
    return {**OLDER, "name": name, "url": origin, "preferredTransport": binding}


def extended(binding: str, version: str) -> Callable[[RecordedRequest], Reply]:
    """An agent that returns its extended card to a caller with credentials."""

    def answer(request: RecordedRequest) -> Reply:
        origin = f"http://{request.headers['host']}"
        if request.path == CARD:
            return served(document(origin, binding, version))
        if request.headers.get("authorization") != CREDENTIALS["Authorization"]:
            return Reply(401, b"at db.internal", {"WWW-Authenticate": "Bearer"})
        card_document = document(origin, binding, version, name="Tides for friends")
        method, path, _, body = REQUESTS[binding, version]
        assert (request.method, request.path, request.headers["a2a-version"]) == (
            method,
            path or "/",
            version,
        )
        if binding == "JSONRPC":
            sent = json.loads(request.body)
            assert sent["method"] == json.loads(body)["method"]
            return served({"jsonrpc": "2.0", "id": sent["id"], "result": card_document})
        return served(card_document)

    return answer


def responses_to(
    how: Callable[[RecordedRequest], Reply], *requests: tuple[str, str, dict[str, str], bytes], **more: Any
) -> list[Answer]:
    async def run() -> list[Answer]:
        async with peer(how) as there:
            config = {"url": there.origin, "tasks": "own", **more}
            settings = {"webhooks": {"enabled": False}, "owners": {"acme": {"name": "Acme Ltd"}}}
            async with in_process({"tides": config}, **settings) as gateway:
                return [
                    await call(gateway, method, f"/agents/tides{path}", headers, body=body)
                    for method, path, headers, body in requests
                ]

    return asyncio.run(run())


def with_credentials(binding_and_version: tuple[str, str]) -> tuple[str, str, dict[str, str], bytes]:
    method, path, headers, body = REQUESTS[binding_and_version]
    return method, path, {**headers, **CREDENTIALS}, body


@pytest.mark.parametrize("upstream", SUPPORTED)
def test_the_extended_card_is_returned_in_the_version_of_the_call(upstream: tuple[str, str]) -> None:
    public, *answers = responses_to(
        extended(*upstream), ("GET", CARD, {}, b""), *map(with_credentials, SUPPORTED)
    )
    assert public.json["capabilities"]["extendedAgentCard"] is True
    assert public.json["name"] == "Tides"
    for (binding, version), response in zip(SUPPORTED, answers, strict=True):
        assert response.status == 200
        shown = response.json["result"] if binding == "JSONRPC" else response.json
        assert shown["name"] == "Tides for friends"
        if version == "1.0":
            assert {one["url"] for one in shown["supportedInterfaces"]} == {AT}
            assert len(shown["supportedInterfaces"]) == 4
        else:
            assert shown["url"] == AT
            assert shown["protocolVersion"].startswith("0.3")
            main = {"url": AT, "transport": shown["preferredTransport"]}
            assert shown["additionalInterfaces"][0] == main
            assert Card.from_document(shown).errors == ()
        assert "no-store" in response.headers["cache-control"]
        assert b"127.0.0.1" not in response.body


@pytest.mark.parametrize("binding_and_version", SUPPORTED)
def test_a_caller_without_credentials_gets_the_refusal_of_the_agent(
    binding_and_version: tuple[str, str],
) -> None:
    (response,) = responses_to(extended("JSONRPC", "1.0"), REQUESTS[binding_and_version])
    assert response.status == 401
    assert response.headers["www-authenticate"] == 'Bearer realm="agents"'
    assert b"internal" not in response.body


REFUSALS: dict[str, Reply] = {
    "JSONRPC": served({"jsonrpc": "2.0", "id": 1, "error": {"code": -32007, "message": "at db.internal"}}),
    "HTTP+JSON": Reply(
        400,
        json.dumps({"error": {"code": 400, "status": "FAILED_PRECONDITION", "message": "at db.internal", "details": [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
             "domain": "a2a-protocol.org"}]}}).encode(),
        JSON,
    ),
}  # fmt: skip


@pytest.mark.parametrize("binding", REFUSALS)
def test_a_missing_declared_extended_card_is_not_configured(binding: str) -> None:
    def answer(one: RecordedRequest) -> Reply:
        origin = f"http://{one.headers['host']}"
        return served(document(origin, binding, "1.0")) if one.path == CARD else REFUSALS[binding]

    for response in responses_to(answer, *map(with_credentials, SUPPORTED)):
        error = response.json["error"]
        reason = error.get("data", error.get("details"))[0]["reason"]
        assert reason == "EXTENDED_AGENT_CARD_NOT_CONFIGURED"
        assert b"internal" not in response.body


@pytest.mark.parametrize(
    "wrong", [served({"jsonrpc": "2.0", "id": 1, "result": [1]}), served([1]), Reply(200, b"<p>", JSON)]
)
def test_an_upstream_response_without_a_card_is_invalid(wrong: Reply) -> None:
    def answer(one: RecordedRequest) -> Reply:
        return served(card(f"http://{one.headers['host']}")) if one.path == CARD else wrong

    for response in responses_to(answer, *map(with_credentials, SUPPORTED)):
        assert response.status == 502


def test_an_extended_card_of_an_unlisted_agent_stays_hidden() -> None:
    def answer(one: RecordedRequest) -> Reply:
        assert one.path == CARD
        return served(card(f"http://{one.headers['host']}"))

    unlisted = {"owner": "acme", "access": "open", "visibility": "unlisted"}
    public, response = responses_to(answer, ("GET", CARD, {}, b""), REQUESTS["JSONRPC", "1.0"], **unlisted)
    assert public.json["capabilities"]["extendedAgentCard"] is False
    assert response.json["error"]["code"] == -32004


def test_a_method_of_a_version_other_than_the_header_is_refused() -> None:
    method, path, headers, body = with_credentials(("JSONRPC", "1.0"))
    (response,) = responses_to(
        extended("JSONRPC", "1.0"), (method, path, {**headers, "A2A-Version": "0.3"}, body)
    )
    assert response.json["error"]["code"] == -32009
