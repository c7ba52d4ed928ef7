"""Availability of an upstream agent while its card is fresh."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import aiohttp

from cardwright.errors import PeerUnreachable
from cardwright.guard import Guard, GuardedClient
from cardwright.guard.streamed import fault
from cardwright_gateway.backends.queue import QueueBackend
from cardwright_gateway.catalog.availability_checks import FRESH_SECONDS, AvailabilityChecks
from cardwright_gateway.upstream.availability import Availability
from tests.gateway.api.owner.gateways import owned as owner_api
from tests.gateway.cli.test_reloading import Held, calling
from tests.gateway.processes import in_process
from tests.peers import peer
from tests.serve.client import call

if TYPE_CHECKING:
    import pytest

    from cardwright_gateway import Gateway

CARD = "/agents/a/.well-known/agent-card.json"
GONE = ("failing", "the agent cannot be reached")


async def checked(gateway: Gateway) -> None:
    """Check the agents, as if all results were old."""
    await AvailabilityChecks(gateway.agents, lambda: time.time() + 2 * FRESH_SECONDS).check()


def state(gateway: Gateway, agent_id: str = "a") -> tuple[str, str]:
    status = gateway.agents[agent_id].status()
    return status.state, status.error


def answering() -> Held:
    agent = Held()
    agent.free.set()
    return agent


async def test_a_failed_call_changes_the_availability_at_once() -> None:
    async with peer(answering()) as there, in_process({"a": {"url": there.origin}}) as gateway:
        assert (await call(gateway, "POST", "/agents/a", body=calling("x"))).status == 200
        assert state(gateway) == ("ok", "")
    async with peer(answering()) as there:
        running = in_process({"a": {"url": there.origin}})
        gateway = await running.__aenter__()
        await gateway.card("a")
    try:
        assert state(gateway) == ("ok", "")
        assert (await call(gateway, "POST", "/agents/a", body=calling("x"))).status == 502
        assert state(gateway) == GONE
        page = await call(gateway, "GET", "/")
        assert "the agent cannot be reached" in page.body.decode()
    finally:
        await running.__aexit__(None, None, None)


async def test_availability_checks_notice_an_outage_and_a_recovery() -> None:
    async with peer(answering()) as there:
        running = in_process({"a": {"url": there.origin}})
        gateway = await running.__aenter__()
        await gateway.card("a")
        fetches = len(there.requests)
        await checked(gateway)
        assert state(gateway) == ("ok", "")
        # A connection, and no request.
        assert len(there.requests) == fetches
    try:
        await checked(gateway)
        assert state(gateway) == GONE
        back = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", there.port)
        async with back:
            await checked(gateway)
            assert state(gateway) == ("ok", "")
    finally:
        await running.__aexit__(None, None, None)


async def test_an_agent_that_closes_a_connection_is_available() -> None:
    agent = answering()
    async with peer(agent) as there, in_process({"a": {"url": there.origin}}) as gateway:
        await gateway.card("a")
    closing = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", there.port)
    async with closing, in_process({"a": {"url": there.origin}}) as gateway:
        availability = gateway.agents["a"].availability
        reply = await call(gateway, "GET", "/agents/a/.well-known/agent-card.json")
        assert reply.status == 502
        availability.failed(PeerUnreachable("https://a.example", "refused"))
        availability.failed(PeerUnreachable("https://a.example", "it broke", connected=True))
        assert availability.error == ""


def test_a_broken_connection_differs_from_a_failed_one() -> None:
    refused = aiohttp.ClientConnectorError(connection_key=None, os_error=OSError())  # type: ignore[arg-type]
    for error, connected in (
        (refused, False),
        (aiohttp.ServerDisconnectedError(), True),
        (aiohttp.ClientPayloadError(), True),
        (aiohttp.ClientOSError(), True),
    ):
        unreachable = fault(error, "https://a.example/")
        assert isinstance(unreachable, PeerUnreachable)
        assert unreachable.connected is connected


async def test_an_agent_is_available_if_one_of_its_addresses_is() -> None:
    class Names:
        async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[dict[str, Any]]:
            return [
                {"hostname": host, "host": one, "port": port, "family": family, "proto": 0, "flags": 0}
                for one in ("127.0.0.2", "127.0.0.1")
            ]

        async def close(self) -> None:
            """Do nothing."""

    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    guard = Guard(allow=("127.0.0.0/8",), ports=frozenset({port}))
    async with server, GuardedClient(guard, resolver=Names()) as client:  # type: ignore[arg-type]
        await client.try_connection(f"http://tides.example:{port}/")


async def test_of_one_owners_agents_at_most_half_of_the_checks_run_at_once() -> None:
    checked: list[str] = []

    def agent(name: str, owner: str) -> Any:
        async def check() -> None:
            checked.append(name)
            await asyncio.sleep(60)

        config = SimpleNamespace(owner=owner)
        return SimpleNamespace(config=config, availability=Availability(), check_availability=check)

    agents = {f"a{number}": agent(f"a{number}", "acme") for number in range(40)}
    agents["mine"] = agent("mine", "")
    checks = AvailabilityChecks(agents)
    await checks.check()
    assert sorted(checked) == sorted([*(f"a{number}" for number in range(10)), "mine"])
    # They have not ended, and are not started again.
    await checks.check()
    assert len(checked) == len(set(checked)) == 11
    await checks.close()


async def test_the_log_says_once_that_an_agent_is_unavailable_and_that_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", logger="cardwright_gateway")

    def records_of() -> list[str]:
        return [line.getMessage() for line in caplog.records if "available" in line.getMessage()]

    agent = SimpleNamespace(availability=Availability())
    checks = AvailabilityChecks({"a": agent}, lambda: 0.0)  # type: ignore[dict-item]
    for _ in range(2):
        agent.availability.failed(PeerUnreachable("https://a.example", "refused"))
        await checks.check()
    assert records_of() == ["agent a is unavailable: the agent cannot be reached"]
    agent.availability.reached()
    await checks.check()
    assert records_of()[1:] == ["agent a is available again"]


async def test_only_old_results_are_checked_and_at_most_twenty_at_once() -> None:
    agents = {f"a{number}": {"url": "http://127.0.0.1:9"} for number in range(45)}
    async with in_process(agents) as gateway:
        before = [agent.availability.at for agent in gateway.agents.values()]
        await checked(gateway)
        first = sum(agent.availability.at not in before for agent in gateway.agents.values())
        assert first <= 20
        fresh = AvailabilityChecks(gateway.agents)
        for _ in range(3):
            await fresh.check()
        known = [agent.availability.at for agent in gateway.agents.values()]
        assert min(known) > float("-inf")
        await fresh.check()
        assert [agent.availability.at for agent in gateway.agents.values()] == known


async def test_a_queue_without_a_worker_is_not_ok() -> None:
    async with owner_api() as owned:
        gateway = owned.gateway
        await checked(gateway)
        assert state(gateway, "worked") == ("failing", "the agent is offline; try again later")
        backend = gateway.agents["worked"].backend
        assert isinstance(backend, QueueBackend)
        await backend.take(0)
        await checked(gateway)
        assert state(gateway, "worked") == ("ok", "")


async def test_adding_an_agent_at_a_denied_address_reports_it() -> None:
    async with owner_api() as owned:
        added = await owned.ask("POST", "/agents", {"id": "inside", "agent": {"url": "http://10.0.0.1/"}})

        assert added.status == 201
        assert added.json["state"] == "failing"
        assert "address" in added.json["error"]


async def test_adding_an_mcp_server_at_a_denied_address_reports_it() -> None:
    async with owner_api() as owned:
        agent = {"protocol": "mcp", "url": "http://10.0.0.1/mcp", "access": "open"}
        added = await owned.ask("POST", "/agents", {"id": "inside", "agent": agent})
        assert added.status == 201, added.body

        reply = await call(owned.gateway, "GET", "/agents/inside/.well-known/agent-card.json")

        assert (reply.status, reply.reason) == (502, "UPSTREAM_UNREACHABLE")
        assert "its operator can allow it" in reply.json["error"]["message"]
        assert "10.0.0.1" not in reply.body.decode()
        assert "retry-after" not in reply.headers
        listed = await owned.ask("GET", "/agents/inside")
        assert listed.json["state"] == "failing"
        assert "may not connect" in listed.json["error"]
