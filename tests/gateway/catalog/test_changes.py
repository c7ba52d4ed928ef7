"""Adding, changing and removing agents during requests."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from cardwright.errors import StoreError
from cardwright.serve.routes import CARD_PATH as CARD
from cardwright_gateway.catalog.sources import a2a
from cardwright_gateway.database.agents import AddedAgents
from cardwright_gateway.errors import UnknownAgent
from tests.gateway.gateways import AGENTS, JSON, rpc
from tests.gateway.processes import in_process as gateway
from tests.peers import RecordedRequest, Reply, peer
from tests.serve.client import call

CARD_BODY = b"""{"name": "Slow", "description": "d", "version": "1.0.0", "supportedInterfaces":
[{"url": "http://127.0.0.1:1/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}], "capabilities": {},
"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
"skills": [{"id": "a", "name": "A", "description": "d", "tags": ["a"]}]}"""


def card(_: RecordedRequest) -> Reply:
    return Reply(200, CARD_BODY, {"Content-Type": "application/json"})


async def test_removing_an_agent_ends_a_pending_card_request() -> None:
    held = asyncio.Event()

    async def slow(request: RecordedRequest) -> Reply:
        await held.wait()
        return card(request)

    async with peer(slow) as there, gateway({"slow": {"url": there.origin}}) as one:
        waiting = [asyncio.create_task(call(one, "GET", f"/agents/slow{CARD}")) for _ in range(3)]
        while not there.requests:  # noqa: ASYNC110 - no event exists for it
            await asyncio.sleep(0)
        await one.remove("slow")
        held.set()
        assert [(await reply).status for reply in waiting] == [404, 404, 404]


async def test_a_refreshed_card_is_fetched_again_and_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(a2a, "_FORCED_SECONDS", 0)
    names = [b"First", b"Second"]
    replies = [Reply(200, CARD_BODY.replace(b"Slow", name), JSON) for name in names]
    async with peer(lambda _: replies.pop(0)) as there, gateway({"a": {"url": there.origin}}) as one:
        for _ in names:
            assert (await call(one, "GET", f"/agents/a{CARD}")).json["name"] == "First"
        body = rpc("agents/refreshCard", {"id": "a"})
        refreshed = await call(one, "POST", "/rpc", JSON, body=body)
        served = await call(one, "GET", f"/agents/a{CARD}")
        assert refreshed.json["result"]["card"]["name"] == served.json["name"] == "Second"
        assert served.json == (await one.card("a")).document


async def test_a_card_stays_available_while_its_agent_is_changed() -> None:
    async with peer(card) as there, gateway({"a": {"url": there.origin}}) as one:
        await one.card("a")
        seen: list[int] = []

        async def ask() -> None:
            while len(seen) < 40 or not changed.done():
                seen.append((await call(one, "GET", f"/agents/a{CARD}")).status)
                await asyncio.sleep(0)

        async def change() -> None:
            for _ in range(5):
                await one.add("a", {"url": there.origin})

        changed = asyncio.create_task(change())
        await ask()
        assert set(seen) <= {200, 404}
        assert seen.count(200) > seen.count(404)


async def test_concurrent_adds_of_one_agent_leave_exactly_one() -> None:
    async with gateway(AGENTS) as one:
        made = await asyncio.gather(*(one.add("x", {"url": "http://127.0.0.1:9"}) for _ in range(4)))
        assert one.agents["x"] is made[-1]
        assert [agent for agent in made if agent is not one.agents["x"]] == made[:-1]


async def test_a_change_that_cannot_be_stored_leaves_the_agent_unchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with peer(card) as there, gateway({"a": {"url": there.origin}}) as one:
        await one.card("a")
        before = one.agents["a"]

        def full(*_: Any, **__: Any) -> None:
            raise StoreError("full", "the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(one.registry, "add", full)
            with pytest.raises(StoreError):
                await one.add("a", {"url": f"{there.origin}/other"})
        assert one.agents["a"] is before


async def test_a_changed_agent_is_fetched_again_without_its_old_bearer_token() -> None:
    async with peer(card) as there, gateway({"a": {"url": there.origin, "bearer": "old"}}) as one:
        await one.card("a")
        await one.add("a", {"url": there.origin})
        await one.card("a")
        assert [request.headers.get("authorization") for request in there.requests] == [
            "Bearer old",
            None,
        ]


async def test_running_calls_end_when_their_agent_is_removed() -> None:
    reached = asyncio.Event()

    async def hang(_: Any) -> str:
        reached.set()
        await asyncio.sleep(3600)
        return ""

    async with gateway(AGENTS) as one:
        agent = one.agents["greeter"]

        async def called() -> None:
            with agent.calling(""):
                leaving.append(asyncio.create_task(one.remove("greeter")))
                await hang(None)

        leaving: list[asyncio.Task[None]] = []
        with pytest.raises(UnknownAgent):
            await called()
        await asyncio.gather(*leaving)
        assert reached.is_set()
        assert agent.running_calls == 0


async def test_a_query_with_too_many_fields_is_refused_without_a_server_error() -> None:
    many = "&".join(f"a{n}=1" for n in range(40))

    async with gateway(AGENTS) as one:
        for path in ("/", "/.well-known/agent-card.json", f"/agents/greeter{CARD}"):
            reply = await call(one, "GET", f"{path}?form=mcp&{many}")
            assert reply.status == 400, path


async def test_an_agent_path_takes_precedence_over_a_tenant_of_the_root_agent() -> None:
    async with peer(card) as there, gateway({**AGENTS, "b": {"url": there.origin}}, root="b") as one:
        reply = await call(one, "GET", "/greeter/tasks/none", {"A2A-Version": "1.0"})
        assert (reply.status, b"TASK_NOT_FOUND" in reply.body) == (404, True)


async def test_cancelling_the_caller_does_not_cancel_a_running_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go = threading.Event(), threading.Event()
    put = AddedAgents.put

    def slow(*args: Any, **more: Any) -> float:
        written = put(*args, **more)
        begun.set()
        assert go.wait(30)
        return written

    async with gateway({}) as one:
        monkeypatch.setattr(AddedAgents, "put", slow)
        settings = {"url": "https://agent.example.com"}
        adding = asyncio.create_task(one.submit("a", settings))
        assert await asyncio.to_thread(begun.wait, 30)
        adding.cancel()
        await asyncio.wait({adding})
        go.set()
        # The table and this process agree: another change needs no retry.
        await one.submit("a", {"url": "https://other.example.com"})
        assert one.agent("a").config.definition["url"] == "https://other.example.com"


async def test_closing_a_gateway_waits_for_a_running_change(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()
    put = AddedAgents.put

    def slow(*args: Any, **more: Any) -> float:
        begun.set()
        assert go.wait(30)
        return put(*args, **more)

    monkeypatch.setattr(AddedAgents, "put", slow)

    async with gateway({}) as one:
        adding = asyncio.create_task(one.submit("a", {"url": "https://agent.example.com"}))
        assert await asyncio.to_thread(begun.wait, 30)
        closing = asyncio.create_task(one.close())
        await asyncio.wait({closing}, timeout=0.2)
        go.set()
        agent = await adding
        await closing
        assert one.agents == {"a": agent}
