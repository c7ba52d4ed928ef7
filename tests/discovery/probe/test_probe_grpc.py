"""Probe checks of gRPC interfaces: a2a-sdk's server, and servers that do not match their card."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCard
from google.protobuf.json_format import ParseDict  # type: ignore[import-untyped] # it has no stubs

from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from tests.discovery.probe.agents import (
    HOST,
    Agent,
    Loopback,
    card,
    faults,
    interface,
    older,
    outcomes,
    results_of,
)
from tests.discovery.probe.certificates import issued, serving, trusting
from tests.discovery.probe.test_probe_sdk_agents import Miller
from tests.grpc_modules import aio, grpc, services, services_of_0_3
from tests.peers import peer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from cardwright.discovery.probe import Report


@asynccontextmanager
async def grpc_agent(versions: Sequence[str], **changes: Any) -> AsyncGenerator[int]:
    """Run an A2A agent (a2a-sdk) over TLS; yield its port."""
    from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
    from a2a.server.request_handlers.grpc_handler import GrpcHandler

    document = ParseDict(card("https://agent.example", **changes), AgentCard())
    handler = DefaultRequestHandler(
        agent_executor=Miller(), task_store=InMemoryTaskStore(), agent_card=document
    )
    server = aio.server()
    if "1.0" in versions:
        services.add_A2AServiceServicer_to_server(GrpcHandler(handler), server)
    if "0.3" in versions:
        services_of_0_3.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), server)
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([issued(HOST)]))
    await server.start()
    try:
        yield port
    finally:
        await server.stop(None)


async def probed(document: Any, **options: Any) -> Report:
    """Probe an agent by a card."""
    client = GuardedClient(Guard(allow=("127.0.0.0/8",)), resolver=Loopback(), ssl_context=trusting())
    async with peer(Agent(document).answer, tls=serving(HOST)) as one, client:
        return await probe(f"https://{HOST}:{one.port}", client=client, **options)


def over_grpc(port: int, version: str, **changes: Any) -> Any:
    def document(origin: str) -> dict[str, Any]:
        entry = interface(f"grpcs://{HOST}:{port}", "GRPC", version)
        return card(origin, supportedInterfaces=[entry], **changes)

    return document


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_an_a2a_sdk_agent_matches_its_card(version: str, *, streaming: bool) -> None:
    capabilities = {"capabilities": {"streaming": streaming}}

    async with grpc_agent([version], **capabilities) as port:
        report = await probed(over_grpc(port, version, **capabilities), send=True)

    assert faults(report) == []
    for rule in ("interface-reachable", "interface-tls", "interface-binding", "interface-version", "message"):
        assert outcomes(report, f"probe/{rule}") == ["pass"], rule
    assert outcomes(report, "probe/message-stream") == (["pass"] if streaming else [])
    assert "gRPC status NOT_FOUND" in results_of(report, "probe/interface-version")[0][1]


@pytest.mark.parametrize(("declared", "supported"), [("1.0", "0.3"), ("0.3", "1.0")])
async def test_a_card_with_another_version_than_the_server_is_an_error(declared: str, supported: str) -> None:
    async with grpc_agent([supported]) as port:
        report = await probed(over_grpc(port, declared))

    assert faults(report) == [("error", "probe/interface-version")]
    assert f"the interface supports {supported}" in results_of(report, "probe/interface-version")[0][1]


async def test_missing_capabilities_are_errors() -> None:
    async with grpc_agent(["1.0"], capabilities={"streaming": False}) as port:
        assert ("error", "probe/streaming") in faults(
            await probed(over_grpc(port, "1.0", capabilities={"streaming": True}))
        )


def test_undeclared_credentials_of_a_grpc_server_are_an_error() -> None:
    class Closed(services.A2AServiceServicer):  # type: ignore[misc] # grpc has no types
        async def GetTask(self, _: Any, context: Any) -> Any:  # noqa: N802 - a method of A2A
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "no")

    async def scene() -> Report:
        server = aio.server()
        services.add_A2AServiceServicer_to_server(Closed(), server)
        port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([issued(HOST)]))
        await server.start()
        try:
            return await probed(over_grpc(port, "1.0"))
        finally:
            await server.stop(None)

    report = asyncio.run(scene())

    assert ("error", "probe/auth-undeclared") in faults(report)
    assert results_of(report, "probe/auth-undeclared")[0][1].startswith("gRPC status UNAUTHENTICATED")


async def test_a_missing_server_or_one_without_grpc_is_an_error() -> None:
    async with peer(Agent().answer, tls=serving(HOST)) as http:
        absent, http_only = await probed(over_grpc(1, "1.0")), await probed(over_grpc(http.port, "1.0"))

    assert faults(absent) == [("error", "probe/interface-reachable")]
    assert {rule for _, rule in faults(http_only)} & {"probe/interface-reachable", "probe/interface-tls"}


async def test_a_card_of_0_3_that_lists_grpc_is_checked() -> None:
    async with grpc_agent(["0.3"]) as port:

        def document(origin: str) -> dict[str, Any]:
            entry = {"url": f"https://{HOST}:{port}", "transport": "GRPC"}
            return {**older(origin), "additionalInterfaces": [entry]}

        report = await probed(document)

    assert outcomes(report, "probe/interface-version") == ["pass", "pass"]
