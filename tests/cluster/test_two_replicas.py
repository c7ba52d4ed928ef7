"""Two replicas: changes at one apply at the other."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from aiohttp import web

from cardwright_gateway.auth.agent_keys import Quota
from tests.cluster.replicas import CANCELED, COMPLETED, WORKING, Cluster, Replica, becomes, cluster, function
from tests.gateway.gateways import CARD
from tests.gateway.tasks.gateways import message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

WORKER = "a-worker-of-20-letters"
# Project decision: the delay until other processes see a revoked key or a changed agent.
SEEN_SECONDS = 5.0


class Upstream:
    """An A2A agent whose card may change; it counts card requests."""

    def __init__(self) -> None:
        self.origin = ""
        self.name = "Tides"
        self.requests = 0

    async def card(self, _: web.Request) -> web.Response:
        self.requests += 1
        card_document = {**CARD, "name": self.name, "supportedInterfaces": [
            {"url": f"{self.origin}/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        ]}  # fmt: skip
        return web.json_response(card_document, headers={"Cache-Control": "max-age=300"})


@asynccontextmanager
async def upstream() -> AsyncGenerator[Upstream]:
    made = Upstream()
    app = web.Application()
    app.router.add_get("/.well-known/agent-card.json", made.card)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await runner.cleanup()


async def card_of(at: Replica, of: Cluster, agent_id: str) -> dict[str, Any] | None:
    url = f"{at.origin}/agents/{agent_id}/.well-known/agent-card.json"
    async with of.session.get(url) as answer:
        found: dict[str, Any] | None = await answer.json() if answer.status == 200 else None
        return found


async def tasks_are_shared(of: Cluster, one: Replica, other: Replica) -> None:
    caller = of.caller("steps")
    sending = caller.events(one, "SendStreamingMessage", message("first"))
    task_id = (await anext(sending))["task"]["id"]
    await caller.until(other, task_id, WORKING)
    listed = (await caller.rpc(other, "ListTasks", {}))["result"]["tasks"]
    assert [task["id"] for task in listed] == [task_id]
    texts: list[str] = []
    state = ""
    async for event in caller.events(other, "SubscribeToTask", {"id": task_id}):
        # It runs on at the first replica only when the second one has subscribed.
        (of.folder / "first").touch()
        parts = event.get("artifactUpdate", {}).get("artifact", {}).get("parts", [])
        texts += [part["text"] for part in parts]
        state = event.get("statusUpdate", {}).get("status", {}).get("state")
    assert texts[-1] == "two"
    assert state == COMPLETED
    async for _ in sending:
        pass
    assert await caller.task(one, task_id) == await caller.task(other, task_id)
    stranger = of.caller("steps")
    assert "error" in await stranger.rpc(other, "GetTask", {"id": task_id})


async def a_task_is_cancelled_elsewhere(of: Cluster, one: Replica, other: Replica) -> None:
    caller = of.caller("forever")
    task = await caller.begun(one, "wait")
    answer = await caller.rpc(other, "CancelTask", {"id": task["id"]})
    assert answer["result"]["status"]["state"] == CANCELED, answer
    for at in (one, other):
        assert await caller.state(at, task["id"]) == CANCELED


async def a_task_goes_on_elsewhere(of: Cluster, one: Replica, other: Replica) -> None:
    caller = of.caller("ask")
    task = await caller.send(one, "begin")
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    ended = await caller.send(other, "that", taskId=task["id"])
    assert ended["status"]["state"] == COMPLETED
    assert ended["status"]["message"]["parts"][0]["text"] == "so it is that"
    assert await caller.state(one, task["id"]) == COMPLETED


async def a_revoked_key_is_refused_elsewhere(of: Cluster, one: Replica, other: Replica) -> None:
    caller = of.caller("answer")
    for at in (one, other):
        await caller.send(at, "two words")
    url = f"{one.origin}/api/v1/agents/answer/keys/{caller.key_id}"
    async with of.session.delete(url, headers=of.owner()) as answer:
        assert answer.status in (200, 204), await answer.text()
    assert (await caller.rpc(one, "SendMessage", message("now")))["status"] == 401

    async def refused() -> bool:
        return bool((await caller.rpc(other, "SendMessage", message("now")))["status"] == 401)

    await becomes(refused, SEEN_SECONDS)


async def agents_and_cards_are_seen_elsewhere(of: Cluster, one: Replica, other: Replica) -> None:
    async with upstream() as peer:
        await of.admin(one, "agents/add", {"id": "tides", "agent": {"url": peer.origin}})

        async def named(name: str | None) -> None:
            async def so() -> bool:
                card = await card_of(other, of, "tides")
                return (card or {}).get("name") == name

            await becomes(so, SEEN_SECONDS)

        await named("Tides")
        for _ in range(5):
            for at in (one, other):
                assert (await card_of(at, of, "tides") or {})["name"] == "Tides"
        assert peer.requests == 1
        peer.name = "Currents"

        async def renewed() -> bool:
            # No card is fetched twice within a second.
            await of.admin(one, "agents/refreshCard", {"id": "tides"})
            return bool((await card_of(one, of, "tides") or {}).get("name") == peer.name)

        await becomes(renewed)
        await named("Currents")
        assert peer.requests == 2
        await of.admin(other, "agents/remove", {"id": "tides"})

        async def gone() -> bool:
            return await card_of(one, of, "tides") is None

        await becomes(gone, SEEN_SECONDS)


async def work_is_shared(of: Cluster, one: Replica, other: Replica) -> None:
    caller = of.caller("worked")
    bearer = {"Authorization": f"Bearer {WORKER}"}

    async def work() -> list[str]:
        async with of.session.get(f"{other.origin}/agents/worked/queue?wait=30", headers=bearer) as answer:
            assert answer.status == 200
            work = await answer.json()
        texts = [part["text"] for part in work["turn"]["parts"]]
        # A worker's report may reach any replica.
        for at, path, body in (
            (one, "", {"parts": [{"text": "a"}]}),
            (other, "/result", {"parts": [{"text": "b"}]}),
        ):
            url = f"{at.origin}/agents/worked/queue/{work['id']}{path}"
            async with of.session.post(url, json=body, headers=bearer) as answer:
                assert answer.status == 204, await answer.text()
        return texts

    working = asyncio.create_task(work())

    async def online() -> bool:
        async with of.session.get(f"{one.origin}/api/v1/instances", headers=of.owner()) as answer:
            found = {each["agent_id"]: each for each in (await answer.json())["instances"]}
        return (found["worked"]["state"], found["worked"]["workers_waiting"]) == ("online", 1)

    await becomes(online)
    task = await caller.send(one, "to do")
    assert await working == ["to do"]
    assert [part["text"] for part in task["artifacts"][0]["parts"]] == ["a", "b"]


async def a_limit_counts_over_both(of: Cluster, one: Replica, other: Replica) -> None:
    caller = of.caller("answer", Quota(60, 60))
    # Cheap ones, and not all at once: after a stop of 200 ms a process counts locally for a second.
    left = iter(range(400))

    async def ask() -> Counter[int]:
        found = Counter[int]()
        for number in left:
            answer = await caller.rpc((one, other)[number % 2], "GetTask", {"id": "none"})
            found[answer["status"]] += 1
        return found

    counted = sum(await asyncio.gather(*(ask() for _ in range(8))), Counter[int]())
    assert counted == {200: 60, 429: 340}


async def test_two_replicas_are_one_gateway(place: str, redis: str, tmp_path: Path) -> None:
    agents = {name: function(name) for name in ("answer", "steps", "ask", "forever")}
    queue = {"card": CARD, "backend": {"queue": {"token": WORKER}}, "owner": "acme"}

    settings = {"requests": 0, "redis": redis, "processes": 2}
    async with cluster(tmp_path, place, {**agents, "worked": queue}, limits=settings) as of:
        one, other = await asyncio.gather(of.start(), of.start())
        # One after another: replicas take seconds to start.
        for claim in (
            tasks_are_shared,
            a_task_is_cancelled_elsewhere,
            a_task_goes_on_elsewhere,
            a_revoked_key_is_refused_elsewhere,
            agents_and_cards_are_seen_elsewhere,
            work_is_shared,
            a_limit_counts_over_both,
        ):
            await claim(of, one, other)
