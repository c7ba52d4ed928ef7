"""Callers list their own tasks, webhooks and deliveries, and nothing of another caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cardwright_gateway.auth.principal import Principal
from cardwright_gateway.webhooks.rows import Delivery
from tests.gateway.api.owner.response_schemas import check_described
from tests.gateway.tasks.gateways import function, owned
from tests.serve.client import Reply, call

if TYPE_CHECKING:
    from tests.gateway.tasks.gateways import Caller

AGENTS = {"greeter": function("answer"), "other": function("answer")}
WEBHOOK = {"url": "https://receiver.example/hook", "token": "not shown"}


async def ask(caller: Caller, path: str) -> Reply:
    reply = await call(caller.gateway, "GET", f"/api/v1{path}", caller.credentials)
    check_described("GET", f"/api/v1{path}", reply)
    return reply


def ids(reply: Reply) -> list[str]:
    return [task["id"] for task in reply.json["tasks"]]


async def test_a_caller_with_a_key_lists_its_own_tasks() -> None:
    async with owned(AGENTS) as gateway:
        first, second = await gateway.key("greeter"), await gateway.key("greeter")
        task, later = await first.send("one"), await first.send("two")
        await second.send("three")
        reply = await ask(first, "/tasks")

        assert ids(reply) == [later["id"], task["id"]]
        assert reply.json["tasks"][1] == {
            "id": task["id"],
            "agent_id": "greeter",
            "context_id": task["contextId"],
            "state": "completed",
            "updated_at": reply.json["tasks"][1]["updated_at"],
        }
        assert ids(await ask(first, "/tasks?agent_id=greeter&state=completed")) == ids(reply)
        assert ids(await ask(first, "/tasks?state=input-required")) == []


async def test_pages_have_no_gap() -> None:
    async with owned(AGENTS) as gateway:
        caller = await gateway.key("greeter")
        sent = [(await caller.send(str(number)))["id"] for number in range(5)]
        pages = [await ask(caller, "/tasks?page_size=2")]
        while token := pages[-1].json.get("next_page_token"):
            pages.append(await ask(caller, f"/tasks?page_size=2&page_token={token}"))

        assert [len(ids(page)) for page in pages] == [2, 2, 1]
        assert [one for page in pages for one in ids(page)] == sent[::-1]


async def test_a_user_lists_tasks_of_all_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    async with owned(AGENTS) as gateway:

        async def user(*_: Any) -> Principal:
            return Principal("user", "user:x")

        key = await gateway.key("greeter")
        await key.send("of the key")
        monkeypatch.setattr(gateway.gateway.identity, "caller", user)
        monkeypatch.setattr(gateway.gateway.identity, "principal", user)
        greeter, other = gateway.anonymous("greeter"), gateway.anonymous("other")
        sent = [(await greeter.send("one"))["id"], (await other.send("two"))["id"]]

        assert ids(await ask(greeter, "/tasks")) == sent[::-1]
        assert ids(await ask(greeter, "/tasks?agent_id=greeter")) == sent[:1]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/tasks?agent_id=other", 404),
        ("/tasks?agent_id=absent", 404),
        ("/tasks?state=done", 400),
        ("/tasks?status=completed", 400),
        ("/tasks?page_token=x", 400),
        ("/tasks?page_token=dGFza3MKeA==", 400),
        ("/tasks/absent/webhooks", 404),
    ],
)
async def test_an_invalid_query_is_refused(path: str, status: int) -> None:
    async with owned(AGENTS) as gateway:
        assert (await ask(await gateway.key("greeter"), path)).status == status


async def test_a_caller_without_credentials_has_no_list() -> None:
    async with owned(AGENTS) as gateway:
        reply = await ask(gateway.anonymous("greeter"), "/tasks")

        assert reply.status == 401
        assert "www-authenticate" in reply.headers


async def test_webhooks_and_deliveries_are_for_the_caller_of_their_task() -> None:
    async with owned(AGENTS, webhooks={}) as gateway:
        caller, stranger = await gateway.key("greeter"), await gateway.key("greeter")
        task = await caller.send("one")
        receiver = {**WEBHOOK, "taskId": task["id"], "secret": "s" * 32}
        stored = (await caller.rpc("CreateTaskPushNotificationConfig", receiver))["result"]
        path = f"/tasks/{task['id']}/webhooks"
        reply = await ask(caller, path)
        attempts = await ask(caller, f"{path}/{stored['id']}/deliveries")

        assert reply.json["webhooks"] == [{"id": stored["id"], "url": WEBHOOK["url"], "signed": True}]
        assert "not shown" not in reply.body.decode()
        assert attempts.status == 200
        assert (await ask(caller, f"{path}/absent/deliveries")).reason == "WEBHOOK_NOT_FOUND"
        for hidden in (path, f"{path}/{stored['id']}/deliveries"):
            assert (await ask(stranger, hidden)).reason == "TASK_NOT_FOUND"


async def test_attempts_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with owned(AGENTS, webhooks={}) as gateway:
        webhooks = gateway.gateway.webhooks
        assert webhooks is not None
        caller = await gateway.key("greeter")
        task = await caller.send("one")

        async def deliveries(agent_id: str, task_id: str, config_id: str, **_: Any) -> list[Delivery]:
            assert (agent_id, task_id, config_id) == ("greeter", task["id"], "w-1")
            ended = (1.0, 2.0, "failed", 5, 20.0, 0)
            return [Delivery("dlv_1", "evt_1", task_id, config_id, agent_id, 1, "schedule", *ended)]

        monkeypatch.setattr(webhooks, "deliveries", deliveries)
        reply = await ask(caller, f"/tasks/{task['id']}/webhooks/w-1/deliveries")

        assert [row["outcome"] for row in reply.json["deliveries"]] == ["failed"]


async def test_without_webhooks_there_are_no_lists_of_them() -> None:
    async with owned(AGENTS) as gateway:
        caller = await gateway.key("greeter")
        task = await caller.send("one")

        assert (await ask(caller, f"/tasks/{task['id']}/webhooks")).status == 404


async def test_each_list_counts_as_a_call() -> None:
    async with owned(AGENTS, limits={"requests": 2}) as gateway:
        caller = await gateway.key("greeter")
        replies = [await ask(caller, "/tasks") for _ in range(3)]

        assert [reply.status for reply in replies] == [200, 200, 429]
        assert [reply.headers["ratelimit"].split(";")[1] for reply in replies] == ["r=1", "r=0", "r=0"]
