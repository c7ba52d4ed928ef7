"""The tasks of one owner's agents have a maximum total size; expired tasks free it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, update

from cardwright_gateway.database.tables import TASK_BYTES, TASKS
from cardwright_gateway.database.task_bytes import used_bytes
from tests.gateway.gateways import JSON
from tests.gateway.tasks.gateways import function, message, owned

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gateway.tasks.gateways import Caller, Owned

BIG = "x" * 40_000


def used(gateway: Owned, owner: str = "acme") -> tuple[int, int]:
    """Return what is counted for an owner, and what it should be."""
    with gateway.gateway.registry.store.database.reading() as connection:
        stored = select(func.coalesce(func.sum(TASKS.c.size), 0)).where(TASKS.c.agent_owner == owner)
        return used_bytes(connection, owner).total, int(connection.execute(stored).scalar_one())


def long(text: str) -> dict[str, Any]:
    """Return the params of a message whose id is not its text."""
    return message(text, messageId="m-1")


async def refused(caller: Caller, text: str) -> dict[str, Any]:
    """Send a message that is refused; return the error."""
    answer = await caller.rpc("SendMessage", long(text))
    error: dict[str, Any] = answer["error"]
    return error


async def test_the_quota_counts_stored_bytes_until_they_expire(place: str) -> None:
    async with owned({"greeter": function("answer")}, store=place) as gateway:
        caller = await gateway.key("greeter")
        sizes = [used(gateway)]
        for _ in range(2):
            await caller.send(BIG, messageId="m-1")
            sizes.append(used(gateway))
        assert all(counted == stored for counted, stored in sizes)
        (_, one), (_, two) = sizes[1:]
        assert one > 40_000
        # Timestamps have between 6 and 12 bytes.
        assert abs(two - 2 * one) < 50

        cleaner = gateway.gateway.task_service.cleaner  # type: ignore[union-attr] # the tasks are own
        assert cleaner is not None
        assert await cleaner.delete_expired(time.time() + 90_000) == 2
        assert used(gateway) == (0, 0)


@pytest.mark.parametrize("rest", [False, True])
async def test_a_message_beyond_the_space_of_its_owner_is_refused_and_stores_nothing(*, rest: bool) -> None:
    agents = {"one": function("answer"), "other": function("answer")}
    async with owned(agents, tasks={"owner_bytes": 70_000}) as gateway:
        caller, other = await gateway.key("one"), await gateway.key("other")
        await caller.send(BIG, messageId="m-1")
        before = used(gateway)
        if rest:
            reply = await caller.at("message:send", long(BIG), **JSON)
            assert (reply.status, reply.reason) == (507, "FULL")
            text = reply.json["error"]["message"]
        else:
            # The limit is the owner's: the key of another agent does not help.
            error = await refused(other, BIG)
            assert (error["code"], error["data"][0]["reason"]) == (-32603, "FULL")
            text = error["message"]
        assert "70,000 bytes (tasks.owner_bytes); wait until older tasks expire" in text
        assert used(gateway) == before
        # Stored tasks can still be read, and a smaller message can still be sent.
        assert len((await caller.rpc("ListTasks", {}))["result"]["tasks"]) == 1
        await caller.send("small")


async def test_each_owner_has_its_own_quota_and_agents_without_owner_share_one() -> None:
    agents = {
        "hers": function("answer", owner="acme"),
        "his": function("answer", owner="bo"),
        "open": {**function("answer", access="open", tasks="own"), "owner": ""},
    }
    del agents["open"]["owner"]
    owners = {"acme": {"name": "Acme"}, "bo": {"name": "Bo"}}
    async with owned(agents, owners=owners, tasks={"owner_bytes": 60_000}) as gateway:
        hers, his = await gateway.key("hers"), gateway.anonymous("open")
        await hers.send(BIG, messageId="m-1")
        await his.send("x" * 2_000, messageId="m-1")
        assert (await refused(hers, BIG))["data"][0]["reason"] == "FULL"
        assert (await refused(his, BIG))["data"][0]["reason"] == "FULL"
        _, secret = await asyncio.to_thread(
            lambda: gateway.gateway.keys.issue("his", "bo", name="a test", actor="test")
        )
        await type(hers)(gateway.gateway, "his", {"X-Agent-API-Key": secret}).send(BIG, messageId="m-1")


def anonymous(gateway: Owned) -> int:
    """Return what is counted for callers without credentials."""
    with gateway.gateway.registry.store.database.reading() as connection:
        return used_bytes(connection, "acme").anonymous


async def get(caller: Caller, task: dict[str, Any]) -> dict[str, Any]:
    return await caller.rpc("GetTask", {"id": task["id"]})


async def test_anonymous_callers_use_a_sixteenth_of_the_quota(place: str) -> None:
    agents = {
        "open": function("answer", access="open", tasks="own"),
        "busy": function("forever", access="open", tasks="own"),
    }
    async with owned(agents, tasks={"owner_bytes": 160_000}, store=place) as gateway:
        stranger, customer = gateway.anonymous("open"), await gateway.key("open")
        # A running task that another anonymous caller cannot end.
        immediately = {**message("wait"), "configuration": {"returnImmediately": True}}
        running = (await gateway.anonymous("busy").rpc("SendMessage", immediately))["result"]["task"]
        first = await stranger.send("x" * 3_000, messageId="m-1")
        await stranger.send("y" * 3_000, messageId="m-1")
        await customer.send(BIG, messageId="m-1")
        third = await stranger.send("z" * 3_000, messageId="m-1")
        # The end of a task is stored even if it reaches the maximum.
        assert anonymous(gateway) < 10_500
        assert "error" in await get(stranger, first)
        assert "result" in await get(stranger, third)
        assert "result" in await get(gateway.anonymous("busy"), running)
        # A message too large even for an empty quota is refused, and no task is deleted.
        error = await refused(stranger, "x" * 10_000)
        assert error["data"][0]["reason"] == "FULL"
        assert (
            "callers without credentials reach their maximum total size of 10,000 bytes" in error["message"]
        )
        assert "result" in await get(stranger, third)
        counted, stored = used(gateway)
        assert counted == stored


async def test_a_quota_check_reads_totals_and_no_task(monkeypatch: pytest.MonkeyPatch) -> None:
    async with owned({"greeter": function("answer")}) as gateway:
        caller = await gateway.key("greeter")
        for number in range(20):
            await caller.send(f"message {number}")
        with gateway.gateway.registry.store.database.reading() as connection:
            rows = connection.execute(select(func.count()).select_from(TASK_BYTES)).scalar_one()
        assert rows <= 8


async def test_a_task_of_an_older_version_counts_after_its_next_write(tmp_path: Path) -> None:
    async with owned({"greeter": function("forever")}, store=str(tmp_path / "g.db")) as gateway:
        caller = await gateway.key("greeter")
        immediately = {**message("wait"), "configuration": {"returnImmediately": True}}
        task = (await caller.rpc("SendMessage", immediately))["result"]["task"]
        with gateway.gateway.registry.store.database.writing() as connection:
            connection.execute(update(TASKS).values(size=0, agent_owner=""))
            connection.execute(TASK_BYTES.delete())
        await caller.rpc("CancelTask", {"id": task["id"]})
        counted, stored = used(gateway)
        assert counted == stored > 0
