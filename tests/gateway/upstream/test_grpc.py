"""Upstream agents with gRPC only are called over gRPC, if the guard allows the address."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card
from cardwright.view.interfaces import interfaces
from cardwright_gateway import Gateway
from cardwright_gateway.catalog.served_card import served_card
from cardwright_gateway.catalog.sources import UpstreamCard
from cardwright_gateway.settings.config import GatewayConfig
from tests.discovery.calling.sdk_agents import ScriptedExecutor
from tests.gateway.gateways import BASE, CARD, JSON, rpc
from tests.gateway.tasks.gateways import message
from tests.grpc_agent import serving
from tests.peers import RecordedRequest, Reply, peer
from tests.serve.client import call

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

ALLOW = ["127.0.0.0/8"]


def document(address: str, *versions: str) -> dict[str, Any]:
    entries = [
        {"url": address, "protocolBinding": "GRPC", "protocolVersion": version} for version in versions
    ]
    return {**CARD, "supportedInterfaces": entries, "capabilities": {"streaming": True}}


async def gateway_before(
    address: str, *versions: str, tasks: str = "own", **more: Any
) -> AsyncGenerator[Gateway]:
    """Yield a gateway before an agent whose card, over HTTP, names an address of gRPC."""
    body = json.dumps(document(address, *versions)).encode()

    def answer(_: RecordedRequest) -> Reply:
        return Reply(200, body, {"content-type": "application/json"})

    async with peer(answer) as cards:
        settings = {"base_url": BASE, "agents": {"harbour": {"url": cards.origin, "tasks": tasks}}, **more}
        async with Gateway(settings) as gateway:
            yield gateway


async def sent(gateway: Gateway, text: str) -> dict[str, Any]:
    """Send a message to the agent; return the response."""
    reply = await call(gateway, "POST", "/agents/harbour", JSON, body=rpc("SendMessage", message(text)))
    value: dict[str, Any] = json.loads(reply.body)
    return value


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_an_agent_with_grpc_only_is_called_over_grpc(version: str) -> None:
    executor = ScriptedExecutor()
    async with serving(executor) as address:
        async for gateway in gateway_before(address, version, allow=ALLOW):
            assert (await sent(gateway, "hello"))["result"]["message"]["parts"] == [
                {"text": "you said hello"}
            ]
            task = (await sent(gateway, "task"))["result"]["task"]
            assert task["status"]["state"] == "TASK_STATE_COMPLETED"
            assert [one["artifactId"] for one in task["artifacts"]] == ["a", "b"]
            refused = json.dumps((await sent(gateway, "refuse"))["result"]["task"]["status"])
            assert "CONTENT_TYPE_NOT_SUPPORTED" in refused
            assert "instructions" not in refused
            card = await gateway.card("harbour")
            assert {one.binding for one in interfaces(card)} == {"JSONRPC", "HTTP+JSON"}
            assert address not in json.dumps(card.document)


async def test_a_private_address_in_the_card_is_denied() -> None:
    async with serving(ScriptedExecutor()) as address:
        async for gateway in gateway_before(address, "1.0"):
            response = await sent(gateway, "hello")
            failed = response.get("error") or response["result"]["task"]["status"]
            assert "may not connect" in json.dumps(failed)


def served(address: str, **settings: Any) -> Card:
    config = GatewayConfig.from_value(
        {"base_url": BASE, "agents": {"harbour": {"url": "https://harbour.example", **settings}}}
    )
    card = Card.from_document(document(address, "1.0"))
    return served_card(
        config.agents["harbour"], UpstreamCard(card, card.digest), f"{BASE}/agents/harbour"
    ).card


def test_without_managed_tasks_or_grpcio_the_report_names_a_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardwright_gateway.errors import UpstreamInvalid

    assert served("harbour.example:50051", tasks="own").valid
    with pytest.raises(UpstreamInvalid, match="set `tasks: own`"):
        served("harbour.example:50051")
    with pytest.raises(UpstreamInvalid, match="no interface that the gateway supports"):
        served("unix:/run/harbour", tasks="own")
    monkeypatch.setitem(sys.modules, "grpc", None)
    with pytest.raises(UpstreamInvalid, match=r'pip install "cardwright\[grpc\]"'):
        served("harbour.example:50051", tasks="own")
