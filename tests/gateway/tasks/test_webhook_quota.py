"""Events in the outbox count against the quota of the agent's owner until they are delivered or deleted."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from cardwright_gateway.database.deletion import EVENT_COLUMNS, delete_events
from cardwright_gateway.database.tables import EVENTS, TASKS, WEBHOOKS
from cardwright_gateway.database.task_bytes import used_bytes
from cardwright_gateway.tasks.eviction import make_room
from tests.gateway.tasks.gateways import function, message, owned
from tests.gateway.tasks.test_task_webhooks import receiving, webhook_settings
from tests.gateway.waiting import wait_until

if TYPE_CHECKING:
    from tests.gateway.tasks.gateways import Caller, Owned
    from tests.gateway.tasks.test_task_webhooks import Receiver

BIG = "x" * 40_000


def counted(gateway: Owned) -> tuple[int, int, list[tuple[str, int, int]]]:
    """Return what is counted, what is stored, and the state and sizes of each event."""
    with gateway.gateway.registry.store.database.reading() as connection:
        tasks = connection.execute(select(func.coalesce(func.sum(TASKS.c.size), 0))).scalar_one()
        query = select(EVENTS.c.state, EVENTS.c.size, func.length(EVENTS.c.body))
        events = [(str(row[0]), int(row[1]), int(row[2])) for row in connection.execute(query)]
        webhooks = connection.execute(select(func.coalesce(func.sum(WEBHOOKS.c.size), 0))).scalar_one()
        stored = int(tasks) + int(webhooks) + sum(size for _, size, _ in events)
        return used_bytes(connection, "acme").total, stored, events


async def delivered(gateway: Owned) -> bool:
    return any(state == "delivered" for state, _, _ in counted(gateway)[2])


def settings(receiver: Receiver) -> dict[str, Any]:
    webhooks = webhook_settings(receiver)["webhooks"]
    return {"webhooks": {**webhooks, "encryption_key": base64.urlsafe_b64encode(bytes(32)).decode()}}


async def notified(caller: Caller, url: str, text: str = BIG) -> dict[str, Any]:
    params = {
        **message(text, messageId="m-1"),
        "configuration": {"taskPushNotificationConfig": {"url": url, "token": "t"}},
    }
    task: dict[str, Any] = (await caller.rpc("SendMessage", params))["result"]["task"]
    return task


async def test_an_event_counts_until_it_is_delivered_and_its_row_until_it_is_deleted(place: str) -> None:
    async for receiver in receiving():
        async with owned({"greeter": function("answer")}, store=place, **settings(receiver)) as gateway:
            caller = await gateway.key("greeter")
            await notified(caller, receiver.url.replace("127.0.0.1", "127.0.0.2"))
            total, stored, [(state, size, body)] = counted(gateway)
            assert (total, state, size) == (stored, "waiting", body + 512)
            assert body > 40_000

            await notified(caller, receiver.url)
            async with asyncio.timeout(20):
                await receiver.heard.get()
                await wait_until(lambda: delivered(gateway))
            total, stored, events = counted(gateway)
            assert total == stored
            assert ("delivered", 512, 0) in events

            service = gateway.gateway.task_service
            assert service is not None
            assert service.webhooks is not None
            assert await service.webhooks.purge(time.time() + 10, limit=10) == 1
            total, stored, events = counted(gateway)
            assert total == stored
            assert [event[0] for event in events] == ["waiting"]


async def test_an_event_without_space_for_the_task_says_only_its_state(place: str) -> None:
    async for receiver in receiving():
        more = {**settings(receiver), "tasks": {"owner_bytes": 100_000}}
        async with owned({"greeter": function("answer")}, store=place, **more) as gateway:
            caller = await gateway.key("greeter")
            task = await notified(caller, receiver.url)
            assert task["status"]["state"] == "TASK_STATE_COMPLETED"
            async with asyncio.timeout(20):
                _, body = await receiver.heard.get()
            sent = json.loads(body)["task"]
            assert set(sent) == {"id", "contextId", "status"}
            assert sent["id"] == task["id"]
            assert sent["status"]["state"] == "TASK_STATE_COMPLETED"
            total, stored, _ = counted(gateway)
            assert total == stored < 100_000


@pytest.mark.parametrize("expired", [False, True])
async def test_old_events_of_anonymous_callers_are_deleted_for_space(place: str, *, expired: bool) -> None:
    async for receiver in receiving():
        agents = {"greeter": function("answer", access="open", tasks="own")}
        async with owned(agents, store=place, **settings(receiver)) as gateway:
            # These connections are not accepted.
            nowhere = receiver.url.replace("127.0.0.1", "127.0.0.2")
            await notified(gateway.anonymous("greeter"), nowhere)
            if expired:
                service = gateway.gateway.task_service
                assert service is not None
                assert service.cleaner is not None
                assert await service.cleaner.delete_expired(time.time() + 90_000) == 1
            customer = await gateway.key("greeter")
            kept = await notified(customer, nowhere)
            total, stored, events = counted(gateway)
            assert total == stored
            assert [event[0] for event in events] == ["waiting", "waiting"]

            database = gateway.gateway.registry.store.database
            await asyncio.to_thread(make_room, database, "acme", 0)
            with database.reading() as connection:
                assert used_bytes(connection, "acme").anonymous == 0
            total, stored, events = counted(gateway)
            assert total == stored > 40_000
            assert [event[0] for event in events] == ["waiting"]
            assert "result" in await customer.rpc("GetTask", {"id": kept["id"]})


async def test_push_configurations_count_until_they_are_deleted(place: str) -> None:
    async for receiver in receiving():
        async with owned({"greeter": function("answer")}, store=place, **settings(receiver)) as gateway:
            caller = await gateway.key("greeter")
            task = await caller.send("begin")
            before, stored, _ = counted(gateway)
            assert before == stored
            url = receiver.url.replace("127.0.0.1", "127.0.0.2")
            sizes: list[int] = []
            for config_id, token in (("a", "t" * 4_000), ("a", "t" * 2_000), ("b", "t" * 4_000)):
                params = {"taskId": task["id"], "id": config_id, "url": url, "token": token}
                assert "result" in await caller.rpc("CreateTaskPushNotificationConfig", params)
                total, stored, events = counted(gateway)
                assert total == stored
                sizes.append(total - before - sum(size for _, size, _ in events))
            assert sizes[0] > 5_300 > sizes[1] > 2_600
            assert sizes[2] > sizes[1] + 5_300
            for config_id in ("a", "b"):
                params = {"taskId": task["id"], "id": config_id}
                assert "result" in await caller.rpc("DeleteTaskPushNotificationConfig", params)
            total, stored, events = counted(gateway)
            assert total == stored == before + sum(size for _, size, _ in events)

            params = {"taskId": task["id"], "id": "c", "url": url, "token": "t" * 4_000}
            assert "result" in await caller.rpc("CreateTaskPushNotificationConfig", params)
            service = gateway.gateway.task_service
            assert service is not None
            assert service.cleaner is not None
            assert service.webhooks is not None
            assert await service.cleaner.delete_expired(time.time() + 40 * 86_400) == 1
            total, stored, _ = counted(gateway)
            assert total == stored > 5_300
            with gateway.gateway.registry.store.database.writing() as connection:
                delete_events(connection, connection.execute(select(*EVENT_COLUMNS)).all())
            assert counted(gateway) == (0, 0, [])


async def test_push_configurations_are_refused_without_space(place: str) -> None:
    async for receiver in receiving():
        more = {**settings(receiver), "tasks": {"owner_bytes": 30_000}}
        async with owned({"greeter": function("answer")}, store=place, **more) as gateway:
            caller = await gateway.key("greeter")
            task = await caller.send("begin")
            refused: list[Any] = []
            for number in range(16):
                url = f"{receiver.url.replace('127.0.0.1', '127.0.0.2')}?{number}"
                params = {"taskId": task["id"], "id": f"c{number}", "url": url, "token": "t" * 4_000}
                answer = await caller.rpc("CreateTaskPushNotificationConfig", params)
                refused += [answer["error"]] if "error" in answer else []
            assert 8 < len(refused) < 16
            assert "tasks.owner_bytes" in refused[-1]["message"]
            total, stored, _ = counted(gateway)
            assert total == stored <= 30_000
            listed = await caller.rpc("ListTaskPushNotificationConfigs", {"taskId": task["id"]})
            assert len(listed["result"]["configs"]) == 16 - len(refused)
